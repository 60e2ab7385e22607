"""One task's splits, as published or with rows of train in the place of valid."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.indonlu.reading import SPLITS, Documents, Sentences, read_split
from benchmarks.indonlu.tasks import Task
from hybrid.errors import DataError

Split = Documents | Sentences


@dataclass(frozen=True)
class Data:
    """One task's splits, texts' labels in the order of train's aspects; `test` is None where there is none."""

    train: Split
    valid: Split
    test: Split | None


def read_data(data: Path, task: Task, kept: int, seed: int) -> Data:
    """Read one task.

    Args:
        data: the folder that holds the tasks' folders.
        task: one of `TASKS`.
        kept: so many rows of train, but a quarter at most, stand for valid; 0: valid does.
        seed: of the rows kept.

    Raises:
        DataError: a file is missing or not what it should be, or train has too few different rows to keep some.
    """
    train, valid, test = (read_split(data, task, split) for split in SPLITS)
    if train is None or valid is None:
        raise DataError(f"{data / task.folder}: no train or no valid split of {task.name}")
    if kept:
        count = len(rows_of(train))
        train, valid = keep(train, kept, seed)
        if not rows_of(train) or not rows_of(valid):
            told = f"{count} rows of train are too few, or too alike, for --slice to keep some of them"
            raise DataError(f"{data / task.folder}: {told}")
    if isinstance(train, Documents):
        valid, test = (_in_order(split, train.aspects) for split in (valid, test))
    return Data(train, valid, test)


def _in_order(split: Any, aspects: Sequence[str]) -> Any:
    """Return documents with their labels in the order of these aspects; files may have them in different ones."""
    if not isinstance(split, Documents) or split.aspects == tuple(aspects):
        return split
    places = [split.aspects.index(aspect) for aspect in aspects]
    labels = None if split.labels is None else [tuple(row[place] for place in places) for row in split.labels]
    return replace(split, aspects=tuple(aspects), labels=labels)


def rows_of(split: Split) -> list[Any]:
    """Return what each row has to be labelled by, its context with it."""
    if isinstance(split, Documents):
        return list(split.texts)
    return list(zip(split.words, split.contexts or [()] * len(split.words), strict=True))


def keep(train: Split, count: int, seed: int) -> tuple[Split, Split]:
    """Return what is left of train, and `count` rows of it, a quarter at most; no row of these is left in train."""
    rows = rows_of(train)
    order = list(range(len(rows)))
    random.Random(seed).shuffle(order)
    some = sorted(order[: min(count, len(rows) // 4)])
    taken = {rows[i] for i in some}
    return _some(train, [i for i, row in enumerate(rows) if row not in taken]), _some(train, some)


def _some(split: Split, places: Sequence[int]) -> Split:
    """Return the rows at some places."""

    def pick(values: Sequence[Any] | None) -> list[Any] | None:
        return None if values is None else [values[i] for i in places]

    if isinstance(split, Documents):
        return Documents(pick(split.texts) or [], split.aspects, pick(split.labels))
    return Sentences(pick(split.words) or [], pick(split.labels), pick(split.contexts))


def seen(data: Data) -> list[Any]:
    """Return the rows of valid that are in train too."""
    train = set(rows_of(data.train))
    return [row for row in rows_of(data.valid) if row in train]
