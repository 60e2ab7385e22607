"""Labels, labelled spans and their F1: the known values to the digit, a slow twin, scikit-learn's, and laws."""

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import calibration, metrics
from hybrid.metrics import chunk_f1, flatten_aspects, iob_chunks, iob_labels, label_f1, span_f1, spans
from tests import naive

LABELS = ["O", "B", "I", "B-X", "I-X", "B-Y", "I-Y", "B-X-Y", "I-X-Y"]
RENAMED = {"X": "Tempat", "Y": "X", "": "ü", "X-Y": "q"}


def test_the_known_values_of_chunks() -> None:
    gold = [["B-PER", "I-PER", "O", "B-LOC"], ["O", "B-ORG", "I-ORG"]]
    scores = chunk_f1(gold, [gold[0], ["O", "B-ORG", "O"]])
    assert scores.macro == 2 / 3
    assert {name: counts.f1 for name, counts in scores.each.items()} == {"LOC": 1, "ORG": 0, "PER": 1}
    assert chunk_f1([["B-PER", "I-PER", "O"]], [["I-PER", "I-PER", "O"]]).macro == 1.0
    assert chunk_f1([["B-PER", "I-PER", "I-PER"]], [["O", "I-PER", "I-PER"]]).macro == 0.0
    untyped = chunk_f1(["B I B O B".split()], ["B I I O I".split()])
    assert (untyped.each[""].precision, untyped.each[""].recall, untyped.macro) == (1 / 2, 1 / 3, 0.4)
    assert untyped.micro == untyped.each[""]
    tags = chunk_f1([["B-NN"] * 3], [["B-NN", "B-VB", "B-NN"]])
    assert (tags.macro, tags.micro.f1) == (0.4, 2 / 3)
    assert list(tags.each) == ["NN", "VB"]


def test_the_known_values_of_labels() -> None:
    assert label_f1([*"aabc"], [*"aabb"]).macro == pytest.approx(5 / 9, abs=1e-15)
    assert label_f1([*"aab"], [*"aac"]).macro == 1 / 3
    gold, predicted = [["pos", "neut"], ["neg", "neut"]], [["pos", "neut"], ["neut", "neut"]]
    scores = label_f1(flatten_aspects(gold), flatten_aspects(predicted))
    assert scores.macro == pytest.approx(0.6, abs=1e-15)
    assert (scores.micro.f1, scores.each["neut"].precision, scores.each["neg"].recall) == (3 / 4, 2 / 3, 0)


def untyped(labels: list[int]) -> list[str]:
    return iob_labels(len(labels), [(start, end, "") for start, end in spans(labels)])


def test_the_bridge_to_the_contest() -> None:
    gold, predicted = ([int(i + 1 in ends) for i in range(23)] for ends in ((4, 10, 23), (4, 8, 23)))
    assert span_f1(gold, predicted) == pytest.approx(1 / 3, abs=1e-15)
    assert chunk_f1([untyped(gold)], [untyped(predicted)]).macro == pytest.approx(1 / 3, abs=1e-15)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=12))
def test_the_contests_f1_is_chunk_f1_over_characters(pairs: list[tuple[int, int]]) -> None:
    gold, predicted = ([pair[side] for pair in pairs] for side in (0, 1))
    assert chunk_f1([untyped(gold)], [untyped(predicted)]).macro == pytest.approx(span_f1(gold, predicted), abs=1e-12)


def test_where_chunks_start() -> None:
    assert iob_chunks("I I B I".split()) == [(0, 2, ""), (2, 4, "")]
    assert iob_chunks("B-X I-Y I I-Y O I-Y".split()) == [(0, 1, "X"), (1, 2, "Y"), (2, 3, ""), (3, 4, "Y"), (5, 6, "Y")]
    assert iob_chunks(["B-a-b", "I-a-b"]) == [(0, 2, "a-b")]
    assert chunk_f1([["B-X"], ["I-X"]], [["B-X"], ["I-X"]]).micro.right == 2  # none goes on in the next sentence
    assert iob_chunks(np.array(["B-X", "I-X"])) == [(0, 2, "X")]


def test_nothing_to_find_gives_zero() -> None:
    for nothing in ([], [[]], [["O", "O"], []]):
        scores = chunk_f1(nothing, nothing)
        assert (scores.macro, scores.micro.f1, scores.micro.precision, scores.micro.recall) == (0, 0, 0, 0)
        assert scores.each == {}
    assert iob_chunks([]) == iob_chunks(["O"]) == []
    assert iob_labels(0, []) == []


@pytest.mark.parametrize("label", ["", "b-per", "X-PER", "B-", "-PER", "OO", "O-PER", "E-PER", "B_PER", None, 3])
def test_what_is_no_label_is_named_with_its_place(label: str) -> None:
    with pytest.raises(ValueError, match=r"^word 1 \(from 0\): ") as told:
        iob_chunks(["O", label])
    assert repr(label) in str(told.value)
    with pytest.raises(ValueError, match=r"^predicted sentence 1 \(from 0\), word 0 \(from 0\): "):
        chunk_f1([["O"], ["O"]], [["O"], [label]])


