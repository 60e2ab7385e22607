"""Sums over all splits of words of one length, many words at a time: what training segment nets takes at every step.

The same numbers as `hybrid.decoding.marginals`, by array operations over the words instead of compiled loops, so that
training takes no longer where numba is not installed.
"""

import numpy as np
from numpy.typing import NDArray

from hybrid.lattice import one_length

Reals = NDArray[np.float64]


def marginals_of_one_length(scores: Reals, length: int, *, min_parts: int) -> tuple[Reals, Reals]:
    """Return each edge's posterior probability (B, E) and each word's log partition sum (B,).

    Args:
        scores: (B, E), finite, of words of one length, edges in the order of `hybrid.lattice.one_length`.
        length: their length, 2 or more.
        min_parts: 1, or 2 to forbid the edge from the first node to the last.
    """
    lattice, src, dst = one_length(length, 1)
    score = np.array(scores.T, np.float64, order="C", copy=True)  # (E, B)
    if min_parts == 2:
        score[(src == 0) & (dst == length)] = -np.inf
    alpha, beta = np.zeros((2, length + 1, score.shape[1]))
    into = lattice.edge_ptr
    for node in range(1, length + 1):
        edges = slice(into[node], into[node + 1])
        alpha[node] = _log_sum(alpha[src[edges]] + score[edges])
    for node in range(length - 1, -1, -1):
        edges_out = np.flatnonzero(src == node)
        beta[node] = _log_sum(score[edges_out] + beta[dst[edges_out]])
    log_z = alpha[length]
    return np.exp(alpha[src] + score + beta[dst] - log_z).T, log_z


def _log_sum(x: Reals) -> Reals:
    """Return log Σ exp over the first axis; each column holds a finite number."""
    top = x.max(axis=0)
    return np.asarray(top + np.log(np.exp(x - top).sum(axis=0)))
