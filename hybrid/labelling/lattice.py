"""The lattice of labelled spans of a sentence: parallel edges, one a label, with an edge for each change of label.

A sentence of n words with L labels has the nodes, first to last:

    start · opening (0, 1 … L) · closing (1, …) · opening (1, …) · … · closing (n, …) · end

A span [s, t) of label l is an edge from opening (s, l) to closing (t, l); a transition at p is an edge from closing
(p, k) to opening (p, l). So a label's score can depend on the label before, and the kernels need not know: what they
see is a lattice (a semi-Markov conditional random field: Sarawagi & Cohen 2004).

Decoding's tie rule (the higher score, then the edge that lies first, from the last node on) reads here: the last span's
lower label, then its greater length; then the same of the span before it, and so on.
"""

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from hybrid.lattice import Lattice

Longs = NDArray[np.int64]


@dataclass(frozen=True)
class Template:
    """The lattice of one sentence of n words; E edges, of which S are spans.

    Attributes:
        into: (N,) int64, how many edges enter each node.
        src: (E,) int64, the node each edge leaves.
        spans: (S,) int64, the edges that are spans; the others are transitions.
        start, end, label: (S,) int64, of each span.
        transitions: (E − S,) int64, the edges that are transitions.
        before, after: (E − S,) int64, the labels on both sides; L stands for the sentence's start and end.
    """

    into: Longs
    src: Longs
    spans: Longs
    start: Longs
    end: Longs
    label: Longs
    transitions: Longs
    before: Longs
    after: Longs


KEPT_EDGES = 100_000
"""Lattices of no more edges are kept for the next sentence of that length: 256 of 4 MB at worst, mostly far less."""


def template(words: int, longest: tuple[int, ...]) -> Template:
    """Return the lattice of a sentence; of ordinary lengths it is kept.

    Args:
        words: how many it has, 1 or more.
        longest: the most words in a span of each label, each 1 or more.
    """
    edges = words * (len(longest) ** 2 + sum(longest))
    return (kept_template if edges <= KEPT_EDGES else _new_template)(words, longest)


def _new_template(words: int, longest: tuple[int, ...]) -> Template:
    labels = len(longest)
    rows = [_transitions(0, labels, words)]
    for p in range(1, words + 1):
        rows += [_closings(p, longest), _transitions(p, labels, words)]
    node, src, kind, start, end, label = np.concatenate(rows, axis=1)
    is_span = kind == _SPAN
    spans, others = np.flatnonzero(is_span), np.flatnonzero(~is_span)
    return Template(
        into=np.bincount(node, minlength=2 * labels * words + 2),
        src=src,
        spans=spans,
        start=start[spans],
        end=end[spans],
        label=label[spans],
        transitions=others,
        before=start[others],
        after=label[others],
    )


kept_template = lru_cache(maxsize=256)(_new_template)


_SPAN, _TRANSITION = 0, 1


def _opening(p: int, labels: int) -> int:
    return 1 + 2 * labels * p


def _closing(p: int, labels: int) -> int:
    return 1 + 2 * labels * p - labels


def _closings(p: int, longest: tuple[int, ...]) -> Longs:
    """Return (6, …): node, source, kind, start, end, label of the spans that end at p; the longest first."""
    labels = len(longest)
    rows = [
        (_closing(p, labels) + k, _opening(s, labels) + k, _SPAN, s, p, k)
        for k in range(labels)
        for s in range(max(0, p - longest[k]), p)
    ]
    return np.array(rows, np.int64).reshape(-1, 6).T


def _transitions(p: int, labels: int, words: int) -> Longs:
    """Return (6, …): node, source, kind, label before, p, label after of the transitions at p."""
    k = np.arange(labels)
    if p == 0:
        node, src, before, after = _opening(0, labels) + k, np.zeros_like(k), np.full_like(k, labels), k
    elif p == words:
        node, src = np.full_like(k, _opening(p, labels)), _closing(p, labels) + k
        before, after = k, np.full_like(k, labels)
    else:
        after, before = np.repeat(k, labels), np.tile(k, labels)
        node, src = _opening(p, labels) + after, _closing(p, labels) + before
    return np.stack([node, src, np.full_like(node, _TRANSITION), before, np.full_like(node, p), after])


