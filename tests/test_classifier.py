"""Labels of whole texts: the lexicon of n-grams, the linear model, how columns are combined, and the classifier."""

import math
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid.errors import DataError
from hybrid.labelling.classifier import TextClassifier
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.combining import Combination, expected_macro_f1
from hybrid.labelling.linear import LinearModel, NgramRows
from hybrid.labelling.vectors import WordVectors
from lexicon.ngrams import BETWEEN, NgramLexicon, character_ngrams, word_ngrams

TEXTS = [["good", "tea"], ["good", "soup"], ["bad", "tea"], ["bad", "bad", "soup"], ["tea"]]
LABELS = np.array([[0], [0], [1], [1], [2]])


def mined(least: int = 1) -> NgramLexicon:
    return NgramLexicon.mine(TEXTS, LABELS, 3, least=least)


def ratio(c: int, n: int, others: int, of: int, a: float) -> float:
    return math.log((c + a) / (n + 2 * a)) - math.log((others + a) / (of + 2 * a))


def test_log_ratios_by_hand() -> None:
    """Good: 2 of 2 texts with label 0, 0 of 3 others; tea: 1 of 2 and 2 of 3; a repeated word counts once."""
    lexicon = mined()
    found = lexicon.log_ratios(lexicon.numbers(["good"]), strength=0.5)[0, 0]
    assert found[0] == pytest.approx(math.log((2.5 / 3) / (0.5 / 4)))
    found = lexicon.log_ratios(lexicon.numbers(["tea"]), strength=1.0)[0, 0]
    assert found == pytest.approx(
        [math.log((2 / 4) / (3 / 5)), math.log((2 / 4) / (3 / 5)), math.log((2 / 3) / (3 / 6))]
    )
    assert lexicon.counts[0, lexicon.numbers(["bad"])[0]].tolist() == [0, 2, 0]


def test_rare_ngrams_are_left_out_and_unknown_ones_have_no_number() -> None:
    lexicon = mined(least=3)
    assert list(lexicon.trie) == ["tea"]
    assert lexicon.numbers(["tea", "good", "tea"]).tolist() == [0]
    assert lexicon.log_ratios(lexicon.numbers(["good"])).shape == (1, 0, 3)


def test_keys_of_ngrams() -> None:
    assert [*word_ngrams(["a", "b", "c"], 2)] == ["a", "b", "c", f"a{BETWEEN}b", f"b{BETWEEN}c"]
    assert [*character_ngrams(["ab"], 3, 4)] == [f"{BETWEEN}\x02ab", f"{BETWEEN}ab\x03", f"{BETWEEN}\x02ab\x03"]
    assert [*word_ngrams([], 2)] == [*character_ngrams([], 3, 6)] == []


words = st.lists(st.sampled_from("abcdeä"), max_size=4)
corpora = st.integers(1, 3).flatmap(
    lambda aspects: st.lists(st.tuples(words, st.lists(st.integers(-1, 2), min_size=aspects, max_size=aspects)),
                             min_size=2, max_size=8)
)  # fmt: skip


def slow_ratios(
    texts: Sequence[Sequence[str]], labels: Sequence[Sequence[int]], key: str, a: float
) -> list[list[float]]:
    """Return (A, L): the log-count ratios of one n-gram, counted anew."""
    result = []
    for aspect in range(len(labels[0])):
        counted = [(key in text, row[aspect]) for text, row in zip(texts, labels, strict=True) if row[aspect] >= 0]
        row = []
        for label in range(3):
            inside, outside = ([has for has, of in counted if (of == label) is same] for same in (True, False))
            there = any(has for has, _ in counted)
            row.append(ratio(sum(inside), len(inside), sum(outside), len(outside), a) if there else 0.0)
        result.append(row)
    return result


@settings(max_examples=40, deadline=None)
@given(corpora, st.sampled_from([0.3, 1.0]))
def test_log_ratios_are_those_of_counting_anew(corpus: list[tuple[list[str], list[int]]], a: float) -> None:
    """Of all texts; without one of them (leave-one-out); and of a lexicon without it."""
    texts, labels = [t for t, _ in corpus], [row for _, row in corpus]
    lexicon = NgramLexicon.mine(texts, np.array(labels), 3)
    for key in lexicon.trie:
        assert lexicon.log_ratios(lexicon.numbers([key]), strength=a)[:, 0] == pytest.approx(
            np.array(slow_ratios(texts, labels, key, a))
        )
    own = lexicon.numbers(texts[0])
    left_out = lexicon.log_ratios(own, np.array(labels[0]), strength=a)
    rest = lexicon.without([own], np.array(labels[:1])).log_ratios(own, strength=a)
    for place, number in enumerate(own.tolist()):
        slow = np.array(slow_ratios(texts[1:], labels[1:], lexicon.trie.restore_key(number), a))
        assert left_out[:, place] == pytest.approx(slow)
        assert rest[:, place] == pytest.approx(slow)


