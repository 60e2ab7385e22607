"""User dictionaries, word lists, contest files and lexicon tables: an error of one line, or they work."""

import json
import math
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import lexicon.textfile
from hybrid import DataError, UserDictionary
from hybrid.cli import main
from hybrid.datasets import check_labelled, read_labelled, read_predictions, read_word_list, read_words
from hybrid.limits import LONGEST_WORD
from lexicon import LexiconError
from lexicon.tsv import COLUMNS, HEADER, import_file
from tests.hostile import attack_data, require_line
from tests.hostile_data import default

make = UserDictionary.make

TABLE_HEAD = HEADER + "\n" + "\t".join(COLUMNS) + "\n"

LONG = "ä" * 1_000_000
"""A line of two megabytes."""


def test_damaged_data_is_an_error_or_works() -> None:
    assert attack_data(45, seed=1) == []


@pytest.mark.parametrize(
    ("read", "content"),
    [
        (UserDictionary.read, f"{LONG}||x"),
        (UserDictionary.read, f"{LONG}\t{LONG}|x"),
        (UserDictionary.read, f"x\tx\t{LONG}"),
        (UserDictionary.read, f"x|{LONG}\n{LONG}|x\nx{LONG}\n{LONG}x"),
        (read_labelled, f'{{"{LONG}": [1]}}'),
        (read_labelled, f'{{"{LONG}": [], "{LONG}": []}}'),
        (read_labelled, f'{{"x": ["{LONG}"]}}'),
        (read_predictions, f'{{"x": {{"{LONG}": 0}}}}'),
        (import_file, f"{TABLE_HEAD}{LONG}A\t1\t0\t0\t0\t1\t0\t"),
        (import_file, f"{TABLE_HEAD}{LONG}\t1\t0\t0\t0\t1\t{LONG}\t"),
        (import_file, f"{TABLE_HEAD}{LONG}\t1\t0\t0\t0\t{LONG}\t0\t"),
        (import_file, f"{TABLE_HEAD}{LONG}\t1\t0\t0\t0\t1\t3\t{LONG}|x:1"),
    ],
)
def test_an_error_is_short_however_long_the_line(
    read: Callable[[Path], object], content: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    path = tmp_path / "data"
    path.write_text(content, encoding="utf-8")
    with pytest.raises((DataError, LexiconError)) as caught:
        read(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert len(str(caught.value)) < 500 + len(str(path))
    require_line(caught.value)


def test_numbers_too_long_to_be_written_are_named_all_the_same() -> None:
    with pytest.raises(DataError, match="weight int that can't be shown; a number of nats"):
        make({"haus": 10**5000})
    with pytest.raises(DataError, match="label 2 is int that can't be shown; 0 or 1 is right"):
        check_labelled({"Ei": [0, 10**5000]})
    with pytest.raises(DataError, match="label 2 is int that can't be shown"):
        default().probabilities({"Ei": [0, -(10**5000)]})


@pytest.mark.parametrize("content", ["9" * 5000, "1e400", "NaN", "-Infinity", "[" * 100_000, '{"x":' * 100_000])
@pytest.mark.parametrize("read", [read_labelled, read_words, read_predictions])
def test_json_numbers_and_nesting_beyond_all_bounds(
    read: Callable[[Path], object], content: str, tmp_path: Path
) -> None:
    for number, text in enumerate([content, f'{{"Ei":{content}}}', f'{{"Ei":[0,{content}]}}']):
        path = tmp_path / str(number)
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataError) as caught:
            read(path)
        require_line(caught.value)
        assert str(caught.value).startswith(f"{path}: ")


def test_keys_that_no_file_can_hold_are_words_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(rb'{"\ud800":[1],"\u0000":[1],"a\udfff":[1,1],"\ud83d\udc68":[1],"\r\n":[0,1]}')
    data = read_labelled(path)
    assert [*data] == ["\ud800", "\0", "a\udfff", "\U0001f468", "\r\n"]
    probabilities = default().probabilities(data)
    assert all(0 <= probability <= 1 for probability in probabilities)
    assert [split.word for split in default().split_batch(data)] == [*data]
    path.write_bytes(rb'{"\ud800":[1],"\ud800":[1]}')
    with pytest.raises(DataError, match=r"word '\\ud800' stands there 2 times"):
        read_labelled(path)


def test_a_file_without_an_end_is_not_read_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lexicon.textfile, "MOST_BYTES", 1 << 20)
    path = tmp_path / "zeros"
    path.write_bytes(bytes((1 << 20) + 1))
    for read in (read_labelled, read_word_list, UserDictionary.read, import_file):
        with pytest.raises((DataError, LexiconError), match=f"{path}: larger than 1,048,576 bytes"):
            read(path)


STRANGE = ["\0", "a\0b", "\ud800", "a\ud800|b", "\ufeffHaus", "\r\n", "\u0308", "\u00ad", "-", "x" * 2000,
           "a|" * 600 + "b", "\U0001f468\u200d\U0001f469|x"]  # fmt: skip


@pytest.mark.parametrize("word", STRANGE)
def test_a_user_dictionary_of_any_strings_works(word: str) -> None:
    bare = word.replace("|", "")
    for user in (make([word]), make({word: -1000.0}), make(always=[word]), make(never=[bare])):
        segmenter = default().with_user(user)
        split = segmenter.split(bare)
        assert "".join(split.texts) == bare
        assert math.isfinite(split.probability)
        assert segmenter.split("Autobahn").texts == ("Auto", "bahn")


def test_words_beyond_the_longest_are_told_as_any() -> None:
    parts = "|".join(["ab"] * LONGEST_WORD)
    user = make(always=[parts])
    split = default().with_user(user).split(parts.replace("|", ""))
    assert str(split) == parts


def test_user_files_that_are_no_text_are_one_line_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    for option in ("--user-dictionary", "--always", "--never"):
        for content in (b"\xff\xfeH\0a\0", b"Haus\n\xed\xa0\x80", b"a||b", b"\tb", b"a\tb\tc\td\te"):
            path = tmp_path / "words"
            path.write_bytes(content)
            assert main(["split", option, str(path), "Haus"]) == 2
            err = capsys.readouterr().err
            assert err.startswith(f"hybrid: {path}: ")
            assert err.count("\n") == 1


def test_a_million_labels_take_little_memory(tmp_path: Path) -> None:
    """A table of all places in the word would take 120 MB more."""
    path = tmp_path / "train.json"
    path.write_text(json.dumps({LONG: [1] * len(LONG)}), encoding="utf-8")
    tracemalloc.start()
    try:
        assert len(read_labelled(path)[LONG]) == len(LONG)
        assert tracemalloc.get_traced_memory()[1] < 150_000_000
    finally:
        tracemalloc.stop()