@dataclass(frozen=True)
class SpanLattice:
    """The lattice of the labelled spans of B sentences; W words, E edges, S of them spans.

    Attributes:
        lattice: its arrays.
        longest: the most words in a span of each of the L labels.
        first_word: (B + 1,) int64; sentence b has the words first_word[b] … first_word[b + 1] − 1 of the batch.
        spans: (S,) int64, the edges that are spans.
        start, end: (S,) int64, each one's first word and the word after its last, counted in the batch.
        label: (S,) int64.
        sentence: (S,) int64.
        transitions: (E − S,) int64, the edges that are transitions.
        before, after: (E − S,) int64, the labels on both sides; L stands for a sentence's start and end.
    """

    lattice: Lattice
    longest: tuple[int, ...]
    first_word: Longs
    spans: Longs
    start: Longs
    end: Longs
    label: Longs
    sentence: Longs
    transitions: Longs
    before: Longs
    after: Longs

    @cached_property
    def span_of_edge(self) -> Longs:
        """(E,): the number of the span that an edge is, −1 for transitions."""
        result = np.full(self.lattice.edge_count, -1, np.int64)
        result[self.spans] = np.arange(len(self.spans))
        return result

    def path(self, sentence: int, spans: Sequence[tuple[int, int, int]]) -> Longs:
        """Return the edges, first to last, of the path along the spans that cover a sentence.

        Args:
            sentence: its place in the batch.
            spans: first word, the word after the last, and the label's number of each; in order, without a gap, none
                longer than its label's longest.

        Raises:
            ValueError: these spans are no path.
        """
        start, end, label = np.array(spans, np.int64).reshape(-1, 3).T
        labels, first = len(self.longest), self.lattice.edge_ptr[self.lattice.node_ptr[sentence]]
        longest = np.array(self.longest, np.int64)
        words = int(self.first_word[sentence + 1] - self.first_word[sentence])
        ends = len(start) > 0 and start[0] == 0 and end[-1] == words
        covers = ends and (start[1:] == end[:-1]).all() and (start < end).all()
        if not covers or not ((label >= 0) & (label < labels)).all() or (end - start > longest[label]).any():
            told = f"sentence {sentence} (from 0): {reprlib.repr(spans)} is no path over {words} words"
            raise ValueError(f"{told}; labels' spans have at most {list(self.longest)} words")
        shorter, into = _spans_into(int(end[-1]), self.longest)
        closing = labels + (end - 1) * labels**2 + into[end - 1]  # edges that lie before those into closing (end, 0)
        span = closing + shorter[end, label] + start - np.maximum(0, end - longest[label])
        change = labels + (start[1:] - 1) * labels**2 + into[start[1:]] + label[1:] * labels + label[:-1]
        path = np.empty(2 * len(spans) + 1, np.int64)
        path[1::2], path[2:-1:2] = span, change
        path[0], path[-1] = label[0], labels + (end[-1] - 1) * labels**2 + into[end[-1]] + label[-1]
        return first + path


@lru_cache(maxsize=512)
def _spans_into(words: int, longest: tuple[int, ...]) -> tuple[Longs, Longs]:
    """Return how many spans end at each place.

    Returns:
        (words + 1, L), of labels before each one, at the place; and (words + 1,), of any label, there or before.
    """
    ending = np.minimum(np.arange(words + 1)[:, None], np.array(longest, np.int64))
    return np.cumsum(ending, axis=1) - ending, np.cumsum(ending.sum(axis=1))


def build_span_lattice(lengths: Sequence[int], longest: Sequence[int]) -> SpanLattice:
    """Return the lattice of every labelled span of sentences.

    Args:
        lengths: words of each sentence, 1 or more.
        longest: the most words in a span of each of the L labels.

    Raises:
        ValueError: a sentence has no word, or there is no label, or a longest span is below 1.
    """
    if not longest or min(longest) < 1:
        raise ValueError(f"longest spans are {list(longest)}, should be 1 or more for each label")
    if min(lengths, default=1) < 1:
        raise ValueError(f"sentence {list(lengths).index(min(lengths))} (from 0) has no word")
    parts = [template(n, tuple(longest)) for n in lengths]
    words = np.concatenate([[0], np.cumsum(np.array(lengths, np.int64))]).astype(np.int64)
    edges = _before([len(t.src) for t in parts])
    node_ptr = np.append(_before([len(t.into) for t in parts]), sum(len(t.into) for t in parts)).astype(np.int64)
    edge_ptr = np.concatenate([[0], np.cumsum(_joined([t.into for t in parts]))]).astype(np.int64)
    spans = [len(t.spans) for t in parts]
    return SpanLattice(
        lattice=Lattice(node_ptr, edge_ptr, _joined([t.src for t in parts]).astype(np.int32)),
        longest=tuple(longest),
        first_word=words,
        spans=_joined([t.spans + at for t, at in zip(parts, edges, strict=True)]),
        start=_joined([t.start + at for t, at in zip(parts, words, strict=False)]),
        end=_joined([t.end + at for t, at in zip(parts, words, strict=False)]),
        label=_joined([t.label for t in parts]),
        sentence=np.repeat(np.arange(len(parts)), spans),
        transitions=_joined([t.transitions + at for t, at in zip(parts, edges, strict=True)]),
        before=_joined([t.before for t in parts]),
        after=_joined([t.after for t in parts]),
    )


def _before(counts: Sequence[int]) -> Longs:
    """Return how many come before each."""
    array = np.array(counts, np.int64)
    return np.cumsum(array) - array


def _joined(arrays: Sequence[Longs]) -> Longs:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)
