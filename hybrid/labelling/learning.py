"""Learning a tagger: nets kept from a fold each, and the columns' weights from these folds."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.inference import pick_device
from hybrid.labelling.columns import COLUMNS, span_columns
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.eagerness import eagerness
from hybrid.labelling.inference import token_scores
from hybrid.labelling.labels import LabelSet, NumberedSpan
from hybrid.labelling.lattice import build_span_lattice
from hybrid.labelling.loop import add_words
from hybrid.labelling.networks import SpanNet
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.training import gold_edges, train_span_net
from hybrid.labelling.vectors import WordVectors
from hybrid.labelling.vocabulary import Vocabulary, lookup_form
from hybrid.training.weights import fit_weights
from lexicon.phrases import PhraseLexicon


@dataclass(frozen=True)
class Learnt:
    """What a tagger is made of.

    Attributes:
        nets: in evaluation mode, on `device`.
        vocabulary, lexicon: what nets and columns read.
        weights: (C,) of the columns.
        device: where the nets are.
    """

    nets: tuple[SpanNet, ...]
    vocabulary: Vocabulary
    lexicon: PhraseLexicon
    weights: NDArray[np.float64]
    device: torch.device


@dataclass(frozen=True)
class _Corpus:
    """Distinct sentences, their words' lookup forms, the spans that cover them, and the fold that each is in."""

    sentences: Sequence[Sentence]
    forms: Sequence[Sequence[str]]
    spans: Sequence[Sequence[NumberedSpan]]
    fold: Sequence[int]

    def some(self, places: Sequence[int]) -> "_Corpus":
        """Return those at some places."""
        return _Corpus(
            [self.sentences[k] for k in places],
            [self.forms[k] for k in places],
            [self.spans[k] for k in places],
            [self.fold[k] for k in places],
        )


def learn(
    sentences: Sequence[Sentence],
    spans: Sequence[Sequence[NumberedSpan]],
    labels: LabelSet,
    vectors: WordVectors | None,
    config: TaggerConfig,
    device: str | None,
) -> Learnt:
    """Train nets and fit weights.

    Each net is kept from a fold of its own. Of that fold's sentences it learns nothing (words that are there alone have
    the vectors that they began with), and the lexicon leaves each one out, so their columns are like those of new
    sentences; the weights are fitted on them.

    Args:
        sentences: distinct ones, each of one word or more.
        spans: of each, those that cover it.
        labels: of the lattice.
        vectors: what word vectors begin with; None: at random.
        config: sizes, rates, epochs, folds.
        device: torch device, None for the best there is.
    """
    where = pick_device(device)
    vocabulary = Vocabulary.of((s.words for s in sentences), least=config.least)
    forms = [lookup_forms(sentence) for sentence in sentences]
    lexicon = PhraseLexicon.mine(forms, [labels.without_order(s) for s in spans], labels.distinct)
    corpus = _Corpus(sentences, forms, spans, _folds(len(sentences), config))
    nets = tuple(_train(corpus, i, vocabulary, vectors, labels, config, where) for i in range(config.nets))
    if vectors:
        vocabulary = add_words([net.encoder for net in nets], vocabulary, vectors, config.vector_scale)
    learnt = Learnt(nets, vocabulary, lexicon, np.ones(len(COLUMNS)), where)
    return replace(learnt, weights=_weights(corpus, learnt, labels, config))


def lookup_forms(sentence: Sentence) -> list[str]:
    """Return how the lexicon knows the words of a sentence, without its context."""
    return [lookup_form(word) for word in sentence.words[sentence.context :]]


def _train(
    corpus: _Corpus,
    number: int,
    vocabulary: Vocabulary,
    vectors: WordVectors | None,
    labels: LabelSet,
    config: TaggerConfig,
    device: torch.device,
) -> SpanNet:
    """Train a net on all but the fold that has its number."""
    seed = config.seed + number
    some = corpus.some([k for k, fold in enumerate(corpus.fold) if fold != number])
    table = vectors.table(vocabulary.words, scale=config.vector_scale, seed=seed) if vectors else None
    return train_span_net(some.sentences, some.spans, vocabulary, table, labels, config, seed=seed, device=device)


def _folds(count: int, config: TaggerConfig) -> list[int]:
    """Return the fold of each sentence, drawn at random; with fewer sentences than folds, some are empty."""
    order = list(range(count))
    random.Random(config.seed).shuffle(order)
    fold = [0] * count
    for place, k in enumerate(order):
        fold[k] = place % config.folds
    return fold


def _weights(corpus: _Corpus, learnt: Learnt, labels: LabelSet, config: TaggerConfig) -> NDArray[np.float64]:
    """Return the weights under which the spans of sentences, each kept from the net that scores it, are likeliest."""
    kept = _kept(corpus, labels, config)
    parts = []
    for i, net in enumerate(learnt.nets):
        some = kept.some([k for k, fold in enumerate(kept.fold) if fold == i])
        if some.sentences:
            lattice = build_span_lattice([len(sentence) for sentence in some.sentences], labels.longest)
            ratios = [learnt.lexicon.log_ratios(words, labels.without_order(spans), times=1, strength=config.strength)
                      for words, spans in zip(some.forms, some.spans, strict=True)]  # fmt: skip
            scores = token_scores(net, learnt.vocabulary, some.sentences, learnt.device)
            changes = net.transitions.detach().cpu().numpy()
            parts.append(span_columns(lattice, ratios, np.concatenate(scores), changes, labels.outside))
    lattice = build_span_lattice([len(sentence) for sentence in kept.sentences], labels.longest)
    never = np.zeros(lattice.lattice.edge_count, bool)
    never[lattice.transitions] = labels.forbidden()[lattice.before, lattice.after]
    gold = gold_edges(lattice, kept.spans)
    columns = np.concatenate(parts, axis=1)
    weights = fit_weights(lattice.lattice, columns, gold, min_parts=1, prior=config.prior, forbidden=never)
    if not labels.single:
        weights[COLUMNS.index("chunk")] += eagerness(lattice, np.where(never, -np.inf, weights @ columns),
                                                      columns[COLUMNS.index("chunk")], gold, labels)  # fmt: skip
    return weights


def _kept(corpus: _Corpus, labels: LabelSet, config: TaggerConfig) -> _Corpus:
    """Return sentences that a net was kept from, by net, with no more edges than allowed."""
    places = [k for k, fold in enumerate(corpus.fold) if fold < config.nets]
    random.Random(config.seed + 1).shuffle(places)
    edges = np.cumsum([len(corpus.sentences[k]) * (len(labels) ** 2 + sum(labels.longest)) for k in places])
    few = places[: max(1, int(np.searchsorted(edges, config.weight_edges)))]
    return corpus.some(sorted(few, key=lambda k: corpus.fold[k]))
