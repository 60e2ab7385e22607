"""Nets over words: gradients, padding, threads; numbers of words and characters; word vectors from plain text."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch

from hybrid.labelling import inference, training
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.inference import batches_of_like_length, make_batch, token_scores
from hybrid.labelling.labels import LabelSet
from hybrid.labelling.lattice import build_span_lattice
from hybrid.labelling.networks import BothWays, ContextEncoder, SpanNet, TokenEncoder
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.training import edge_scores, gold_edges, log_partition, train_span_net
from hybrid.labelling.vectors import WordVectors
from hybrid.labelling.vocabulary import LONGEST_WORD, UNKNOWN, Vocabulary, lookup_form, shape
from tests.naive import covering_total, coverings

CPU = torch.device("cpu")
WORDS = [["pak", "Andi", "ke", "Bandung"], ["hujan"], ["besok", "x" * 9, "2024"]]
VOCABULARY = Vocabulary.of(WORDS)
LABELS = LabelSet.of([[(0, 2, "A"), (2, 3, None)], [(0, 1, "B")]])
SINGLE = LabelSet.of([[(0, 2, "A")]], single=True)


def make_net(labels: LabelSet, features: int = 0, *, context: bool = False, layers: int = 1) -> SpanNet:
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(5)
        sizes = (len(VOCABULARY.words) + 1, len(VOCABULARY.characters) + 1, features, 4, 3, 3, 4, layers)
        encoder = TokenEncoder(*sizes)
        net = SpanNet(ContextEncoder(encoder, features, 4, 0.1) if context else encoder, len(labels)).eval()
        torch.nn.init.normal_(net.transitions)
    return net


def read(words: list[list[str]], context: int = 0, features: int = 0) -> list[Sentence]:
    """Return sentences whose first words are context, with numbers that each word alone decides."""
    values = [[[len(word) % (k + 2) for k in range(features)] for word in row] for row in words]
    return [
        Sentence(row, context, np.array(v, np.float32).reshape(len(row), features))
        for row, v in zip(words, values, strict=True)
    ]


@pytest.mark.parametrize("labels", [LABELS, SINGLE], ids=["free", "single"])
def test_the_partition_sum_and_its_gradient_are_right(labels: LabelSet) -> None:
    """Against every way to cover the sentences, and against finite differences."""
    lattice = build_span_lattice([3, 1], labels.longest)
    random = torch.Generator().manual_seed(2)
    tokens = torch.randn(2, 3, 3, len(labels), dtype=torch.float64, generator=random, requires_grad=True)
    changes = torch.randn((len(labels) + 1,) * 2, dtype=torch.float64, generator=random, requires_grad=True)

    def total(tokens: torch.Tensor, changes: torch.Tensor) -> torch.Tensor:
        return log_partition(
            edge_scores(SimpleNamespace(transitions=changes), tokens, lattice, labels), lattice.lattice
        )

    assert torch.autograd.gradcheck(total, (tokens, changes))
    allowed = changes.detach().masked_fill(torch.from_numpy(labels.forbidden()), -torch.inf).numpy()
    wanted = 0.0
    for b, words in enumerate((3, 1)):
        begin, inside, end = tokens[b].detach().numpy().transpose(1, 0, 2)
        ways = [*coverings(words, labels.longest)]
        score = {(s, t, k): begin[s, k] + inside[s + 1 : t, k].sum() + end[t - 1, k] for way in ways for s, t, k in way}
        wanted += np.logaddexp.reduce([covering_total(way, score, allowed) for way in ways])
    assert float(total(tokens, changes).detach()) == pytest.approx(wanted)


@pytest.mark.parametrize("context", [False, True])
def test_the_loss_falls_as_a_nets_gradient_says(context: bool) -> None:
    net = make_net(LABELS, 2, context=context, layers=2).double()
    sentences = read([["siapa", "?", *row] for row in WORDS], 2, 2) if context else read(WORDS, 0, 2)
    lattice = build_span_lattice([len(s) for s in sentences], LABELS.longest)
    gold = gold_edges(lattice, [[(0, 2, 1), (2, 3, 0), (3, 4, 2)], [(0, 1, 2)], [(0, 1, 0), (1, 3, 1)]])

    def loss() -> torch.Tensor:
        scores = edge_scores(net, net(make_batch(VOCABULARY, sentences, CPU)), lattice, LABELS)
        return log_partition(scores, lattice.lattice) - scores[torch.from_numpy(gold)].sum()

    loss().backward()
    parameters = [*net.parameters()]
    assert all(p.grad is not None and p.grad.any() for p in parameters)
    random, step = torch.Generator().manual_seed(1), 1e-5
    way = [torch.randn(p.shape, dtype=torch.float64, generator=random) for p in parameters]
    slope = sum(float((p.grad * w).sum()) for p, w in zip(parameters, way, strict=True))
    losses = []
    with torch.no_grad():
        for size in (step, -2 * step):
            for parameter, direction in zip(parameters, way, strict=True):
                parameter.add_(direction, alpha=size)
            losses.append(float(loss()))
    assert (losses[0] - losses[1]) / (2 * step) == pytest.approx(slope, rel=1e-5)


@pytest.mark.parametrize("context", [0, 1])
def test_what_a_sentence_is_filled_up_with_changes_nothing(context: int) -> None:
    net = make_net(LABELS, 2, context=bool(context), layers=2)
    sentences = read([["siapa", *row] for row in WORDS] if context else WORDS, context, 2)
    if context:
        sentences += read(WORDS[:1], 0, 2)  # one whose context is empty, among others
    with torch.inference_mode():
        together = net(make_batch(VOCABULARY, sentences, CPU))
        for row, sentence in zip(together, sentences, strict=True):
            alone = net(make_batch(VOCABULARY, [sentence], CPU))[0]
            assert alone.shape == (len(sentence), 3, len(LABELS))
            torch.testing.assert_close(row[: len(sentence)], alone, atol=1e-5, rtol=1e-5)
    assert torch.isfinite(together).all()


def test_both_ways_are_what_packing_would_give() -> None:
    layer, lengths = BothWays(3, 4), torch.tensor([4, 1, 3])
    x = torch.randn(3, 4, 3, generator=torch.Generator().manual_seed(1))
    other = torch.nn.LSTM(3, 4, batch_first=True, bidirectional=True)
    for name, values in layer.forwards.state_dict().items():
        other.state_dict()[name].copy_(values)
        other.state_dict()[f"{name}_reverse"].copy_(layer.backwards.state_dict()[name])
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    states, (ends, _) = other(packed)
    wanted = torch.nn.utils.rnn.pad_packed_sequence(states, batch_first=True)[0]
    found, last = layer(x, lengths)
    for i, n in enumerate(lengths.tolist()):
        torch.testing.assert_close(found[i, :n], wanted[i, :n])
    torch.testing.assert_close(last, ends.transpose(0, 1).flatten(1))


def test_one_thread_of_torch_is_used_and_others_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before, used = torch.get_num_threads(), []

    def watched(*arguments: object) -> object:
        used.append(torch.get_num_threads())
        return make_batch(*arguments)

    for module in (training, inference):
        monkeypatch.setattr(module, "make_batch", watched)
    torch.set_num_threads(2)
    try:
        config = TaggerConfig(epochs=1, embedding=4, hidden=4, letter_hidden=4, letter_embedding=4)
        spans = [[(0, 1, 0), (1, 2, 1), (2, 4, 1)], [(0, 1, 2)], [(0, 1, 0), (1, 3, 1)]]
        state = torch.random.get_rng_state()
        net = train_span_net(read(WORDS), spans, VOCABULARY, None, LABELS, config, seed=1, device=CPU)
        found = token_scores(net, VOCABULARY, read(WORDS), CPU)
        WordVectors.learn(CORPUS, size=4)
        assert torch.get_num_threads() == 2
        assert torch.equal(torch.random.get_rng_state(), state)
    finally:
        torch.set_num_threads(before)
    assert [scores.shape for scores in found] == [(len(row), 3, 3) for row in WORDS]
    assert token_scores(net, VOCABULARY, [], CPU) == []
    assert used == [1, 1]


def test_batches_hold_each_sentence_once_the_shortest_first() -> None:
    sentences = read([["a"] * n for n in (3, 1, 2, 5, 1)])
    assert [*batches_of_like_length(sentences, 2)] == [[1, 4], [2, 0], [3]]


def test_words_have_a_form_and_a_shape() -> None:
    words = ["Kota", "2024", "a\tb", "\0", "\ud800", "", "a b", "IBM"]
    assert [lookup_form(w) for w in words] == ["kota", "0000", "a\ufffdb", "\ufffd", "\ufffd", "", "a b", "ibm"]
    shapes = {"kota": 1, "Kota": 2, "A": 2, "IBM": 3, "12": 4, "...": 5, "a1": 6, "kE": 7, "a b": 7, "": 0, " ": 0}
    assert {word: shape(word) for word in shapes} == shapes


def test_words_and_characters_have_numbers() -> None:
    found = Vocabulary.of([["Aku", "aku", "dia"], ["aku"]], least=2)
    assert found.words == {"aku": 1}
    assert found.characters == {"a": 1, "k": 2, "u": 3}  # d, i and A are there but once
    assert found.word_numbers(["AKU", "dia", ""]).tolist() == [1, UNKNOWN, UNKNOWN]
    more = found.with_words(["ia", "aku", "kita"])
    assert more.words == {"aku": 1, "ia": 2, "kita": 3}
    table, lengths = found.character_numbers(["aku", "", "?" + "u" * 40 + "k"])
    assert lengths.tolist() == [3, 1, LONGEST_WORD]
    assert table[0, :4].tolist() == [1, 2, 3, 0]
    assert not table[1].any()
    assert table[2].tolist() == [UNKNOWN, *[3] * (LONGEST_WORD - 2), 2]


CORPUS = [
    [subject, verb, thing]
    for subject in ("andi", "budi", "citra")
    for verb, things in (("makan", ("nasi", "roti", "ikan")), ("naik", ("mobil", "bus", "kereta")))
    for thing in things
]
FOODS, CARS = ["nasi", "roti", "ikan"], ["mobil", "bus", "kereta"]


def test_words_used_alike_have_near_vectors() -> None:
    found = WordVectors.learn(CORPUS, size=6)
    unit = found.vectors / np.linalg.norm(found.vectors, axis=1, keepdims=True)
    near = unit @ unit.T

    def mean(some: list[str], others: list[str]) -> float:
        return float(np.mean([near[found.words[a], found.words[b]] for a in some for b in others if a != b]))

    assert found.vectors.shape == (len(found.words), 6)
    assert min(mean(FOODS, FOODS), mean(CARS, CARS)) > mean(FOODS, CARS) + 0.5
    assert abs(found.vectors.mean()) < 1e-5
    assert found.vectors.std() == pytest.approx(1, abs=1e-5)


def test_vectors_are_the_same_with_the_same_seed_whatever_torch_drew_before() -> None:
    torch.manual_seed(1)
    one = WordVectors.learn(CORPUS, size=4, seed=2)
    drawn = torch.rand(3)
    torch.manual_seed(7)
    other = WordVectors.learn([*CORPUS, *CORPUS[:5]], size=4, seed=2)  # repeated texts count once
    assert other.words == one.words
    np.testing.assert_array_equal(other.vectors, one.vectors)
    torch.manual_seed(1)
    assert torch.equal(torch.rand(3), drawn)


def test_a_table_has_vectors_where_words_have_one() -> None:
    vectors = WordVectors.learn(CORPUS, size=3)
    table = vectors.table({"nasi": 1, "baru": 2}, scale=0.5, seed=1)
    assert table.shape == (3, 3)
    assert not table[0].any()
    np.testing.assert_allclose(table[1], 0.5 * vectors.vectors[vectors.words["nasi"]], rtol=1e-6)
    assert table[2].any()
    assert not np.array_equal(table[2], vectors.table({"nasi": 1, "baru": 2}, scale=0.5, seed=2)[2])
    assert len(vectors.table({}, scale=1, seed=0)) == 1


@pytest.mark.parametrize(
    ("texts", "options", "told"),
    [([], {}, "^0 words occur 2 times or more"), ([["a", "b"]], {}, "^0 words occur 2 times"),
     ([["a"], ["b"]], {"least": 1}, "no two words stand near each other"), (CORPUS, {"size": 0}, "^size is 0"),
     ([["a"], "a b"], {}, r"^text 1 \(from 0\) is 'a b'; a list of words is right")],
)  # fmt: skip
def test_texts_without_anything_to_learn_are_told(texts: list[list[str]], options: dict[str, int], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        WordVectors.learn(texts, **options)
