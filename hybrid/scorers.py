"""The columns: each scorer turns what is known of a lattice into numbers per edge, in nats or counts' logs.

A scorer has `names`, one a column, and `score`. Nothing else is asked of it, so a caller's own column is a class with
these two. The weighted sum of all columns is what decoding maximises.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from hybrid.evidence import Evidence
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.user import UserDictionary
from lexicon.linking import LINKING_ELEMENTS
from lexicon.mining import FINAL, INITIAL, MEDIAL, ROLES
from lexicon.trie import Trie, build_trie

Columns = NDArray[np.float32]


class Scorer(Protocol):
    """A source of columns."""

    @property
    def names(self) -> tuple[str, ...]:
        """C names, one a column."""

    def score(self, evidence: Evidence) -> Columns:
        """Return (C, E) float32."""


class SegmentScores(Protocol):
    """Nets that score every segment of a lattice: `hybrid.inference.LanguageModel` or `SegmentNets`."""

    def segment_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """Return (E,), in nats; of a language model, log P of the segment in its role."""


class BoundaryScores(Protocol):
    """A net that scores every node of a lattice: `hybrid.inference.Tagger`."""

    def boundary_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """Return (N,): log-odds that a part ends at the node."""


@dataclass(frozen=True)
class CountScorer:
    """1 an edge: what one more part costs."""

    names = ("count",)

    def score(self, evidence: Evidence) -> Columns:
        """Return (1, E)."""
        return np.ones((1, len(evidence.count)), np.float32)


@dataclass(frozen=True)
class LexiconScorer:
    """By role: log (1 + count)."""

    names = tuple(f"lexicon_{role}" for role in ROLES)

    def score(self, evidence: Evidence) -> Columns:
        """Return (4, E)."""
        return _by_role(evidence, np.log1p(evidence.count))


@dataclass(frozen=True)
class UnknownScorer:
    """By role: 1 where the part is unknown in it. What a lexicon alone needs; nets that read it know already."""

    names = tuple(f"unknown_{role}" for role in ROLES)

    def score(self, evidence: Evidence) -> Columns:
        """Return (4, E)."""
        return _by_role(evidence, ~evidence.known)


def _by_role(evidence: Evidence, value: NDArray[np.floating] | NDArray[np.bool_]) -> Columns:
    """Return (4, E): the edges' values, each in the row of its role."""
    return np.stack([value * (evidence.lattice.role == role) for role in range(len(ROLES))]).astype(np.float32)


@dataclass(frozen=True)
class MemoryScorer:
    """How the stretch before the head was cut in training words.

    memory_seen: on the last part, log (1 + times the stretch before it was seen).
    memory_cut: on the part before, log (1 + times that stretch was cut where this part begins, or left whole).
    memory_other: there, log (1 + times it was seen otherwise).
    """

    names = ("memory_seen", "memory_cut", "memory_other")

    def score(self, evidence: Evidence) -> Columns:
        """Return (3, E)."""
        role = evidence.lattice.role
        inner = (role == INITIAL) | (role == MEDIAL)
        other = np.maximum(evidence.seen[evidence.dst_node()] - evidence.cut_here, 0)
        return np.stack(
            [
                np.log1p(evidence.seen[evidence.src_node()]) * (role == FINAL),
                np.log1p(evidence.cut_here) * inner,
                np.log1p(other) * inner,
            ]
        ).astype(np.float32)


@dataclass(frozen=True)
class InventoryScorer:
    """Whether the stretch before or after a cut is itself a listed word.

    inventory_cut, inventory_uncut: all before this part's end is listed, and the part begins inside it or with it.
    inventory_head: the last part is listed.
    inventory_split: all from this part's begin is listed, yet the part ends before it does.
    """

    names = ("inventory_cut", "inventory_uncut", "inventory_head", "inventory_split")

    def score(self, evidence: Evidence) -> Columns:
        """Return (4, E)."""
        role = evidence.lattice.role
        left = evidence.left_listed()[evidence.dst_node()]
        right = evidence.right_listed()[evidence.src_node()]
        columns = [
            (role == MEDIAL) & left,
            (role == INITIAL) & left,
            (role == FINAL) & evidence.listed,
            (role == MEDIAL) & right,
        ]
        return np.stack(columns).astype(np.float32)


