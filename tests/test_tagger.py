"""SpanTagger: what it learns, what its probabilities are, and what it makes of odd sentences and wrong input."""

import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import torch

from hybrid.decoding import marginals
from hybrid.errors import DataError
from hybrid.labelling import learning
from hybrid.labelling import tagger as tagger_module
from hybrid.labelling.columns import span_columns
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.inference import token_scores
from hybrid.labelling.lattice import build_span_lattice
from hybrid.labelling.learning import lookup_forms
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.tagger import FoundSpan, SpanTagger
from hybrid.labelling.vectors import WordVectors
from hybrid.metrics import chunk_f1
from lexicon.phrases import PhraseLexicon
from tests.labelled import FEW, ODD, SEEN, SMALL, TINY, TRAIN, UNSEEN, sentences


@pytest.fixture(scope="module")
def tagger() -> SpanTagger:
    return SpanTagger.learn(*TRAIN, config=TINY, device="cpu")


def test_names_after_a_trigger_are_learnt_and_new_ones_known_by_their_capitals(tagger: SpanTagger) -> None:
    words, labels = sentences(40, UNSEEN, 2)
    assert chunk_f1(labels, tagger.tag(words)).macro > 0.95
    labels_of_word = {w: label for pair in zip(*TRAIN, strict=True) for w, label in zip(*pair, strict=True)}
    baseline = [[labels_of_word.get(word, "O") for word in row] for row in words]
    assert chunk_f1(labels, baseline).macro < 0.5
    assert set(tagger.weights) == {"lexicon word", "lexicon phrase", "net", "transition", "chunk"}
    assert tagger.weights["net"] > 0


def test_a_span_is_as_probable_as_its_edge_and_no_word_has_more_than_one(tagger: SpanTagger) -> None:
    words = sentences(12, UNSEEN, 3)[0]
    read = [Sentence(row, 0, np.zeros((len(row), 0), np.float32)) for row in words]
    lattice = build_span_lattice([len(row) for row in words], tagger.labels.longest)
    learnt = tagger.learnt
    cpu = torch.device("cpu")
    scores = [np.concatenate(token_scores(net, learnt.vocabulary, read, cpu)) for net in learnt.nets]
    columns = span_columns(
        lattice, [learnt.lexicon.log_ratios(lookup_forms(s)) for s in read], np.mean(scores, axis=0),
        np.mean([net.transitions.detach().numpy() for net in learnt.nets], axis=0), tagger.labels.outside,
    )  # fmt: skip
    edges = marginals(lattice.lattice, learnt.weights @ columns).edge[lattice.spans]
    where = lattice.first_word[lattice.sentence]
    keys = zip(lattice.sentence, lattice.start - where, lattice.end - where, lattice.label, strict=True)
    probability = dict(zip(keys, edges, strict=True))
    over = np.zeros((int(lattice.first_word[-1]), len(tagger.labels)))
    for start, end, label, p in zip(lattice.start, lattice.end, lattice.label, edges, strict=True):
        over[start:end, label] += p
    assert (over <= 1 + 1e-9).all()
    np.testing.assert_allclose(over.sum(axis=1), 1, atol=1e-9)
    for b, spans in enumerate(tagger.spans(words)):
        for span in spans:
            label = tagger.labels.names.index(span.label)
            assert 0 <= span.probability <= 1
            assert span.probability == pytest.approx(probability[b, span.start, span.end, label], abs=1e-5)


def test_order_and_size_of_batches_change_nothing(tagger: SpanTagger, monkeypatch: pytest.MonkeyPatch) -> None:
    words = sentences(30, [*UNSEEN, *SEEN], 4)[0]
    expected = tagger.spans(words)
    ways = [tagger.spans(words[::-1])[::-1], [tagger.spans([row])[0] for row in words]]
    for name, size in (("BATCH", 7), ("EDGES", 300), ("EDGES", 1)):
        monkeypatch.setattr(tagger_module, name, size)
        ways.append(tagger.spans(words))
    for found in ways:
        for a, b in zip(itertools.chain(*found), itertools.chain(*expected), strict=True):
            assert (a.start, a.end, a.label) == (b.start, b.end, b.label)
            assert a.probability == pytest.approx(b.probability, abs=1e-4)


