"""Whether predictions of a probability are right as often as it says."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions of like probability.

    Attributes:
        count: how many there are.
        confidence: the mean of their probabilities.
        accuracy: the share that is right.
    """

    count: int
    confidence: float
    accuracy: float


def reliability(probabilities: Sequence[float], right: Sequence[bool], *, bins: int = 15) -> list[Bin]:
    """Return the bins, those that hold something, of a reliability diagram: equally wide, from 0 to 1.

    Raises:
        ValueError: the two differ in length or are empty, a probability is not 0 … 1, or `bins` is below 1.
    """
    if not probabilities or len(probabilities) != len(right):
        raise ValueError(f"{len(probabilities)} probabilities and {len(right)} outcomes; as many of each are right")
    if bins < 1 or not all(0 <= p <= 1 for p in probabilities):
        raise ValueError("bins should be 1 or more, probabilities 0 to 1")
    rows: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for p, hit in zip(probabilities, right, strict=True):
        rows[min(int(p * bins), bins - 1)].append((p, hit))
    return [Bin(len(row), sum(p for p, _ in row) / len(row), sum(hit for _, hit in row) / len(row))
            for row in rows if row]  # fmt: skip


def expected_calibration_error(bins: Sequence[Bin]) -> float:
    """Return the mean distance of confidence and accuracy, over all predictions (Naeini et al. 2015).

    Raises:
        ValueError: there are no bins.
    """
    if not bins:
        raise ValueError("no bins; reliability() makes them")
    return sum(b.count * abs(b.confidence - b.accuracy) for b in bins) / sum(b.count for b in bins)