def test_a_lexicon_tells_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"5 texts and labels of shape \(4, 1\)"):
        NgramLexicon.mine(TEXTS, LABELS[:4], 3)
    with pytest.raises(ValueError, match="labels from 0 to 2; −1 to 1 are right"):
        NgramLexicon.mine(TEXTS, LABELS, 2)
    with pytest.raises(ValueError, match="strength is 0"):
        mined().log_ratios(strength=0)


def test_rows_of_ngrams_multiply_as_matrices_do() -> None:
    random = np.random.default_rng(1)
    texts = [np.array(t, np.int64) for t in ([0, 2], [], [1], [0, 1, 3])]
    rows = NgramRows.of(texts, np.array([1.0, 2.0, 0.5, 1.0]))
    dense = np.zeros((4, 4))
    for row, text in zip(dense, texts, strict=True):
        row[text] = np.array([1.0, 2.0, 0.5, 1.0])[text]
    dense /= np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-9)
    weights = random.normal(size=(4, 3)).astype(np.float32)
    back = random.normal(size=(4, 2)).astype(np.float32)
    assert rows.times(weights) == pytest.approx(dense @ weights, abs=1e-6)
    assert rows.turned(4).times(back) == pytest.approx(dense.T @ back, abs=1e-6)
    assert rows.some(np.array([3, 1])).times(weights) == pytest.approx(dense[[3, 1]] @ weights, abs=1e-6)


def test_the_linear_model_is_at_the_minimum() -> None:
    """The gradient of what it minimises, by autograd over dense matrices, is 0; label −1 is no text."""
    random = np.random.default_rng(0)
    texts = [np.sort(random.choice(6, 3, replace=False)) for _ in range(30)]
    labels = random.integers(-1, 3, (30, 2))
    rows = NgramRows.of(texts, np.ones(6))
    ratios = random.normal(size=(2, 6, 3))
    model = LinearModel.fit(rows, labels, ratios, penalty=0.7)
    scale = torch.from_numpy(np.abs(ratios).max(axis=2).T.repeat(3, axis=1))
    weights = (torch.from_numpy(model.weights.astype(np.float64)) / scale).requires_grad_()
    bias = torch.from_numpy(model.bias.astype(np.float64)).requires_grad_()
    dense = torch.zeros(30, 6, dtype=torch.float64)
    for row, text in zip(dense, texts, strict=True):
        row[text] = 1 / math.sqrt(3)
    loss = 0.7 * weights.square().sum()
    scores = (dense @ (weights * scale)).view(30, 2, 3) + bias
    for aspect in range(2):
        kept = labels[:, aspect] >= 0
        seen = np.bincount(labels[kept, aspect], minlength=3)
        share = torch.from_numpy(kept.sum() / 3 / seen)
        loss = loss + torch.nn.functional.cross_entropy(
            scores[kept, aspect], torch.from_numpy(labels[kept, aspect]), weight=share, reduction="sum"
        )
    loss.backward()
    assert float(weights.grad.abs().max()) < 0.02
    assert float(bias.grad.abs().max()) < 0.02


def test_a_column_that_knows_weighs_more_than_one_that_guesses() -> None:
    random = np.random.default_rng(0)
    labels = random.integers(0, 2, (300, 1))
    knows = np.where(np.arange(2) == labels[:, :, None], 2.0, 0.0) + random.normal(size=(300, 1, 2))
    combination = Combination.fit(
        np.stack([knows, random.normal(size=(300, 1, 2))]).astype(np.float32), labels, prior=1.0
    )
    assert combination.weights[0] > 1.0
    assert abs(combination.weights[1]) < combination.weights[0] / 3


def test_an_aspect_is_never_given_a_label_that_it_never_had() -> None:
    labels = np.array([[0, 2], [1, 2], [0, 0], [1, 0], [0, -1]])
    columns = np.random.default_rng(0).normal(size=(1, 5, 2, 3)).astype(np.float32)
    combination = Combination.fit(columns, labels, prior=1.0)
    probability = combination.probabilities(columns)
    assert (probability[:, 0, 2] == 0).all()
    assert (probability[:, 1, 1] == 0).all()
    assert probability.sum(axis=2) == pytest.approx(np.ones((5, 2)))


