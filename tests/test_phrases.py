"""The lexicon of phrases: counts and log-ratios by hand, against a slow twin, and without a sentence's own."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lexicon.trie as trie_module
from lexicon.phrases import PhraseLexicon

LABELS = 2
Sentence = tuple[list[str], list[tuple[int, int, int]]]
CORPUS: list[Sentence] = [
    (["di", "kota", "bandung"], [(0, 1, 0), (1, 3, 1)]),
    (["kota", "itu"], [(0, 1, 0), (1, 2, 0)]),
    (["bandung"], [(0, 1, 1)]),
]


def mine(corpus: list[Sentence], labels: int = LABELS) -> PhraseLexicon:
    return PhraseLexicon.mine([words for words, _ in corpus], [spans for _, spans in corpus], labels)


@st.composite
def sentences(draw: st.DrawFn) -> Sentence:
    """Draw up to six of a few words (an empty one, one with a blank), covered with spans."""
    words = draw(st.lists(st.sampled_from(["a", "b", "c d", "", "é"]), max_size=6))
    cuts = sorted(draw(st.sets(st.integers(1, max(1, len(words) - 1)), max_size=len(words) - 1 if words else 0)))
    bounds = [0, *(c for c in cuts if c < len(words)), len(words)] if words else []
    spans = [(s, t, draw(st.integers(0, LABELS - 1))) for s, t in zip(bounds, bounds[1:], strict=False)]
    return words, spans


def stretches(words: list[str], longest: int) -> list[tuple[str, ...]]:
    return [tuple(words[s:t]) for s in range(len(words)) for t in range(s + 1, len(words) + 1) if t - s <= longest]


def naive_ratios(corpus: list[Sentence], words: list[str], strength: float) -> dict[tuple[int, int, int], float]:
    """Return the log-ratio of each stretch (start, its words) and label that has one, by counting everything anew."""
    called = Counter((tuple(w[s:t]), label) for w, spans in corpus for s, t, label in spans)
    phrases = {phrase for phrase, _ in called}
    longest = max(map(len, phrases), default=0)
    there = Counter(stretch for w, _ in corpus for stretch in stretches(w, longest))
    result = {}
    for start in range(len(words)):
        for length in range(1, min(longest, len(words) - start) + 1):
            phrase = tuple(words[start : start + length])
            if phrase not in phrases:
                continue
            total = sum(count for stretch, count in there.items() if len(stretch) == length)
            for label in range(LABELS):
                share = sum(c for (p, of), c in called.items() if of == label and len(p) == length) / total
                if share:
                    smoothed = (called[phrase, label] + strength * share) / (there[phrase] + strength)
                    result[start, length, label] = math.log(smoothed / share)
    return result


def as_dict(ratios: np.ndarray) -> dict[tuple[int, int, int], float]:
    """Return what is not 0, by start, words and label."""
    return {(int(i), int(m) + 1, int(k)): float(ratios[i, m, k]) for i, m, k in np.argwhere(ratios)}


def test_counts_by_hand() -> None:
    found = mine(CORPUS)
    number = {key: found.trie.get(key) for key in ("di", "kota", "bandung", "itu", "kota\tbandung")}
    assert sorted(number.values()) == [0, 1, 2, 3, 4]
    assert {key: found.counts[i].tolist() for key, i in number.items()} == {
        "di": [1, 0], "kota": [1, 0], "bandung": [0, 1], "itu": [1, 0], "kota\tbandung": [0, 1],
    }  # fmt: skip
    occurrences = {key: int(found.occurrences[i]) for key, i in number.items()}
    assert occurrences == {"di": 1, "kota": 2, "bandung": 2, "itu": 1, "kota\tbandung": 1}
    assert found.spans.tolist() == [[3, 1], [0, 1]]
    assert found.stretches.tolist() == [6, 3]
    rows = [*found.stretches_of(["kota", "bandung", "baru"])]
    phrase = number["kota\tbandung"]
    assert rows == [
        (0, number["kota"], 1), (0, phrase, 2), (1, number["bandung"], 1), (1, -1, 2), (2, -1, 1),
    ]  # fmt: skip


def test_log_ratios_by_hand() -> None:
    """Of one word 3/6 have label 0 and 1/6 label 1, of two words 1/3 has label 1."""
    found = mine(CORPUS).log_ratios(["kota", "bandung", "baru"])
    assert found.shape == (3, 2, LABELS)
    assert as_dict(found) == pytest.approx({
        (0, 1, 1): math.log(1 / 3),  # kota: (0 + 1/6) / (2 + 1) to 1/6; of label 0 (1 + 1/2) / 3 to 1/2, which is 0
        (1, 1, 0): math.log(1 / 3), (1, 1, 1): math.log(7 / 3),  # bandung: (1 + 1/6) / 3 to 1/6
        (0, 2, 1): math.log(2),  # kota bandung: (1 + 1/3) / (1 + 1) to 1/3; label 0 never has two words
    }, abs=1e-15)  # fmt: skip
    weaker = mine(CORPUS).log_ratios(["bandung"], strength=0.5)
    assert weaker[0, 0].tolist() == pytest.approx([math.log(0.25 / 2.5 / 0.5), math.log((1 + 1 / 12) / 2.5 * 6)])


def test_without_its_own_by_hand() -> None:
    """Of the other two: kota was label 0 once in one, bandung label 1; kota bandung is no phrase any more."""
    words, spans = CORPUS[0]
    found = mine(CORPUS).log_ratios(words, spans, times=1)
    assert as_dict(found) == pytest.approx({
        (1, 1, 0): math.log(5 / 4), (1, 1, 1): math.log(1 / 2),  # 2/3 and 1/3 of the three words that are left
        (2, 1, 0): math.log(1 / 2), (2, 1, 1): math.log(2),
    })  # fmt: skip


@given(st.lists(sentences(), max_size=6), sentences(), st.sampled_from([0.3, 1.0, 2.0]))
@settings(max_examples=60, deadline=None)
def test_log_ratios_are_those_of_a_slow_twin(corpus: list[Sentence], other: Sentence, strength: float) -> None:
    found = mine(corpus).log_ratios(other[0], strength=strength)
    wanted = {key: ratio for key, ratio in naive_ratios(corpus, other[0], strength).items() if abs(ratio) > 1e-12}
    assert {key: r for key, r in as_dict(found).items() if abs(r) > 1e-12} == pytest.approx(wanted)


@given(st.lists(sentences(), min_size=1, max_size=6), st.integers(1, 3), st.sampled_from([0.3, 1.0]))
@settings(max_examples=80, deadline=None)
def test_a_sentence_taken_out_is_as_one_that_was_not_there(corpus: list[Sentence], times: int, strength: float) -> None:
    words, spans = corpus[0]
    found = mine([*corpus, *[corpus[0]] * (times - 1)]).log_ratios(words, spans, times=times, strength=strength)
    wanted = mine(corpus[1:]).log_ratios(words, strength=strength)
    common = wanted.shape[1]
    if len(corpus) > 1:
        np.testing.assert_allclose(found[:, :common], wanted[:, : found.shape[1]], atol=1e-12)
    assert not found[:, common:].any()


@given(st.lists(sentences(), max_size=5), sentences())
@settings(deadline=None)
def test_the_stand_in_for_marisa_gives_the_same(corpus: list[Sentence], other: Sentence) -> None:
    expected = mine(corpus)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trie_module, "marisa_trie", None)
        found = mine(corpus)
        assert isinstance(found.trie, trie_module.DictTrie)
    for words, own, times in [(other[0], [], 0), *((words, spans, 1) for words, spans in corpus)]:
        np.testing.assert_array_equal(
            found.log_ratios(words, own, times=times), expected.log_ratios(words, own, times=times)
        )


@pytest.mark.parametrize("strange", ["kota\tbandung", "a\0b", "\ud800", "\t"])
def test_words_that_no_key_can_have_are_told_and_never_found(strange: str) -> None:
    with pytest.raises(ValueError, match=r"^sentence 1 \(from 0\): a tab, NUL or lone surrogate inside a word of \["):
        mine([CORPUS[0], (["di", strange], [(0, 1, 0), (1, 2, 0)])])
    for marisa in (trie_module.marisa_trie, None):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(trie_module, "marisa_trie", marisa)
            found = mine(CORPUS).log_ratios(["kota", strange, "bandung"])
        assert found[0].any()
        assert not found[1].any()
        assert found[2].any()


@pytest.mark.parametrize(
    ("span", "told"),
    [((0, 4, 0), "a span from 0 to 4 in a sentence of 3 words"), ((2, 2, 0), "a span from 2 to 2"),
     ((-1, 1, 0), "a span from -1 to 1"), ((0, 1, 2), r"a span's label is 2; 0 … 1 is right"),
     ((0, 1, -1), "a span's label is -1")],
)  # fmt: skip
def test_spans_that_are_none_are_told(span: tuple[int, int, int], told: str) -> None:
    with pytest.raises(ValueError, match=rf"^sentence 1 \(from 0\): {told}"):
        mine([CORPUS[1], (CORPUS[0][0], [span])])
    with pytest.raises(ValueError, match=told):
        mine(CORPUS).log_ratios(CORPUS[0][0], [span], times=1)


def test_what_was_not_counted_is_not_taken_out_unawares() -> None:
    for own in ([(0, 2, 0)], [(0, 3, 1)]):
        with pytest.raises(ValueError, match=r"the span \['di', 'kota'.*\] was not counted"):
            mine(CORPUS).log_ratios(CORPUS[0][0], own, times=1)
    with pytest.raises(ValueError, match="3 sentences and 1 lists of spans"):
        PhraseLexicon.mine([["a"]] * 3, [[]], 1)


def test_nothing_is_counted_too() -> None:
    empty = mine([])
    assert (len(empty.trie), empty.spans.shape) == (0, (1, LABELS))
    assert not empty.log_ratios(["a", "b"]).any()
    assert mine(CORPUS).log_ratios([]).shape == (0, 2, LABELS)