@dataclass(frozen=True)
class LanguageModelScorer:
    """log P of the segment's characters in its role."""

    model: SegmentScores
    names = ("lm",)

    def score(self, evidence: Evidence) -> Columns:
        """Return (1, E)."""
        return self.model.segment_scores(evidence)[None].astype(np.float32)


@dataclass(frozen=True)
class UnknownLanguageModelScorer:
    """The same, only where the lexicon does not know the segment in its role."""

    model: SegmentScores
    names = ("lm_unknown",)

    def score(self, evidence: Evidence) -> Columns:
        """Return (1, E)."""
        return np.where(evidence.known, 0, self.model.segment_scores(evidence))[None].astype(np.float32)


@dataclass(frozen=True)
class SegmentScorer:
    """What segment nets say of each segment."""

    name: str
    nets: SegmentScores

    @property
    def names(self) -> tuple[str, ...]:
        """The one column's name."""
        return (self.name,)

    def score(self, evidence: Evidence) -> Columns:
        """Return (1, E)."""
        return self.nets.segment_scores(evidence)[None].astype(np.float32)


@dataclass(frozen=True)
class BoundaryScorer:
    """Log-odds that a part ends where the edge does; nothing at the word's end, where one always does.

    Since Σ [y log p + (1 − y) log(1 − p)] = const + Σ over cuts of logit p, this is the net's whole say.
    """

    name: str
    tagger: BoundaryScores

    @property
    def names(self) -> tuple[str, ...]:
        """The one column's name."""
        return (self.name,)

    def score(self, evidence: Evidence) -> Columns:
        """Return (1, E)."""
        logits = self.tagger.boundary_scores(evidence)
        inner = (evidence.lattice.role == INITIAL) | (evidence.lattice.role == MEDIAL)
        return (logits[evidence.dst_node()] * inner)[None].astype(np.float32)


class UserScorer:
    """The column of a user's entries: an entry's weight, shared out evenly over its parts, wherever it stands.

    An entry may be followed by a linking element, which then belongs to its last part.
    """

    names = ("user",)

    def __init__(self, dictionary: UserDictionary) -> None:
        self._entries = dictionary.entries
        self._trie: Trie = build_trie(dictionary.entries)
        self._longest = max(map(len, dictionary.entries), default=0)

    def score(self, evidence: Evidence) -> Columns:
        """Return (1, E), in nats."""
        lattice = evidence.lattice
        bonus = np.zeros((2, len(lattice.src)), np.float32)  # the largest share, and the sum of what is below 0
        found = [
            (w, a, b, share)
            for w, word in enumerate(lattice.words)
            for start in range(len(word))
            for text, _ in self._trie.iter_prefixes_with_ids(word[start : start + self._longest])
            for a, b, share in self._edges(word, start, text)
        ]
        if found:
            place = lattice.edge(*np.array([row[:3] for row in found], np.int64).T)
            share = np.array([row[3] for row in found], np.float32)
            np.maximum.at(bonus[0], place, share)
            np.add.at(bonus[1], place, np.minimum(share, 0))
        return bonus.sum(0, keepdims=True)

    def _edges(self, word: str, start: int, text: str) -> Iterator[tuple[int, int, float]]:
        """Yield the segments that an entry at a place wants, with their share of its weight."""
        entry = self._entries[text]
        nodes = [start, *(start + cut for cut in entry.cuts), start + len(text)]
        share = entry.weight / (len(nodes) - 1)
        parts = list(zip(nodes[:-1], nodes[1:], strict=True))
        last, end = parts[-1]
        links = [x for x in LINKING_ELEMENTS if word.startswith(x, end) and end + len(x) < len(word)]
        for a, b in [*parts, *((last, end + len(x)) for x in links)]:
            if b - a <= LONGEST_SEGMENT or (a == 0 and b == len(word)):
                yield a, b, share