def test_the_same_seed_learns_the_same_and_another_one_something_else() -> None:
    torch.manual_seed(1)
    one = SpanTagger.learn(*FEW, config=SMALL, device="cpu")
    before = torch.random.get_rng_state()
    torch.manual_seed(2)
    assert SpanTagger.learn(*FEW, config=SMALL, device="cpu").spans(FEW[0]) == one.spans(FEW[0])
    torch.manual_seed(1)
    assert torch.equal(torch.random.get_rng_state(), before)  # learning took none of the caller's random numbers
    other = SpanTagger.learn(*FEW, config=replace(SMALL, seed=3), device="cpu")
    assert other.weights != one.weights


def test_repeated_sentences_and_such_without_words_are_passed_over() -> None:
    one = SpanTagger.learn(*FEW, config=SMALL, device="cpu")
    more = SpanTagger.learn([*FEW[0], [], FEW[0][0]], [*FEW[1], [], FEW[1][0]], config=SMALL, device="cpu")
    assert more.weights == one.weights


def test_odd_sentences_get_a_label_a_word(tagger: SpanTagger) -> None:
    found = tagger.tag(ODD)
    assert [len(row) for row in found] == [len(row) for row in ODD] == [0, 1, 8, 8, 1, 0, 302]
    assert found[-1][-1] == "B-PER"
    assert found[-1][:-2] == ["O"] * 300
    assert tagger.tag([]) == []
    assert tagger.spans([[], []]) == [[], []]
    assert tagger.tag([tuple(ODD[-1])])[0] == found[-1]


def test_odd_sentences_can_be_learnt_from() -> None:
    odd = [row for row in ODD if 1 < len(row) < 10]
    labels = [["B-PER", *["O"] * (len(row) - 1)] for row in odd]
    found = SpanTagger.learn([*FEW[0], *odd], [*FEW[1], *labels], config=SMALL, device="cpu")
    assert [len(row) for row in found.tag(ODD)] == [len(row) for row in ODD]


@pytest.mark.parametrize("epochs", [1, 5])
def test_two_sentences_and_few_steps_are_enough(epochs: int) -> None:
    found = SpanTagger.learn(
        [["pak", "Andi"], ["hujan"]], [["O", "B"], ["O"]], config=replace(SMALL, epochs=epochs), device="cpu"
    )
    assert [len(row) for row in found.tag([["pak"], ["Andi", "Budi"]])] == [1, 2]
    assert {span.label for row in found.spans([["pak", "Andi"]]) for span in row} <= {""}


def test_it_is_pickled_and_asked_from_several_threads(tagger: SpanTagger) -> None:
    words = sentences(8, UNSEEN, 5)[0]
    expected = tagger.spans(words)
    threads = torch.get_num_threads()
    assert pickle.loads(pickle.dumps(tagger)).spans(words) == expected
    with ThreadPoolExecutor(3) as pool:
        assert [*pool.map(tagger.spans, [words] * 6)] == [expected] * 6
    assert torch.get_num_threads() == threads


GOOD = [["pak", "Andi"], ["hujan"]]


@pytest.mark.parametrize(
    ("words", "labels", "told"),
    [
        (GOOD, [["O", "B"]], "2 sentences and 1 lists of labels"),
        (GOOD, [["O", "B"], ["O", "O"]], r"sentence 1 \(from 0\): 1 words and 2 labels"),
        (GOOD, [["O", "O"], ["O"]], "no chunk to learn from"),
        ([GOOD[0], GOOD[0]], [["O", "B"], ["O", "B"]], "1 different sentences"),
        ([], [], "0 different sentences"),
        ([[], *GOOD], [[], ["O", "X-PER"], ["O"]], r"sentence 1 \(from 0\), word 1 \(from 0\): 'X-PER' is no"),
        (["pak", ["hujan"]], [["O", "O", "B"], ["O"]], r"sentence 0 \(from 0\) is 'pak'; a list of strings is right"),
        (GOOD, ["OB", "O"], r"labels of sentence 0 \(from 0\) is 'OB'; a list"),
        ([["pak", None], ["hujan"]], [["O", "B"], ["O"]], r"sentence 0 \(from 0\), word 1 \(from 0\): None; a string"),
        ([None, ["hujan"]], [["O", "B"], ["O"]], r"sentence 0 \(from 0\) is None"),
    ],
)  # fmt: skip
def test_what_is_no_labelled_sentence_is_told(words: list, labels: list, told: str) -> None:
    with pytest.raises(ValueError, match=f"^{told}"):
        SpanTagger.learn(words, labels, config=SMALL)


