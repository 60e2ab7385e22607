"""How nets over words are trained: first weights, and steps by AdamW under a one-cycle schedule."""

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hybrid.inference import one_thread
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.networks import ContextEncoder, TokenEncoder
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.vectors import WordVectors
from hybrid.labelling.vocabulary import Vocabulary
from hybrid.networks import SeededDropout
from hybrid.progress import progress_bar

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


@contextmanager
def seeded_weights(seed: int) -> Iterator[None]:
    """Let new nets draw their first weights from a seed, without disturbing what others draw.

    It is the CPU's generator alone that is seeded: those of other devices would not be put back.
    """
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield


def descend(
    net: nn.Module,
    sentences: Sequence[Sentence],
    loss_of: Callable[[list[int]], Tensor | None],
    config: TaggerConfig | ClassifierConfig,
    *,
    seed: int,
    name: str,
    betas: tuple[float, float] = (0.9, 0.999),
) -> None:
    """Train a net by AdamW on batches of like length, in one thread, and leave it in evaluation mode.

    Args:
        net: on its device.
        sentences: what is put into batches.
        loss_of: the loss of those at some places; None: nothing is to be learnt from them.
        config: epochs, sizes of batches and rates.
        seed: of the order of batches.
        name: of what is learnt, for the progress bar.
        betas: AdamW's.
    """
    optimizer = torch.optim.AdamW(net.parameters(), lr=config.rate, weight_decay=config.weight_decay, betas=betas)
    steps = config.epochs * math.ceil(len(sentences) / config.batch)
    schedule = _one_cycle(optimizer, config.rate, steps)
    shuffle = random.Random(seed)
    net.train()
    with one_thread(), progress_bar(name, steps) as bar:
        for _ in range(config.epochs):
            for places in _shuffled_batches(sentences, config.batch, shuffle):
                loss = loss_of(places)
                if loss is None:
                    continue
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(net.parameters(), config.clip)
                optimizer.step()
                schedule.step()
                bar.update()
    net.eval()


def _one_cycle(optimizer: torch.optim.Optimizer, rate: float, steps: int) -> torch.optim.lr_scheduler.OneCycleLR:
    """Return the schedule of learning rates, up to `rate`, for so many steps in all (Smith & Topin 2019)."""
    warm = WARM if WARM * steps != 1 else 2 * WARM  # OneCycleLR can't warm up in exactly one step
    return torch.optim.lr_scheduler.OneCycleLR(optimizer, rate, steps, pct_start=warm)


def _shuffled_batches(sentences: Sequence[Sentence], size: int, shuffle: random.Random) -> list[list[int]]:
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
