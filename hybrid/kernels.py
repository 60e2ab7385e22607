"""Every compiled loop: best path, k best paths, forward–backward, over the flat arrays of `hybrid.lattice.Lattice`.

Kernels take arrays and check nothing: `hybrid.decoding` is their public side. Where numba is not installed the same
functions run as plain Python, with the same results. They know nothing of words: a lattice of labelled chunks of a
sentence (parallel edges, one a label) decodes as well. No `fastmath`: it breaks −inf.
"""

import math
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.compiling import compiled

Longs = NDArray[np.int64]
Ints = NDArray[np.int32]
Reals = NDArray[np.float64]


SMALL = 10_000
"""Nodes and edges that a kernel goes through as plain Python before it is compiled: loading numba takes longer."""


class _Compiled:
    """A kernel that is compiled when it has gone through more than little."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self._loop: Callable[..., Any] | None = None
        self._gone = 0
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        if self._loop is None:
            self._gone += max(x.size for x in arguments)
            if self._gone <= SMALL:
                return self.py_func(*arguments)
            self._loop = compiled(self.py_func)
        return self._loop(*arguments)


@_Compiled
def viterbi(node_ptr: Longs, edge_ptr: Longs, edge_src: Ints, score: Reals, best: Reals, back: Longs) -> None:
    """Fill best (N,) float64, the best score of a path to each node, and back (N,) int64, its last edge or −1.

    A later edge must score strictly more to win, so ties go to the edge that lies first.
    """
    for b in range(len(node_ptr) - 1):
        first = node_ptr[b]
        best[first] = 0.0
        back[first] = -1
        for v in range(first + 1, node_ptr[b + 1]):
            top = -math.inf
            arg = -1
            for e in range(edge_ptr[v], edge_ptr[v + 1]):
                candidate = best[first + edge_src[e]] + score[e]
                if candidate > top:
                    top = candidate
                    arg = e
            best[v] = top
            back[v] = arg


@_Compiled
def k_best(
    node_ptr: Longs, edge_ptr: Longs, edge_src: Ints, score: Reals, best: Reals, back_edge: Longs, back_rank: Longs
) -> None:
    """Fill best, back_edge, back_rank (N, k): each node's k best paths, best first, −inf and −1 where there are fewer.

    A path is its last edge and the rank, at that edge's source, of what came before. Ties go to the edge that lies
    first, then to the lower rank. (The list Viterbi algorithm: Seshadri & Sundberg 1994.)
    """
    k = best.shape[1]
    for b in range(len(node_ptr) - 1):
        first = node_ptr[b]
        for v in range(first, node_ptr[b + 1]):
            for j in range(k):
                best[v, j] = -math.inf
                back_edge[v, j] = -1
                back_rank[v, j] = -1
        best[first, 0] = 0.0
        for v in range(first + 1, node_ptr[b + 1]):
            for e in range(edge_ptr[v], edge_ptr[v + 1]):
                source = first + edge_src[e]
                for j in range(k):
                    candidate = best[source, j] + score[e]
                    if not candidate > best[v, k - 1]:
                        break
                    place = k - 1
                    while place > 0 and candidate > best[v, place - 1]:
                        best[v, place] = best[v, place - 1]
                        back_edge[v, place] = back_edge[v, place - 1]
                        back_rank[v, place] = back_rank[v, place - 1]
                        place -= 1
                    best[v, place] = candidate
                    back_edge[v, place] = e
                    back_rank[v, place] = j


@_Compiled
def forward_backward(
    node_ptr: Longs,
    edge_ptr: Longs,
    edge_src: Ints,
    score: Reals,
    alpha: Reals,
    beta: Reals,
    marginal: Reals,
    log_z: Reals,
) -> None:
    """Fill alpha, beta (N,), marginal (E,), log_z (B,): sums over all paths, in log space (Rabiner 1989, III.A).

    marginal[e] is the share of all paths' weight that goes through edge e; 0 everywhere in a sequence without a path.
    """
    for b in range(len(node_ptr) - 1):
        first = node_ptr[b]
        last = node_ptr[b + 1] - 1
        alpha[first] = 0.0
        for v in range(first + 1, last + 1):
            top = -math.inf
            for e in range(edge_ptr[v], edge_ptr[v + 1]):
                top = max(top, alpha[first + edge_src[e]] + score[e])
            total = 0.0
            if top > -math.inf:
                for e in range(edge_ptr[v], edge_ptr[v + 1]):
                    total += math.exp(alpha[first + edge_src[e]] + score[e] - top)
                alpha[v] = top + math.log(total)
            else:
                alpha[v] = -math.inf
        log_z[b] = alpha[last]
        for v in range(first, last):
            beta[v] = -math.inf
        beta[last] = 0.0
        for v in range(last, first, -1):
            for e in range(edge_ptr[v], edge_ptr[v + 1]):
                source = first + edge_src[e]
                marginal[e] = 0.0
                weight = score[e] + beta[v]
                if weight > -math.inf:
                    high = max(beta[source], weight)
                    beta[source] = high + math.log(math.exp(beta[source] - high) + math.exp(weight - high))
                    if alpha[source] > -math.inf:
                        marginal[e] = math.exp(alpha[source] + weight - log_z[b])


@_Compiled
def trace(node_ptr: Longs, edge_src: Ints, back: Longs, path_ptr: Longs, path_edges: Longs) -> None:
    """Fill path_ptr (B + 1,) and path_edges (at most N,): the edges of each sequence's best path, first to last."""
    at = 0
    path_ptr[0] = 0
    for b in range(len(node_ptr) - 1):
        first = node_ptr[b]
        v = node_ptr[b + 1] - 1
        start = at
        while v > first:
            path_edges[at] = back[v]
            v = first + edge_src[back[v]]
            at += 1
        path_edges[start:at] = path_edges[start:at][::-1].copy()
        path_ptr[b + 1] = at
