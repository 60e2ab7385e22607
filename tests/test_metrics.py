"""The contest statement's examples to the digit, and the corners."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid.metrics import evaluate, span_f1, spans


def labels(*parts: str) -> list[int]:
    return [x for part in parts for x in [*[0] * (len(part) - 1), 1]]


SPRACHBEREICH = labels("Sprach", "bereich")
GOLD = labels("Auto", "bahn", "anschlussstelle")
PREDICTED = labels("Auto", "bahnan", "schlussstelle")


def test_the_statement_examples() -> None:
    assert spans(GOLD) == [(0, 4), (4, 8), (8, 23)]
    assert spans(PREDICTED) == [(0, 4), (4, 10), (10, 23)]
    assert span_f1(SPRACHBEREICH, SPRACHBEREICH) == 1.0
    assert span_f1(GOLD, PREDICTED) == pytest.approx(1 / 3, abs=1e-12)
    both = evaluate(
        {"Sprachbereich": SPRACHBEREICH, "Autobahnanschlussstelle": GOLD},
        {"Sprachbereich": SPRACHBEREICH, "Autobahnanschlussstelle": PREDICTED},
    )
    assert round(both.f1, 4) == 0.6667
    assert both.exact == 0.5
    assert both.boundary_precision == both.boundary_recall == pytest.approx(2 / 3)


def test_what_is_missing_or_of_another_length_scores_zero() -> None:
    gold = {"ab": [1, 1], "abc": [0, 1, 1], "abcd": [0, 1, 0, 1]}
    scores = evaluate(gold, {"ab": [1, 1], "abc": [0, 1], "zzz": [1, 1, 1]})
    assert scores.f1 == pytest.approx(1 / 3)
    assert (scores.words, scores.missing, scores.wrong_length) == (3, 1, 1)
    assert scores.boundary_precision == 1.0
    assert scores.boundary_recall == pytest.approx(1 / 3)


def test_a_remainder_after_the_last_one_is_a_part() -> None:
    assert spans([0, 1, 0, 0]) == [(0, 2), (2, 4)]
    assert span_f1([0, 1, 0, 1], [0, 1, 0, 0]) == 1.0


def test_no_part_at_all_gives_zero() -> None:
    assert spans([]) == []
    assert span_f1([1], []) == 0.0
    assert span_f1([0, 1, 1], [1, 0, 1]) == 0.0


def test_nothing_to_score_against_is_an_error() -> None:
    with pytest.raises(ValueError, match="no gold word"):
        evaluate({}, {})


@given(st.lists(st.integers(0, 1), min_size=1, max_size=12), st.data())
def test_f1_against_sets_of_spans(gold: list[int], data: st.DataObject) -> None:
    gold[-1] = 1
    predicted = data.draw(st.lists(st.integers(0, 1), min_size=len(gold), max_size=len(gold)))
    a, b = set(spans(gold)), set(spans(predicted))
    assert "".join("x" * (end - start) for start, end in sorted(b)) == "x" * len(gold)
    assert span_f1(gold, predicted) == pytest.approx(2 * len(a & b) / (len(a) + len(b)))
    assert (span_f1(gold, predicted) == 1.0) == (a == b)
