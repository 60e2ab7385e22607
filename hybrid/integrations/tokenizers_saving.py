"""Tokenizers with our pre-tokenizer at rest, which `tokenizers` itself refuses to write.

In the file a `Split` on a string that no text has stands in its place and tells its settings. So the file is a
tokenizer's own: whatever reads it can use it, without the cuts; `load` puts them in again.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hybrid.atomic import whole_file
from hybrid.errors import DataError, ModelError
from hybrid.integrations.tokenizers import compound_pre_tokenizer, cutter_of
from hybrid.integrations.wanted import wanted
from lexicon.errors import shown

with wanted("tokenizers"):
    from tokenizers import Tokenizer
    from tokenizers.pre_tokenizers import PreTokenizer, Sequence, Split

MARK = "hybrid-segmenter pre-tokenizer "
VERSION = 1


def save(tokenizer: Tokenizer, path: str | Path, *, pretty: bool = True) -> None:
    """Write a tokenizer, as `Tokenizer.save` does without our pre-tokenizer; its model folder is named, not copied.

    Raises:
        DataError: it has a custom pre-tokenizer of somebody else's, or words of the user's that no file holds.
        OSError: the file can't be written.
    """
    text = to_str(tokenizer, pretty=pretty)
    with whole_file(Path(path)) as temporary:
        temporary.write_text(text, encoding="utf-8")


def load(path: str | Path, **settings: Any) -> Tokenizer:
    """Read a tokenizer that `save` wrote, or any other.

    Args:
        path: the file.
        settings: those of `CompoundPreTokenizer` that are to be others than the file tells.

    Raises:
        DataError: the file can't be read, or is no tokenizer's; settings are given, and it has no such pre-tokenizer.
        ModelError: the model folder that it names is missing or damaged.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        return from_str(text, **settings)
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None
    except (UnicodeDecodeError, DataError) as error:
        raise DataError(f"{path}: {error}") from None


def to_str(tokenizer: Tokenizer, *, pretty: bool = False) -> str:
    """Return a tokenizer as JSON; nobody else may use it meanwhile. Errors as for `save`."""
    step = tokenizer.pre_tokenizer
    if step is None:
        return tokenizer.to_str(pretty=pretty)
    tokenizer.pre_tokenizer = _rebuilt(step, _marked)
    try:
        return tokenizer.to_str(pretty=pretty)
    finally:
        tokenizer.pre_tokenizer = step


def from_str(text: str, **settings: Any) -> Tokenizer:
    """Return the tokenizer of what `to_str` returned; arguments and errors as for `load`."""
    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception as error:  # the library has no narrower one
        raise DataError(f"no tokenizer: {error}") from None
    if settings and MARK not in text:
        raise DataError(f"no pre-tokenizer of ours is in it, so that {', '.join(settings)} would change nothing")
    if tokenizer.pre_tokenizer is not None:
        tokenizer.pre_tokenizer = _rebuilt(tokenizer.pre_tokenizer, lambda step: _unmarked(step, settings))
    return tokenizer


def _rebuilt(step: PreTokenizer, swap: Callable[[PreTokenizer], PreTokenizer]) -> PreTokenizer:
    """Return a pre-tokenizer with each of its steps swapped; the one given stays as it is."""
    if isinstance(step, Sequence):
        return Sequence([_rebuilt(one, swap) for one in _steps(step)])
    return swap(step)


def _steps(sequence: Sequence) -> Iterator[PreTokenizer]:
    """Yield the steps of a sequence, which has no length."""
    at = 0
    while True:
        try:
            step = sequence[at]
        except IndexError:
            return
        yield step
        at += 1


def _marked(step: PreTokenizer) -> PreTokenizer:
    if type(step) is not PreTokenizer:  # each of the library's own has a class of its own
        return step
    try:
        settings = cutter_of(step).settings
    except DataError:
        raise DataError(
            "the tokenizer has a custom pre-tokenizer that is not ours, which can't be saved; take it out"
        ) from None
    told = json.dumps({"version": VERSION, **settings}, ensure_ascii=False)
    if any("\ud800" <= character <= "\udfff" for character in told):
        raise DataError("the user's words have half a surrogate pair, which no file holds; take that word out")
    return Split(MARK + told, "isolated")


def _unmarked(step: PreTokenizer, settings: dict[str, Any]) -> PreTokenizer:
    if not isinstance(step, Split):
        return step
    pattern = json.loads(step.__getstate__())["pattern"].get("String", "")
    if not pattern.startswith(MARK):
        return step
    try:
        told = json.loads(pattern.removeprefix(MARK))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise DataError("damaged: what it tells of the pre-tokenizer is no JSON object")
    version = told.pop("version", None)
    if version != VERSION:
        raise DataError(f"the pre-tokenizer has version {shown(version)}; this release reads version {VERSION}")
    try:
        return compound_pre_tokenizer(**{**told, **settings})
    except ModelError:
        raise
    except (TypeError, ValueError) as error:
        raise DataError(f"the pre-tokenizer's settings are wrong: {error}") from None
