"""Split words in lookup form: those that nets and counts learn from, and those kept for the weights."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.errors import DataError
from hybrid.evidence import Evidence
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.training.config import TrainingConfig

LEAST_WORDS = 20
"""Fewer words can't be parted into those that nets learn from and those that weights do."""

CHUNK = 4096
"""Words whose lattices are held in memory at a time."""

Cuts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SplitWords:
    """Words in lookup form with their inner cuts."""

    words: list[str]
    cuts: list[Cuts]

    def take(self, indices: NDArray[np.int64]) -> "SplitWords":
        """Return the words at these places."""
        return SplitWords([self.words[i] for i in indices], [self.cuts[i] for i in indices])

    def paths(self) -> "SplitWords":
        """Return the words whose parts are all edges of their lattices."""
        return self.take(np.flatnonzero(self._are_paths()))

    def chunks(self) -> Iterator["SplitWords"]:
        """Yield the words, so many that their lattices fit in memory."""
        for at in range(0, len(self.words), CHUNK):
            yield SplitWords(self.words[at : at + CHUNK], self.cuts[at : at + CHUNK])

    def gold_edges(self, evidence: Evidence) -> NDArray[np.int64]:
        """Return the numbers of the parts' edges in the words' lattice, word by word."""
        parts = [
            (w, start, end)
            for w, (word, inner) in enumerate(zip(self.words, self.cuts, strict=True))
            for start, end in zip((0, *inner), (*inner, len(word)), strict=True)
        ]
        return evidence.lattice.edge(*np.array(parts, np.int64).reshape(-1, 3).T)

    def part(self, config: TrainingConfig) -> tuple["SplitWords", "SplitWords"]:
        """Return the words kept for the weights, and the rest; which is which depends on the seed alone.

        Raises:
            DataError: there are fewer than `LEAST_WORDS` words, or fewer than 2 whose splits are paths.
        """
        if len(self.words) < LEAST_WORDS:
            raise DataError(f"{len(self.words)} labelled words; training needs at least {LEAST_WORDS}")
        order = np.random.default_rng(config.seed).permutation(len(self.words))
        most = max(2, min(round(config.held_out * len(order)), config.held_out_most, len(order) // 2))
        chosen = np.flatnonzero(self._are_paths()[order])[:most]
        if len(chosen) < 2:
            raise DataError(
                f"training needs at least 2 words whose parts all have at most {LONGEST_SEGMENT} characters"
            )
        return self.take(np.sort(order[chosen])), self.take(np.sort(np.delete(order, chosen)))

    def _are_paths(self) -> NDArray[np.bool_]:
        return np.array([_is_path(word, inner) for word, inner in zip(self.words, self.cuts, strict=True)], bool)


def _is_path(word: str, cuts: Sequence[int]) -> bool:
    parts = zip((0, *cuts), (*cuts, len(word)), strict=True)
    return not cuts or all(end - start <= LONGEST_SEGMENT for start, end in parts)
