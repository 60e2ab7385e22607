"""Slow, obvious twins: of kernels every path, of spans every covering is enumerated; of chunks, conlleval's rules."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from hybrid.lattice import Lattice


def all_paths(lattice: Lattice, b: int) -> Iterator[tuple[int, ...]]:
    """Yield every path of sequence b as edge numbers, first to last."""
    first, last = int(lattice.node_ptr[b]), int(lattice.node_ptr[b + 1]) - 1

    def to(node: int) -> Iterator[tuple[int, ...]]:
        if node == first:
            yield ()
        for edge in range(int(lattice.edge_ptr[node]), int(lattice.edge_ptr[node + 1])):
            for before in to(first + int(lattice.edge_src[edge])):
                yield (*before, edge)

    yield from to(last)


def allowed_paths(lattice: Lattice, b: int, scores: np.ndarray, min_parts: int) -> list[tuple[int, ...]]:
    """Return the paths with enough edges and none forbidden."""
    nodes = int(lattice.node_ptr[b + 1] - lattice.node_ptr[b])
    least = min(min_parts, nodes - 1)
    return [p for p in all_paths(lattice, b) if len(p) >= least and all(scores[e] > -math.inf for e in p)]


def total(path: tuple[int, ...], scores: np.ndarray) -> float:
    """Return the sum of a path's scores, from left to right."""
    result = 0.0
    for edge in path:
        result += float(scores[edge])
    return result


def ranking(lattice: Lattice, b: int, scores: np.ndarray, min_parts: int) -> list[tuple[int, ...]]:
    """Return the allowed paths by the written rule: higher score; then, from the end, the edge that lies first.

    Where `min_parts` is 3 or more, of two ways that leave the same place by the same edges the one with fewer edges so
    far, counted up to `min_parts`, goes first.
    """

    def key(path: tuple[int, ...]) -> tuple[float, list[tuple[int, int]]]:
        top = min(min_parts, int(lattice.node_ptr[b + 1] - lattice.node_ptr[b]) - 1) if min_parts > 2 else 0
        steps = [(edge, min(place, top)) for place, edge in enumerate(path)]
        return -total(path, scores), steps[::-1]

    return sorted(allowed_paths(lattice, b, scores, min_parts), key=key)


def marginals(lattice: Lattice, scores: np.ndarray, min_parts: int) -> tuple[np.ndarray, list[float]]:
    """Return each edge's share of all allowed paths' weight, and the log of each sequence's sum."""
    shares, logs = np.zeros(lattice.edge_count), []
    for b in range(len(lattice)):
        paths = allowed_paths(lattice, b, scores, min_parts)
        weights = [math.exp(total(path, scores)) for path in paths]
        logs.append(math.log(sum(weights)))
        for path, weight in zip(paths, weights, strict=True):
            shares[list(path)] += weight / sum(weights)
    return shares, logs


def starts_chunk(tag_before: str, tag: str, type_before: str, kind: str) -> bool:
    """Whether a word begins a chunk, from the tags (O, B, I) and types of the word before and of this one."""
    if tag_before in ("B", "I") and tag == "B":
        return True
    if tag_before == "O" and tag in ("B", "I"):
        return True
    return tag != "O" and type_before != kind


def ends_chunk(tag_before: str, tag: str, type_before: str, kind: str) -> bool:
    """Whether a chunk ended with the word before."""
    if tag_before in ("B", "I") and tag in ("B", "O"):
        return True
    return tag_before != "O" and type_before != kind


def conlleval(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> dict[str, list[int]]:
    """Return counts by type, right, found and wanted, in one pass over all words, O between sentences."""
    counts: dict[str, list[int]] = {}
    before = [("O", ""), ("O", "")]
    both_open = False
    words = [pair for sides in zip(gold, predicted, strict=True) for pair in [*zip(*sides, strict=True), ("O", "O")]]
    for pair in words:
        now = [(label[0], label[2:]) for label in pair]
        ended = [ends_chunk(b[0], n[0], b[1], n[1]) for b, n in zip(before, now, strict=True)]
        started = [starts_chunk(b[0], n[0], b[1], n[1]) for b, n in zip(before, now, strict=True)]
        if both_open and (ended[0] or ended[1]):
            both_open = False
            if ended[0] and ended[1]:
                counts[before[0][1]][0] += 1
        if started[0] and started[1] and now[0][1] == now[1][1]:
            both_open = True
        for side, place in ((1, 1), (0, 2)):
            if started[side]:
                counts.setdefault(now[side][1], [0, 0, 0])[place] += 1
        before = now
    return counts


LabelledSpan = tuple[int, int, int]


def coverings(words: int, longest: Sequence[int]) -> Iterator[tuple[LabelledSpan, ...]]:
    """Yield every way to cover words with labelled spans (start, end, label), none longer than its label's longest."""
    if not words:
        yield ()
    for label, most in enumerate(longest):
        for start in range(max(0, words - most), words):
            for before in coverings(start, longest):
                yield (*before, (start, words, label))


def covering_total(
    spans: Sequence[LabelledSpan], of_span: Mapping[LabelledSpan, float], changes: Sequence[Sequence[float]]
) -> float:
    """Return the sum of spans' scores and of changes of label; the last row and column are a sentence's start and end.

    From left to right.
    """
    result, before = 0.0, len(changes) - 1
    for span in spans:
        result += changes[before][span[2]] + of_span[span]
        before = span[2]
    return result + changes[before][-1]


def covering_ranking(
    words: int, longest: Sequence[int], of_span: Mapping[LabelledSpan, float], changes: Sequence[Sequence[float]]
) -> list[tuple[tuple[LabelledSpan, ...], float]]:
    """Return the ways that nothing forbids, with their scores, best first.

    Of equals, from the last span on, first the lower label, then the longer span.
    """
    found = [(spans, covering_total(spans, of_span, changes)) for spans in coverings(words, longest)]
    allowed = [(spans, score) for spans, score in found if score > -math.inf]
    return sorted(allowed, key=lambda one: (-one[1], [(label, s - t) for s, t, label in one[0][::-1]]))
