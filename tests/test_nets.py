"""Nets, their batches, their training, and the weights."""

import itertools
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hybrid.alphabet import Alphabet
from hybrid.columns import column_names, compute_columns
from hybrid.decoding import marginals
from hybrid.errors import DataError
from hybrid.evidence import gather
from hybrid.features import FEATURES, node_features, segment_features
from hybrid.inference import LanguageModel, SegmentNets, Tagger, batches_of_one_length, pick_device
from hybrid.lattice import LONGEST_SEGMENT, build_lattice, one_length
from hybrid.networks import PART_END, WORD_END, CharLanguageModel, from_arrays, to_arrays
from hybrid.segmenter import Segmenter
from hybrid.training.inputs import segment_inputs
from hybrid.training.likelihood import marginals_of_one_length
from hybrid.training.weights import fit_weights
from hybrid.training.words import SplitWords
from lexicon import Lexicon, mine
from lexicon.mining import FINAL, INITIAL, MEDIAL, WHOLE
from tests.conftest import QUICK, TINY

WORDS = ["haustür", "ei", "a", "", "x" * (LONGEST_SEGMENT + 5), "autobahn", "bahnauto", "ßqß", "haustür"]
CPU = torch.device("cpu")
OLD = Path(__file__).parent / "data"


def evidence_of(segmenter: Segmenter, words: list[str]):
    return gather(words, segmenter.model.lexicon)


@pytest.fixture(scope="module")
def old() -> Segmenter:
    """A model of format 1, which has boundary nets."""
    return Segmenter.load(OLD / "model-v1")


@pytest.mark.parametrize("name", ["boundary", "boundary_lexicon"])
def test_taggers_give_the_same_for_any_batch_size(old: Segmenter, name: str) -> None:
    net, alphabet = old.model.taggers[name], old.model.alphabet
    check_batches(lambda batch, words: Tagger(net, alphabet, CPU, batch).boundary_scores(evidence_of(old, words)))


@pytest.mark.parametrize("name", ["segment", "segment_lexicon"])
def test_segment_nets_give_the_same_for_any_batch_size(segmenter: Segmenter, name: str) -> None:
    nets, alphabet = segmenter.model.segment_nets[name], segmenter.model.alphabet
    score = lambda batch, words: SegmentNets(nets, alphabet, CPU, batch).segment_scores(evidence_of(segmenter, words))  # noqa: E731
    check_batches(score)
    each = [SegmentNets((net,), alphabet, CPU).segment_scores(evidence_of(segmenter, WORDS)) for net in nets]
    np.testing.assert_allclose(score(512, WORDS), np.mean(each, axis=0), atol=1e-5)


def check_batches(score: Callable[[int, list[str]], np.ndarray]) -> None:
    together = score(512, WORDS)
    assert np.abs(together).max() > 0
    np.testing.assert_allclose(together, score(1, WORDS), atol=1e-4)
    np.testing.assert_allclose(together, np.concatenate([score(512, [word]) for word in WORDS]), atol=1e-4)


def test_a_segment_net_scores_an_edge_from_its_two_ends(segmenter: Segmenter) -> None:
    """The twin joins one segment at a time."""
    net, alphabet = segmenter.model.segment_nets["segment_lexicon"][0], segmenter.model.alphabet
    evidence = evidence_of(segmenter, ["haustür"])
    found = SegmentNets((net,), alphabet, CPU).segment_scores(evidence)
    features, segments = node_features(evidence)[1:], segment_features(evidence).astype(np.float32)
    with torch.inference_mode():
        states = net.read(torch.from_numpy(alphabet.encode(["haustür"]))[None], torch.from_numpy(features)[None])[0]
        for e in range(len(evidence.lattice.src)):
            src, dst = evidence.lattice.src[e], evidence.lattice.dst[e]
            begin = net.begin(states[src - 1]) if src else net.first
            joined = begin + net.end(states[dst - 1]) + net.segment(torch.from_numpy(segments[e]))
            expected = net.out(joined.clamp(min=0)) + (net.cut(states[dst - 1]) if dst < 7 else 0)
            assert found[e] == pytest.approx(float(expected), abs=1e-4)


