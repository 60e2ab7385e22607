"""What the lexicon says of every edge and node of a word lattice, in arrays; columns and nets are made from it.

Own words are taken out: a training word sees the lexicon as if it had not been counted (leave-one-out), and no word
sees itself in the inventory.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.lattice import LONGEST_SEGMENT, WordLattice, build_lattice
from lexicon import Lexicon
from lexicon.linking import DROPPED_ENDINGS, LINKING_ELEMENTS
from lexicon.mining import FINAL, INITIAL


@dataclass(frozen=True, slots=True)
class Evidence:
    """The lexicon's word on a lattice of B words, N nodes and E edges.

    Attributes:
        lattice: the lattice.
        count: (E,) float32, how often the segment was a part in the edge's role.
        listed: (E,) bool, the segment is a word known to exist.
        linked: (E,) bool, it is one with a linking element added or an ending dropped.
        cut_here: (E,) float32, for an edge (s, t): how often the left stretch before t was last cut at s.
        seen: (N,) float32, how often the left stretch before the node was seen.
    """

    lattice: WordLattice
    count: NDArray[np.float32]
    listed: NDArray[np.bool_]
    linked: NDArray[np.bool_]
    cut_here: NDArray[np.float32]
    seen: NDArray[np.float32]

    @property
    def known(self) -> NDArray[np.bool_]:
        """(E,): the segment was a part in the edge's role."""
        return self.count > 0

    def left_listed(self) -> NDArray[np.bool_]:
        """Return (N,): all that stands before the node is a listed word, as it is or as a modifier."""
        lattice, result = self.lattice, np.zeros(len(self.seen), bool)
        opens = (lattice.src == 0) & (self.listed | self.linked)
        result[self._node(lattice.dst)[opens]] = True
        return result

    def right_listed(self) -> NDArray[np.bool_]:
        """Return (N,): all that stands after the node is a listed word."""
        lattice, result = self.lattice, np.zeros(len(self.seen), bool)
        closes = (lattice.role == FINAL) & self.listed
        result[self._node(lattice.src)[closes]] = True
        return result

    def _node(self, position: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of each edge's node at `position` in its word."""
        return self.lattice.lattice.node_ptr[self.lattice.word] + position

    def src_node(self) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of the node each edge leaves."""
        return self._node(self.lattice.src)

    def dst_node(self) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of the node each edge enters."""
        return self._node(self.lattice.dst)


def gather(words: Sequence[str], lexicon: Lexicon, own_cuts: Sequence[Sequence[int]] | None = None) -> Evidence:
    """Look up every segment of words in lookup form.

    Args:
        words: B words.
        lexicon: where to look.
        own_cuts: for training words, the inner cuts with which each was counted in `lexicon`; they are taken out.
    """
    lattice = build_lattice(words)
    edge_ids, hit_edges = _look_up(lattice, lexicon)
    ids = edge_ids[hit_edges]
    count = np.zeros(len(edge_ids), np.float32)
    count[hit_edges] = lexicon.parts[ids, lattice.role[hit_edges]]
    listed, shortened = np.zeros((2, len(edge_ids)), np.int32)
    listed[hit_edges] = lexicon.listed[ids]
    shortened[hit_edges] = lexicon.shortened[ids]
    _forget_own_endings(lattice, words, listed, shortened)
    seen = np.zeros(lattice.lattice.node_ptr[-1], np.float32)
    cut_here = np.zeros(len(edge_ids), np.float32)
    _recall_stretches(lattice, lexicon, hit_edges, ids, seen, cut_here)
    if own_cuts is not None:
        _leave_out(lattice, own_cuts, count, seen, cut_here)
    linked = _linked(lattice, listed > 0) | (shortened > 0)
    return Evidence(lattice, count, listed > 0, linked, cut_here, seen)


def _look_up(lattice: WordLattice, lexicon: Lexicon) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return (E,): each segment's number in the lexicon or −1; and the edges that have one, ascending."""
    hits: list[tuple[int, int, int, int]] = []
    prefixes = lexicon.trie.iter_prefixes_with_ids
    for w, word in enumerate(lattice.words):
        whole = lexicon.trie.get(word, -1) if len(word) > LONGEST_SEGMENT else -1
        if whole >= 0:
            hits.append((w, 0, len(word), whole))
        for start in range(len(word)):
            for prefix, number in prefixes(word[start : start + LONGEST_SEGMENT]):
                hits.append((w, start, start + len(prefix), number))
    word_of, starts, ends, ids = np.array(hits, np.int64).reshape(-1, 4).T
    edges = lattice.edge(word_of, starts, ends)
    edge_ids = np.full(lattice.lattice.edge_count, -1, np.int32)
    edge_ids[edges] = ids
    return edge_ids, np.sort(edges)


def _forget_own_endings(
    lattice: WordLattice, words: Sequence[str], listed: NDArray[np.int32], shortened: NDArray[np.int32]
) -> None:
    """Take each word itself out of the inventory: itself whole, and what it gives by losing an ending."""
    length = np.array([len(word) for word in words], np.int64)
    own = np.flatnonzero(length)
    whole = lattice.edge(own, np.zeros_like(own), length[own])
    own, whole = own[listed[whole] > 0], whole[listed[whole] > 0]
    listed[whole] = 0
    for ending in DROPPED_ENDINGS:
        loses = [w for w in own.tolist() if words[w].endswith(ending) and len(ending) < length[w] <= LONGEST_SEGMENT]
        at = np.array(loses, np.int64)
        shortened[lattice.edge(at, np.zeros_like(at), length[at] - len(ending))] -= 1


def _recall_stretches(
    lattice: WordLattice,
    lexicon: Lexicon,
    hit_edges: NDArray[np.int64],
    ids: NDArray[np.int32],
    seen: NDArray[np.float32],
    cut_here: NDArray[np.float32],
) -> None:
    """Fill `seen` and `cut_here` from the left stretches among the hits: edges that open a word."""
    is_stretch = (lattice.role[hit_edges] == INITIAL) & (lexicon.seen[ids] > 0)
    edges, ids = hit_edges[is_stretch], ids[is_stretch]
    word, end = lattice.word[edges], lattice.dst[edges]
    seen[lattice.lattice.node_ptr[word] + end] = lexicon.seen[ids]
    cuts = np.diff(lexicon.cut_ptr)[ids]
    row = np.repeat(np.arange(len(edges)), cuts)
    at = np.arange(len(row)) - np.repeat(np.cumsum(cuts) - cuts, cuts) + np.repeat(lexicon.cut_ptr[:-1][ids], cuts)
    times = lexicon.cut_count[at].astype(np.float32)
    cut_here[lattice.edge(word[row], lexicon.cut_at[at].astype(np.int64), end[row])] = times
    uncut = lexicon.seen[ids] - np.bincount(row, weights=times, minlength=len(edges))
    cut_here[edges] = np.maximum(uncut, 0)


def _leave_out(
    lattice: WordLattice,
    own_cuts: Sequence[Sequence[int]],
    count: NDArray[np.float32],
    seen: NDArray[np.float32],
    cut_here: NDArray[np.float32],
) -> None:
    """Take each word's own parts, and the own cuts of its left stretch, out of the counts."""
    parts = [
        (w, start, end)
        for w, (word, inner) in enumerate(zip(lattice.words, own_cuts, strict=True))
        for start, end in zip((0, *inner), (*inner, len(word)), strict=True)
        if end
    ]
    word, start, end = np.array(parts, np.int64).reshape(-1, 3).T
    count[lattice.edge(word, start, end)] -= 1
    split = np.array([w for w, inner in enumerate(own_cuts) if inner], np.int64)
    head = np.array([own_cuts[w][-1] for w in split], np.int64)
    last_cut = np.array([own_cuts[w][-2] if len(own_cuts[w]) > 1 else 0 for w in split], np.int64)
    seen[lattice.lattice.node_ptr[split] + head] -= 1
    cut_here[lattice.edge(split, last_cut, head)] -= 1


def _linked(lattice: WordLattice, listed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (E,): the segment, not at the word's end, is a listed word and a linking element."""
    linked = np.zeros_like(listed)
    edges = np.flatnonzero(listed)
    word, start, end = lattice.word[edges], lattice.src[edges], lattice.dst[edges]
    following = [lattice.words[w][e : e + 3] for w, e in zip(word.tolist(), end.tolist(), strict=True)]
    length = np.array([len(w) for w in lattice.words], np.int64)[word]
    for element in LINKING_ELEMENTS:
        longer = end + len(element)
        fits = np.array([text.startswith(element) for text in following], bool)
        fits &= (longer < length) & (longer - start <= LONGEST_SEGMENT)
        linked[lattice.edge(word[fits], start[fits], longer[fits])] = True
    return linked
