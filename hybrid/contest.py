"""The contest from end to end: a folder of data in, predictions and a zip out, with the seconds of each stage."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.atomic import require_folder
from hybrid.datasets import Labels, read_labelled, read_words
from hybrid.metrics import Scores, evaluate
from hybrid.segmenter import Segmenter
from hybrid.submission import write_submission

if TYPE_CHECKING:
    from hybrid.training import TrainingConfig

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ContestData:
    """The three files: labelled words to learn from, and two sets of words to segment."""

    train: Labels
    val: Labels
    test: Labels


@dataclass(slots=True)
class ContestRun:
    """What a run gave.

    Attributes:
        segmenter: the trained one.
        predictions: "val" and "test" → word → labels.
        scores: the same names → measures, for a set whose labels are all known.
        seconds: stage → how long it took.
    """

    segmenter: Segmenter | None = None
    predictions: dict[str, Labels] = field(default_factory=dict)
    scores: dict[str, Scores] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begin


def read_contest(train: Path, val: Path, test: Path) -> ContestData:
    """Read the three files.

    Raises:
        DataError: one of them is not what it should be.
    """
    return ContestData(read_labelled(train), read_words(val), read_words(test))


def solve(
    data: ContestData,
    out: Path,
    *,
    config: "TrainingConfig | None" = None,
    device: str | None = None,
    segmenter: Segmenter | None = None,
) -> ContestRun:
    """Train, segment both sets of words, write the zip, and score what has labels.

    The words to segment are told to the lexicon as words that exist; their labels are not looked at before the end.

    Args:
        data: the contest's files, read.
        out: the zip's name.
        config: how to train; None: the defaults.
        device: a torch device name; None: the best there is.
        segmenter: a trained one to predict with; None: train on `data.train`.

    Raises:
        OSError: the zip can't be written.
    """
    require_folder(out)
    run = ContestRun(segmenter)
    if run.segmenter is None:
        with run.stage("train"):
            run.segmenter = Segmenter.train(
                data.train, unlabelled=[*data.val, *data.test], config=config, device=device
            )
    for name, words in (("val", data.val), ("test", data.test)):
        with run.stage(f"predict {name}"):
            splits = run.segmenter.split_batch(words)
            run.predictions[name] = {split.word: split.labels for split in splits}
    with run.stage("write"):
        write_submission(out, run.predictions["val"], run.predictions["test"])
    for name, words in (("val", data.val), ("test", data.test)):
        if all(words.values()):
            run.scores[name] = evaluate(words, run.predictions[name])
    return run
