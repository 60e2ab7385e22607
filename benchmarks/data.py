"""The words to train on and those to score on."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hybrid.datasets import Labels, read_labelled
from hybrid.errors import DataError


@dataclass(frozen=True, slots=True)
class Task:
    """What is measured: `gold` is scored, and no label of it is used before."""

    train: Labels
    gold: Labels
    scored_on: str


def read_task(data_dir: Path, *, kept: int, seed: int) -> Task:
    """Read train.json, and val.json with its labels, or keep `kept` words of train.json instead, drawn by the seed.

    Raises:
        DataError: a file is not what it should be, or train.json has too few words for `kept`.
    """
    train = read_labelled(data_dir / "train.json")
    if not kept:
        gold = read_labelled(data_dir / "val.json")
        return Task(train, gold, f"{len(gold)} words of val.json")
    if not 0 < kept < len(train):
        raise DataError(f"--slice {kept}: train.json has {len(train)} words, so 1 to {len(train) - 1} is right")
    chosen = set(np.random.default_rng(seed).permutation(len(train))[:kept].tolist())
    rows = list(enumerate(train.items()))
    gold = dict(row for i, row in rows if i in chosen)
    rest = dict(row for i, row in rows if i not in chosen)
    return Task(rest, gold, f"{kept} words of train.json, kept from training")