def test_a_segment_net_learns_by_the_slope_of_the_likelihood(segmenter: Segmenter) -> None:
    """The loss and its gradient against torch's own, over all splits of a short word written out."""
    from threading import Event

    import hybrid.training.nets as module

    data = SplitWords(["abcd", "bcda"], [(2,), (1, 3)])
    inputs = segment_inputs(data, Lexicon.from_counts(mine(data.words, data.cuts)))
    caught: list = []
    original = module._fit
    try:
        module._fit = lambda net, loss, *_: caught.extend([net, loss])
        kind = module.NetKind(8, 1, (0.1, 0.1, 0.1))
        module.train_segment_net("", inputs, Alphabet.of(data.words), TINY, kind, 0, 2, CPU, Event())
    finally:
        module._fit = original
    net, loss = caught
    net.eval()
    loss(net, np.array([0, 1])).backward()
    found = {name: parameter.grad.clone() for name, parameter in net.named_parameters() if parameter.grad is not None}
    net.zero_grad()
    lattice = build_lattice(data.words)
    expected = 0.0
    for w, (word, inner) in enumerate(zip(data.words, data.cuts, strict=True)):
        edges = np.flatnonzero(lattice.word == w)
        src, dst = torch.from_numpy(lattice.src[edges]), torch.from_numpy(lattice.dst[edges])
        symbols = torch.from_numpy(Alphabet.of(data.words).encode([word]))[None]
        features = torch.from_numpy(inputs.features[4 * w : 4 * w + 4])[None]
        scores = net(symbols, features, torch.from_numpy(inputs.segments[edges]).float()[None], src, dst)[0]
        at = {(int(s), int(d)): i for i, (s, d) in enumerate(zip(src, dst, strict=True))}
        splits = [[0, *c, 4] for n in (1, 2, 3) for c in itertools.combinations((1, 2, 3), n)]
        totals = torch.stack([sum(scores[at[pair]] for pair in itertools.pairwise(split)) for split in splits])
        expected = expected + (totals.logsumexp(0) - totals[splits.index([0, *inner, 4])]) / 2
    expected.backward()
    assert float(loss(net, np.array([0, 1])).detach()) == pytest.approx(float(expected.detach()), abs=1e-4)
    for name, parameter in net.named_parameters():
        if name in found:
            np.testing.assert_allclose(found[name], parameter.grad, atol=1e-5, err_msg=name)


def test_language_model_scores_every_segment_as_if_it_stood_alone(segmenter: Segmenter) -> None:
    """The twin runs the net on each segment by itself and adds up what it reads."""
    net, alphabet = segmenter.model.language_model, segmenter.model.alphabet
    words = ["haustür", "ei", "", "ßqß"]
    lattice = build_lattice(words)
    evidence = evidence_of(segmenter, words)
    for batch in (1, 512):
        found = LanguageModel(net, alphabet, CPU, batch=batch).segment_scores(evidence)
        for e in range(len(lattice.src)):
            segment = words[lattice.word[e]][lattice.src[e] : lattice.dst[e]]
            symbols = torch.from_numpy(alphabet.encode([segment]))[None]
            with torch.inference_mode():
                log_p = net(torch.tensor([lattice.src[e] == 0]), symbols)[0]
            end = WORD_END if lattice.role[e] in (FINAL, WHOLE) else PART_END
            expected = sum(float(log_p[i, c]) for i, c in enumerate(symbols[0].tolist()))
            expected += float(log_p[len(segment), net.symbols + end])
            assert found[e] == pytest.approx(expected, abs=1e-4)


def test_language_model_is_a_distribution(segmenter: Segmenter) -> None:
    net = segmenter.model.language_model
    with torch.inference_mode():
        total = net(torch.tensor([True]), torch.tensor([[1, 2, 3]])).exp().sum(2)
    np.testing.assert_allclose(total, 1, atol=1e-5)


