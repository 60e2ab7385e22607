"""What the lexicon says of every node and segment, for the nets that read it: log counts and flags."""

import numpy as np
from numpy.typing import NDArray

from hybrid.evidence import Evidence
from lexicon.mining import FINAL, INITIAL, MEDIAL

FEATURES = (
    "count of the right stretch as last part",
    "count of the left stretch as first part",
    "times the left stretch was seen before a head",
    "of these, uncut",
    "of these, cut",
    "best count of a middle part that ends here",
    "best count of a middle part that begins here",
    "left stretch is listed, as it is or as a modifier",
    "right stretch is listed",
    "a listed word, as it is or as a modifier, ends here",
    "a listed word, as it is or as a modifier, begins here",
    "best count of a longer left stretch cut here",
    "other listed words that begin with the left stretch",
    "other listed words that end with the right stretch",
)
"""Of nodes, in this order; counts as log (1 + count). A net reads as many as it was trained with: add at the end."""

SEGMENT_FEATURES = (
    "count of the segment as a part in its role",
    "it was such a part",
    "it is a listed word",
    "it is one as a modifier",
    "times the stretch before its end was cut at its begin",
    "it is a word of the dictionary",
    "it is one with a linking element, inside the word",
)
"""Of segments, likewise."""


def node_features(evidence: Evidence) -> NDArray[np.float32]:
    """Return (N, F) float32 for the N nodes of the lattice, F = len(FEATURES)."""
    role = evidence.lattice.role
    src, dst = evidence.src_node(), evidence.dst_node()
    opens, inside, closes = role == INITIAL, role == MEDIAL, role == FINAL
    a_word = (evidence.listed | evidence.linked) & inside
    log_count = np.log1p(evidence.count)
    log_cut = np.log1p(evidence.cut_here)
    uncut = _best(log_cut * opens, dst, len(evidence.seen))
    log_seen = np.log1p(evidence.seen)
    columns = [
        _best(log_count * closes, src, len(log_seen)),
        _best(log_count * opens, dst, len(log_seen)),
        log_seen,
        uncut,
        np.log1p(np.maximum(np.expm1(log_seen) - np.expm1(uncut), 0)),
        _best(log_count * inside, dst, len(log_seen)),
        _best(log_count * inside, src, len(log_seen)),
        evidence.left_listed(),
        evidence.right_listed(),
        _best(a_word, dst, len(log_seen)),
        _best(a_word, src, len(log_seen)),
        _best(log_cut * inside, src, len(log_seen)),
        *np.log1p(evidence.neighbours).T,
    ]
    return np.stack(columns, axis=1).astype(np.float32)


def segment_features(evidence: Evidence) -> NDArray[np.float16]:
    """Return (E, S) float16 for the E edges of the lattice, S = len(SEGMENT_FEATURES)."""
    columns = [np.log1p(evidence.count), evidence.known, evidence.listed, evidence.linked, np.log1p(evidence.cut_here),
               evidence.attested, evidence.attested_linked]  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float16)


def _best(value: NDArray[np.floating] | NDArray[np.bool_], node: NDArray[np.int64], nodes: int) -> NDArray[np.float32]:
    """Return (nodes,): the largest of the edges' values at each node, 0 where there is none."""
    result = np.zeros(nodes, np.float32)
    some = np.flatnonzero(value)
    np.maximum.at(result, node[some], value[some].astype(np.float32))
    return result