def test_devices_and_vectors_that_do_not_fit_are_told(tagger: SpanTagger) -> None:
    with pytest.raises(DataError, match="device 'abacus' can't be used"):
        SpanTagger.learn(*FEW, config=SMALL, device="abacus")
    vectors = WordVectors.learn(TRAIN[0], size=5, least=1)
    with pytest.raises(ValueError, match="word vectors have 5 numbers each, embedding is 12; as many are right"):
        SpanTagger.learn(*FEW, vectors=vectors, config=SMALL)
    with pytest.raises(ValueError, match="'pak'; a list of strings is right"):
        tagger.tag(["pak"])


def test_words_that_were_in_plain_text_alone_have_vectors() -> None:
    plain = [*TRAIN[0], *([*row[:-1], "durian"] for row in TRAIN[0])]
    vectors = WordVectors.learn(plain, size=12, least=1)
    found = SpanTagger.learn(*FEW, vectors=vectors, config=SMALL, device="cpu")
    number = found.learnt.vocabulary.words["durian"]
    assert "durian" not in {word for row in FEW[0] for word in row}
    for net in found.learnt.nets:
        np.testing.assert_array_equal(
            net.encoder.words.weight[number].detach().numpy(),
            np.float32(SMALL.vector_scale) * vectors.vectors[vectors.words["durian"]],
        )
    assert len(found.tag([["ke", "durian"]])[0]) == 2


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"nets": 0}, "nets is 0, should be 1 or more"), ({"folds": 3}, "folds is 3, should be more than nets"),
     ({"dropout": (0.0, 1.0, 0.0)}, "rates of dropout"), ({"unknown": -0.1}, "unknown words"),
     ({"strength": 0.0}, "strength is 0.0, should be more than 0"), ({"rate": float("nan")}, "rate is nan")],
)  # fmt: skip
def test_configurations_that_cannot_be_trained_with_are_told(wrong: dict, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        TaggerConfig(**wrong)


def test_weights_are_fitted_on_sentences_that_neither_net_nor_lexicon_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    taught, asked, ratios = [], [], []
    train, score, real = learning.train_span_net, learning.token_scores, PhraseLexicon.log_ratios

    def teach(some: list[Sentence], *others: object, **options: object) -> object:
        taught.append((train(some, *others, **options), {tuple(sentence.words) for sentence in some}))
        return taught[-1][0]

    def ask(net: object, vocabulary: object, some: list[Sentence], device: object) -> object:
        asked.append((net, {tuple(sentence.words) for sentence in some}))
        return score(net, vocabulary, some, device)

    def look_up(self: PhraseLexicon, words: list[str], own: object = (), **options: float) -> np.ndarray:
        ratios.append((own, options["times"]))
        return real(self, words, own, **options)

    monkeypatch.setattr(learning, "train_span_net", teach)
    monkeypatch.setattr(learning, "token_scores", ask)
    monkeypatch.setattr(PhraseLexicon, "log_ratios", look_up)
    SpanTagger.learn(*FEW, config=replace(SMALL, nets=2), device="cpu")
    everything = {tuple(row) for row in FEW[0]}
    assert len(taught) == len(asked) == 2
    for (net, seen), (other, kept) in zip(taught, asked, strict=True):
        assert net is other
        assert kept == everything - seen
        assert kept
    assert len(ratios) == sum(len(kept) for _, kept in asked)
    assert all(own and times == 1 for own, times in ratios)


def test_a_tagger_is_shown_in_short_and_what_it_finds_is_a_value(tagger: SpanTagger) -> None:
    assert len(repr(tagger)) < 800
    assert {tagger: 1}[tagger] == 1
    assert FoundSpan(0, 1, "PER", 0.5) == FoundSpan(0, 1, "PER", 0.5)
    with pytest.raises(AttributeError):
        FoundSpan(0, 1, "PER", 0.5).label = "LOC"  # type: ignore[misc]
