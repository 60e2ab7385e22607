"""The pre-tokenizer, carelessly: long pieces, words that come one by one, NumPy's numbers, others' steps."""

import copy
import pickle
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import DataError

pytest.importorskip("tokenizers", reason="the package tokenizers is not installed")

from tokenizers import Tokenizer, models, normalizers
from tokenizers.pre_tokenizers import ByteLevel, PreTokenizer, Sequence

from hybrid.integrations import tokenizers as ours
from hybrid.integrations.tokenizers import CompoundPreTokenizer, compound_pre_tokenizer, cutter_of
from hybrid.integrations.tokenizers_saving import from_str, save, to_str

FAST = compound_pre_tokenizer(mode="fast")


def with_step(step: PreTokenizer) -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, "?"))
    tokenizer.pre_tokenizer = step
    return tokenizer


@given(st.lists(st.sampled_from(["Haustür,", "Haustu\u0308r;", "Autobahnbrücke\n", "😀", "Ei.", "\u0308", "İ-"])))
@settings(max_examples=30, deadline=None)
def test_one_long_piece_is_cut_as_its_stretches_are(stretches: list[str]) -> None:
    """More than `FEW` cuts and fewer: the same, with the same places in the text before normalizing."""
    text, at, wanted = " ".join(stretches * 4), 0, list[tuple[int, int]]()
    for stretch in stretches * 4:
        of_stretch = [place for _, place in FAST.pre_tokenize_str(stretch)]
        wanted += [(at + a, at + b) for a, b in of_stretch]
        at += len(stretch) + 1
    ends = {b for _, b in wanted} - {a - 1 for a, _ in wanted} - {len(text)}
    for normalizer in (None, normalizers.NFC(), normalizers.NFD()):
        tokenizer = with_step(FAST)
        if normalizer is not None:
            tokenizer.normalizer = normalizer
        found = tokenizer.encode(text).offsets
        assert {b for _, b in found} - {len(text)} == ends


class Counting:
    """A piece that counts the characters that are gone over to cut something out of it."""

    def __init__(self, normalized: str, read: list[int]) -> None:
        self.normalized, self._read = normalized, read

    def __getitem__(self, part: slice) -> "Counting":
        self._read.append(len(self.normalized))
        return Counting(self.normalized[part], self._read)


@pytest.mark.parametrize("cuts", [0, 1, ours.FEW - 1, ours.FEW, 3000])
def test_the_work_grows_little_faster_than_a_piece(cuts: int) -> None:
    text, read = "".join(map(str, range(cuts * 2 + 1))), list[int]()
    places = [0, *range(3, 3 * cuts + 1, 3), len(text)] if cuts else [0, len(text)]
    found = ours._cut(Counting(text, read), places)  # type: ignore[arg-type]
    assert [one.normalized for one in found] == [text[a:b] for a, b in zip(places, places[1:], strict=False)]
    assert sum(read) <= len(text) * (ours.FEW + 2 * log2(cuts + 2))


def test_words_that_come_one_by_one_count_and_are_saved() -> None:
    never, always, entries = iter(["Haustür"]), iter(["Fußb|all"]), iter(["Foo"])
    cutter = CompoundPreTokenizer(mode="fast", never=never, always=always, entries=entries)  # type: ignore[arg-type]
    assert (cutter.settings["never"], cutter.settings["always"], cutter.settings["entries"]) == (
        ["Haustür"], ["Fußb|all"], ["Foo"])  # fmt: skip
    again = from_str(to_str(with_step(PreTokenizer.custom(cutter)))).pre_tokenizer
    for step in (PreTokenizer.custom(cutter), again):
        assert [piece for piece, _ in step.pre_tokenize_str("Haustür Fußball")] == ["Haustür Fußb", "all"]


def test_one_string_is_no_list_of_words() -> None:
    for name in ("never", "always", "entries"):
        with pytest.raises(TypeError, match=f"{name} is one string; a list of words is right"):
            CompoundPreTokenizer(**{name: "Haustür"})


def test_numbers_of_numpy_are_saved() -> None:
    numbers: dict[str, Any] = {"min_probability": np.float32(0.25), "entries": {"Foo": np.int64(3)}}
    step = compound_pre_tokenizer(mode="fast", **numbers)
    told = cutter_of(from_str(to_str(with_step(step))).pre_tokenizer).settings
    assert (told["min_probability"], told["entries"]) == (0.25, {"Foo": 3.0})


def test_what_cuts_is_pickled_and_copied_as_its_settings() -> None:
    class Mine(CompoundPreTokenizer):
        pass

    cutter = CompoundPreTokenizer(mode="fast", never=["Haustür"], granularity="head")
    data = pickle.dumps(cutter)
    assert len(data) < 500
    for again in (pickle.loads(data), copy.deepcopy(cutter), copy.copy(cutter)):
        assert again.settings == cutter.settings
        pieces = [piece for piece, _ in PreTokenizer.custom(again).pre_tokenize_str("Haustür,Autobahnbrücke")]
        assert pieces == ["Haustür,Autobahn", "brücke"]
    assert type(copy.copy(Mine(mode="fast"))) is Mine


def test_blocks_of_no_texts_are_told_and_not_taken_for_none() -> None:
    for block in (0, -1):
        with pytest.raises(ValueError, match=f"block is {block}, should be 1 or more"):
            next(cutter_of(FAST).ahead(["Haustür"], block))


def test_what_is_no_step_of_ours_is_told() -> None:
    class Failing:
        def pre_tokenize(self, text: Any) -> None:
            raise RuntimeError("not today")

    for step in (PreTokenizer.custom(Failing()), ByteLevel(), Sequence([])):
        with pytest.raises(DataError, match="not ours"):
            cutter_of(step)
    with pytest.raises(DataError, match="not ours"):
        to_str(with_step(Sequence([FAST, PreTokenizer.custom(Failing())])))
    for wrong in (None, cutter_of(FAST)):
        with pytest.raises(TypeError, match="a pre-tokenizer is right"):
            cutter_of(wrong)  # type: ignore[arg-type]
    assert cutter_of(Sequence([ByteLevel(), FAST])) is cutter_of(FAST)


def test_settings_for_a_tokenizer_without_our_step_are_told() -> None:
    plain = to_str(with_step(ByteLevel()))
    assert from_str(plain).pre_tokenizer is not None
    with pytest.raises(DataError, match="so that granularity, mode would change nothing"):
        from_str(plain, granularity="head", mode="fast")


def test_a_word_that_no_file_holds_is_told_when_it_is_saved(tmp_path: Path) -> None:
    tokenizer = with_step(compound_pre_tokenizer(mode="fast", never=["Haus\ud800"]))
    with pytest.raises(DataError, match="half a surrogate pair, which no file holds"):
        save(tokenizer, tmp_path / "tokenizer.json")
    assert [*tmp_path.iterdir()] == []
    assert [piece for piece, _ in tokenizer.pre_tokenizer.pre_tokenize_str("Haustür")] == ["Haus", "tür"]
