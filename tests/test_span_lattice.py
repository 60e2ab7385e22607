"""Labelled spans of words on the lattice: every way to cover a sentence, enumerated, against the decoder."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid.decoding import k_best, marginals, viterbi
from hybrid.errors import NoPathError
from hybrid.labelling.columns import COLUMNS, lexicon_scores, net_scores, span_columns
from hybrid.labelling.labels import LabelSet
from hybrid.labelling.lattice import SpanLattice, build_span_lattice, template
from hybrid.labelling.spans import covering, labels_of
from hybrid.lattice import build_lattice
from tests import naive
from tests.naive import LabelledSpan, covering_ranking, coverings

EXACT = [-math.inf, -1.0, -0.25, 0.0, 0.0, 0.25, 0.5, 2.0]
"""Multiples of 1/4: sums are exact and ties are true ties."""

Scored = tuple[SpanLattice, list[dict[LabelledSpan, float]], np.ndarray, np.ndarray]


def scored(lengths: list[int], longest: list[int], values: list[float], seed: int) -> Scored:
    """Return a lattice, each sentence's scores by span, scores by labels before and after, and scores of edges."""
    random = np.random.default_rng(seed)
    built = build_span_lattice(lengths, longest)
    changes = random.choice(values, (len(longest) + 1, len(longest) + 1))
    of_span: list[dict[LabelledSpan, float]] = [{} for _ in lengths]
    scores = np.full(built.lattice.edge_count, np.nan)
    for edge, start, end, label, b in zip(
        built.spans, built.start, built.end, built.label, built.sentence, strict=True
    ):
        first = int(built.first_word[b])
        span = (int(start) - first, int(end) - first, int(label))
        scores[edge] = of_span[b][span] = float(random.choice(values))
    scores[built.transitions] = changes[built.before, built.after]
    return built, of_span, changes, scores


def spans_of(built: SpanLattice, b: int, edges: tuple[int, ...]) -> tuple[LabelledSpan, ...]:
    """Return the spans along a path, read off the arrays."""
    spans = [s for s in built.span_of_edge[list(edges)].tolist() if s >= 0]
    first = built.first_word[b]
    return tuple((int(built.start[s] - first), int(built.end[s] - first), int(built.label[s])) for s in spans)


LENGTHS = st.lists(st.integers(1, 5), min_size=1, max_size=3)
LONGEST = st.lists(st.integers(1, 5), min_size=1, max_size=3)
SEEDS = st.integers(0, 2**32 - 1)


@given(LENGTHS, LONGEST, SEEDS, st.integers(1, 5))
@settings(max_examples=60, deadline=None)
def test_best_ways_to_cover_are_found_ties_and_forbidden_ones_included(
    lengths: list[int], longest: list[int], seed: int, k: int
) -> None:
    built, of_span, changes, scores = scored(lengths, longest, EXACT, seed)
    wanted = [covering_ranking(n, longest, s, changes) for n, s in zip(lengths, of_span, strict=True)]
    if not all(wanted):
        for decode in (viterbi, marginals, lambda *of: k_best(*of, k)):
            with pytest.raises(NoPathError):
                decode(built.lattice, scores)
        return
    best = viterbi(built.lattice, scores)
    assert [(spans_of(built, b, p.edges), p.score) for b, p in enumerate(best)] == [ways[0] for ways in wanted]
    for b, paths in enumerate(k_best(built.lattice, scores, k)):
        assert [(spans_of(built, b, path.edges), path.score) for path in paths] == wanted[b][:k]
        assert all(built.path(b, spans_of(built, b, path.edges)).tolist() == [*path.edges] for path in paths)


@given(LENGTHS, LONGEST, SEEDS, st.booleans())
@settings(max_examples=40, deadline=None)
def test_sums_and_probabilities_are_those_of_all_ways(
    lengths: list[int], longest: list[int], seed: int, forbid: bool
) -> None:
    values = [*np.random.default_rng(seed).normal(0, 2, 9).tolist(), *([-math.inf] if forbid else [])]
    built, of_span, changes, scores = scored(lengths, longest, values, seed)
    ways = [covering_ranking(n, longest, s, changes) for n, s in zip(lengths, of_span, strict=True)]
    if not all(ways):
        return
    found = marginals(built.lattice, scores)
    for b, of_sentence in enumerate(ways):
        log_z = math.log(sum(math.exp(score) for _, score in of_sentence))
        assert found.log_z[b] == pytest.approx(log_z, abs=1e-9)
        share = dict.fromkeys(of_span[b], 0.0)
        for spans, score in of_sentence:
            for span in spans:
                share[span] += math.exp(score - log_z)
        mine = np.flatnonzero(built.sentence == b)
        edges = built.spans[mine].tolist()
        told = {spans_of(built, b, (edge,))[0]: found.edge[edge] for edge in edges}
        assert told == pytest.approx(share, abs=1e-9)
        for word in range(lengths[b]):
            over = sum(p for (start, end, _), p in told.items() if start <= word < end)
            assert over == pytest.approx(1, abs=1e-9)  # exactly one span is over each word


