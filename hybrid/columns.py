"""From a model to the columns it weighs, and from columns to one score an edge."""

from collections.abc import Iterable, Mapping, Sequence

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
    SegmentScorer,
    SegmentScores,
    UnknownLanguageModelScorer,
    UnknownScorer,
)

LARGEST = 1e6
"""Nats."""


def standard_scorers(language_model: SegmentScores, segments: Mapping[str, SegmentScores]) -> list[Scorer]:
    """Return the scorers that a model is trained with; `segments` by the columns' names.

    Those of `further_scorers` add less than 0.0003 of F1 to these (benchmarks/results/decoders.md).
    """
    return [CountScorer(), InventoryScorer(), UnknownLanguageModelScorer(language_model),
            *(SegmentScorer(name, nets) for name, nets in segments.items())]  # fmt: skip


def further_scorers(language_model: SegmentScores, taggers: Mapping[str, BoundaryScores]) -> list[Scorer]:
    """Return the scorers that decoders without segment nets live on; `taggers` by the columns' names."""
    return [LexiconScorer(), UnknownScorer(), MemoryScorer(), LanguageModelScorer(language_model),
            *(BoundaryScorer(name, tagger) for name, tagger in taggers.items())]  # fmt: skip


def weighed_scorers(scorers: Iterable[Scorer], weights: Mapping[str, float]) -> list[Scorer]:
    """Return those of the scorers whose columns have weights.

    Raises:
        ValueError: a scorer has weights for some of its columns only, or a weight's column is no scorer's.
    """
    chosen = [scorer for scorer in scorers if not weights.keys().isdisjoint(scorer.names)]
    wrong = set(column_names(chosen)) ^ set(weights)
    if wrong:
        raise ValueError(f"the weights' columns differ from the scorers' in {sorted(wrong)}")
    return chosen


def column_names(scorers: Sequence[Scorer]) -> list[str]:
    """Return the C names of all columns, in order."""
    return [name for scorer in scorers for name in scorer.names]


def compute_columns(scorers: Sequence[Scorer], evidence: Evidence) -> NDArray[np.float32]:
    """Return (C, E): all columns of a lattice."""
    return np.concatenate([scorer.score(evidence) for scorer in scorers])


def weigh(columns: NDArray[np.float32], weights: Sequence[float]) -> NDArray[np.float64]:
    """Return (E,) float64: each edge's weighted sum over (C, E) columns, added in the columns' order.

    Added one by one rather than as a matrix product, whose rounding differs with the number of edges. Sums are clipped
    to `LARGEST`, which only a crafted model's reach: with larger ones the decoders' own sums would lose all accuracy.
    """
    total = np.zeros(columns.shape[1], np.float64)
    for weight, column in zip(weights, columns, strict=True):
        total += weight * column
    return np.clip(total, -LARGEST, LARGEST, out=total)
