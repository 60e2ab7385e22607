"""Rankings and probabilities: known values to the digit, properties, and wrong arguments."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid.metrics import dcg, expected_calibration_error, ndcg, relevance, reliability


def test_ndcg_of_known_rankings() -> None:
    relevances = [1, 0, 1, 0, 2, 2, 0, 0, 0, 0]
    assert round(dcg(relevances), 3) == 2.986
    assert f"{dcg(sorted(relevances, reverse=True)):.5f}" == "4.19254"
    assert round(ndcg(relevances), 4) == 0.7122
    assert ndcg(sorted(relevances, reverse=True)) == 1.0
    assert ndcg([0] * 10) == ndcg([]) == 0.0
    assert ndcg([1, 0], pool=[0, 1, 2]) == pytest.approx(1 / (2 + 1 / math.log2(3)))
    assert ndcg([0, 2], k=1) == 0.0
    assert ndcg([1], pool=[2, 2], k=1) == 0.5


@given(st.lists(st.integers(0, 2), max_size=25), st.lists(st.integers(0, 2), max_size=25), st.integers(1, 25))
def test_ndcg_lies_between_0_and_1_and_the_pool_makes_it_no_larger(
    relevances: list[int], others: list[int], k: int
) -> None:
    own, pooled = ndcg(relevances, k=k), ndcg(relevances, k=k, pool=[*relevances, *others])
    assert 0 <= pooled <= own + 1e-12
    assert own <= 1
    assert (own == 1) == (any(relevances) and relevances[:k] == sorted(relevances, reverse=True)[:k])


def test_ndcg_names_wrong_arguments() -> None:
    for gain in (dcg, ndcg):
        with pytest.raises(ValueError, match="k is 0"):
            gain([1], k=0)
    with pytest.raises(ValueError, match="no bins"):
        expected_calibration_error([])
    for wrong in (-1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match="a relevance is"):
            ndcg([1.0, wrong])
    with pytest.raises(ValueError, match="the pool lacks grades of the list"):
        ndcg([2], pool=[1])


@pytest.mark.parametrize(
    ("split", "grade"),
    [("ab|cd|ef", 2), ("ab|cdef", 1), ("abcd|ef", 1), ("a|b|cd|ef", 1), ("abcdef", 0), ("abc|def", 0), ("ab|c|def", 0),
     ("ab|cd|e", 0)],
)  # fmt: skip
def test_grades_of_splits(split: str, grade: int) -> None:
    assert relevance(labels_of("ab|cd|ef"), labels_of(split)) == grade


def test_a_whole_word_is_consistent_with_itself_alone() -> None:
    assert relevance(labels_of("abc"), labels_of("abc")) == 2
    assert relevance(labels_of("abc"), labels_of("a|bc")) == 0


def labels_of(split: str) -> list[int]:
    return [label for part in split.split("|") for label in [*[0] * (len(part) - 1), 1]]


def test_reliability_by_hand() -> None:
    bins = reliability([0.05, 0.15, 0.95, 1.0, 0.9], [False, True, True, True, False], bins=10)
    assert [(b.count, round(b.confidence, 3), round(b.accuracy, 3)) for b in bins] == [
        (1, 0.05, 0.0), (1, 0.15, 1.0), (3, 0.95, 0.667),
    ]  # fmt: skip
    error = expected_calibration_error(bins)
    assert error == pytest.approx((0.05 + 0.85 + 3 * abs(0.95 - 2 / 3)) / 5)
    for probabilities, right in (([], []), ([0.5], []), ([1.5], [True])):
        with pytest.raises(ValueError, match=r"as many of each|0 to 1"):
            reliability(probabilities, right)