def test_what_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="2 gold sentences and 1 predicted"):
        chunk_f1([["O"], ["O"]], [["O"]])
    with pytest.raises(ValueError, match=r"sentence 1 \(from 0\): 2 gold labels and 1 predicted"):
        chunk_f1([["O"], ["O", "O"]], [["O"], ["O"]])
    with pytest.raises(ValueError, match="is the string 'B'; a list of labels"):
        chunk_f1(["B", "I"], ["B", "I"])
    with pytest.raises(ValueError, match="2 gold labels and 1 predicted"):
        label_f1(["a", "b"], ["a"])
    with pytest.raises(ValueError, match="no gold label"):
        label_f1([], [])
    with pytest.raises(ValueError, match=r"predicted label 1 \(from 0\) is None"):
        label_f1(["a", "b"], ["a", None])
    with pytest.raises(ValueError, match=r"row 1 \(from 0\) has 1 labels, row 0 has 2"):
        flatten_aspects([["a", "b"], ["a"]])
    with pytest.raises(ValueError, match=r"row 0 \(from 0\) is the string 'ab'"):
        flatten_aspects(["ab"])


@pytest.mark.parametrize(
    ("length", "chunks", "told"),
    [
        (3, [(0, 4, "X")], "0 ≤ start < end ≤ 3"),
        (3, [(-1, 1, "X")], "0 ≤ start < end ≤ 3"),
        (3, [(1, 1, "X")], "0 ≤ start < end ≤ 3"),
        (3, [(1, 3, "X"), (0, 2, "Y")], "span 0 to 2, 'Y': lies on another"),
        (3, [(0, 1, None)], "its type is None"),
        (-1, [], "a sentence of -1 words"),
    ],
)
def test_spans_that_no_labels_can_say(length: int, chunks: list, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        iob_labels(length, chunks)


labels = st.sampled_from(LABELS)
sentences = st.lists(st.lists(st.tuples(labels, labels), max_size=8), max_size=4)


def sides(pairs: list[list[tuple[str, str]]]) -> tuple[list[list[str]], list[list[str]]]:
    return [[gold for gold, _ in row] for row in pairs], [[predicted for _, predicted in row] for row in pairs]


@given(sentences)
def test_chunks_against_the_rules_of_conlleval(pairs: list[list[tuple[str, str]]]) -> None:
    gold, predicted = sides(pairs)
    scores = chunk_f1(gold, predicted)
    assert {name: [c.right, c.found, c.wanted] for name, c in scores.each.items()} == naive.conlleval(gold, predicted)
    for counts in (*scores.each.values(), scores.micro):
        p, r = counts.precision, counts.recall
        assert counts.f1 == pytest.approx(2 * p * r / (p + r) if p + r else 0, abs=1e-12)


@given(sentences)
def test_laws_of_chunk_f1(pairs: list[list[tuple[str, str]]]) -> None:
    gold, predicted = sides(pairs)
    scores, swapped = chunk_f1(gold, predicted), chunk_f1(predicted, gold)
    assert (scores.macro, scores.micro.f1) == (swapped.macro, swapped.micro.f1)
    assert (scores.micro.precision, scores.micro.recall) == (swapped.micro.recall, swapped.micro.precision)
    assert chunk_f1(gold, gold).macro == any(label != "O" for row in gold for label in row)
    renamed = chunk_f1(*([[rename(label) for label in row] for row in side] for side in (gold, predicted)))
    assert renamed.each == {RENAMED[name]: counts for name, counts in scores.each.items()}
    assert (renamed.macro, renamed.micro) == (scores.macro, scores.micro)


def rename(label: str) -> str:
    return label if label == "O" else f"{label[0]}-{RENAMED[label[2:]]}"


@given(st.lists(labels, max_size=12))
def test_spans_and_labels_are_two_ways_to_write_one_thing(row: list[str]) -> None:
    chunks = iob_chunks(row)
    written = iob_labels(len(row), reversed(chunks))
    assert iob_chunks(written) == chunks
    assert iob_labels(len(row), iob_chunks(written)) == written
    assert all(label[0] in ("O", written[i][0]) or label[0] == "I" for i, label in enumerate(row))


classes = st.sampled_from(["a", "b", "c", "Ä", ""])


@pytest.fixture(scope="module")
def f1_score() -> Callable[..., float]:
    return pytest.importorskip("sklearn.metrics", reason="the package scikit-learn is not installed").f1_score


@settings(deadline=None)
@given(pairs=st.lists(st.tuples(classes, classes), min_size=1, max_size=10))
def test_labels_against_scikit_learn(f1_score: Callable[..., float], pairs: list[tuple[str, str]]) -> None:
    gold, predicted = [list(side) for side in zip(*pairs, strict=True)]
    expected = f1_score(gold, predicted, average="macro", zero_division=0)
    assert label_f1(gold, predicted).macro == pytest.approx(expected, abs=1e-12)
    assert label_f1(predicted, gold).macro == label_f1(gold, predicted).macro


def test_results_are_values() -> None:
    scores = label_f1(["a"], ["b"])
    assert pickle.loads(pickle.dumps(scores)) == scores == label_f1(iter(["a"]), np.array(["b"]))
    with pytest.raises(AttributeError):
        scores.each = {}  # type: ignore[misc]


def test_what_moved_is_still_where_it_was() -> None:
    for name in ("Bin", "reliability", "expected_calibration_error"):
        assert getattr(metrics, name) is getattr(calibration, name)
    assert set(metrics.__all__) <= set(vars(metrics))
