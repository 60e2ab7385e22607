"""The learning curve: the contest's score after training on more and more of the words."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cache import trained
from benchmarks.circumstances import circumstances
from benchmarks.data import read_task
from benchmarks.results import make_folder, write_result
from hybrid.metrics import evaluate
from hybrid.training import TrainingConfig

SIZES = (1000, 3000, 10_000, 30_000)


def run_curve(
    data_dir: Path, out: Path, *, kept: int, config: TrainingConfig, device: str | None, cache: Path
) -> dict[str, Any]:
    """Train on 1,000, 3,000, 10,000, 30,000 and all words, told which will be segmented; write `out`/curve.json.

    Arguments and errors as in `benchmarks.harness.run_decoders`. Smaller sets are parts of larger ones.
    """
    task = read_task(data_dir, kept=kept, seed=config.seed)
    make_folder(out)
    words = list(task.train)
    order = np.random.default_rng(config.seed).permutation(len(words))
    points = []
    for size in [*(size for size in SIZES if size < len(words)), len(words)]:
        some = {words[i]: task.train[words[i]] for i in np.sort(order[:size])}
        done = trained(some, task.gold, config, device=device, folder=cache)
        predicted = {
            split.word: split.labels
            for split in done.segmenter.split_batch(task.gold, max_parts=done.segmenter.most_parts)
        }
        scores = evaluate(task.gold, predicted)
        points.append({"train_words": size, "f1": scores.f1, "exact": scores.exact, "seconds": round(done.seconds, 1)})
    result = {"scored_on": task.scored_on, "points": points, "seed": config.seed, "config": asdict(config),
              **circumstances(done.segmenter.device)}  # fmt: skip
    write_result(out, "curve", result)
    return result
