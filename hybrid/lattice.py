"""Candidate segments of a batch of words: a lattice in flat arrays, and the words that it stands over.

`Lattice` is about sequences of any kind; `WordLattice` adds the words. Edges lie by the node they end in, and within
a node the longest first: decoding's tie rule rests on that order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lexicon.mining import FINAL, INITIAL, MEDIAL, WHOLE

LONGEST_SEGMENT = 40
"""Characters; no part in 94,306 GermaNet compounds has more than 29. The whole word is a candidate at any length."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Edges between the nodes of B sequences; N nodes and E edges in all.

    Attributes:
        node_ptr: (B + 1,) int64; sequence b has the nodes node_ptr[b] … node_ptr[b + 1] − 1, first to last.
        edge_ptr: (N + 1,) int64; node v is entered by the edges edge_ptr[v] … edge_ptr[v + 1] − 1.
        edge_src: (E,) int32; the node an edge leaves, counted from its sequence's first node; less than the one it
            enters. Several edges may join the same two nodes.
    """

    node_ptr: NDArray[np.int64]
    edge_ptr: NDArray[np.int64]
    edge_src: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.node_ptr) - 1

    @property
    def edge_count(self) -> int:
        """E, the number of edges."""
        return len(self.edge_src)

    def edge_word(self) -> NDArray[np.int64]:
        """Return (E,): the sequence that each edge belongs to."""
        bounds = self.edge_ptr[self.node_ptr]
        return np.repeat(np.arange(len(self)), np.diff(bounds))

    def edge_dst(self) -> NDArray[np.int32]:
        """Return (E,): the node each edge enters, counted from its sequence's first node."""
        node = np.repeat(np.arange(len(self.edge_ptr) - 1), np.diff(self.edge_ptr))
        return (node - self.node_ptr[self.edge_word()]).astype(np.int32)


@dataclass(frozen=True, slots=True)
class WordLattice:
    """The lattice of all segments, up to the longest, of B words.

    Attributes:
        words: B words in lookup form.
        lattice: its arrays; node v of a word stands before its character v.
        src: (E,) int64, an edge's first character, counted in its word.
        dst: (E,) int64, the character after its last.
        word: (E,) int64, its word's place in `words`.
        role: (E,) int8, its role's number (`lexicon.mining.ROLES`).
    """

    words: Sequence[str]
    lattice: Lattice
    src: NDArray[np.int64]
    dst: NDArray[np.int64]
    word: NDArray[np.int64]
    role: NDArray[np.int8]

    def src_node(self) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of the node each edge leaves."""
        return self.lattice.node_ptr[self.word] + self.src

    def dst_node(self) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of the node each edge enters."""
        return self.lattice.node_ptr[self.word] + self.dst

    def edge(self, word: NDArray[np.int64], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of the edge [start, end) of each word named; all three arrays are (M,).

        Segments must be there: 0 ≤ start < end ≤ length, and end − start ≤ LONGEST_SEGMENT or the whole word.
        """
        node = self.lattice.node_ptr[word] + end
        first = np.maximum(0, end - LONGEST_SEGMENT)
        length = self.lattice.node_ptr[word + 1] - self.lattice.node_ptr[word] - 1
        extra = (end == length) & (length > LONGEST_SEGMENT) & (start > 0)
        return self.lattice.edge_ptr[node] + np.maximum(start - first, 0) + extra


def build_lattice(words: Sequence[str]) -> WordLattice:
    """Return the lattice of every segment of words in lookup form (an empty word has one node and no edge)."""
    templates = [_template(len(word)) for word in words]
    lengths = np.array([len(word) for word in words], np.int64)
    node_ptr = np.concatenate([[0], np.cumsum(lengths + 1)]).astype(np.int64)
    into = np.concatenate([t[0] for t in templates]) if words else np.zeros(0, np.int64)
    src = np.concatenate([t[1] for t in templates]) if words else np.zeros(0, np.int64)
    dst = np.concatenate([t[2] for t in templates]) if words else np.zeros(0, np.int64)
    edge_ptr = np.concatenate([[0], np.cumsum(into)]).astype(np.int64)
    lattice = Lattice(node_ptr, edge_ptr, src.astype(np.int32))
    word = np.repeat(np.arange(len(words)), [len(t[1]) for t in templates])
    closes = dst == lengths[word]
    role = np.where(src == 0, np.where(closes, WHOLE, INITIAL), np.where(closes, FINAL, MEDIAL))
    return WordLattice(words, lattice, src, dst, word, role.astype(np.int8))


def one_length(length: int, count: int) -> tuple[Lattice, NDArray[np.int64], NDArray[np.int64]]:
    """Return the arrays of `count` words of one length, and the sources and targets (E / count,) of each one's edges.

    The same lattice as `build_lattice` gives, for batches that are made over and over.
    """
    into, src, dst = _template(length)
    node_ptr = np.arange(count + 1, dtype=np.int64) * (length + 1)
    edge_ptr = np.concatenate([[0], np.cumsum(np.tile(into, count))]).astype(np.int64)
    return Lattice(node_ptr, edge_ptr, np.tile(src, count).astype(np.int32)), src, dst


def _template(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return what `_new_template` does; of ordinary lengths it is kept."""
    return _kept_template(length) if length <= _KEPT_LENGTH else _new_template(length)


def _new_template(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return for one word: edges into each of its nodes (length + 1,), their sources and targets (E,)."""
    sources = [np.arange(max(0, end - LONGEST_SEGMENT), end) for end in range(length + 1)]
    if length > LONGEST_SEGMENT:
        sources[length] = np.concatenate([[0], sources[length]])
    into = np.array([len(s) for s in sources], np.int64)
    return into, np.concatenate(sources).astype(np.int64), np.repeat(np.arange(length + 1), into)


_KEPT_LENGTH = 128

_kept_template = lru_cache(maxsize=_KEPT_LENGTH + 1)(_new_template)
