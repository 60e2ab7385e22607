"""The benchmark of the default model on any words: reading lists, and one small run."""

from pathlib import Path

import pytest

from benchmarks import words
from benchmarks.tables import words_markdown, words_table
from benchmarks.words import labels_of_parts, read_list, run_words
from hybrid import DataError
from hybrid.segmenter import Segmenter


@pytest.mark.parametrize(
    ("word", "parts", "labels"),
    [
        ("Haustür", "Haus|tür", [0, 0, 0, 1, 0, 0, 1]),
        ("FPÖ-Chef", "fpö|chef", [0, 0, 0, 1, 0, 0, 0, 1]),
        ("a-liga", "a-|liga", [0, 1, 0, 0, 0, 1]),
        ("formel-1-saison", "formel-1|-|saison", [0] * 8 + [1] + [0] * 5 + [1]),
        ("Nord-", "nord", [0, 0, 0, 0, 1]),
        ("8", "8", [1]),
    ],
)
def test_parts_become_labels(word: str, parts: str, labels: list[int]) -> None:
    assert labels_of_parts(word, parts.split("|")) == labels


@pytest.mark.parametrize("parts", ["haus|tor", "haus|tür|e", "haus", "haus||tür", ""])
def test_parts_that_are_not_the_words_are_refused(parts: str) -> None:
    with pytest.raises(ValueError, match="are not the parts of 'Haustür'"):
        labels_of_parts("Haustür", parts.split("|"))


def test_a_list_is_read_and_its_errors_have_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_text("# comment\nHaustür\tHaus|tür\tmore\n\nEi\tEi\n", encoding="utf-8")
    read = read_list(path)
    assert (read.name, read.gold) == ("mine", {"Haustür": [0, 0, 0, 1, 0, 0, 1], "Ei": [0, 1]})
    for line, message in (("Haustür", "line 1: no parts"), ("Haustür\tHaus", "line 1: 'Haus' are not the parts")):
        path.write_text(line, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            read_list(path)


def test_a_run(tmp_path: Path, segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    few = words.test_words()
    few = words.WordList("annotated", dict(list(few.gold.items())[:40]))
    monkeypatch.setattr(words, "test_words", lambda: few)
    monkeypatch.setattr(words.hybrid, "load", lambda **_: segmenter)
    path = tmp_path / "mine.tsv"
    path.write_text("Haustür\tHaus|tür\nEi\tEi\n", encoding="utf-8")
    result = run_words(tmp_path, compounds=None, lists=[path], seed=0, device="cpu")
    assert list(result["lists"]) == ["annotated", "mine"]
    rows = {row["name"]: row for row in result["lists"]["mine"]["decoders"]}
    assert rows["never split"]["f1"] == 0.5
    assert rows["never split"]["whole_left_whole"] == 1
    assert 0 <= result["calibration"]["splits"]["ece"] <= 1
    assert "| never split | " in words_markdown(result)
    assert words_table(result).startswith("| mean F1 | annotated (40) | mine (2) |")
