"""The training loop of nets that score labelled spans: conditional log-likelihood of whole lattices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hybrid.decoding import marginals
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.inference import make_batch
from hybrid.labelling.labels import LabelSet, NumberedSpan
from hybrid.labelling.lattice import SpanLattice, build_span_lattice
from hybrid.labelling.loop import descend, prepare, seeded_weights
from hybrid.labelling.networks import ContextEncoder, SpanNet, TokenEncoder
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.vocabulary import Vocabulary
from hybrid.lattice import Lattice


class _LogPartition(torch.autograd.Function):
    """log Σ exp over all paths of all sentences; its gradient is the edges' posterior probability."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, lattice: Lattice) -> Tensor:
        """Map scores (E,) to a number."""
        sums = marginals(lattice, scores.detach().cpu().numpy())
        ctx.posterior = torch.from_numpy(sums.edge).to(scores)
        return scores.new_tensor(sums.log_z.sum())

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        """Return the gradient at the scores (E,)."""
        return ctx.posterior * gradient, None


def log_partition(scores: Tensor, lattice: Lattice) -> Tensor:
    """Return the sum over sentences of log Σ exp (score) over all their paths, from scores (E,)."""
    total: Tensor = _LogPartition.apply(scores, lattice)  # type: ignore[no-untyped-call]
    return total


def edge_scores(net: SpanNet, tokens: Tensor, lattice: SpanLattice, labels: LabelSet) -> Tensor:
    """Return (E,): scores of spans and of transitions, those forbidden −inf.

    Args:
        net: has the transitions.
        tokens: (B, L', 3, labels), what it gives for the lattice's sentences.
        lattice: of B sentences.
        labels: of it.
    """
    device, count = tokens.device, len(labels)
    lengths = np.diff(lattice.first_word)
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    word = np.arange(lattice.first_word[-1]) - lattice.first_word[sentence]
    flat = tokens[_index(sentence, device), _index(word, device)]  # (W, 3, labels)
    exact = flat.dtype if device.type == "mps" else torch.float64  # which MPS lacks
    inside = nn.functional.pad(flat[:, 1].to(exact).cumsum(0), (0, 0, 1, 0)).to(flat.dtype).reshape(-1)
    begin, end = flat[:, 0].reshape(-1), flat[:, 2].reshape(-1)

    def at(values: Tensor, words: NDArray[np.int64]) -> Tensor:
        return values.index_select(0, _index(words * count + lattice.label, device))

    spans = (
        at(begin, lattice.start) + at(end, lattice.end - 1) + at(inside, lattice.end) - at(inside, lattice.start + 1)
    )
    allowed = net.transitions.masked_fill(torch.from_numpy(labels.forbidden()).to(device), -torch.inf)
    changes = allowed.reshape(-1).index_select(0, _index(lattice.before * (count + 1) + lattice.after, device))
    scores = tokens.new_zeros(lattice.lattice.edge_count)
    return scores.index_copy(0, _index(lattice.spans, device), spans).index_copy(
        0, _index(lattice.transitions, device), changes
    )


def gold_edges(lattice: SpanLattice, spans: Sequence[Sequence[NumberedSpan]]) -> NDArray[np.int64]:
    """Return the edges of the paths along the spans that cover each sentence of a batch."""
    return np.concatenate([lattice.path(b, of_sentence) for b, of_sentence in enumerate(spans)])


def _index(array: NDArray[np.int64], device: torch.device) -> Tensor:
    return torch.from_numpy(array).to(device)


def train_span_net(
    sentences: Sequence[Sentence],
    spans: Sequence[Sequence[NumberedSpan]],
    vocabulary: Vocabulary,
    vectors: NDArray[np.float32] | None,
    labels: LabelSet,
    config: TaggerConfig,
    *,
    seed: int,
    device: torch.device,
) -> SpanNet:
    """Train a net on whole lattices, so that the gold paths are likely.

    It is a semi-Markov conditional random field (Sarawagi & Cohen 2004) over states of an LSTM (Kong et al. 2016).

    Args:
        sentences: what it learns from, each of one word or more.
        spans: of each, those that cover it.
        vocabulary: numbers of words and characters.
        vectors: (V + 1, embedding) float32, what word vectors begin with; None: at random.
        labels: of the lattice.
        config: sizes, rates and epochs.
        seed: for first weights, dropout and the order of batches.
        device: where to train.
    """
    net = _new_net(sentences, vocabulary, vectors, labels, config, seed).to(device)

    def loss_of(places: list[int]) -> Tensor:
        lattice = build_span_lattice([len(sentences[i]) for i in places], labels.longest)
        tokens = net(make_batch(vocabulary, [sentences[i] for i in places], device))
        scores = edge_scores(net, tokens, lattice, labels)
        gold = _index(gold_edges(lattice, [spans[i] for i in places]), device)
        return (log_partition(scores, lattice.lattice) - scores[gold].sum()) / len(places)

    descend(net, sentences, loss_of, config, seed=seed, name="spans")
    return net


def _new_net(
    sentences: Sequence[Sentence],
    vocabulary: Vocabulary,
    vectors: NDArray[np.float32] | None,
    labels: LabelSet,
    config: TaggerConfig,
    seed: int,
) -> SpanNet:
    features = sentences[0].features.shape[1]
    with seeded_weights(seed):
        encoder = TokenEncoder(
            len(vocabulary.words) + 1,
            len(vocabulary.characters) + 1,
            features,
            config.embedding,
            config.letter_embedding,
            config.letter_hidden,
            config.hidden,
            config.layers,
            config.dropout,
            config.unknown,
        )
        asked = features > 0  # features come with contexts, and all of a net's own sentences may have empty ones
        net = SpanNet(
            ContextEncoder(encoder, features, config.hidden, config.dropout[2]) if asked else encoder, len(labels)
        )
    prepare(net, encoder, vectors, seed)
    return net
