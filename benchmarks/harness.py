"""The comparison of decoders on the same words: train once, split with each, measure, write."""

import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.cache import trained
from benchmarks.circumstances import circumstances
from benchmarks.data import Task, read_task
from benchmarks.decoders import Decoder, weighted
from benchmarks.lineup import FULL, lineup
from benchmarks.measures import calibration, measure, paired_interval, word_scores
from benchmarks.rankings import K, oracle, ranking_scores
from benchmarks.results import make_folder, write_result
from benchmarks.rivals import installed_rivals
from hybrid.datasets import Labels
from hybrid.metrics import spans
from hybrid.segmenter import Segmenter
from hybrid.training import TrainingConfig

ORACLES = (2, 5, 20)

log = logging.getLogger(__name__)


def run_decoders(
    data_dir: Path, out: Path, *, kept: int, config: TrainingConfig, device: str | None, cache: Path
) -> dict[str, Any]:
    """Compare the decoders and write `out`/decoders.json.

    Args:
        data_dir: holds train.json and, unless `kept`, a labelled val.json.
        out: folder for the results, made if it is not there.
        kept: score on so many words of train.json instead, drawn by the seed and kept from training.
        config: how to train.
        device: a torch device name; None: the best there is.
        cache: folder of models trained before.

    Raises:
        DataError: a file is not what it should be, or train.json has too few words for `kept`.
    """
    task = read_task(data_dir, kept=kept, seed=config.seed)
    make_folder(out)
    told = trained(task.train, task.gold, config, device=device, folder=cache)
    plain = trained(task.train, (), config, device=device, folder=cache)
    alone = trained(task.train, task.gold, config, dictionary=(), device=device, folder=cache)
    decoders = [*lineup(task, told, config, device=device, cache=cache),
                weighted(f"{FULL}, words to segment not known", plain.segmenter),
                weighted(f"{FULL}, no dictionary", alone.segmenter), *installed_rivals()]  # fmt: skip
    models = {"told": told, "plain": plain, "no dictionary": alone}
    parts = {word[a:b].lower() for word, labels in task.train.items() for a, b in spans(labels)}
    rows: list[dict[str, Any]] = []
    predictions: dict[str, Mapping[str, Sequence[int]]] = {}
    for decoder in decoders:
        row, predictions[decoder.name] = _run(decoder, task, parts)
        rows.append(row)
    rankings = _rankings(decoders, task.gold)
    for k in ORACLES:
        best = oracle(task.gold, rankings[FULL], k)
        row = {"name": f"{FULL}, best of its first {k}", **measure(task.gold, best, parts)}
        predictions[row["name"]] = best
        rows.append(row)
    _compare_with_full(rows, predictions, task.gold, config.seed)
    for name, ndcg in ranking_scores(task.gold, rankings).items():
        next(row for row in rows if row["name"] == name).update(ndcg)
    result = {
        "scored_on": task.scored_on,
        "train_words": len(task.train),
        "training_seconds": {name: round(of.seconds, 1) for name, of in models.items()},
        "decoders": rows,
        "weights": told.segmenter.model.weights,
        "calibration": {name: _calibration(of.segmenter, task.gold) for name, of in models.items()},
        "seed": config.seed,
        "config": asdict(config),
        **circumstances(told.segmenter.device),
    }
    write_result(out, "decoders", result)
    return result


def _compare_with_full(
    rows: Sequence[dict[str, Any]], predictions: Mapping[str, Mapping[str, Sequence[int]]], gold: Labels, seed: int
) -> None:
    """Enter into each row how far its decoder is from the full hybrid."""
    full = word_scores(gold, predictions[FULL])
    for row in rows:
        row["against_full"] = paired_interval(word_scores(gold, predictions[row["name"]]), full, seed=seed)


def _run(decoder: Decoder, task: Task, parts: set[str]) -> tuple[dict[str, Any], Labels]:
    """Split all words once, timed, and measure."""
    words = list(task.gold)
    decoder.split(words[:64])  # compile and load what the decoder loads at its first words
    begin = time.perf_counter()
    predicted = dict(zip(words, decoder.split(words), strict=True))
    seconds = time.perf_counter() - begin
    row = {"name": decoder.name, **measure(task.gold, predicted, parts), "words_per_second": len(words) / seconds}
    log.info("%-60s f1 %.4f, %.0f words/s", decoder.name, row["f1"], row["words_per_second"])
    return row, predicted


def _rankings(decoders: Sequence[Decoder], gold: Labels) -> dict[str, dict[str, list[list[int]]]]:
    words = list(gold)
    ranked = [d for d in decoders if d.rank and not d.name.startswith(("with ", "without "))]
    return {d.name: dict(zip(words, d.rank(words, K), strict=True)) for d in ranked if d.rank}


def _calibration(segmenter: Segmenter, gold: Labels) -> dict[str, Any]:
    """Return how far the probabilities of whole splits, and of the cuts in them, can be trusted."""
    splits, split_right = list[float](), list[bool]()
    cuts, cut_right = list[float](), list[bool]()
    for word, split in zip(gold, segmenter.split_batch(gold), strict=True):
        splits.append(split.probability)
        split_right.append(split.labels == list(gold[word]))
        cuts += split.cut_probabilities
        cut_right += [bool(gold[word][part.end - 1]) for part in split.parts[:-1]]
    return {
        what: calibration(told, right)
        for what, told, right in (("splits", splits, split_right), ("cuts", cuts, cut_right))
        if told
    }
