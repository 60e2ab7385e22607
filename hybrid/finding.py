"""Scored lattices decoded: what is found of each word."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.decoding import k_best, marginals, viterbi
from hybrid.lattice import LONGEST_SEGMENT, WordLattice
from hybrid.stages import Reals, Scored


@dataclass(frozen=True, slots=True)
class Found:
    """What decoding found of a word.

    Attributes:
        paths: the inner cuts of the best splits into finest parts, and their scores, best first.
        log_z: log of the sum over all splits.
        node: (length + 1,), the probability of a cut at each node.
        whole: the probability that the word has no cut.
    """

    paths: list[tuple[tuple[int, ...], float]]
    log_z: float
    node: Reals
    whole: float


ALONE = Found([((), 0.0)], 0.0, np.zeros(1), 1.0)
"""Of a word that is left whole without being decoded."""


def decode(group: Scored, k: int, min_parts: int) -> Iterator[Found]:
    """Yield what is found of each word of a group: its k best splits, and the sums over all."""
    lattice = group.lattice.lattice
    k = min(k, 2 ** min(max(map(len, group.lattice.words)), 62))  # no word has more
    sums = marginals(lattice, group.scores, min_parts=min_parts)
    if k == 1:
        rankings = [[path] for path in viterbi(lattice, group.scores, min_parts=min_parts)]
    else:
        rankings = k_best(lattice, group.scores, k, min_parts=min_parts)
    nodes = np.split(sums.node(lattice), lattice.node_ptr[1:-1])
    whole = sums.edge[_whole(group.lattice)]
    for paths, log_z, node, uncut in zip(rankings, sums.log_z.tolist(), nodes, whole.tolist(), strict=True):
        cuts = [(tuple(group.lattice.src[list(path.edges[1:])].tolist()), path.score) for path in paths]
        yield Found(cuts, log_z, node, uncut)


def split_probability(group: Scored, w: int, cuts: tuple[int, ...], log_z: float, min_parts: int) -> float:
    """Return the probability of a split of word w of a group."""
    length = len(group.lattice.words[w])
    starts, ends = np.array([0, *cuts]), np.array([*cuts, length])
    if len(starts) < min(min_parts, length) or (cuts and max(ends - starts) > LONGEST_SEGMENT):
        return 0.0
    total = group.scores[group.lattice.edge(np.full(len(starts), w), starts, ends)].sum()
    return min(1.0, math.exp(total - log_z))


def _whole(lattice: WordLattice) -> NDArray[np.int64]:
    """Return (B,): each word's edge from end to end."""
    length = np.array([len(word) for word in lattice.words], np.int64)
    word = np.arange(len(length))
    return lattice.edge(word, np.zeros_like(word), length)
