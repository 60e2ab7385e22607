"""Nets over words to numbers: sentences of like length together."""

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.inference import one_thread
from hybrid.labelling.networks import Batch, SpanNet
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.vocabulary import Vocabulary, shape

BATCH = 64
"""Sentences in one pass of a net."""


def make_batch(vocabulary: Vocabulary, sentences: Sequence[Sentence], device: torch.device) -> Batch:
    """Return what a net reads of sentences, each of one word or more."""
    longest = max(len(sentence.words) for sentence in sentences)
    rows: dict[str, int] = {}
    which = np.zeros((len(sentences), longest), np.int64)
    features = np.zeros((*which.shape, sentences[0].features.shape[1]), np.float32)
    for row, values, sentence in zip(which, features, sentences, strict=True):
        row[: len(sentence.words)] = [rows.setdefault(word, len(rows)) for word in sentence.words]
        values[: len(sentence.words)] = sentence.features
    numbers = vocabulary.word_numbers([*rows])
    shapes = np.array([shape(word) for word in rows], np.int64)
    characters, character_lengths = vocabulary.character_numbers([*rows])
    arrays = (
        numbers[which],
        shapes[which],
        np.array([len(sentence.words) for sentence in sentences], np.int64),
        np.array([sentence.context for sentence in sentences], np.int64),
        which,
        characters,
        character_lengths,
        features,
    )
    return Batch(*(torch.from_numpy(array).to(device) for array in arrays))


def batches_of_like_length(sentences: Sequence[Sentence], size: int) -> Iterator[list[int]]:
    """Yield the places of sentences, `size` at a time, the shortest first."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i].words))
    for at in range(0, len(order), size):
        yield order[at : at + size]


def token_scores(
    net: SpanNet, vocabulary: Vocabulary, sentences: Sequence[Sentence], device: torch.device
) -> list[NDArray[np.float32]]:
    """Return of each sentence (n, 3, L) float32: that a span begins at a word, goes on over it, ends with it."""
    result: list[NDArray[np.float32]] = [np.zeros((0, 3, net.labels), np.float32)] * len(sentences)
    net.eval()
    with torch.inference_mode(), one_thread():
        for places in batches_of_like_length(sentences, BATCH):
            scores = net(make_batch(vocabulary, [sentences[i] for i in places], device)).float().cpu().numpy()
            for i, of_sentence in zip(places, scores, strict=True):
                result[i] = of_sentence[: len(sentences[i])]
    return result