def test_of_equals_the_last_span_of_the_lowest_label_wins_then_the_longest() -> None:
    built = build_span_lattice([3], [2, 3])
    paths = k_best(built.lattice, np.zeros(built.lattice.edge_count), 3)[0]
    assert [spans_of(built, 0, path.edges) for path in paths] == [
        ((0, 1, 0), (1, 3, 0)), ((0, 1, 1), (1, 3, 0)), ((0, 2, 0), (2, 3, 0)),
    ]  # fmt: skip


def searched_path(built: SpanLattice, b: int, spans: tuple[LabelledSpan, ...]) -> list[int]:
    """Return a path's edges, each looked for among all: by its labels, and by the nodes that it joins."""
    lattice, labels = built.lattice, len(built.longest)
    source, target, sequence = lattice.edge_src, lattice.edge_dst(), lattice.edge_word()
    path, node, before = [], 0, labels
    for start, end, label in (*spans, (0, 0, labels)):
        for edge, a, z in zip(built.transitions, built.before, built.after, strict=True):
            if (sequence[edge], source[edge], a, z) == (b, node, before, label):
                path.append(int(edge))
                node, before = int(target[edge]), label
                break
        for edge, s, t, of, at in zip(built.spans, built.start, built.end, built.label, built.sentence, strict=True):
            first = built.first_word[b]
            if (at, source[edge], s - first, t - first, of) == (b, node, start, end, label):
                path.append(int(edge))
                node = int(target[edge])
    return path


@pytest.mark.parametrize(("lengths", "longest"), [([1], [1]), ([3, 1, 2], [2, 1]), ([2, 4], [1, 3, 2])])
def test_paths_along_spans_are_those_that_a_search_finds(lengths: list[int], longest: list[int]) -> None:
    built = build_span_lattice(lengths, longest)
    for b, words in enumerate(lengths):
        for spans in [*coverings(words, longest)][:: max(1, words - 1) ** 2]:
            assert built.path(b, spans).tolist() == searched_path(built, b, spans)


@pytest.mark.parametrize(
    "spans",
    [[], [(0, 2, 0)], [(0, 1, 0), (2, 3, 0)], [(0, 2, 0), (1, 3, 0)], [(0, 3, 0)], [(0, 3, 2)], [(0, 3, -1)],
     [(0, 0, 0), (0, 3, 1)], [(1, 3, 0)], [(0, 4, 1)]],
)  # fmt: skip
def test_spans_that_are_no_path_are_told(spans: list[LabelledSpan]) -> None:
    built = build_span_lattice([2, 3], [2, 3])
    assert len(built.path(1, [(0, 3, 1)])) == 3
    with pytest.raises(ValueError, match=r"sentence 1 \(from 0\): .* is no path over 3 words"):
        built.path(1, spans)


@given(LENGTHS, LONGEST)
@settings(deadline=None)
def test_arrays_are_as_many_and_lie_as_a_lattice_promises(lengths: list[int], longest: list[int]) -> None:
    built, labels = build_span_lattice(lengths, longest), len(longest)
    lattice = built.lattice
    spans = [sum(min(end, most) for end in range(1, n + 1) for most in longest) for n in lengths]
    assert np.diff(lattice.node_ptr).tolist() == [2 * labels * n + 2 for n in lengths]
    per_sentence = np.bincount(lattice.edge_word(), minlength=len(lengths)).tolist()
    assert per_sentence == [s + 2 * labels + (n - 1) * labels**2 for n, s in zip(lengths, spans, strict=True)]
    assert np.bincount(built.sentence).tolist() == spans
    assert sorted([*built.spans, *built.transitions]) == [*range(lattice.edge_count)]
    assert (lattice.edge_src < lattice.edge_dst()).all()
    assert (lattice.edge_src >= 0).all()
    entered = np.diff(lattice.edge_ptr)
    assert lattice.edge_ptr[-1] == lattice.edge_count
    assert (entered == 0).nonzero()[0].tolist() == lattice.node_ptr[:-1].tolist()  # first nodes alone
    assert [lattice.node_ptr.dtype, lattice.edge_ptr.dtype, lattice.edge_src.dtype] == [np.int64, np.int64, np.int32]


