"""The contest's JSON, read and checked: `{word: [0/1 per character]}`, an empty list where the split is not known.

Words are handed on exactly as they stand in the file, character for character.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any

from hybrid.errors import DataError
from lexicon import normalize
from lexicon.errors import quoted, shown
from lexicon.textfile import not_utf8, read_lines, read_whole

_LONG_NUMBER = re.compile(r"\d{1000}")

Labels = dict[str, list[int]]
"""Word → 0/1 for each of its characters, 1 for the last of a part; empty where not known."""


def read_labelled(path: Path) -> Labels:
    """Read words whose splits are known.

    Raises:
        DataError: the file is missing, empty, not UTF-8, not a JSON object; a key is empty or comes twice; a list is
            empty, of the wrong length, holds something else than 0 and 1, does not end in 1, or cuts inside a letter.
    """
    data = _read_object(path)
    for word, labels in data.items():
        _check_word(path, word)
        if labels == []:
            raise DataError(
                f"{path}: word {quoted(word)} has no labels; in labelled data every word has one a character"
            )
        _check_labels(path, word, labels)
    return data


def read_words(path: Path) -> Labels:
    """Read words to be segmented: each list is empty, or valid labels to score against.

    Raises:
        DataError: as `read_labelled`, but empty lists are allowed.
    """
    data = _read_object(path)
    for word, labels in data.items():
        _check_word(path, word)
        if labels != []:
            _check_labels(path, word, labels)
    return data


def read_predictions(path: Path) -> Labels:
    """Read predictions: lists of 0 and 1 of any length, since a wrong length is scored, as 0, not refused.

    Raises:
        DataError: the file is missing, empty, not UTF-8 or not a JSON object; a key comes twice; a list holds
            something else than 0 and 1.
    """
    data = _read_object(path)
    for word, labels in data.items():
        _check_values(path, word, labels)
    return data


def read_word_list(path: Path) -> list[str]:
    """Read a text file with one word a line; empty lines are passed over.

    Raises:
        DataError: the file is missing, can't be read, is not UTF-8 or holds no word.
    """
    words = [word for line in read_lines(path, "a text file with one word a line", DataError) if (word := line.strip())]
    if not words:
        raise DataError(f"{path}: holds no word; one word a line is right")
    return words


def check_labelled(data: Mapping[str, Sequence[int]]) -> None:
    """Check labelled words that did not come from a file, as `read_labelled` does.

    Raises:
        DataError: as there; the message begins with "training data".
    """
    for word, labels in data.items():
        _check_word("training data", word)
        _check_labels("training data", word, [int(n) if isinstance(n, Integral) else n for n in labels])


def _read_object(path: Path) -> dict[str, Any]:
    raw = read_whole(path, "a JSON file of words and their labels", DataError)
    if raw.startswith(b"PK"):
        raise DataError(f"{path}: a zip; unzip it and name the JSON file that is in it")
    try:
        text = raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: {not_utf8(raw, error)}; save it as UTF-8") from None
    if not text.strip():
        raise DataError(f'{path}: empty; a JSON object such as {{"Haustür": [0,0,0,1,0,0,1]}} is needed')
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _unique(path, pairs))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: not JSON: {error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise DataError(f"{path}: nested too deeply; an object of words and flat lists is right") from None
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        found = _LONG_NUMBER.search(text)
        line = text.count("\n", 0, found.start() if found else 0) + 1
        raise DataError(
            f"{path}: not JSON that can be read: the number at line {line} has thousands of digits; 0 or 1 is right"
        ) from None
    if not isinstance(data, dict):
        raise DataError(f"{path}: a JSON {_kind(data)}; an object that maps each word to its labels is right")
    if not data:
        raise DataError(f"{path}: holds no word")
    return data


def _unique(path: Path, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        word, times = Counter(word for word, _ in pairs).most_common(1)[0]
        raise DataError(f"{path}: word {quoted(word)} stands there {times} times; each word once is right")
    return data


def _kind(value: object) -> str:
    names = {dict: "object", list: "array", str: "string", bool: "truth value", type(None): "null"}
    return names.get(type(value), "number")


def _shown(value: object) -> str:
    """Return a wrong label as a reader would write it, with its kind where that is what is wrong."""
    return shown(value) if type(value) in (int, float) else f"the {_kind(value)} {shown(value)}"


def _check_word(where: Path | str, word: str) -> None:
    if not word:
        raise DataError(f"{where}: an empty word; every key needs one character at least")


def _check_values(where: Path | str, word: str, labels: object) -> None:
    if not isinstance(labels, list):
        raise DataError(f"{where}: word {quoted(word)}: labels are a JSON {_kind(labels)}; a list of 0 and 1 is right")
    for i, label in enumerate(labels):
        if type(label) is not int or label not in (0, 1):
            raise DataError(f"{where}: word {quoted(word)}: label {i + 1} is {_shown(label)}; 0 or 1 is right")


def _check_labels(where: Path | str, word: str, labels: object) -> None:
    if isinstance(labels, list) and len(labels) != len(word):
        raise DataError(
            f"{where}: word {quoted(word)}: {len(labels)} labels for {len(word)} characters; "
            "one label a character is right"
        )
    _check_values(where, word, labels)
    assert isinstance(labels, list)
    if labels[-1] != 1:
        raise DataError(f"{where}: word {quoted(word)}: the last label is 0; it is always 1, since a part ends there")
    try:
        normalize(word).to_cuts(labels)
    except ValueError as error:
        raise DataError(f"{where}: word {quoted(word)}: {error}; cut after the mark") from None