def test_longest_words_are_scored_too(segmenter: Segmenter) -> None:
    model = LanguageModel(segmenter.model.language_model, segmenter.model.alphabet, CPU)
    scores = model.segment_scores(evidence_of(segmenter, ["ab" * LONGEST_SEGMENT]))
    assert np.isfinite(scores).all()
    assert (scores < 0).all()


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 4))
def test_batches_hold_every_sequence_once_and_one_length(lengths: list[int], size: int) -> None:
    batches = list(batches_of_one_length(np.array(lengths, np.int64), size))
    assert sorted(i for batch in batches for i in batch) == [i for i, n in enumerate(lengths) if n]
    assert all(len(batch) <= size and len({lengths[i] for i in batch}) == 1 for batch in batches)


@given(st.lists(st.text(max_size=6), max_size=5), st.text(max_size=6))
def test_the_alphabet_knows_its_own_characters(known: list[str], asked: str) -> None:
    alphabet = Alphabet.of([w.encode("utf-8", "ignore").decode() for w in known], least=1)
    asked = asked.encode("utf-8", "ignore").decode()
    expected = [alphabet.characters.find(c) + 1 for c in asked]
    assert alphabet.encode([asked]).tolist() == expected


def test_features_against_a_loop_over_edges(segmenter: Segmenter, tiny_data: dict[str, list[int]]) -> None:
    words = [word.lower() for word in tiny_data]
    evidence = evidence_of(
        segmenter, [*words[:40], *(a + b for a, b in zip(words[:20], words[20:40], strict=True)), ""]
    )
    found = node_features(evidence)
    lattice = evidence.lattice
    nodes = lattice.lattice.node_ptr
    expected = np.zeros_like(found)
    expected[:, 2] = np.log1p(evidence.seen)
    expected[:, 7], expected[:, 8] = evidence.left_listed(), evidence.right_listed()
    for e in range(len(lattice.src)):
        begin, end = nodes[lattice.word[e]] + lattice.src[e], nodes[lattice.word[e]] + lattice.dst[e]
        count, cut = np.log1p(evidence.count[e]), np.log1p(evidence.cut_here[e])
        a_word = evidence.listed[e] or evidence.linked[e]
        for node, feature, value, role in [
            (begin, 0, count, FINAL), (end, 1, count, INITIAL), (end, 3, cut, INITIAL), (end, 5, count, MEDIAL),
            (begin, 6, count, MEDIAL), (end, 9, a_word, MEDIAL), (begin, 10, a_word, MEDIAL), (begin, 11, cut, MEDIAL),
        ]:  # fmt: skip
            if lattice.role[e] == role:
                expected[node, feature] = max(expected[node, feature], value)
    expected[:, 4] = np.log1p(np.maximum(evidence.seen - np.expm1(expected[:, 3]), 0))
    expected[:, 12:] = np.log1p(evidence.neighbours)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert found.shape[1] == len(FEATURES)
    assert found.any(axis=0).sum() >= 8


def test_one_seed_gives_the_same_model_and_another_does_not(tiny_data: dict[str, list[int]]) -> None:
    """Also when nets train side by side."""
    from dataclasses import replace

    few = dict(list(tiny_data.items())[::5])
    models = [Segmenter.train(few, config=replace(QUICK, seed=seed), device="cpu").model for seed in (3, 3, 4)]
    for name in ("segment-1", "segment_lexicon-1", "segment_lexicon-2"):
        same, again, other = (to_arrays(model.nets.made.by_name()[name]) for model in models)
        assert all(np.array_equal(same[key], again[key]) for key in same)
        assert not all(np.array_equal(same[key], other[key]) for key in same)
    one, two = (to_arrays(model.language_model) for model in models[:2])
    assert all(np.array_equal(one[key], two[key]) for key in one)
    assert models[0].weights == models[1].weights


def test_training_leaves_the_global_generator_and_thread_count_alone(tiny_data: dict[str, list[int]]) -> None:
    torch.manual_seed(5)
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    Segmenter.train(dict(list(tiny_data.items())[::5]), config=QUICK, device="cpu")
    assert torch.equal(before, torch.get_rng_state())
    assert torch.get_num_threads() == threads