@given(st.integers(1, 6), LONGEST)
@settings(deadline=None)
def test_a_batch_is_its_sentences_one_after_the_other(words: int, longest: list[int]) -> None:
    one, built = template(words, tuple(longest)), build_span_lattice([2, words], longest)
    spans = built.sentence == 1
    first = int(built.lattice.edge_ptr[built.lattice.node_ptr[1]])
    assert (built.lattice.edge_src[first:] == one.src).all()
    assert (np.diff(built.lattice.edge_ptr)[built.lattice.node_ptr[1] :] == one.into).all()
    assert (built.spans[spans] - first == one.spans).all()
    assert (built.start[spans] - 2 == one.start).all()
    assert (built.end[spans] - 2 == one.end).all()
    assert (built.label[spans] == one.label).all()
    assert (built.before[-len(one.before) :] == one.before).all()
    assert (built.after[-len(one.after) :] == one.after).all()


def test_no_sentence_is_a_lattice_too_and_what_is_none_is_told() -> None:
    empty = build_span_lattice([], [1])
    assert (len(empty.lattice), empty.lattice.edge_count, len(empty.spans)) == (0, 0, 0)
    assert viterbi(empty.lattice, np.zeros(0)) == []
    with pytest.raises(ValueError, match=r"sentence 1 \(from 0\) has no word"):
        build_span_lattice([2, 0, 1], [1])
    for longest in ([], [1, 0]):
        with pytest.raises(ValueError, match="1 or more for each label"):
            build_span_lattice([2], longest)


@given(st.lists(st.integers(1, 12), min_size=1, max_size=4), SEEDS)
@settings(max_examples=40, deadline=None)
def test_a_word_is_a_sentence_of_characters_with_one_label(lengths: list[int], seed: int) -> None:
    """The bridge: parts of words are spans with one label, and changes of label cost nothing."""
    random = np.random.default_rng(seed)
    word, sentence = build_lattice(["a" * n for n in lengths]), build_span_lattice(lengths, [12])
    score = {}
    for b, start, end in zip(word.word, word.src, word.dst, strict=True):
        score[b, start, end] = float(random.choice(EXACT[1:]))
    of_word = np.array([score[key] for key in zip(word.word, word.src, word.dst, strict=True)])
    where = sentence.first_word[sentence.sentence]
    keys = [*zip(sentence.sentence, sentence.start - where, sentence.end - where, strict=True)]
    assert sorted(keys) == sorted(score)
    of_sentence = np.zeros(sentence.lattice.edge_count)
    of_sentence[sentence.spans] = [score[key] for key in keys]

    def parts(b: int, edges: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(start, end) for start, end, _ in spans_of(sentence, b, edges)]

    ours = k_best(sentence.lattice, of_sentence, 3)
    for b, paths in enumerate(k_best(word.lattice, of_word, 3)):
        expected = [([(word.src[e], word.dst[e]) for e in path.edges], path.score) for path in paths]
        assert [(parts(b, path.edges), path.score) for path in ours[b]] == expected
    best = viterbi(sentence.lattice, of_sentence)
    for b, path in enumerate(viterbi(word.lattice, of_word)):
        assert parts(b, best[b].edges) == [(word.src[e], word.dst[e]) for e in path.edges]
    expected, found = marginals(word.lattice, of_word), marginals(sentence.lattice, of_sentence)
    np.testing.assert_allclose(found.log_z, expected.log_z, atol=1e-9)
    of_key = dict(zip(keys, found.edge[sentence.spans], strict=True))
    for key, probability in zip(zip(word.word, word.src, word.dst, strict=True), expected.edge, strict=True):
        assert of_key[key] == pytest.approx(probability, abs=1e-9)


