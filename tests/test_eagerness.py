"""How readily a tagger tells chunks: what is added to each one's score for the highest macro F1."""

import numpy as np
import pytest

from hybrid.decoding import marginals, viterbi
from hybrid.labelling.eagerness import EAGERNESS, eagerness
from hybrid.labelling.labels import LabelSet
from hybrid.labelling.lattice import SpanLattice, build_span_lattice
from hybrid.labelling.training import gold_edges
from hybrid.training.weights import fit_weights

LABELS = LabelSet((None, "PER", "LOC"), (1, 2, 2))

SENTENCES = [
    [(0, 1, 0), (1, 3, 1), (3, 4, 0)],
    [(0, 2, 2), (2, 3, 0), (3, 4, 1)],
    [(0, 1, 0), (1, 2, 0), (2, 3, 2)],
]


def lattice_and_gold() -> tuple[SpanLattice, np.ndarray]:
    lattice = build_span_lattice([spans[-1][1] for spans in SENTENCES], LABELS.longest)
    return lattice, gold_edges(lattice, SENTENCES)


def is_chunk(lattice: SpanLattice) -> np.ndarray:
    chunk = np.zeros(lattice.lattice.edge_count, np.float32)
    chunk[lattice.spans] = lattice.label > 0
    return chunk


def scores_of(lattice: SpanLattice, gold: np.ndarray, *, right: float, wrong: float) -> np.ndarray:
    """Return scores: a gold chunk is worth `right`, any other `wrong`, all else nothing."""
    of_gold = np.zeros(lattice.lattice.edge_count, bool)
    of_gold[gold] = True
    return np.where(is_chunk(lattice) > 0, np.where(of_gold, right, wrong), 0.0)


@pytest.mark.parametrize(("right", "wrong", "least", "most"), [(-0.6, -9, 0.75, 2.0), (1.0, 0.3, -0.75, -0.5)])
def test_too_few_chunks_or_too_many_are_mended(right: float, wrong: float, least: float, most: float) -> None:
    lattice, gold = lattice_and_gold()
    scores = scores_of(lattice, gold, right=right, wrong=wrong)
    more = eagerness(lattice, scores, is_chunk(lattice), gold, LABELS)
    assert least <= more <= most
    paths = viterbi(lattice.lattice, scores + more * is_chunk(lattice))
    assert {e for path in paths for e in path.edges} == set(gold.tolist())


def test_what_is_best_already_stays() -> None:
    lattice, gold = lattice_and_gold()
    assert eagerness(lattice, scores_of(lattice, gold, right=9, wrong=-9), is_chunk(lattice), gold, LABELS) == 0
    assert 0 in EAGERNESS


def test_forbidden_edges_take_no_part_in_fitting() -> None:
    """Where the wrong way is forbidden, nothing is learnt from a column that tells it from the right one."""
    lattice, gold = lattice_and_gold()
    column = is_chunk(lattice)[None]
    free = fit_weights(lattice.lattice, column, gold, min_parts=1, prior=0.1)
    wrong = np.ones(lattice.lattice.edge_count, bool)
    wrong[gold] = False
    bound = fit_weights(lattice.lattice, column, gold, min_parts=1, prior=0.1, forbidden=wrong)
    assert abs(bound[0]) < 1e-6 < abs(free[0])
    assert marginals(lattice.lattice, np.where(wrong, -np.inf, 0.0)).edge[gold] == pytest.approx(1)
