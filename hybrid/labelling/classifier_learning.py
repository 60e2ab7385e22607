"""Learning a text classifier: linear models and nets kept from a fold each, and the columns' weights from these."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.inference import pick_device
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.combining import Combination
from hybrid.labelling.linear import LinearModel, NgramRows
from hybrid.labelling.loop import add_words
from hybrid.labelling.pooling import TextNet
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.training_texts import as_sentences, text_scores, train_text_net
from hybrid.labelling.vectors import WordVectors
from hybrid.labelling.vocabulary import Vocabulary, as_key
from lexicon.ngrams import NgramLexicon, character_ngrams, word_ngrams

Texts = Sequence[Sequence[str]]

COLUMNS = ("ngram_lexicon", "linear", "net")


def ngrams(words: Sequence[str], config: ClassifierConfig) -> list[str]:
    """Return the keys of a text's n-grams of words and of characters."""
    lower = [as_key(word.lower()) for word in words]
    return [*word_ngrams(lower, config.words), *character_ngrams(lower, config.shortest, config.longest)]


@dataclass(frozen=True)
class Learnt:
    """What a classifier is made of.

    Attributes:
        lexicon: n-grams of words and characters.
        rarity: (G,) of each.
        linear: the mean of those that were each kept from a fold.
        nets: in evaluation mode, on `device`; none where the configuration has no epochs.
        vocabulary: what nets read.
        combination: weights of `COLUMNS`.
        device: where the nets are.
    """

    lexicon: NgramLexicon
    rarity: NDArray[np.float64]
    linear: LinearModel
    nets: tuple[TextNet, ...]
    vocabulary: Vocabulary
    combination: Combination
    device: torch.device

    def columns(self, texts: Texts, config: ClassifierConfig) -> NDArray[np.float32]:
        """Return (C, N, A, L) of texts that were not learnt from."""
        numbers = [self.lexicon.numbers(ngrams(words, config)) for words in texts]
        prior = np.stack([_evidence(self.lexicon.log_ratios(n, strength=config.strength)) for n in numbers])
        columns: list[NDArray[Any]] = [prior, self.linear.scores(NgramRows.of(numbers, self.rarity))]
        if self.nets:
            read = as_sentences(texts, config.longest_text)
            columns.append(np.mean([text_scores(n, self.vocabulary, read, self.device) for n in self.nets], axis=0))
        return np.stack(columns).astype(np.float32)


@dataclass(frozen=True)
class _Corpus:
    """Texts as lexicon, linear model and nets read them; `folds` (R, N) the fold of each, cut R times."""

    lexicon: NgramLexicon
    numbers: Sequence[NDArray[np.int64]]
    rarity: NDArray[np.float64]
    sentences: Sequence[Sentence]
    labels: NDArray[np.int64]
    folds: NDArray[np.int64]

    @classmethod
    def of(cls, texts: Texts, labels: NDArray[np.int64], count: int, config: ClassifierConfig) -> "_Corpus":
        keys = [ngrams(words, config) for words in texts]
        lexicon = NgramLexicon.mine(keys, labels, count, least=config.least)
        numbers = [lexicon.numbers(of_text) for of_text in keys]
        seen = np.bincount(np.concatenate(numbers), minlength=len(lexicon))
        rarity = np.log((1 + len(texts)) / (1 + seen)) + 1
        random = np.random.default_rng(config.seed)
        folds = np.stack([random.permutation(np.arange(len(texts)) % config.folds) for _ in range(config.repeats)])
        return cls(lexicon, numbers, rarity, as_sentences(texts, config.longest_text), labels, folds)

    def cuts(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the places of a fold, and those of all other texts."""
        for fold in self.folds:
            for number in range(int(fold.max()) + 1):
                yield np.flatnonzero(fold == number), np.flatnonzero(fold != number)


def learn(
    texts: Texts,
    labels: NDArray[np.int64],
    count: int,
    vectors: WordVectors | None,
    config: ClassifierConfig,
    device: str | None,
) -> Learnt:
    """Train linear models and nets without a fold each, and fit the columns' weights on these folds.

    Args:
        texts: N, words of each; as many as folds or more.
        labels: (N, A), −1 where a text has none to learn.
        count: L.
        vectors: what the nets' word vectors begin with; None: at random.
        config: sizes, rates, epochs, folds.
        device: torch device, None for the best there is.
    """
    where = pick_device(device)
    corpus = _Corpus.of(texts, labels, count, config)
    prior = [_evidence(corpus.lexicon.log_ratios(numbers, row, strength=config.strength))
             for numbers, row in zip(corpus.numbers, labels, strict=True)]  # fmt: skip
    linear, of_linear = _linear(corpus, config)
    columns: list[NDArray[Any]] = [np.stack(prior), of_linear]
    vocabulary, nets = Vocabulary.of(texts), tuple[TextNet, ...]()
    if config.epochs:
        nets, of_nets = _nets(corpus, vocabulary, vectors, config, where)
        columns.append(of_nets)
    if vectors and nets:
        vocabulary = add_words([net.encoder for net in nets], vocabulary, vectors, config.vector_scale)
    combination = Combination.fit(np.stack(columns).astype(np.float32), labels, prior=config.prior)
    return Learnt(corpus.lexicon, corpus.rarity, linear, nets, vocabulary, combination, where)


def _evidence(ratios: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (A, L): a text's log-count ratios (A, K, L) together; n-grams overlap, so their sum grows too fast."""
    return np.asarray(ratios.sum(axis=1) / np.sqrt(max(1, ratios.shape[1])))


def _linear(corpus: _Corpus, config: ClassifierConfig) -> tuple[LinearModel, NDArray[np.float32]]:
    """Return the mean of the linear models, and (N, A, L) what each says of the fold it was kept from."""
    rows, labels = NgramRows.of(corpus.numbers, corpus.rarity), corpus.labels
    models, columns = [], np.zeros((*labels.shape, corpus.lexicon.counts.shape[2]), np.float32)
    for fold, others in corpus.cuts():
        lexicon = corpus.lexicon.without([corpus.numbers[i] for i in fold], labels[fold])
        ratios = lexicon.log_ratios(strength=config.strength)
        model = LinearModel.fit(rows.some(others), labels[others], ratios, penalty=config.penalty)
        columns[fold] += model.scores(rows.some(fold)) / config.repeats
        models.append(model)
    weights, bias = (np.mean([getattr(m, name) for m in models], axis=0) for name in ("weights", "bias"))
    return LinearModel(weights, bias), columns


def _nets(
    corpus: _Corpus, vocabulary: Vocabulary, vectors: WordVectors | None, config: ClassifierConfig, device: torch.device
) -> tuple[tuple[TextNet, ...], NDArray[np.float32]]:
    """Return nets, and (N, A, L) what each says of the fold it was kept from."""
    count = corpus.lexicon.counts.shape[2]
    nets, columns = [], np.zeros((*corpus.labels.shape, count), np.float32)
    for number, (fold, others) in enumerate(corpus.cuts()):
        seed = config.seed + number
        table = vectors.table(vocabulary.words, scale=config.vector_scale, seed=seed) if vectors else None
        texts = [corpus.sentences[i] for i in others]
        net = train_text_net(texts, corpus.labels[others], count, vocabulary, table, config, seed=seed, device=device)
        columns[fold] += text_scores(net, vocabulary, [corpus.sentences[i] for i in fold], device) / config.repeats
        nets.append(net)
    return tuple(nets), columns
