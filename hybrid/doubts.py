"""Labels that may be wrong: those that a model which has not seen the word finds unlikely."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hybrid.datasets import check_labelled
from hybrid.errors import DataError
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.limits import LONGEST_WORD
from hybrid.metrics import spans
from hybrid.segmentation import Segmentation
from hybrid.segmenter import Segmenter
from lexicon import normalize

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
        DataError: a word or its labels are wrong, `folds` is below 2, or there are too few words for so many.
    """
    from hybrid.training import TrainingConfig

    check_labelled(data)
    forms = {word: normalize(word).text for word in data}
    texts = sorted(set(forms.values()))
    if min_parts is None:
        min_parts = min([2, *(sum(data[word]) for word, text in forms.items() if len(text) > 1)])
    config = config or TrainingConfig()
    fold_of = _draw_folds(texts, folds, config.seed)
    doubts: list[Doubt] = []
    for fold in range(folds):
        judged = {word: data[word] for word, text in forms.items() if fold_of[text] == fold}
        rest = {word: labels for word, labels in data.items() if word not in judged}
        log.info("fold %d of %d: %d words judged", fold + 1, folds, len(judged))
        segmenter = Segmenter.train(
            rest, unlabelled=judged, dictionary=dictionary, min_parts=min_parts, config=config, device=device
        )
        doubts += judge(segmenter, judged)
    return sorted(doubts, key=lambda doubt: -doubt.probability)


def _draw_folds(texts: Sequence[str], folds: int, seed: int) -> dict[str, int]:
    """Return the fold of each lookup form, so that two spellings of one word go together."""
    from hybrid.training.words import LEAST_WORDS

    if folds < 2:
        raise DataError(f"folds is {folds}, should be 2 or more: a word is judged by what the others teach")
    if len(texts) * (folds - 1) // folds < LEAST_WORDS:
        raise DataError(
            f"{len(texts)} labelled words in {folds} folds; each training needs {LEAST_WORDS}, so more words are needed"
        )
    order = np.random.default_rng(seed).permutation(len(texts)) % folds
    return dict(zip(texts, order.tolist(), strict=True))


def judge(segmenter: Segmenter, data: Mapping[str, Sequence[int]]) -> list[Doubt]:
    """Return, in order, the words that a model which has not seen their labels would split in another way.

    Words and parts too long for the model to judge (`LONGEST_WORD`, `LONGEST_SEGMENT`) are passed over.
    """
    data = {word: labels for word, labels in data.items() if _can_be_judged(word, labels)}
    given = segmenter.probabilities(data)
    return [
        Doubt(word, tuple(word[start:end] for start, end in spans(data[word])), split, 1 - probability)
        for word, split, probability in zip(data, segmenter.split_batch(data), given, strict=True)
        if split.labels != [int(label) for label in data[word]]
    ]


def _can_be_judged(word: str, labels: Sequence[int]) -> bool:
    parts = spans(labels)
    longest = max(end - start for start, end in parts)
    return len(word) <= LONGEST_WORD and (len(parts) == 1 or longest <= LONGEST_SEGMENT)
