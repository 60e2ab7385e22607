"""Decoding a scored lattice: best path, k best paths, marginals.

The tie rule, at every node from the last to the first: the higher score, then the edge that lies first. In a word
lattice that is the longer last part. (Where three parts or more are asked for, two ways to the same place may differ in
the parts so far, up to that number: then the one with fewer goes first.)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid import kernels
from hybrid.errors import NoPathError
from hybrid.lattice import Lattice


@dataclass(frozen=True, slots=True)
class Path:
    """A way through one sequence: its edges' numbers, first to last, and the sum of their scores."""

    edges: tuple[int, ...]
    score: float


@dataclass(frozen=True, slots=True)
class Marginals:
    """Sums over all paths.

    Attributes:
        edge: (E,) float64, the posterior probability of each edge.
        log_z: (B,) float64, the log of the sum of all paths' weights.
    """

    edge: NDArray[np.float64]
    log_z: NDArray[np.float64]

    def node(self, lattice: Lattice) -> NDArray[np.float64]:
        """Return (N,) float64: the posterior probability that a path goes through each node; 0 for first nodes."""
        into = np.repeat(np.arange(len(lattice.edge_ptr) - 1), np.diff(lattice.edge_ptr))
        return np.minimum(np.bincount(into, weights=self.edge, minlength=len(lattice.edge_ptr) - 1), 1.0)


def viterbi(lattice: Lattice, scores: NDArray[np.floating], *, min_parts: int = 1) -> list[Path]:
    """Return the best path of each sequence.

    Args:
        lattice: B sequences with E edges.
        scores: (E,), in nats; −inf forbids an edge.
        min_parts: the least number of edges; a sequence with fewer characters than that takes as many as it has.

    Raises:
        NoPathError: every path of some sequence is forbidden.
        ValueError: `scores` has another shape, or holds nan or +inf; `min_parts` is below 1.
    """
    work, score, origin = _prepare(lattice, scores, min_parts)
    best = np.empty(work.node_ptr[-1], np.float64)
    back = np.empty(work.node_ptr[-1], np.int64)
    kernels.viterbi(work.node_ptr, work.edge_ptr, work.edge_src, score, best, back)
    totals = best[work.node_ptr[1:] - 1]
    _require_paths(totals)
    path_ptr = np.empty(len(work) + 1, np.int64)
    path_edges = np.empty(work.node_ptr[-1], np.int64)
    kernels.trace(work.node_ptr, work.edge_src, back, path_ptr, path_edges)
    edges = origin[path_edges[: path_ptr[-1]]].tolist()
    bounds = path_ptr.tolist()
    return [Path(tuple(edges[bounds[b] : bounds[b + 1]]), float(totals[b])) for b in range(len(work))]


def k_best(lattice: Lattice, scores: NDArray[np.floating], k: int, *, min_parts: int = 1) -> list[list[Path]]:
    """Return up to k paths of each sequence, best first; as many as there are where there are fewer.

    Arguments and errors as in `viterbi`; `k` below 1 is a ValueError too.
    """
    if k < 1:
        raise ValueError(f"k is {k}, should be 1 or more")
    work, score, origin = _prepare(lattice, scores, min_parts)
    nodes = int(work.node_ptr[-1])
    best = np.empty((nodes, k), np.float64)
    back_edge = np.empty((nodes, k), np.int64)
    back_rank = np.empty((nodes, k), np.int64)
    kernels.k_best(work.node_ptr, work.edge_ptr, work.edge_src, score, best, back_edge, back_rank)
    _require_paths(best[work.node_ptr[1:] - 1, 0])
    paths: list[list[Path]] = []
    for b in range(len(work)):
        first, last = int(work.node_ptr[b]), int(work.node_ptr[b + 1]) - 1
        ranks = [j for j in range(k) if best[last, j] > -np.inf]
        paths.append([])
        for j in ranks:
            edges, node, rank = [], last, j
            while node > first:
                edge = int(back_edge[node, rank])
                edges.append(int(origin[edge]))
                node, rank = first + int(work.edge_src[edge]), int(back_rank[node, rank])
            paths[-1].append(Path(tuple(reversed(edges)), float(best[last, j])))
    return paths


