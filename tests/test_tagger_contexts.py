"""Sentences that are read with a context: how words match, by hand, and taggers that learn of it."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from hybrid.labelling.contexts import DECAYS, FEATURES, ContextMatch, one_stem
from hybrid.labelling.tagger import SpanTagger
from hybrid.metrics import chunk_f1
from tests.labelled import FEW, ODD, PLAIN, SEEN, SMALL, TINY, UNSEEN, Labelled, sentences

QUESTIONS = [["siapa", "nama", "orang"], ["mana", "nama", "tempat"]]


@pytest.fixture(scope="module")
def answers() -> tuple[SpanTagger, Labelled, list[list[str]]]:
    """One chunk a sentence: the person or the place, after a question."""
    words, contexts, labels = [], [], []
    for i, (a, b) in enumerate(itertools.permutations(SEEN[:6], 2)):
        words.append(["pak", a, "pergi", "ke", b, *PLAIN[: i % 3]])
        contexts.append(QUESTIONS[i % 2])
        labels.append(["O", *(["O", "O", "O", "B-A"] if i % 2 else ["B-A", "O", "O", "O"]), *["O"] * (i % 3)])
    config = replace(TINY, nets=1, epochs=8)
    return SpanTagger.learn(words, labels, contexts=contexts, single=True, config=config, device="cpu"), (
        words, labels), contexts  # fmt: skip


def test_a_context_decides_and_each_sentence_has_one_chunk(
    answers: tuple[SpanTagger, Labelled, list[list[str]]],
) -> None:
    tagger, (words, labels), contexts = answers
    assert chunk_f1(labels, tagger.tag(words, contexts)).macro > 0.9
    other = sentences(20, UNSEEN, 6)[0] + [row for row in ODD if row]
    for context in (QUESTIONS[0], QUESTIONS[1], [], ["baru", "?"], ["\ud800", "", "a\tb"]):
        found = tagger.spans(other, [context] * len(other))
        assert [len(spans) for spans in found] == [1] * len(other)
        assert all(0 <= spans[0].probability <= 1 for spans in found)
    assert tagger.tag([[]], [["apa"]]) == [[]]
    assert tagger.tag([], []) == []


def test_arrays_of_strings_are_lists_of_words() -> None:
    arrays = [np.array([np.array(row, object) for row in rows], object) for rows in (*FEW, [["apa", "?"]] * 12)]
    found = SpanTagger.learn(*arrays[:2], contexts=arrays[2], config=SMALL, device="cpu")
    lists = SpanTagger.learn(*FEW, contexts=[["apa", "?"]] * 12, config=SMALL, device="cpu")
    assert found.spans(arrays[0], arrays[2]) == lists.spans(FEW[0], [["apa", "?"]] * 12)


def test_sentences_without_a_chunk_are_passed_over_where_each_is_to_have_one() -> None:
    config = replace(SMALL, folds=2)
    words, labels = [["pak", "Andi"], ["hujan"], ["Eka", "dan", "Budi"]], [["O", "B"], ["O"], ["B", "O", "B"]]
    tagger = SpanTagger.learn(words, labels, single=True, config=config, device="cpu")
    assert [len(spans) for spans in tagger.spans(words)] == [1, 1, 1]
    with pytest.raises(ValueError, match="1 different sentences to learn from"):
        SpanTagger.learn(words[:2], labels[:2], single=True, config=config)


def test_contexts_that_are_missing_or_superfluous_are_told(
    answers: tuple[SpanTagger, Labelled, list[list[str]]],
) -> None:
    tagger = SpanTagger.learn(*FEW, config=SMALL, device="cpu")
    with pytest.raises(ValueError, match=r"^no contexts in training; none is right here"):
        tagger.tag([["pak"]], [["siapa"]])
    with pytest.raises(ValueError, match=r"^contexts in training; one a sentence is right here"):
        answers[0].tag([["pak"]])
    with pytest.raises(ValueError, match="1 sentences and 2 contexts"):
        answers[0].tag([["pak"]], [["siapa"], ["mana"]])
    with pytest.raises(ValueError, match="no context has a word"):
        SpanTagger.learn(*FEW, contexts=[[]] * 12)


MATCH = ContextMatch.of([["kota", "ini"], ["kota", "itu", "kota"], ["Ini"]])
KOTA, UNKNOWN = math.log(4 / 2.5), math.log(8)


def test_weights_say_in_how_few_texts_a_word_is() -> None:
    assert MATCH.weights == pytest.approx({"kota": KOTA, "ini": KOTA, "itu": math.log(4 / 1.5)})
    assert MATCH.unseen == pytest.approx(UNKNOWN)


def test_features_of_two_words_by_hand() -> None:
    """Kota is asked for; makanan is of a stem with makan, which is in no text."""
    found = MATCH.features(["Kota", "makanan"], ["kota", "makan", "?"])
    stem = 0.8 * UNKNOWN
    clause, best = KOTA + stem, True
    possible = KOTA + 2 * UNKNOWN
    of_clause = [clause / 8, clause / possible, best, 0]
    after = [x for decay in DECAYS for x in (0, stem / 8)]  # one word away: no decay yet
    before = [x for decay in DECAYS for x in (KOTA / 8, 0)]
    wanted = [[KOTA / 5, 1, KOTA / 5, 1, 0, *after, *of_clause], [0, 0, stem / 5, 1, 0, *before, *of_clause]]
    assert found.shape == (2, FEATURES)
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_features_of_pairs_clauses_and_distance_by_hand() -> None:
    found = MATCH.features(["kota", "itu", ".", "besok", "kota"], ["Kota", "itu"])
    itu = math.log(4 / 1.5)
    assert found[:, 4].tolist() == [1, 1, 0, 0, 0]
    np.testing.assert_allclose(found[:, 11] * 8, [KOTA + itu] * 3 + [KOTA] * 2, atol=1e-6)
    assert found[:, 13].tolist() == [1, 1, 1, 0, 0]  # no clause has more
    np.testing.assert_allclose(found[:, 14] * 8, [0, 0, 0, -itu, -itu], atol=1e-6)
    for i, decay in enumerate(DECAYS):
        before = [0, KOTA, decay * KOTA + itu, decay**2 * KOTA + decay * itu, decay**3 * KOTA + decay**2 * itu]
        after = [itu + decay**3 * KOTA, decay**2 * KOTA, decay * KOTA, KOTA, 0]
        np.testing.assert_allclose(found[:, 5 + 2 * i] * 8, before, atol=1e-6)
        np.testing.assert_allclose(found[:, 6 + 2 * i] * 8, after, atol=1e-6)


def test_features_of_nothing() -> None:
    assert MATCH.features([], ["kota"]).shape == (0, FEATURES)
    assert not MATCH.features(["kota", "?"], [])[:, :11].any()
    assert not MATCH.features(["?", "!"], ["?"])[:, :11].any()  # punctuation matches nothing
    assert ContextMatch.of([]).features(["a"], ["a"]).shape == (1, FEATURES)


@pytest.mark.parametrize(
    ("word", "other", "same"),
    [("makan", "makanan", True), ("makanan", "makan", True), ("dimakan", "makanan", True), ("main", "mainkan", True),
     ("mai", "mainkan", False), ("makan", "minum", False), ("", "", False), ("kota", "kota", True),
     ("berjalan", "berlari", False)],
)  # fmt: skip
def test_one_stem(word: str, other: str, same: bool) -> None:
    assert one_stem(word, other) is same
    assert one_stem(other, word) is same
