"""The columns over a lattice of labelled spans: each a score for every edge."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hybrid.labelling.lattice import SpanLattice

COLUMNS = ("lexicon word", "lexicon phrase", "net", "transition", "chunk")
"""What phrases were called in training, one word and longer ones apart; what the nets say of the span, and of the
change of label; one for each chunk."""


def span_columns(
    lattice: SpanLattice,
    ratios: Sequence[NDArray[np.float64]],
    token_scores: NDArray[np.float32],
    transitions: NDArray[np.float32],
    outside: Sequence[bool],
) -> NDArray[np.float32]:
    """Return (C, E) float32, in the order of `COLUMNS`, in nats.

    Args:
        lattice: of sentences with W words in all.
        ratios: of each sentence (n, M, L), as `lexicon.phrases.PhraseLexicon.log_ratios` gives them; labels may be
            fewer than the lattice's, which then repeats the first ones.
        token_scores: (W, 3, L), that a span of a label begins at a word, goes on over it, ends with it.
        transitions: (L + 1, L + 1), label before and after; the last row and column are a sentence's start and end.
        outside: (L,) whether a label is that of words outside of chunks.
    """
    columns = np.zeros((len(COLUMNS), lattice.lattice.edge_count), np.float32)
    prior = lexicon_scores(lattice, ratios)
    single = lattice.end - lattice.start == 1
    columns[0, lattice.spans] = np.where(single, prior, 0)
    columns[1, lattice.spans] = np.where(single, 0, prior)
    columns[2, lattice.spans] = net_scores(lattice, token_scores)
    columns[3, lattice.transitions] = transitions[lattice.before, lattice.after]
    columns[4, lattice.spans] = ~np.array(outside)[lattice.label]
    return columns


def lexicon_scores(lattice: SpanLattice, ratios: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return (S,): of each span, what the lexicon says of its label; 0 for spans longer than its phrases."""
    longest = max((r.shape[1] for r in ratios), default=1)
    labels = max((r.shape[2] for r in ratios), default=1)
    table = np.zeros((int(lattice.first_word[-1]), longest, labels))
    for at, of_sentence in zip(lattice.first_word, ratios, strict=False):
        table[at : at + len(of_sentence), : of_sentence.shape[1]] = of_sentence
    length = lattice.end - lattice.start
    found = table[lattice.start, np.minimum(length, longest) - 1, lattice.label % labels]
    return np.where(length <= longest, found, 0.0)


def net_scores(lattice: SpanLattice, token_scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return (S,): begin(s, l) + Σ inside(s + 1 … t − 1, l) + end(t − 1, l) of each span."""
    start, end, label = lattice.start, lattice.end, lattice.label
    scores = token_scores.astype(np.float64)
    inside = np.concatenate([np.zeros((1, scores.shape[2])), np.cumsum(scores[:, 1], axis=0)])
    through = inside[end, label] - inside[start + 1, label]
    return np.asarray(scores[start, 0, label] + through + scores[end - 1, 2, label])
