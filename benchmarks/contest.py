"""The contest run, measured: score, seconds of each stage, peak memory."""

import dataclasses
import json
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.circumstances import circumstances, peak_memory
from benchmarks.data import read_task
from benchmarks.results import make_folder, write_result
from hybrid.metrics import evaluate
from hybrid.segmenter import Segmenter
from hybrid.training import TrainingConfig


def run_contest(
    data_dir: Path, out: Path, *, kept: int, told: bool, dictionary: bool, config: TrainingConfig, device: str | None
) -> dict[str, Any]:
    """Train, predict, score; print the figures and write them to `out`/contest*.json.

    Args:
        data_dir: holds train.json and, unless `kept`, a labelled val.json.
        out: folder for the results, made if it is not there.
        kept: score on so many words of train.json instead, drawn by the seed and kept from training.
        told: whether the lexicon is told which words will be segmented (their labels never are).
        dictionary: whether the dictionary that ships is used.
        config: how to train.
        device: a torch device name; None: the best there is.

    Raises:
        DataError: a file is not what it should be, or train.json has too few words for `kept`.
    """
    task = read_task(data_dir, kept=kept, seed=config.seed)
    make_folder(out)
    begin = time.perf_counter()
    segmenter = Segmenter.train(
        task.train,
        unlabelled=list(task.gold) if told else (),
        dictionary=None if dictionary else (),
        config=config,
        device=device,
    )
    trained = time.perf_counter()
    predicted = {split.word: split.labels for split in segmenter.split_batch(task.gold, max_parts=segmenter.most_parts)}
    done = time.perf_counter()
    result = {
        "scores": dataclasses.asdict(evaluate(task.gold, predicted)),
        "scored_on": task.scored_on,
        "words_to_segment_known": told,
        "dictionary": dictionary,
        "train_words": len(task.train),
        "seconds": {"train": round(trained - begin, 1), "predict": round(done - trained, 1)},
        "peak_memory_mb": round(peak_memory() / 1e6),
        "seed": config.seed,
        **circumstances(segmenter.device),
    }
    name = f"contest{'-slice' if kept else ''}{'' if told else '-plain'}{'' if dictionary else '-no-dictionary'}"
    json.dump(result, sys.stdout, indent=1)
    print()
    write_result(out, name, result)
    return result