def test_expected_macro_f1_by_hand() -> None:
    """Label 0: predicted twice, expected 1.4 times, right 1.4 of them; label 1: once, 1.6, .8."""
    probability = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    wanted = (2 * 1.4 / (2 + 1.6) + 2 * 0.8 / (1 + 1.4)) / 2
    assert expected_macro_f1(probability, np.array([0, 0, 1])) == pytest.approx(wanted)
    certain = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    assert expected_macro_f1(certain, np.array([0, 1])) == 1.0


def test_offsets_find_rare_labels_that_the_most_probable_one_hides() -> None:
    random = np.random.default_rng(3)
    labels = (random.random((400, 1)) < 0.1).astype(np.int64)
    weak = np.stack([np.zeros((400, 1)), 1.5 * labels + random.normal(size=(400, 1))], axis=2)
    combination = Combination.fit(weak[None].astype(np.float32), labels, prior=1.0)
    probability = combination.probabilities(weak[None].astype(np.float32))
    chosen, likely = combination.best(probability), probability.argmax(axis=2)
    assert chosen.sum() > likely.sum()
    flat = probability[:, 0]
    assert expected_macro_f1(flat, chosen[:, 0]) > expected_macro_f1(flat, likely[:, 0])


QUICK = ClassifierConfig(folds=2, epochs=3, batch=8, hidden=8, embedding=8, letter_hidden=4, rate=1e-2)
PRAISE, BLAME = ("lovely", "great", "tasty"), ("awful", "poor", "stale")
THINGS = ("tea", "soup", "room")


def reviews(count: int, seed: int = 0) -> tuple[list[list[str]], list[tuple[str, str]]]:
    """Return texts on food and rooms, and what each says of both."""
    random = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(count):
        words: list[str] = []
        row = ["none", "none"]
        for aspect in range(2):
            if random.random() < 0.6:
                kind = int(random.integers(2))
                row[aspect] = ("praise", "blame")[kind]
                thing = "room" if aspect else THINGS[random.integers(2)]
                words += ["the", thing, "was", (PRAISE, BLAME)[kind][random.integers(3)], "."]
        texts.append(words)
        labels.append((row[0], row[1]))
    return texts, labels


@pytest.fixture(scope="module")
def classifier() -> TextClassifier:
    return TextClassifier.learn(*reviews(120), config=QUICK)


def test_it_learns_what_is_said_of_each_aspect(classifier: TextClassifier) -> None:
    texts, labels = reviews(60, seed=1)
    found = classifier.classify(texts)
    right = np.mean([a == b for row, gold in zip(found, labels, strict=True) for a, b in zip(row, gold, strict=True)])
    assert right > 0.75  # the most frequent label: 0.4
    probability = classifier.probabilities(texts)
    assert probability.shape == (60, 2, 3)
    assert probability.sum(axis=2) == pytest.approx(np.ones((60, 2)))
    assert classifier.labels == ("blame", "none", "praise")
    assert set(classifier.weights) == {"ngram_lexicon", "linear", "net"}


def test_same_seed_same_result_and_another_seed_another(classifier: TextClassifier) -> None:
    texts = reviews(20, seed=2)[0]
    torch.manual_seed(12)  # what a caller's own torch does is nothing to it
    again = TextClassifier.learn(*reviews(120), config=QUICK).probabilities(texts)
    assert np.array_equal(classifier.probabilities(texts), again)
    other = TextClassifier.learn(*reviews(120), config=QUICK, seed=1)
    assert other.config == replace(QUICK, seed=1)
    assert not np.array_equal(other.probabilities(texts), again)


def test_texts_are_judged_each_by_itself(classifier: TextClassifier) -> None:
    texts = [*reviews(9, seed=3)[0], [], ["Ünbekannt", "🙂", "\t", ""], ["tea"] * 3000]
    whole = classifier.probabilities(texts)
    assert whole == pytest.approx(np.concatenate([classifier.probabilities([text]) for text in texts]), abs=1e-5)
    assert classifier.probabilities([]).shape == (0, 2, 3)
    assert classifier.classify([]) == []


