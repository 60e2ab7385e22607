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
from lexicon.linking import DROPPED_ENDINGS, LINKING_ELEMENTS, without_umlaut
from lexicon.mining import FINAL, INITIAL
from lexicon.trie import Trie


@dataclass(frozen=True, slots=True)
class Evidence:
    """The lexicon's word on a lattice of B words, N nodes and E edges.

    Attributes:
        lattice: the lattice.
        count: (E,) float32, how often the segment was a part in the edge's role.
        listed: (E,) bool, the segment is a word known to exist.
        linked: (E,) bool, it is one with a linking element added or an ending dropped or, opening its word, umlauted.
        attested: (E,) bool, it is a word of the dictionary, and not the whole word.
        attested_linked: (E,) bool, it is one with a linking element added, and not at its word's end.
        cut_here: (E,) float32, for an edge (s, t): how often the stretch before t was cut at s, or left whole (s = 0).
        seen: (N,) float32, how often the left stretch before the node was seen.
        neighbours: (N, 2) float32, how many other listed words begin with the stretch before the node, and end with
            the one after it; 0 at a word's ends and for stretches beyond the longest segment.
    """

    lattice: WordLattice
    count: NDArray[np.float32]
    listed: NDArray[np.bool_]
    linked: NDArray[np.bool_]
    attested: NDArray[np.bool_]
    attested_linked: NDArray[np.bool_]
    cut_here: NDArray[np.float32]
    seen: NDArray[np.float32]
    neighbours: NDArray[np.float32]

    @property
    def known(self) -> NDArray[np.bool_]:
        """(E,): the segment was a part in the edge's role."""
        return self.count > 0

    def left_listed(self) -> NDArray[np.bool_]:
        """Return (N,): all that stands before the node is a listed word, as it is or as a modifier."""
        lattice, result = self.lattice, np.zeros(len(self.seen), bool)
        opens = (lattice.src == 0) & (self.listed | self.linked)
        result[lattice.dst_node()[opens]] = True
        return result

    def right_listed(self) -> NDArray[np.bool_]:
        """Return (N,): all that stands after the node is a listed word."""
        lattice, result = self.lattice, np.zeros(len(self.seen), bool)
        closes = (lattice.role == FINAL) & self.listed
        result[lattice.src_node()[closes]] = True
        return result

    def src_node(self) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of the node each edge leaves."""
        return self.lattice.src_node()

    def dst_node(self) -> NDArray[np.int64]:
        """Return (E,): the number, in the batch, of the node each edge enters."""
        return self.lattice.dst_node()


def gather(words: Sequence[str], lexicon: Lexicon, own_cuts: Sequence[Sequence[int]] | None = None) -> Evidence:
    """Look up every segment of words in lookup form.

    Args:
        words: B words.
        lexicon: where to look.
        own_cuts: for training words, the inner cuts with which each was counted in `lexicon`; they are taken out.
    """
    lattice = build_lattice(words)
    edges, ids = _look_up(lattice, lexicon.trie)
    count, listed, shortened = np.zeros((3, len(lattice.src)), np.int32)
    count[edges] = lexicon.parts[ids, lattice.role[edges]]
    listed[edges] = lexicon.listed[ids]
    shortened[edges] = lexicon.shortened[ids]
    whole = (lattice.src == 0) & (lattice.dst == _lengths(lattice)[lattice.word])
    own = np.flatnonzero(whole & (listed > 0))
    listed[own] = 0
    stems = [(w, 0, int(lattice.dst[e]) - len(x)) for e in own for x in DROPPED_ENDINGS
             if words[w := int(lattice.word[e])].endswith(x)]  # fmt: skip
    _take_out(shortened, stems, lattice, edges, ids)
    if own_cuts is not None:
        parts = [(w, start, end) for w, cuts in enumerate(own_cuts)
                 for start, end in zip((0, *cuts), (*cuts, len(words[w])), strict=True)]  # fmt: skip
        _take_out(count, parts, lattice, edges, ids, by_role=True)
    seen, cut_here = _recall_stretches(lattice, lexicon, edges, ids, own_cuts)
    linked = _linked(lattice, listed > 0) | (shortened > 0)
    linked[_umlauted(lattice, lexicon)] = True
    neighbours = _neighbours(words, set(lattice.word[own].tolist()), lexicon)
    attested = np.zeros(len(lattice.src), bool)
    if len(lexicon.dictionary):
        attested[_look_up(lattice, lexicon.dictionary)[0]] = True
        attested[whole] = False  # words are drawn from it: that one is there says little
    return Evidence(
        lattice=lattice,
        count=count.astype(np.float32),
        listed=listed > 0,
        linked=linked,
        attested=attested,
        attested_linked=_linked(lattice, attested),
        cut_here=cut_here,
        seen=seen,
        neighbours=neighbours,
    )


def _neighbours(words: Sequence[str], own: set[int], lexicon: Lexicon) -> NDArray[np.float32]:
    """Return (N, 2) of the words' nodes, see `Evidence`; `own` has the places of words that are themselves listed."""
    rows: list[NDArray[np.float32]] = []
    for w, word in enumerate(words):
        begin = lexicon.inventory.beginning_with_each(word[:LONGEST_SEGMENT])
        end = lexicon.inventory.ending_with_each(word[-LONGEST_SEGMENT:])
        row = np.zeros((len(word) + 1, 2), np.float32)
        row[: len(begin), 0] = begin
        row[len(row) - len(end) :, 1] = end
        row -= w in own
        row[[0, -1]] = 0
        rows.append(np.maximum(row, 0))  # 0 beyond the longest segment
    return np.concatenate(rows) if rows else np.zeros((0, 2), np.float32)


