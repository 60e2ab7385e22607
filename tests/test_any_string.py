"""Any string: split or left whole, never an error, nothing lost, in bounded time and memory."""

import itertools
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import CutError, UserDictionary, describing
from hybrid.describing import GRANULARITIES
from hybrid.lattice import _kept_template, build_lattice
from hybrid.limits import LONGEST_KEPT, LONGEST_STRING, LONGEST_WORD
from hybrid.ranking import read_form
from hybrid.segmenter import MODES, Segmenter
from hybrid.worker import Worker
from lexicon import normalize
from tests import strange


@pytest.fixture(scope="module")
def by_mode() -> dict[str, Segmenter]:
    return {mode: hybrid.load(device="cpu", mode=mode) for mode in MODES}


@settings(max_examples=60, deadline=None)
@given(st.lists(strange.words, max_size=6), st.sampled_from(MODES), st.sampled_from(GRANULARITIES))
def test_any_words_are_tiled_by_their_parts(
    by_mode: dict[str, Segmenter], words: list[str], mode: str, granularity: str
) -> None:
    strange.check_words(by_mode[mode], words, granularity)


@settings(max_examples=40, deadline=None)
@given(strange.words, st.integers(1, 5), st.integers(1, 4))
def test_all_else_that_can_be_asked_of_any_word(
    by_mode: dict[str, Segmenter], word: str, k: int, min_parts: int
) -> None:
    strange.check_word(by_mode["cascade"], word, k, min_parts)


@settings(max_examples=60, deadline=None)
@given(strange.texts)
def test_any_text_comes_back(by_mode: dict[str, Segmenter], text: str) -> None:
    strange.check_text(by_mode["cascade"], text)


@settings(max_examples=300, deadline=None)
@given(strange.words)
def test_letters_are_the_grapheme_clusters_of_unicode(text: str) -> None:
    strange.check_letters(text)


@pytest.mark.parametrize("letter", ["x", "ä", "a\u0308", "👍", "\0", "-", "\u00ad", "\ud800", "haus", "ss", "\u1100"])
@pytest.mark.parametrize("length", [LONGEST_WORD, LONGEST_STRING, LONGEST_STRING + 1, 100_000])
def test_long_words(by_mode: dict[str, Segmenter], letter: str, length: int) -> None:
    word = (letter * length)[:length]
    split = by_mode["cascade"].split(word)
    strange.check_split(split, word)
    if min(len(normalize(word).text), length) > LONGEST_WORD or length > LONGEST_STRING:
        assert (split.texts, split.probability, split.is_compound) == ((word,), 1.0, False)
        with pytest.raises(CutError, match="longer than 1,000 characters, so it is left whole"):
            by_mode["cascade"].split(word, cuts=[4])


def test_a_string_too_long_is_read_as_one_strange_letter(by_mode: dict[str, Segmenter]) -> None:
    lexicon = by_mode["fast"].model.lexicon
    assert read_form("x" * (LONGEST_STRING + 1), lexicon).text == "\ufffd"
    assert len(read_form("x" * LONGEST_STRING, lexicon).text) == LONGEST_STRING


