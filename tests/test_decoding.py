"""Kernels and decoding against the naive twins, compiled and as plain Python."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import decoding, kernels
from hybrid.decoding import k_best, marginals, viterbi
from hybrid.errors import NoPathError
from hybrid.lattice import Lattice, build_lattice
from tests import naive

KERNELS = ("viterbi", "k_best", "forward_backward", "trace")


@pytest.fixture(params=["compiled", "plain"], autouse=True, scope="module")
def both_ways(request: pytest.FixtureRequest) -> object:
    """Run every test of this file with numba's code and with the same functions as plain Python."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "plain":
            for name in KERNELS:
                patch.setattr(kernels, name, getattr(kernels, name).py_func)
        yield


@st.composite
def lattices(draw: st.DrawFn) -> tuple[Lattice, np.ndarray]:
    """Draw a few sequences of up to 6 nodes, edges at will (parallel ones too), scores with many ties and -inf."""
    node_ptr, edge_ptr, sources = [0], [0], []
    for _ in range(draw(st.integers(1, 3))):
        nodes = draw(st.integers(1, 6))
        for v in range(nodes):
            into = sorted(draw(st.lists(st.integers(0, v - 1), max_size=6))) if v else []
            sources += into
            edge_ptr.append(len(sources))
        node_ptr.append(node_ptr[-1] + nodes)
    # multiples of 1/4, so that sums are exact and ties are true ties
    values = st.sampled_from([-math.inf, -1.0, -0.25, 0.0, 0.0, 0.25, 0.5, 2.0])
    scores = np.array(draw(st.lists(values, min_size=len(sources), max_size=len(sources))), np.float64)
    return Lattice(np.array(node_ptr), np.array(edge_ptr), np.array(sources, np.int32)), scores


@given(lattices(), st.integers(1, 4), st.integers(1, 6))
@settings(max_examples=300, deadline=None)
def test_agrees_with_naive(drawn: tuple[Lattice, np.ndarray], min_parts: int, k: int) -> None:
    lattice, scores = drawn
    rankings = [naive.ranking(lattice, b, scores, min_parts) for b in range(len(lattice))]
    if not all(rankings):
        for decode in (lambda: viterbi(lattice, scores, min_parts=min_parts),
                       lambda: k_best(lattice, scores, k, min_parts=min_parts),
                       lambda: marginals(lattice, scores, min_parts=min_parts)):  # fmt: skip
            with pytest.raises(NoPathError):
                decode()
        return
    assert [path.edges for path in viterbi(lattice, scores, min_parts=min_parts)] == [r[0] for r in rankings]
    found = k_best(lattice, scores, k, min_parts=min_parts)
    assert [[path.edges for path in paths] for paths in found] == [r[:k] for r in rankings]
    for paths in found:
        assert all(path.score == naive.total(path.edges, scores) for path in paths)
    shares, logs = naive.marginals(lattice, scores, min_parts)
    result = marginals(lattice, scores, min_parts=min_parts)
    np.testing.assert_allclose(result.edge, shares, atol=1e-12)
    np.testing.assert_allclose(result.log_z, logs, atol=1e-12)


@given(st.integers(1, 10), st.integers(1, 3), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_words_of_up_to_ten_characters(length: int, min_parts: int, random: object) -> None:
    """All 2 ** (n - 1) segmentations of a word."""
    lattice = build_lattice(["a" * length]).lattice
    scores = np.random.default_rng(random.randrange(2**32)).normal(size=lattice.edge_count)
    paths = naive.ranking(lattice, 0, scores, min_parts)
    if min_parts == 1:
        assert len(paths) == 2 ** (length - 1)
    assert viterbi(lattice, scores, min_parts=min_parts)[0].edges == paths[0]
    assert [p.edges for p in k_best(lattice, scores, 5, min_parts=min_parts)[0]] == paths[:5]
    shares, _ = naive.marginals(lattice, scores, min_parts)
    np.testing.assert_allclose(marginals(lattice, scores, min_parts=min_parts).edge, shares, atol=1e-9)


def test_ties_prefer_the_longer_last_part() -> None:
    built = build_lattice(["abc"])
    path = viterbi(built.lattice, np.zeros(built.lattice.edge_count))[0]
    assert [(built.src[e], built.dst[e]) for e in path.edges] == [(0, 3)]
    path = viterbi(built.lattice, np.zeros(built.lattice.edge_count), min_parts=2)[0]
    assert [(built.src[e], built.dst[e]) for e in path.edges] == [(0, 1), (1, 3)]


def test_the_least_number_of_parts_stops_at_the_word_length() -> None:
    lattice = build_lattice(["ab", "", "a"]).lattice
    paths = viterbi(lattice, np.zeros(lattice.edge_count), min_parts=5)
    assert [len(path.edges) for path in paths] == [2, 0, 1]


def test_a_sequence_without_a_path_is_named() -> None:
    lattice = build_lattice(["ab", "a"]).lattice
    scores = np.zeros(lattice.edge_count)
    scores[-1] = -math.inf
    with pytest.raises(NoPathError, match="sequence 2 of 2"):
        viterbi(lattice, scores)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_scores_are_checked(bad: float) -> None:
    lattice = build_lattice(["ab"]).lattice
    with pytest.raises(ValueError, match="nan or"):
        viterbi(lattice, np.array([0, bad, 0]))
    with pytest.raises(ValueError, match=r"shape \(2,\), should be \(3,\)"):
        marginals(lattice, np.zeros(2))
    with pytest.raises(ValueError, match="k is 0"):
        k_best(lattice, np.zeros(3), 0)
    with pytest.raises(ValueError, match="min_parts is 0"):
        viterbi(lattice, np.zeros(3), min_parts=0)


def test_read_only_arrays_are_taken() -> None:
    lattice = build_lattice(["abc"]).lattice
    scores = np.zeros(lattice.edge_count)
    for array in (scores, lattice.node_ptr, lattice.edge_ptr, lattice.edge_src):
        array.setflags(write=False)
    assert len(decoding.viterbi(lattice, scores)) == 1