def test_it_is_shared_by_threads_and_pickled(classifier: TextClassifier) -> None:
    texts = reviews(30, seed=4)[0]
    wanted = classifier.probabilities(texts)
    with ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda _: classifier.probabilities(texts), range(4)):
            assert np.array_equal(found, wanted)
    assert np.array_equal(pickle.loads(pickle.dumps(classifier)).probabilities(texts), wanted)


def test_one_label_a_text_is_given_back_as_one_and_rare_labels_are_not() -> None:
    texts, labels = reviews(60)
    single = [row[0] for row in labels]
    single[0] = "odd"
    config = replace(QUICK, epochs=0, rare=2)
    learnt = TextClassifier.learn(texts, single, config=config)
    assert learnt.labels == ("blame", "none", "praise")
    assert set(learnt.classify(texts)) <= set(learnt.labels)
    assert set(learnt.weights) == {"ngram_lexicon", "linear"}


def test_arrays_are_as_good_as_lists() -> None:
    texts, labels = reviews(30)
    config = replace(QUICK, epochs=0)
    lists, arrays = (TextClassifier.learn(x, y, config=config) for x, y in (
        (texts, labels), ([np.array(text, dtype=object) for text in texts], np.array(labels))))  # fmt: skip
    assert np.array_equal(lists.probabilities(texts), arrays.probabilities([np.array(t, dtype=object) for t in texts]))
    assert lists.classify(texts) == arrays.classify(texts)


def test_word_vectors_tell_of_words_that_training_lacks() -> None:
    texts, labels = reviews(40)
    plain = [[*text, "fine" if "lovely" in text else "the"] for text in texts]
    vectors = WordVectors.learn(plain, size=6, least=1)
    learnt = TextClassifier.learn(texts, labels, vectors=vectors, config=replace(QUICK, epochs=1))
    assert "fine" in learnt.learnt.vocabulary.words
    known, unknown = learnt.probabilities([["fine", "tea"], ["qqqq", "tea"]])
    assert not np.array_equal(known, unknown)


@pytest.mark.parametrize(
    ("texts", "labels", "told"),
    [
        ([], [], "0 texts and 0 labels; as many of each are right, and some"),
        ([["a"], ["b"]], ["x"], "2 texts and 1 labels"),
        ([["a"]], ["x"], "1 texts to learn from; 2 or more are right"),
        ([["a"], ["b"]], ["x", "x"], "1 different labels, 1 of which 1 texts or more have; two or more are right"),
        ([["a"], ["b"]], [("x", "y"), ("x",)], r"text 1 \(from 0\) has 1 labels, text 0 has 2"),
        ([["a"], ["b"]], ["x", ("x",)], r"text 0 \(from 0\) has a label of type str; a string for each text, or a row"),
        ([["a"], ["b"]], [1, 2], r"text 0 \(from 0\) has a label of type int; a string for each text, or a row"),
        ([["a"], ["b"]], [(), ()], r"text 0 \(from 0\) has 0 labels"),
        ([["a"], ["b"]], [("x",), None], r"text 1 \(from 0\) has a label of type NoneType"),
        ([["a"], ["b"]], [(1,), (2,)], r"text 0 \(from 0\) has a label of type int; strings are right"),
        (["tea", ["b"]], ["x", "y"], r"text 0 \(from 0\) is of type str; a list of words is right"),
        ([["a"], None], ["x", "y"], r"text 1 \(from 0\) is of type NoneType"),
        ([["a"], ["b", 3]], ["x", "y"], r"text 1 \(from 0\) has a word of type int; strings are right"),
        ([["a"], ["b", None]], ["x", "y"], r"text 1 \(from 0\) has a word of type NoneType"),
        ("tea", ["x", "y", "x"], "texts are of type str; a list of texts, each a list of words, is right"),
        (None, ["x"], "texts are of type NoneType"),
        ([["a"], ["b"]], None, "labels are of type NoneType; a list of labels, or of rows of labels, is right"),
    ],
)
def test_bad_input_is_told(texts: list[list[str]], labels: list[str], told: str) -> None:
    with pytest.raises(DataError, match=told) as error:
        TextClassifier.learn(texts, labels, config=QUICK)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"folds": 1}, "folds is 1"), ({"seed": -1}, "seed is -1"), ({"dropout": 1.0}, "dropout is 1.0"),
     ({"penalty": 0.0}, "penalty is 0.0"), ({"shortest": 7}, "longest is 6, should be 7 or more")],
)  # fmt: skip
def test_a_configuration_that_can_t_be_trained_with_is_told(wrong: dict[str, float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ClassifierConfig(**wrong)
