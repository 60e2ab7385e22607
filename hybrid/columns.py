"""From a model to the columns it weighs, and from columns to one score an edge."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hybrid.evidence import Evidence
from hybrid.scorers import (
    BoundaryScorer,
    BoundaryScores,
    CountScorer,
    InventoryScorer,
    LanguageModelScorer,
    LexiconScorer,
    MemoryScorer,
    Scorer,
    SegmentScores,
)


def standard_scorers(language_model: SegmentScores, taggers: dict[str, BoundaryScores]) -> list[Scorer]:
    """Return the scorers of a trained model, in the order of their columns."""
    boundaries = [BoundaryScorer(name, tagger) for name, tagger in taggers.items()]
    return [CountScorer(), LexiconScorer(), MemoryScorer(), InventoryScorer(), LanguageModelScorer(language_model),
            *boundaries]  # fmt: skip


def column_names(scorers: Sequence[Scorer]) -> list[str]:
    """Return the C names of all columns, in order."""
    return [name for scorer in scorers for name in scorer.names]


def compute_columns(scorers: Sequence[Scorer], evidence: Evidence) -> NDArray[np.float32]:
    """Return (C, E): all columns of a lattice."""
    return np.concatenate([scorer.score(evidence) for scorer in scorers])


def weigh(columns: NDArray[np.float32], weights: Sequence[float]) -> NDArray[np.float64]:
    """Return (E,) float64: each edge's weighted sum over (C, E) columns, added in the columns' order.

    Added one by one rather than as a matrix product, whose rounding differs with the number of edges.
    """
    total = np.zeros(columns.shape[1], np.float64)
    for weight, column in zip(weights, columns, strict=True):
        total += weight * column
    return total
