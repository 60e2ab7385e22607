"""The contest from end to end: a folder of data in, predictions and a zip out, with the seconds of each stage."""

import glob
import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.atomic import require_writable
from hybrid.datasets import Labels, read_labelled, read_words
from hybrid.errors import DataError
from hybrid.metrics import Scores, evaluate
from hybrid.segmenter import Segmenter
from hybrid.submission import write_submission
from lexicon.silver import FOLDER as SILVER

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
        predictions: "val" and "test" → word → labels.
        scores: the same names → measures, for a set whose labels are all known.
        seconds: stage → how long it took.
    """

    predictions: dict[str, Labels] = field(default_factory=dict)
    scores: dict[str, Scores] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        begin = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - begin


def read_contest(folder: Path, *, train: Path | None = None, labelled: bool = True) -> ContestData:
    """Read train.json, val.json and test.json of a folder.

    Args:
        folder: holds the files.
        train: where train.json is, if not in `folder`.
        labelled: whether train.json is needed; if not, it is not looked at, and `ContestData.train` is empty.

    Raises:
        DataError: one of them is not what it should be.
    """
    learn = read_labelled(train or folder / "train.json") if labelled else {}
    return ContestData(learn, read_words(folder / "val.json"), read_words(folder / "test.json"))


def find_contest(data_path: str | None, here: Path, mounted: str = "/bohr/*/v*") -> tuple[Path, Path]:
    """Find the contest's files: the folder with val.json and test.json, and the file train.json.

    Looked through in this order: the folder named, `here`/data, `here`, the mounted data sets. A folder that is named
    is the only one looked in for val and test. Where nothing at all is found, the small silver set that ships with
    this package is taken; where only train.json is missing, that set's.

    Args:
        data_path: the folder named, such as by the environment variable DATA_PATH; None or "" if none is.
        here: where the notebook runs.
        mounted: a pattern of absolute folders.

    Raises:
        DataError: a folder is named and val.json or test.json is not there; or train.json, val.json or test.json is
            found, but no folder with both val.json and test.json.
    """
    around = [here / "data", here, *(Path(folder) for folder in sorted(glob.glob(mounted)))]  # noqa: PTH207 - absolute
    named = [Path(data_path)] if data_path else []
    words = next((folder for folder in named or around if _has(folder, "val.json", "test.json")), None)
    if words is None and named:
        raise DataError(f"{named[0]}: val.json and test.json should both be in the folder that DATA_PATH names")
    files = [folder / name for name in ("train.json", "val.json", "test.json") for folder in around]
    some = next((file for file in files if file.is_file()), None)
    if words is None and some:
        raise DataError(
            f"{some}: found, but val.json and test.json are not both in one folder; set DATA_PATH to theirs"
        )
    train = next((folder for folder in [*named, *around] if _has(folder, "train.json")), SILVER)
    if train is SILVER:
        log.warning("No train.json found: training on the small silver set, so expect a low score.")
    return words or SILVER, train / "train.json"


def _has(folder: Path, *names: str) -> bool:
    return all((folder / name).is_file() for name in names)


def solve(
    data: ContestData,
    out: Path,
    *,
    dictionary: Iterable[str] | None = None,
    config: "TrainingConfig | None" = None,
    device: str | None = None,
    segmenter: Segmenter | None = None,
) -> ContestRun:
    """Train, segment both sets of words, write the zip, and score what has labels.

    The words to segment are told to the lexicon as words that exist; their labels are not looked at before the end.
    No word gets more parts than a training word had: the contest cuts a modifier once and a head never.

    Args:
        data: the contest's files, read.
        out: the zip's name.
        dictionary: words of the language; None: the list that ships, () for none.
        config: how to train; None: the defaults.
        device: a torch device name; None: the best there is.
        segmenter: a trained one to predict with; None: train on `data.train`.

    Raises:
        OSError: the zip can't be written.
    """
    require_writable(out)
    unlabelled = [*data.val, *data.test]
    run = ContestRun()
    with run.stage("train" if segmenter is None else "prepare"):
        if segmenter is None:
            segmenter = Segmenter.train(
                data.train, unlabelled=unlabelled, dictionary=dictionary, config=config, device=device
            )
        else:
            segmenter = segmenter.with_listed(unlabelled)
    for name, words in (("val", data.val), ("test", data.test)):
        with run.stage(f"predict {name}"):
            splits = segmenter.split_batch(words, max_parts=segmenter.most_parts)
            run.predictions[name] = {split.word: split.labels for split in splits}
    with run.stage("write"):
        write_submission(out, run.predictions["val"], run.predictions["test"])
    for name, words in (("val", data.val), ("test", data.test)):
        if all(words.values()):
            run.scores[name] = evaluate(words, run.predictions[name])
    return run
