"""What a system predicts of one task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Predictions:
    """Labels of texts or sentences, in the file's order.

    Attributes:
        valid: of each a label for each aspect, or an IOB label for each word.
        test: the same; None where there is no test split.
        weights: what each column of scores weighs, by name.
    """

    valid: Sequence[Sequence[str]]
    test: Sequence[Sequence[str]] | None
    weights: Mapping[str, float]
