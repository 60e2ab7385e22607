"""Slow, obvious twins of the kernels: every path of a sequence is enumerated."""

import math
from collections.abc import Iterator

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
