"""Vocabularies that are odd: words as Lucene takes them, counts that are none or zero, full disks, nothing left."""

import random
import tempfile
from pathlib import Path

import pytest

from hybrid.cli import main
from hybrid.search.compound_filter import Sizes
from hybrid.search.lowercase import units
from hybrid.search.rows import Row
from hybrid.search.vocabulary import read_vocabulary
from hybrid.search.word_list import largest_word_list
from tests.lucene import Run, require_lucene, run_lucene, tokens

ODD = ["\u200eHaustür", "\u202eHaustür\u202c", "\u0301Haustür", "\ufeffHaustür", "Haustür²", "½Haustür", "①Haustür",
       "日本Haustür", "カナHaustür", "ไทยHaustür", "Haus‘tür", "Haus\u2060tür", "Haus\u00adtür", "3.14", "1,5", "A4.B5",
       "Ⅳ.Reihe", "Haus\u200btür", "Haus’\u00adtür", "3'x", "a'3", "_a_", "Haus\u0345tür", "k:a"]  # fmt: skip
BETWEEN = "-'‘’.:·,;=>#\\ _/\u00ad\u200b\u200d\u2060\u0308\u0301ßẞ1٣½²😀日\u0345\u017f\u200e"
LETTERS = "abehnrstuäöüßABEHNRSTUÄÖÜ"


def odd_words(many: int) -> list[str]:
    pick = random.Random(5)
    return ["".join(pick.choice(BETWEEN if pick.random() < 0.3 else LETTERS) for _ in range(9)) for _ in range(many)]


def test_odd_words_are_those_of_the_standard_tokenizer(tmp_path: Path) -> None:
    require_lucene()
    words = [*ODD, *odd_words(1000)]
    (lines,) = run_lucene([Run(tmp_path, [("standard", {}), ("lowercase", {})], words)], tmp_path)
    path, compared = tmp_path / "words.txt", 0
    for word, line in zip(words, lines, strict=True):
        path.write_text(word + "\n", encoding="utf-8")
        ours = {units(entry.lower) for some in read_vocabulary(path, "strict") for entry in some}
        theirs = {units(token.text) for token in tokens(line)}
        letters = {text for text in ours | theirs if any(char.isalpha() and ord(char) < 0x250 for char in text)}
        assert ours & letters == theirs & letters, ascii(word)
        compared += len(letters)
    assert compared > 1000


@pytest.mark.parametrize("count", ["9" * 5000, "0" * 5000, "9" * 17, "1e3", "-1", " ", "²"])
def test_what_is_no_count_is_told(count: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "words.txt"
    path.write_text(f"Autobahn\t{count}\n", encoding="utf-8")
    assert main(["export-search", str(path), "--for", "solr", "--out", str(tmp_path / "out"), "--fast"]) == 2
    told = capsys.readouterr().err
    assert "line 1: " in told and "is no count" in told and told.count("\n") == 1 and len(told) < 400
    assert [one.name for one in tmp_path.iterdir()] == ["words.txt"]


@pytest.mark.parametrize(("verb", "option"), [
    ("split", "--nbest"), ("split", "--min-parts"), ("submit", "--seed"), ("split-corpus", "--block-rows"),
    ("export-search", "--min-word-size"),
])  # fmt: skip
def test_numbers_of_thousands_of_digits_are_told(verb: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, option, "9" * 5000])
    assert "is not a whole number from" in capsys.readouterr().err


def test_a_word_that_comes_never_is_a_word() -> None:
    rows = [
        Row("autobahn", 90, ((0, 4), (4, 8)), ("auto", "bahn"), ((0, 0), (1, 1))),
        Row("autor", 0, ((0, 5),), ("",)),
    ]
    assert largest_word_list(rows, Sizes(5, 4, 25)).refused == {"auto": "in autor"}
    assert largest_word_list(rows, Sizes(5, 4, 25), 0.1).subwords == {"auto", "bahn"}


def test_a_list_with_nothing_on_it_is_not_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "words.txt", tmp_path / "out"
    path.write_text("Autobahn\n", encoding="utf-8")
    options = ["--for", "solr", "--as", "word-list", "--fast", "--min-subword-size", "9"]
    assert main(["export-search", str(path), "--out", str(out), *options]) == 2
    assert "none of 2 parts can be on a word list, such as auto: shorter than 9" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_folder_for_temporary_files_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "words.txt"
    path.write_text("Autobahn\n" * 3, encoding="utf-8")
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda mode, **_: Path("/dev/full").open(mode))  # noqa: SIM115
    options = ["--for", "solr", "--as", "word-list", "--fast", "--out", str(tmp_path / "out")]
    assert main(["export-search", str(path), *options]) == 2
    assert capsys.readouterr().err == f"hybrid: {tempfile.gettempdir()}: No space left on device\n"
