"""The contest run, measured: score, seconds of each stage, peak memory."""

import dataclasses
import json
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch

import hybrid
from hybrid.datasets import Labels, read_labelled
from hybrid.errors import DataError
from hybrid.metrics import evaluate
from hybrid.segmenter import Segmenter
from hybrid.training import TrainingConfig


def run_contest(
    data_dir: Path, out: Path, *, kept: int, told: bool, config: TrainingConfig, device: str | None
) -> dict[str, Any]:
    """Train, predict, score; print the figures and write them to `out`/contest*.json.

    Args:
        data_dir: holds train.json and, unless `kept`, a labelled val.json.
        out: folder for the results, made if it is not there.
        kept: score on so many words of train.json instead, drawn by the seed and kept from training.
        told: whether the lexicon is told which words will be segmented (their labels never are).
        config: how to train.
        device: a torch device name; None: the best there is.

    Raises:
        DataError: a file is not what it should be, or train.json has too few words for `kept`.
    """
    train = read_labelled(data_dir / "train.json")
    if kept:
        train, gold = _slice(train, kept, config.seed)
    else:
        gold = read_labelled(data_dir / "val.json")
    begin = time.perf_counter()
    segmenter = Segmenter.train(train, unlabelled=list(gold) if told else (), config=config, device=device)
    trained = time.perf_counter()
    predicted = {split.word: split.labels for split in segmenter.split_batch(gold)}
    done = time.perf_counter()
    result = {
        "scores": dataclasses.asdict(evaluate(gold, predicted)),
        "scored_on": f"{len(gold)} words of {'train.json, kept from training' if kept else 'val.json'}",
        "words_to_segment_known": told,
        "train_words": len(train),
        "seconds": {"train": round(trained - begin, 1), "predict": round(done - trained, 1)},
        "peak_memory_mb": round(_peak_memory() / 1e6),
        "seed": config.seed,
        "device": segmenter.device,
        **_circumstances(),
    }
    out.mkdir(parents=True, exist_ok=True)
    name = f"contest{'-slice' if kept else ''}{'' if told else '-plain'}.json"
    (out / name).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    json.dump(result, sys.stdout, indent=1)
    print()
    return result


def _slice(train: Labels, kept: int, seed: int) -> tuple[Labels, Labels]:
    if not 0 < kept < len(train):
        raise DataError(f"--slice {kept}: train.json has {len(train)} words; a smaller number is right")
    chosen = set(np.random.default_rng(seed).permutation(len(train))[:kept].tolist())
    rows = list(enumerate(train.items()))
    return dict(row for i, row in rows if i not in chosen), dict(row for i, row in rows if i in chosen)


def _peak_memory() -> int:
    """Return the process's largest resident set so far, in bytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _circumstances() -> dict[str, str | int]:
    """Return what a figure depends on besides the code: versions, machine, commit."""
    git = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    return {
        "commit": git.stdout.strip() or "unknown",
        "hybrid": hybrid.__version__,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "machine": f"{platform.machine()}, {torch.get_num_threads()} cores",
    }
