"""Cuts that a word's spelling or a caller forces and forbids."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import CutError, NoPathError, Segmentation, Segmenter
from hybrid.constraints import FREE, PENALTY, Cuts, constrain, read_cuts
from hybrid.lattice import build_lattice
from hybrid.ranking import read_form
from lexicon import LookupForm, normalize

SPELLED = st.text("aeß1-", max_size=9) | st.text("abÜ-\u2010\u00ad\u03084'² ", max_size=9)


@st.composite
def constrained(draw: st.DrawFn) -> tuple[str, Cuts]:
    """Draw a word and nodes of its form, each forced, forbidden or neither."""
    word = draw(SPELLED)
    wish = {node: draw(st.sampled_from("+-  ")) for node in range(1, len(normalize(word).text))}
    return word, Cuts(*(frozenset(node for node, sign in wish.items() if sign == kind) for kind in "+-"))


def against_spelling(form: LookupForm, start: int, end: int) -> int:
    """Count what speaks against a part: the hyphens in it, and an end, not at a hyphen, beside what is no letter."""
    hyphens = sum(start < node < end for node in form.breaks)
    free = end == len(form.text) or end in form.breaks or form.text[end - 1 : end + 1].isalpha()
    return hyphens + (not free)


def slow(forms: list[LookupForm], wanted: list[Cuts]) -> list[float]:
    """Return what is added to each edge, in the lattice's order, by a look at each alone."""
    added = []
    for form, cuts in zip(forms, wanted, strict=True):
        for end in range(len(form.text) + 1):
            for start in range(end):
                forbidden = end in cuts.forbidden or any(start < node < end for node in cuts.forced)
                added.append(-math.inf if forbidden else PENALTY * against_spelling(form, start, end))
    return added


@given(st.lists(constrained(), max_size=4))
def test_the_same_as_a_look_at_each_edge_alone(words: list[tuple[str, Cuts]]) -> None:
    forms, wanted = [normalize(word) for word, _ in words], [cuts for _, cuts in words]
    added = constrain(build_lattice([form.text for form in forms]), forms, wanted)
    expected = slow(forms, wanted)
    assert (added is None) == (not any(expected))
    if added is not None:
        np.testing.assert_array_equal(added, expected)


@given(st.lists(st.text("abß", max_size=8), max_size=3))
def test_nothing_is_added_to_words_of_letters_alone(words: list[str]) -> None:
    forms = [normalize(word) for word in words]
    assert constrain(build_lattice(words), forms, [FREE] * len(words)) is None


@pytest.mark.parametrize(
    ("word", "cuts", "no_cuts", "message"),
    [
        ("", [1], [], "'': a cut at 1"),
        ("a", [], [1], "'a': a cut at 1"),
        ("Haus", [4], [], "'Haus': a cut at 4; 1 to 3 lies inside the word"),
        ("Haus", [], [0], "'Haus': a cut at 0; 1 to 3 lies inside the word"),
        ("Haus", [-1], [], "'Haus': a cut at -1; 1 to 3 lies inside the word"),
        ("Haustu\u0308r", [6], [], "a cut at 6 would fall inside a letter"),
        ("Haustu\u0308r", [], [6], "a cut at 6 would fall inside a letter"),
        ("Haus", [1, 2, 3], [3, 2], "'Haus': a cut at 2 is both forced and forbidden"),
        ("Haus-Tür", [4], [5], "'Haus-Tür': a cut at 5 is both forced and forbidden"),
    ],
)
def test_cuts_that_can_not_be(word: str, cuts: list[int], no_cuts: list[int], message: str) -> None:
    with pytest.raises(CutError) as told:
        read_cuts(word, normalize(word), cuts, no_cuts)
    assert message in str(told.value)