def test_where_one_chunk_is_wanted_just_the_ways_with_one_are_allowed() -> None:
    labels = LabelSet.of([[(0, 2, "A"), (2, 3, None)], [(0, 1, "B")]], single=True)
    assert (labels.names, labels.longest, len(labels), labels.distinct) == ((None, "A", "B", None), (1, 2, 1, 1), 4, 3)
    assert labels.outside == [True, False, False, True]
    changes = np.where(labels.forbidden(), -math.inf, 0.0)
    for words in range(1, 5):
        ways = [*coverings(words, labels.longest)]
        free = {s for s in ways if naive.covering_total(s, dict.fromkeys(s, 0.0), changes) > -math.inf}
        plain = [[(s, t, labels.names[label]) for s, t, label in way] for way in ways]
        one = [spans for spans in plain if sum(label is not None for *_, label in spans) == 1]
        assert free == {tuple(labels.numbered(spans)) for spans in one}
        assert {tuple(labels.without_order(way)) for way in free} <= {*ways}
        assert all(label < labels.distinct for way in free for *_, label in labels.without_order(way))


def test_labels_are_numbered_and_read_back() -> None:
    spans = covering(["B-X", "I-X", "O", "I-A", "B-X", "O"])
    assert spans == [(0, 2, "X"), (2, 3, None), (3, 4, "A"), (4, 5, "X"), (5, 6, None)]
    assert labels_of(6, spans) == ["B-X", "I-X", "O", "B-A", "B-X", "O"]
    free = LabelSet.of([spans])
    assert (free.names, free.longest, free.distinct) == ((None, "A", "X"), (1, 1, 2), 3)
    assert free.numbered(spans) == [(0, 2, 2), (2, 3, 0), (3, 4, 1), (4, 5, 2), (5, 6, 0)]
    assert free.without_order(free.numbered(spans)) == free.numbered(spans)
    assert not free.forbidden().any()
    one = LabelSet.of([spans, spans[2:]], single=True)
    after = 3
    assert one.numbered(spans) == [(0, 2, 2), *((i, i + 1, after) for i in range(2, 6))]  # further ones taken back
    assert one.numbered(spans[1:2] + spans[2:])[:2] == [(0, 1, 0), (1, 2, 0)]
    with pytest.raises(ValueError, match="without a chunk"):
        one.numbered([(0, 1, None)])
    with pytest.raises(ValueError, match="no chunk"):
        LabelSet.of([[(0, 1, None)], []])


@given(LENGTHS, LONGEST, SEEDS)
@settings(max_examples=30, deadline=None)
def test_columns_say_of_each_edge_what_its_words_and_labels_are_worth(
    lengths: list[int], longest: list[int], seed: int
) -> None:
    random, labels = np.random.default_rng(seed), len(longest)
    built = build_span_lattice(lengths, longest)
    ratios = [random.normal(size=(n, 3, labels)) for n in lengths]
    tokens = random.normal(size=(sum(lengths), 3, labels)).astype(np.float32)
    changes = random.normal(size=(labels + 1, labels + 1)).astype(np.float32)
    columns = span_columns(built, ratios, tokens, changes, [label == 0 for label in range(labels)])
    assert columns.shape == (len(COLUMNS), built.lattice.edge_count)
    assert columns[3, built.transitions].tolist() == [
        changes[a, z] for a, z in zip(built.before, built.after, strict=True)
    ]
    assert not columns[:3, built.transitions].any()
    assert not columns[4, built.transitions].any()
    for i, edge in enumerate(built.spans.tolist()):
        b, label = int(built.sentence[i]), int(built.label[i])
        start, end = (int(of[i] - built.first_word[b]) for of in (built.start, built.end))
        prior = ratios[b][start, end - start - 1, label] if end - start <= 3 else 0
        mine = tokens[built.first_word[b] :][:, :, label]
        net = mine[start, 0] + mine[start + 1 : end, 1].sum() + mine[end - 1, 2]
        row = [prior, 0] if end - start == 1 else [0, prior]
        assert columns[:, edge].tolist() == pytest.approx([*row, net, 0, int(label > 0)], abs=1e-5)


def test_labels_before_and_after_a_chunk_have_one_prior() -> None:
    built = build_span_lattice([2], [1, 2, 1])
    ratios = [np.arange(4.0).reshape(2, 1, 2)]
    spans = [*zip(built.start.tolist(), built.end.tolist(), built.label.tolist(), strict=True)]
    assert dict(zip(spans, lexicon_scores(built, ratios), strict=True)) == {
        (0, 1, 0): 0, (0, 1, 1): 1, (0, 1, 2): 0, (1, 2, 0): 2, (1, 2, 1): 3, (1, 2, 2): 2, (0, 2, 1): 0,
    }  # fmt: skip
    assert net_scores(build_span_lattice([], [1]), np.zeros((0, 3, 1), np.float32)).shape == (0,)
