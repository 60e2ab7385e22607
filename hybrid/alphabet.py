"""Characters to the small numbers that nets read."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

UNKNOWN = 0
"""Any character that is not in the alphabet."""


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Known characters, ascending; character i of `characters` has the number i + 1."""

    characters: str

    @classmethod
    def of(cls, words: Iterable[str], *, least: int = 2) -> "Alphabet":
        """Take the characters that occur `least` times or more, so that nets meet the unknown one in training."""
        counts: Counter[str] = Counter()
        for word in words:
            counts.update(word)
        return cls("".join(sorted(c for c, n in counts.items() if n >= least)))

    def __len__(self) -> int:
        """How many numbers there are, the unknown one included."""
        return len(self.characters) + 1

    def encode(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return the numbers of all characters of all words, one word after the other: (total length,)."""
        known = _code_points(self.characters)
        given = _code_points("".join(words))
        if not len(known):
            return np.full(len(given), UNKNOWN, np.int64)
        place = np.minimum(np.searchsorted(known, given), len(known) - 1)
        return np.where(known[place] == given, place + 1, UNKNOWN).astype(np.int64)


def _code_points(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le"), np.uint32)
