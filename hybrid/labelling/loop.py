"""What the training loops of nets over words have in common: first weights, learning rates, batches."""

import random
from collections.abc import Iterable, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from hybrid.labelling.networks import ContextEncoder, TokenEncoder
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.vectors import WordVectors
from hybrid.labelling.vocabulary import Vocabulary
from hybrid.networks import SeededDropout

WARM = 0.2
"""The share of steps over which the learning rate rises."""


def prepare(net: nn.Module, encoder: TokenEncoder, vectors: NDArray[np.float32] | None, seed: int) -> None:
    """Give a new net the word vectors that it begins with, and its dropout what it draws from.

    Args:
        net: to be trained.
        encoder: of it.
        vectors: (V + 1, embedding) float32; None: it keeps the random ones.
        seed: of the dropout.
    """
    if vectors is not None:
        with torch.no_grad():
            encoder.words.weight.copy_(torch.from_numpy(vectors))
    for place, module in enumerate(m for m in net.modules() if isinstance(m, SeededDropout)):
        module.generator = torch.Generator().manual_seed(seed + 1000 * (place + 1))


def one_cycle(optimizer: torch.optim.Optimizer, rate: float, steps: int) -> torch.optim.lr_scheduler.OneCycleLR:
    """Return the schedule of learning rates, up to `rate`, for so many steps in all (Smith & Topin 2019)."""
    warm = WARM if WARM * steps != 1 else 2 * WARM  # OneCycleLR can't warm up in exactly one step
    return torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=warm)


def shuffled_batches(sentences: Sequence[Sentence], size: int, shuffle: random.Random) -> list[list[int]]:
    """Return the places of sentences in batches of like length, other ones each time."""
    order = sorted(range(len(sentences)), key=lambda i: len(sentences[i].words) + 4 * shuffle.random())
    batches = [order[at : at + size] for at in range(0, len(order), size)]
    shuffle.shuffle(batches)
    return batches


def add_words(
    encoders: Iterable[TokenEncoder | ContextEncoder], vocabulary: Vocabulary, vectors: WordVectors, scale: float
) -> Vocabulary:
    """Let nets know all words that have vectors; these were too many to be carried through training.

    Args:
        encoders: of the nets.
        vocabulary: that they were trained with.
        vectors: of words, those of the vocabulary among them or not.
        scale: standard deviation of the vectors.

    Returns:
        The vocabulary with these words.
    """
    larger = vocabulary.with_words(vectors.words)
    table = vectors.table(larger.words, scale=scale, seed=0)[len(vocabulary.words) + 1 :]
    for encoder in encoders:
        encoder.add_words(torch.from_numpy(table))
    return larger
