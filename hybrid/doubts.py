"""Labels that may be wrong: those that a model which has not seen the word finds unlikely."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hybrid.datasets import check_labelled
from hybrid.errors import DataError
from hybrid.segmentation import Segmentation
from hybrid.segmenter import Segmenter

if TYPE_CHECKING:
    from hybrid.training import TrainingConfig

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A word whose label the model would not give.

    Attributes:
        word: the word.
        labelled: its parts as labelled.
        split: the model's own split.
        probability: the posterior probability that the label is wrong: 1 less that of the labelled split.
    """

    word: str
    labelled: tuple[str, ...]
    split: Segmentation
    probability: float


def find_doubts(
    data: Mapping[str, Sequence[int]],
    *,
    folds: int = 3,
    dictionary: Iterable[str] | None = None,
    min_parts: int | None = None,
    config: "TrainingConfig | None" = None,
    device: str | None = None,
) -> list[Doubt]:
    """Return the words where the model, not having seen their labels, prefers another split; the surest first.

    Cross-fitted: each word is judged by a model trained on the words of all other folds, which is told that this word
    exists, as in the contest.

    Args:
        data: word → 0/1 for each of its characters, 1 for the last of a part.
        folds: how many models are trained, each on all words but one fold's.
        dictionary: words of the language; None: the list that ships, () for none.
        min_parts: the least number of parts of a word; None: 2 if every word in `data` has two or more, else 1.
        config: how to train; its seed also draws the folds.
        device: a torch device name; None: the best there is.

    Raises:
        DataError: a word or its labels are wrong, `folds` is below 2, or a fold would be empty or leave too few words.
    """
    from hybrid.training import TrainingConfig

    check_labelled(data)
    if not 2 <= folds <= len(data):
        raise DataError(f"folds is {folds}, should be 2 to {len(data)}, the number of words")
    if min_parts is None:
        min_parts = min([2, *(sum(labels) for word, labels in data.items() if len(word) > 1)])
    config = config or TrainingConfig()
    words = list(data)
    fold_of = np.random.default_rng(config.seed).permutation(len(words)) % folds
    doubts: list[Doubt] = []
    for fold in range(folds):
        judged = {word: data[word] for word, of in zip(words, fold_of, strict=True) if of == fold}
        rest = {word: labels for word, labels in data.items() if word not in judged}
        log.info("fold %d of %d: %d words judged", fold + 1, folds, len(judged))
        segmenter = Segmenter.train(
            rest, unlabelled=judged, dictionary=dictionary, min_parts=min_parts, config=config, device=device
        )
        doubts += judge(segmenter, judged)
    return sorted(doubts, key=lambda doubt: -doubt.probability)


def judge(segmenter: Segmenter, data: Mapping[str, Sequence[int]]) -> list[Doubt]:
    """Return, in order, the words that a model which has not seen their labels would split in another way."""
    given = segmenter.probabilities(data)
    return [
        Doubt(
            word, Segmentation.from_labels(word, list(data[word]), 0.0, probability, ()).texts, split, 1 - probability
        )
        for word, split, probability in zip(data, segmenter.split_batch(data), given, strict=True)
        if split.labels != [int(label) for label in data[word]]
    ]