def _lengths(lattice: WordLattice) -> NDArray[np.int64]:
    """Return (B,): the words' lengths."""
    return np.diff(lattice.lattice.node_ptr) - 1


def _look_up(lattice: WordLattice, trie: Trie) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (H,), (H,): the edges whose segments are in the trie, and the segments' numbers there."""
    hits: list[tuple[int, int, int, int]] = []
    prefixes = trie.iter_prefixes_with_ids
    for w, word in enumerate(lattice.words):
        whole = trie.get(word, -1) if len(word) > LONGEST_SEGMENT else -1
        if whole >= 0:
            hits.append((w, 0, len(word), whole))
        for start in range(len(word)):
            for prefix, number in prefixes(word[start : start + LONGEST_SEGMENT]):
                hits.append((w, start, start + len(prefix), number))
    word_of, starts, ends, ids = np.array(hits, np.int64).reshape(-1, 4).T
    return lattice.edge(word_of, starts, ends), ids


def _take_out(
    values: NDArray[np.int32],
    own: Sequence[tuple[int, int, int]],
    lattice: WordLattice,
    edges: NDArray[np.int64],
    ids: NDArray[np.int64],
    *,
    by_role: bool = False,
) -> None:
    """Lower `values` (E,) by 1 for each own segment, at every edge of its word with the same string (and role).

    Args:
        values: what is counted for each edge.
        own: (word, start, end) of segments; those that are no edges are passed over.
        lattice: the words.
        edges: (H,) edges whose segments are in the lexicon.
        ids: (H,) the segments' numbers there.
        by_role: whether only edges in the same role count.
    """
    word, start, end = np.array(own, np.int64).reshape(-1, 3).T
    fits = (start < end) & ((end - start <= LONGEST_SEGMENT) | (start == 0) & (end == _lengths(lattice)[word]))
    roles = lattice.role.astype(np.int64) if by_role else np.zeros(len(lattice.role), np.int64)
    key = np.full(len(values), -1, np.int64)
    key[edges] = (lattice.word[edges] * (int(ids.max(initial=0)) + 1) + ids) * 4 + roles[edges]
    keys, times = np.unique(key[lattice.edge(word[fits], start[fits], end[fits])], return_counts=True)
    if len(keys):
        place = np.minimum(np.searchsorted(keys, key[edges]), len(keys) - 1)
        values[edges] -= np.where(keys[place] == key[edges], times[place], 0).astype(np.int32)


def _recall_stretches(
    lattice: WordLattice,
    lexicon: Lexicon,
    edges: NDArray[np.int64],
    ids: NDArray[np.int64],
    own_cuts: Sequence[Sequence[int]] | None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return `seen` (N,) and `cut_here` (E,), from the edges that open a word and are left stretches."""
    node_ptr = lattice.lattice.node_ptr
    seen = np.zeros(node_ptr[-1], np.float32)
    cut_here = np.zeros(len(lattice.src), np.float32)
    is_stretch = (lattice.role[edges] == INITIAL) & (lexicon.seen[ids] > 0)
    edges, ids = edges[is_stretch], ids[is_stretch]
    word, end = lattice.word[edges], lattice.dst[edges]
    seen[node_ptr[word] + end] = lexicon.seen[ids]
    cuts = np.diff(lexicon.cut_ptr)[ids]
    row = np.repeat(np.arange(len(edges)), cuts)
    at = np.arange(len(row)) - np.repeat(np.cumsum(cuts) - cuts, cuts) + np.repeat(lexicon.cut_ptr[:-1][ids], cuts)
    cut_here[lattice.edge(word[row], lexicon.cut_at[at].astype(np.int64), end[row])] = lexicon.cut_count[at]
    own = [(w, inner) for w, inner in enumerate(own_cuts or ()) if inner and inner[-1] <= LONGEST_SEGMENT]
    own_word, own_head = np.array([(w, inner[-1]) for w, inner in own], np.int64).reshape(-1, 2).T
    seen[node_ptr[own_word] + own_head] -= 1
    own_cut = [(w, cut, inner[-1]) for w, inner in own for cut in (inner[:-1] or (0,))]
    cut_here[lattice.edge(*np.array(own_cut, np.int64).reshape(-1, 3).T)] -= 1
    return seen, cut_here


def _umlauted(lattice: WordLattice, lexicon: Lexicon) -> NDArray[np.int64]:
    """Return (M,): the edges that open a word and are another listed word with its vowel changed: *häuser*."""
    found = [
        (w, 0, end)
        for w, word in enumerate(lattice.words)
        for end in range(1, min(len(word), LONGEST_SEGMENT + 1))
        if not word[:end].isascii()
        for form in without_umlaut(word[:end])
        if (number := lexicon.trie.get(form, -1)) >= 0 and lexicon.listed[number]
    ]
    return lattice.edge(*np.array(found, np.int64).reshape(-1, 3).T)


def _linked(lattice: WordLattice, listed: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return (E,): the segment, not at the word's end, is a listed one and a linking element."""
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