def test_either_side_of_a_hyphen_is_the_same_place() -> None:
    form = normalize("Haus-Tür")
    assert read_cuts("Haus-Tür", form, [4], []) == read_cuts("Haus-Tür", form, [4, 5], []) == Cuts(frozenset({4}))
    assert read_cuts("Nord-", normalize("Nord-"), [4], []) == FREE


def cuts_of(segmenter: Segmenter, split: Segmentation) -> set[int]:
    return set(read_form(split.word, segmenter.model.lexicon).to_cuts(split.labels))


@given(word=st.text("Haustürß", min_size=2, max_size=12) | st.text(min_size=2, max_size=12), data=st.data())
@settings(deadline=None)
def test_forced_cuts_are_there_and_forbidden_ones_are_not(segmenter: Segmenter, word: str, data: st.DataObject) -> None:
    form = read_form(word, segmenter.model.lexicon)
    wish = {node: data.draw(st.sampled_from("+- ")) for node in range(1, len(form.text))}
    forced, forbidden = ({node for node, sign in wish.items() if sign == kind} for kind in "+-")
    cuts, no_cuts = ([form.offsets[node] for node in nodes] for nodes in (forced, forbidden))
    for split in [
        segmenter.split(word, cuts=cuts, no_cuts=no_cuts),
        segmenter.split(word, cuts=iter(cuts), no_cuts=iter(no_cuts)),
        *segmenter.nbest(word, 4, cuts=cuts, no_cuts=no_cuts),
    ]:
        assert "".join(split.texts) == word
        assert forced <= cuts_of(segmenter, split)
        assert not forbidden & cuts_of(segmenter, split)


@given(word=st.text("ahusü", min_size=2, max_size=7), node=st.integers(1, 6))
@settings(deadline=None, max_examples=25)
def test_the_probabilities_of_all_splits_with_a_cut_sum_to_one(segmenter: Segmenter, word: str, node: int) -> None:
    node = min(node, len(word) - 1)
    for wish in ({"cuts": [node]}, {"no_cuts": [node]}):
        ranking = segmenter.nbest(word, 2**6, **wish)
        assert len(ranking) == 2 ** (len(word) - 2)
        assert sum(split.probability for split in ranking) == pytest.approx(1, abs=1e-6)


@given(st.text("aesnü4-", min_size=1, max_size=12) | st.text("Haus-\u2010\u00ad\u0308'3 ", max_size=12))
@settings(deadline=None)
def test_hyphens_are_cut_at_and_nothing_beside_what_is_no_letter(segmenter: Segmenter, word: str) -> None:
    form = read_form(word, segmenter.model.lexicon)
    for split in (segmenter.split(word), segmenter.split_batch([word, "Haus"])[0]):
        nodes = [0, *sorted(cuts_of(segmenter, split)), len(form.text)]
        assert not any(against_spelling(form, start, end) for start, end in zip(nodes, nodes[1:], strict=False))


@pytest.mark.parametrize(
    "split",
    ["90er-|Jahre", "3-|Wege-|Kat", "400-|Meter-|Lauf", "20er", "A4", "1990", "4", "B2B-|Bad", "-", "3,5-|fach"],
)
def test_digits_are_cut_neither_from_each_other_nor_from_letters(segmenter: Segmenter, split: str) -> None:
    assert str(segmenter.split(split.replace("|", ""))) == split


def test_forced_cuts_are_there_however_improbable(segmenter: Segmenter) -> None:
    assert 2 in cuts_of(segmenter, segmenter.split("Haustür", cuts=[2], min_probability=1.0))


def test_a_caller_may_cut_what_the_spelling_would_not(segmenter: Segmenter) -> None:
    assert segmenter.split("20er", cuts=[2]).texts == ("20", "er")
    assert segmenter.split("A-B", no_cuts=[2]).texts == ("A-B",)


def test_where_all_is_forbidden_no_way_is_left(segmenter: Segmenter) -> None:
    with pytest.raises(NoPathError, match="no split is left"):
        segmenter.split("Haus", no_cuts=[1, 2, 3], min_parts=2)