def test_parameters_come_back_and_wrong_shapes_are_named() -> None:
    net = CharLanguageModel(5, hidden=4)
    arrays = to_arrays(net)
    again = from_arrays(CharLanguageModel, net.config, arrays)
    assert all(np.array_equal(arrays[k], v) for k, v in to_arrays(again).items())
    with pytest.raises(ValueError, match=r"out.bias has shape None, should be \(7,\)"):
        from_arrays(CharLanguageModel, net.config, {k: v for k, v in arrays.items() if k != "out.bias"})


def test_devices() -> None:
    assert pick_device("cpu").type == "cpu"
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        assert pick_device().type == "cpu"
    with pytest.raises(DataError, match="device 'warp' can't be used"):
        pick_device("warp")


def test_weights_are_where_the_likelihood_has_no_slope() -> None:
    """At the optimum: what the gold paths have of a column is what the model expects, but for the prior's pull."""
    rng = np.random.default_rng(1)
    lattice = build_lattice(["abcdef"] * 40)
    columns = rng.normal(size=(3, len(lattice.src))).astype(np.float32)
    truth = np.array([1.5, -1.0, 0.5]) @ columns
    gold = []
    for w in range(40):
        chosen = marginals_sample(lattice, truth, w, rng)
        gold += chosen
    weights = fit_weights(lattice.lattice, columns, np.array(gold), min_parts=2, prior=1e-3)
    expected = marginals(lattice.lattice, weights @ columns, min_parts=2).edge
    observed = np.bincount(gold, minlength=len(lattice.src))
    np.testing.assert_allclose(columns @ observed, columns @ expected, atol=0.05)
    assert np.sign(weights).tolist() == [1, -1, 1]


def marginals_sample(lattice, scores: np.ndarray, w: int, rng: np.random.Generator) -> list[int]:
    """Draw one path of word w by its probability."""
    from tests.naive import allowed_paths, total

    paths = allowed_paths(lattice.lattice, w, scores, 2)
    weight = np.exp([total(path, scores) for path in paths])
    return list(paths[rng.choice(len(paths), p=weight / weight.sum())])


def test_columns_have_names_and_hold_what_they_say(segmenter: Segmenter, old: Segmenter) -> None:
    assert column_names(segmenter.scorers) == list(segmenter.model.weights)
    evidence = evidence_of(old, ["haustür"])
    columns = dict(zip(column_names(old.scorers), compute_columns(old.scorers, evidence), strict=True))
    assert set(columns) == set(old.model.weights)
    role = evidence.lattice.role
    assert (columns["count"] == 1).all()
    for number, name in enumerate(("initial", "medial", "final", "whole")):
        inside = role == number
        np.testing.assert_allclose(columns[f"lexicon_{name}"], np.where(inside, np.log1p(evidence.count), 0))
        np.testing.assert_array_equal(columns[f"unknown_{name}"], inside & (evidence.count == 0))
    assert (columns["lm"] < 0).all()
    np.testing.assert_array_equal(columns["lm_unknown"], np.where(evidence.count > 0, 0, columns["lm"]))
    assert (columns["boundary"][(role == FINAL) | (role == WHOLE)] == 0).all()


@pytest.mark.parametrize("length", [2, 3, 9, LONGEST_SEGMENT + 3])
@pytest.mark.parametrize("min_parts", [1, 2])
def test_sums_over_words_of_one_length_are_those_of_the_decoder(length: int, min_parts: int) -> None:
    for words in (1, 5):
        lattice = one_length(length, words)[0]
        scores = np.random.default_rng(length).normal(scale=4, size=(words, lattice.edge_count // words))
        given = scores.copy()
        found, log_z = marginals_of_one_length(scores, length, min_parts=min_parts)
        expected = marginals(lattice, scores.ravel(), min_parts=min_parts)
        np.testing.assert_allclose(found.ravel(), expected.edge, atol=1e-9)
        np.testing.assert_allclose(log_z, expected.log_z)
        np.testing.assert_array_equal(scores, given)