def test_what_takes_time_beyond_bounds_would_hang_here() -> None:
    """A million characters of each kind; where cost grew with the square of the length, this took hours."""
    code = (
        "import hybrid; from lexicon import normalize; s = hybrid.load()\n"
        "for x in ('x', '\\U0001F1E9\\U0001F1EA', 'a\\u0301', '\\U0001F468\\u200d', 'ab-', 'ss', '\\u200d', 'a.b@'):\n"
        "    word = x * (1_000_000 // len(x)); normalize(word[:200_000])\n"
        "    assert s.split(word).texts == s.split_parts([word])[0][0] == (word,)\n"
        "    assert ''.join(t.text for t in s.split_text(word)) == word\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_a_long_string_takes_no_memory_to_speak_of(by_mode: dict[str, Segmenter]) -> None:
    by_mode["cascade"].split_parts(["haus"])
    word = "x" * 20_000_000
    tracemalloc.start()
    try:
        assert by_mode["cascade"].split_parts([word]) == [((word,), 1.0)]
        assert by_mode["cascade"].split(word).texts == (word,)
        assert tracemalloc.get_traced_memory()[1] < 4 * len(word)
    finally:
        tracemalloc.stop()


def test_each_stretch_of_a_long_word_is_bracketed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    segmenter, asked = hybrid.load(device="cpu", mode="nets"), []
    bracketer = segmenter._describer._bracketer
    real = bracketer.cut_probabilities
    monkeypatch.setattr(bracketer, "cut_probabilities", lambda parts: asked.append(parts) or real(parts))
    assert len(segmenter.split("haustür" * 25).parts) > 40
    segmenter.split("haustür" * 25, granularity="contest")
    assert len(asked) == len(set(asked))
    assert len(segmenter._describer._long_cuts) <= describing._LONG_KEPT


def test_long_words_are_not_remembered(by_mode: dict[str, Segmenter]) -> None:
    worker = Worker(by_mode["cascade"])
    long = "haus" * LONGEST_KEPT
    twice = [long, "haus", long]
    assert [texts for texts, _ in worker.split(twice)] == [s.texts for s in by_mode["cascade"].split_batch(twice)]
    assert worker.separate([f"{long} haus"], "|") == [f"{'|'.join(worker.split([long])[0][0])} haus"]
    assert set(worker._words) == {"haus"} == set(worker._chunks)
    segmenter = hybrid.load(device="cpu")
    segmenter.split(long)
    for remembered in (segmenter._describer._lemmas, segmenter._describer._cuts):
        assert all(len("".join(key[0] if isinstance(key[1], bool) else key)) <= LONGEST_KEPT for key in remembered)
    before = _kept_template.cache_info().currsize
    build_lattice(["x" * length for length in range(500, 520)])
    assert _kept_template.cache_info().currsize == before


@pytest.mark.parametrize("word", [np.str_("Haustür"), type("Name", (str,), {})("Haustür")])
def test_kinds_of_strings(by_mode: dict[str, Segmenter], word: str) -> None:
    assert by_mode["cascade"].split(word).texts == ("Haus", "tür")
    assert by_mode["cascade"].split_parts([word])[0][0] == ("Haus", "tür")


@pytest.mark.parametrize("word", [None, 3, b"Haus", ["Haus"], float("nan")])
def test_what_is_no_string_is_told(by_mode: dict[str, Segmenter], word: object) -> None:
    segmenter = by_mode["cascade"]
    message = f"is a {type(word).__name__}; a string is right"
    for ask in (segmenter.split, segmenter.explain, segmenter.split_text, lambda w: segmenter.nbest(w, 2)):
        with pytest.raises(TypeError, match=message):
            ask(word)
    worker, user = Worker(segmenter), UserDictionary.make
    asks = [segmenter.split_batch, segmenter.split_parts, worker.split, worker.separate, segmenter.with_listed, user,
            lambda w: user(always=w), lambda w: user(never=w), lambda w: segmenter.nbest_batch(w, 2)]  # fmt: skip
    for ask in asks:
        for words in (["Haus", word], iter(["Haus", word])):
            with pytest.raises(TypeError, match=rf"\[1\] {message}"):
                ask(words)
        with pytest.raises(TypeError, match="is one string; a list of words is right"):
            ask("Haus")


def test_words_may_come_one_by_one(by_mode: dict[str, Segmenter]) -> None:
    segmenter, words = by_mode["cascade"], ["Haustür", "Ei"]
    worker = Worker(segmenter)
    for ask in (segmenter.split_batch, segmenter.split_parts, worker.split, worker.separate):
        assert ask(iter(words)) == ask(words)
        assert len(ask(words)) == 2


@pytest.mark.parametrize("cut", ["4", 4.0, None, [4]])
def test_a_cut_that_is_no_number_is_told(by_mode: dict[str, Segmenter], cut: object) -> None:
    for ask in (by_mode["cascade"].split, by_mode["cascade"].explain):
        with pytest.raises(TypeError, match=r"'Haustür': a cut at .*; a whole number is right"):
            ask("Haustür", cuts=[cut])
        with pytest.raises(CutError, match="'Haustür': more than 114 cuts"):
            ask("Haustür", no_cuts=itertools.repeat(4))
