"""The labels of a lattice of spans: how long each one's spans are, and which may follow which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.errors import DataError
from hybrid.labelling.spans import Label, Span

NumberedSpan = tuple[int, int, int]
"""First word, the word after the last, and the label's number."""


@dataclass(frozen=True)
class LabelSet:
    """L labels by number.

    Attributes:
        names: (L,) of each; None, for words outside of chunks, is the first. Where a sentence has exactly one chunk, it
            is also the last: words before the chunk and after it then have labels of their own.
        longest: (L,) the most words in a span of each.
        single: whether each sentence has exactly one chunk.
    """

    names: tuple[Label, ...]
    longest: tuple[int, ...]
    single: bool = False

    @classmethod
    def of(cls, sentences: Iterable[Sequence[Span]], *, single: bool = False) -> "LabelSet":
        """Return the labels that spans have, sorted; where each sentence has one chunk, the first one's alone.

        Raises:
            DataError: there is no chunk.
        """
        longest: dict[Label, int] = {}
        for spans in sentences:
            chunks = [span for span in spans if span[2] is not None]
            for start, end, label in chunks[:1] if single else chunks:
                longest[label] = max(longest.get(label, 0), end - start)
        if not longest:
            raise DataError("no chunk to learn from: every label is O")
        kinds = sorted(longest.items(), key=lambda item: item[0] or "")
        ends = [(None, 1)] if single else []
        names, lengths = zip(*[(None, 1), *kinds, *ends], strict=True)
        return cls(names, lengths, single)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def distinct(self) -> int:
        """How many labels there are when words before and after a chunk count as one."""
        return len(self) - self.single

    @property
    def outside(self) -> list[bool]:
        """Of each label, whether it is that of words outside of chunks."""
        return [name is None for name in self.names]

    def forbidden(self) -> NDArray[np.bool_]:
        """Return (L + 1, L + 1): which label (row) is never before which (column); L is a sentence's start and end."""
        count = len(self)
        result = np.zeros((count + 1, count + 1), bool)
        if self.single:
            before, after, kinds = 0, count - 1, slice(1, count - 1)
            result[kinds, kinds] = result[kinds, before] = result[before, after] = result[after, before] = True
            result[after, kinds] = result[before, count] = result[count, after] = True
        return result

    def numbered(self, spans: Sequence[Span]) -> list[NumberedSpan]:
        """Return spans with their labels' numbers; where there is to be one chunk, further ones are taken back.

        Raises:
            ValueError: there is to be one chunk, and there is none.
        """
        if not self.single:
            of = {name: i for i, name in enumerate(self.names)}
            return [(start, end, of[label]) for start, end, label in spans]
        chunk = next((span for span in spans if span[2] is not None), None)
        if chunk is None:
            raise ValueError("a sentence without a chunk where each is to have one")
        start, end, label = chunk
        before = [(i, i + 1, 0) for i in range(start)]
        after = [(i, i + 1, len(self) - 1) for i in range(end, spans[-1][1])]
        return [*before, (start, end, self.names.index(label, 1)), *after]

    def without_order(self, spans: Iterable[NumberedSpan]) -> list[NumberedSpan]:
        """Return spans whose words before and after a chunk have one label."""
        return [(start, end, label % self.distinct) for start, end, label in spans]
