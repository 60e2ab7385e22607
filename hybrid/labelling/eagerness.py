"""How readily chunks are told: the likeliest weights find too few for the highest F1."""

import numpy as np
from numpy.typing import NDArray

from hybrid.decoding import viterbi
from hybrid.labelling.labels import LabelSet
from hybrid.labelling.lattice import SpanLattice

EAGERNESS = np.arange(-1.0, 2.01, 0.25)
"""What is tried, in nats a chunk; each is judged with its two neighbours, so that chance decides less."""


def eagerness(
    lattice: SpanLattice,
    scores: NDArray[np.float64],
    chunk: NDArray[np.float32],
    gold: NDArray[np.int64],
    labels: LabelSet,
) -> float:
    """Return what each chunk should weigh more for the highest macro F1.

    Args:
        lattice: of sentences that nets were kept from, with E edges.
        scores: (E,), −inf where no path may go.
        chunk: (E,), 1 where an edge is a chunk.
        gold: edges of the gold paths.
        labels: of the lattice.
    """
    kind = np.full(lattice.lattice.edge_count, -1)  # of each edge the label, −1 outside of chunks
    kind[lattice.spans] = np.where(np.array(labels.outside)[lattice.label], -1, lattice.label)
    wanted = np.zeros(len(kind), bool)
    wanted[gold] = True
    f1 = []
    for more in EAGERNESS:
        found = np.zeros(len(kind), bool)
        found[[edge for path in viterbi(lattice.lattice, scores + more * chunk) for edge in path.edges]] = True
        f1.append(_macro_f1(kind, wanted, found))
    smooth = np.convolve(np.pad(f1, 1, mode="edge"), [0.25, 0.5, 0.25], mode="valid")
    best = smooth >= smooth.max() - 1e-9
    return float(EAGERNESS[best][np.argmin(np.abs(EAGERNESS[best]))])


def _macro_f1(kind: NDArray[np.int64], wanted: NDArray[np.bool_], found: NDArray[np.bool_]) -> float:
    """Return the mean over labels of the F1 of edges found; those outside of chunks have the label −1."""
    some = kind >= 0
    right, told, gold = (np.bincount(kind[some & edges]) for edges in (wanted & found, found, wanted))
    counts = np.zeros((3, max(map(len, (right, told, gold)))))
    for row, values in zip(counts, (right, told, gold), strict=True):
        row[: len(values)] = values
    there = counts[1] + counts[2] > 0
    return float(np.mean(2 * counts[0, there] / (counts[1] + counts[2])[there])) if there.any() else 0.0
