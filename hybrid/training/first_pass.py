"""The first pass learns from the nets: it is shown words with the probabilities that the nets give to their segments.

The loss of a word is the cross entropy between the nets' distribution over splits and its own; the gradient of a
segment's score is the difference of the two probabilities (Hinton, Vinyals & Dean 2015, for a semi-Markov CRF). Each
number takes steps of its own size (AdaGrad: Duchi, Hazan & Singer 2011).
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hybrid.firstpass import kernels
from hybrid.firstpass.arrays import Array
from hybrid.firstpass.splitter import FirstSplitter
from hybrid.firstpass.weights import FirstPass
from hybrid.training.first_pass_loop import learn, new_factors
from lexicon import Lexicon

log = logging.getLogger(__name__)

BITS = 17
"""Of the hashed table: with 20 it agrees with the nets on no more words."""

EPOCHS = 4
RATE = 0.12
"""Of the first epoch's steps; it falls to a tenth and less."""


@dataclass(frozen=True)
class Lessons:
    """Words and what the nets say of them.

    Attributes:
        words: B words in lookup form.
        own: for each, the inner cuts with which it is to be seen as not counted in the lexicon; None: as it is there.
        word: (R,) int64, ascending, the word of each segment that has a probability worth noting.
        start, end: (R,) int64, where it begins and ends.
        probability: (R,) float64.
    """

    words: list[str]
    own: list[tuple[int, ...] | None]
    word: NDArray[np.int64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    probability: NDArray[np.float64]

    @classmethod
    def join(cls, several: Sequence["Lessons"]) -> "Lessons":
        """Return all lessons in a row."""
        before = np.cumsum([0, *(len(one.words) for one in several)])
        arrays = [np.concatenate([getattr(one, name) for one in several]) for name in ("start", "end", "probability")]
        word = np.concatenate([one.word + first for one, first in zip(several, before.tolist(), strict=False)])
        return cls([w for one in several for w in one.words], [c for one in several for c in one.own], word, *arrays)


class Targets(NamedTuple):
    """Lessons as the loop reads them."""

    symbols: Array  # (T,) uint8
    starts: Array  # (B + 1,) int64
    own: Array  # (T + B,) int64, for each word one number and then one a character but the last, see `Scratch.own`
    first: Array  # (B + 1,) int64, where each word's segments are in the next three
    start: Array  # (R,) int64
    end: Array  # (R,) int64
    probability: Array  # (R,) float64


def teach(
    lexicon: Lexicon, characters: str, lessons: Lessons, *, sure: float, seed: int, epochs: int = EPOCHS
) -> FirstPass:
    """Return a first pass that has learnt the lessons.

    Args:
        lexicon: what it reads of words.
        characters: those that symbols stand for.
        lessons: what it learns.
        sure: see `FirstPass`.
        seed: for the order of words.
        epochs: how often it is shown each.
    """
    blank = FirstPass(
        np.zeros(1 << BITS, np.float32), np.zeros(kernels.SEGMENTS, np.float32), np.zeros(kernels.AROUND, np.float32),
        np.zeros(kernels.MEETINGS, np.float32), sure,
    )  # fmt: skip
    splitter = FirstSplitter(lexicon, characters, blank)
    targets = _targets(lessons, splitter)
    readable = np.flatnonzero(splitter.reads(targets.symbols, targets.starts))
    learnt = new_factors(blank)
    rng = np.random.default_rng(seed)
    for epoch in range(epochs):
        rate = RATE * (1 - epoch / epochs) + RATE / 12
        loss = learn(rng.permutation(readable), targets, splitter, learnt, rate)
        log.info("first pass, epoch %d: loss %.4f", epoch + 1, loss / max(1, len(readable)))
    return learnt.weights(sure)


def _targets(lessons: Lessons, splitter: FirstSplitter) -> Targets:
    symbols, starts = splitter.symbols(lessons.words)
    own = np.zeros(len(symbols) + len(lessons.words), np.int64)
    for b, cuts in enumerate(lessons.own):
        if cuts is not None:
            own[starts[b] + b + np.array([0, *cuts])] = 1
    return Targets(
        symbols, starts, own, np.searchsorted(lessons.word, np.arange(len(lessons.words) + 1)),
        lessons.start, lessons.end, lessons.probability,
    )  # fmt: skip
