"""What the first pass learnt: numbers in nats for stretches of characters and classes of segments."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.firstpass.arrays import Tables
from hybrid.firstpass.kernels import AROUND, HIGHEST, LOWEST, MEETINGS, SEGMENTS
from lexicon.errors import shown
from lexicon.flat import symbol_table, symbols_of

WINDOWS = ((1, 1), (2, 2), (3, 0), (0, 3), (3, 1), (1, 3), (3, 3), (4, 0), (0, 4), (4, 2), (2, 4), (5, 0), (0, 5))
"""Characters before and after a node, of the stretches that are looked up there, where a first pass is taught: with 20
such it agrees with the nets on no more words, with 10 on fewer."""

MOST_WINDOWS, WIDEST = 64, 16

MOST_BITS = 24

LARGEST = 100.0
"""Nats; no learnt number comes near."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class FirstPass:
    """A log-linear model of a word's segments and nodes (a semi-Markov CRF), taught by the nets.

    Attributes:
        hashed: (2 ** bits,) float32, of stretches around a node, known strings by role, a word's beginning and end.
        segments: (SEGMENTS,) float32, of a segment's role, length, count, flags and memory.
        around: (AROUND,) float32, of a segment's role and the words on both sides.
        meetings: (MEETINGS,) float32, of what is known to end and to begin at a node.
        sure: a split at least as probable is taken; the nets are asked of any other word.
        windows: characters before and after a node, of the stretches that are looked up there.
    """

    hashed: Floats
    segments: Floats
    around: Floats
    meetings: Floats
    sure: float
    windows: tuple[tuple[int, int], ...] = WINDOWS

    def arrays(self) -> dict[str, Floats]:
        """Return the arrays by name."""
        return {name: getattr(self, name) for name in ("hashed", "segments", "around", "meetings")}

    @classmethod
    def from_arrays(
        cls, arrays: Mapping[str, Floats], sure: float, windows: Iterable[Sequence[int]] = WINDOWS
    ) -> "FirstPass":
        """Take what comes from a file.

        Raises:
            ValueError: an array is missing, of another shape, or holds a number that is not finite or too large; a
                window is none.
        """
        pairs = tuple((before, after) for before, after in windows)
        if not 0 < len(pairs) <= MOST_WINDOWS or not all(
            type(x) is int and 0 <= x <= WIDEST for pair in pairs for x in pair
        ):
            raise ValueError("the windows are no pairs of small numbers")
        if set(arrays) != {"hashed", "segments", "around", "meetings"} or any(
            a.dtype.kind != "f" for a in arrays.values()
        ):
            raise ValueError(f"the first pass has the arrays {sorted(arrays)}")
        shapes = {"segments": (SEGMENTS,), "around": (AROUND,), "meetings": (MEETINGS,)}
        size = arrays["hashed"].size
        if size & (size - 1) or not 1 < size <= 1 << MOST_BITS:
            raise ValueError(f"{size} hashed numbers; a power of 2 is right")
        for name, shape in {**shapes, "hashed": (size,)}.items():
            if arrays[name].shape != shape:
                raise ValueError(f"{name} has shape {arrays[name].shape}, should be {shape}")
            if not (np.abs(arrays[name]) <= LARGEST).all():
                raise ValueError(f"{name} holds a number beyond {LARGEST:.0f}")
        if type(sure) not in {int, float} or not 0 <= sure <= 1:
            raise ValueError(f"sure is {shown(sure)}")
        return cls(
            **{name: np.asarray(arrays[name], np.float32) for name in ("hashed", *shapes)},
            sure=float(sure),
            windows=pairs,
        )

    def tables(self, characters: str) -> Tables:
        """Return the numbers as the loops read them; `characters`: those that symbols stand for."""
        exp = [np.exp(np.clip(x.astype(np.float64), LOWEST, HIGHEST)) for x in (self.segments, self.around)]
        letters = symbols_of("sner", symbol_table(characters)).astype(np.int64)
        return Tables(self.hashed, exp[0], exp[1], self.meetings, np.array(self.windows, np.int64), letters)