def marginals(lattice: Lattice, scores: NDArray[np.floating], *, min_parts: int = 1) -> Marginals:
    """Return each edge's posterior probability and each sequence's log partition sum.

    Arguments and errors as in `viterbi`.
    """
    work, score, origin = _prepare(lattice, scores, min_parts)
    nodes = int(work.node_ptr[-1])
    marginal = np.zeros(work.edge_count, np.float64)
    log_z = np.empty(len(work), np.float64)
    alpha, beta = np.empty(nodes, np.float64), np.empty(nodes, np.float64)
    kernels.forward_backward(work.node_ptr, work.edge_ptr, work.edge_src, score, alpha, beta, marginal, log_z)
    _require_paths(log_z)
    if work is lattice:
        return Marginals(marginal, log_z)
    return Marginals(np.bincount(origin, weights=marginal, minlength=lattice.edge_count).astype(np.float64), log_z)


def _prepare(
    lattice: Lattice, scores: NDArray[np.floating], min_parts: int
) -> tuple[Lattice, NDArray[np.float64], NDArray[np.int64]]:
    """Return the lattice to decode, its scores, and for each of its edges the edge of `lattice` it stands for."""
    score = np.ascontiguousarray(scores, np.float64)
    if score.shape != (lattice.edge_count,):
        raise ValueError(f"scores have shape {score.shape}, should be ({lattice.edge_count},): one an edge")
    if not (score < np.inf).all():
        raise ValueError("scores hold nan or +inf; finite numbers and -inf are allowed")
    if min_parts < 1:
        raise ValueError(f"min_parts is {min_parts}, should be 1 or more")
    if min_parts <= 2:  # two parts or more: all but the edge from the first node to the last
        score = np.where(spanning(lattice), -np.inf, score) if min_parts == 2 else score
        return lattice, score, np.arange(lattice.edge_count)
    layered, origin = _layers(lattice, min_parts)
    return layered, score[origin], origin


def spanning(lattice: Lattice) -> NDArray[np.bool_]:
    """Return (E,): whether an edge joins the first and last node of its sequence, with other nodes between."""
    last = np.diff(lattice.node_ptr)[lattice.edge_word()] - 1
    return (lattice.edge_src == 0) & (lattice.edge_dst() == last) & (last > 1)


def _layers(lattice: Lattice, min_parts: int) -> tuple[Lattice, NDArray[np.int64]]:
    """Return a lattice whose paths are those of `lattice` with at least `min_parts` edges, and its edges' origins.

    Node v becomes the nodes (v, c), c = 0 … L, where c counts the edges so far and stops at L = min(min_parts, nodes
    − 1). A path starts at (first, 0) and ends at (last, L).
    """
    node_ptr, edge_ptr, edge_src, origin = [0], [0], [], []
    for b in range(len(lattice)):
        first, last = int(lattice.node_ptr[b]), int(lattice.node_ptr[b + 1]) - 1
        top = min(min_parts, last - first)
        for v in range(first, last + 1):
            into = range(int(lattice.edge_ptr[v]), int(lattice.edge_ptr[v + 1]))
            for c in range(top + 1):
                before = [c - 1, c] if c == top else [c - 1]
                for e in into:
                    for d in before:
                        if d >= 0:
                            edge_src.append(int(lattice.edge_src[e]) * (top + 1) + d)
                            origin.append(e)
                edge_ptr.append(len(origin))
        node_ptr.append(node_ptr[-1] + (last - first + 1) * (top + 1))
    arrays = Lattice(np.array(node_ptr, np.int64), np.array(edge_ptr, np.int64), np.array(edge_src, np.int32))
    return arrays, np.array(origin, np.int64)


def _require_paths(totals: NDArray[np.float64]) -> None:
    if not (totals > -np.inf).all():
        b = int(np.argmin(totals > -np.inf))
        raise NoPathError(f"sequence {b + 1} of {len(totals)} has no path left: all its edges are forbidden")
