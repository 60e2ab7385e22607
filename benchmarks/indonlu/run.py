"""All tasks, or some: train, predict, score, write submissions; two processes on two cores."""

import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import Any

from benchmarks.children import end_with_parent, interrupts_wait
from benchmarks.circumstances import circumstances
from benchmarks.indonlu.classification import classify_task
from benchmarks.indonlu.pairs import require_forest
from benchmarks.indonlu.predictions import Predictions
from benchmarks.indonlu.reading import Documents, Sentences, read_split
from benchmarks.indonlu.report import indonlu_markdown
from benchmarks.indonlu.scoring import score
from benchmarks.indonlu.sequence import tag_task
from benchmarks.indonlu.splits import Data, Split, read_data, rows_of, seen
from benchmarks.indonlu.submission import write_submission
from benchmarks.indonlu.tasks import TASKS, Task
from benchmarks.indonlu.words import words_of
from benchmarks.results import RESULTS, make_folder, write_result
from hybrid.errors import DataError
from hybrid.inference import pick_device
from hybrid.labelling.vectors import WordVectors

MOST_JOBS = 4
"""Tasks at a time, unless more are asked for: each needs up to 3 GB."""

log = logging.getLogger(__name__)


def run_indonlu(
    out: Path,
    data: Path,
    submissions: Path,
    *,
    names: Sequence[str],
    seed: int,
    jobs: int | None,
    device: str | None,
    kept: int = 0,
) -> dict[str, Any]:
    """Train on train and predict valid and, where it is there, test; write tables and submissions.

    Args:
        out: folder for indonlu.json; the project's own gets it only of all tasks.
        data: the folder that holds the tasks' folders.
        submissions: folder for the predictions, in `valid` and `test`, in the benchmark's format; with `kept` in
            `slice`, so that they don't take the place of those of the whole.
        names: of tasks; none means all.
        seed: for everything random.
        jobs: tasks at a time, each on one core; None: as many as there are cores, up to `MOST_JOBS`.
        device: torch device; None for the best there is.
        kept: so many rows of train, but a quarter at most, stand for valid and are not learnt from; 0: valid is used.

    Raises:
        DataError: a file is missing or wrong, a folder can't be written to, torch can't use the device, or a task
            can't be learnt from its train split.
        ImportError: a task has pairs of sentences, and scikit-learn is not installed.
    """
    chosen = [TASKS[name] for name in TASKS if not names or name in names]
    submissions = submissions / "slice" if kept else submissions
    _prepare(chosen, (out, submissions, submissions / "valid"))
    started, where = time.perf_counter(), str(pick_device(device))
    splits = {task.name: read_data(data, task, kept, seed) for task in chosen}
    vectors = learn_vectors(data, {name: of_task.train for name, of_task in splits.items()}, seed)
    tasks = {}
    for name, predictions, seconds in _all(splits, vectors, seed, jobs, where):
        tasks[name] = _result(TASKS[name], splits[name], predictions, seconds)
        _submit(submissions, TASKS[name], splits[name], predictions)
    result = {
        "tasks": {name: tasks[name] for name in splits},
        "seconds": time.perf_counter() - started,
        "seed": seed,
        "slice": kept,
        "circumstances": circumstances(where),
    }
    _keep(out, result)
    print(indonlu_markdown(result))
    return result


def _prepare(tasks: Sequence[Task], folders: Sequence[Path]) -> None:
    """Find out before long work whether folders can be written to, and whether there is what tasks are learnt with."""
    for folder in folders:
        make_folder(folder)
    if any(len(task.texts) > 1 for task in tasks):
        require_forest()


def _keep(out: Path, result: Mapping[str, Any]) -> None:
    """Write a result; among the project's own only one of all tasks and of valid."""
    if (len(result["tasks"]) == len(TASKS) and not result["slice"]) or out.resolve() != RESULTS:
        write_result(out, "indonlu", result)
    else:
        log.info(
            "not kept among the project's own results, which are of all tasks and of valid; --out FOLDER keeps it there"
        )


def learn_vectors(data: Path, train: Mapping[str, Split], seed: int) -> WordVectors:
    """Return word vectors of the texts of all train splits that are there, their labels not looked at.

    Raises:
        DataError: a file is there and wrong, or these are too few texts.
    """
    splits = dict(train)
    for name, task in TASKS.items():
        if name not in splits and (data / task.folder).is_dir():
            split = read_split(data, task, "train")
            if split is not None:
                splits[name] = split
    texts = [text for name in TASKS if name in splits for text in _texts(splits[name])]
    log.info("word vectors of %d texts", len(texts))
    try:
        return WordVectors.learn(texts, seed=seed)
    except DataError as error:
        raise DataError(f"{data}: no word vectors can be made of the {len(texts)} texts of train: {error}") from None


def _texts(split: Split) -> Iterator[Sequence[str]]:
    if isinstance(split, Documents):
        yield from (words_of(text) for row in split.texts for text in row)
    else:
        yield from split.words
        yield from split.contexts or ()


def run_task(name: str, data: Data, vectors: WordVectors, seed: int, device: str) -> tuple[str, Predictions, float]:
    """Train and predict one task; return its name, the predictions and seconds.

    Raises:
        DataError: it can't be learnt, such as from one label alone.
    """
    started, task = time.perf_counter(), TASKS[name]
    if isinstance(data.train, Sentences):
        system: Any = tag_task
    else:
        system = classify_task
    try:
        predictions = system(task, data.train, data.valid, data.test, vectors=vectors, seed=seed, device=device)
    except DataError as error:
        raise DataError(f"{name}: train can't be learnt from: {error}") from None
    return name, predictions, time.perf_counter() - started


def _all(
    splits: Mapping[str, Data], vectors: WordVectors, seed: int, jobs: int | None, device: str
) -> Iterator[tuple[str, Predictions, float]]:
    """Yield each task's name, predictions and seconds, as they come; the largest tasks begin first."""
    order = sorted(splits, key=lambda name: -_size(splits[name].train))
    at_once = min(jobs or min(_cores(), MOST_JOBS), len(order))
    if at_once == 1:
        yield from (run_task(name, splits[name], vectors, seed, device) for name in order)
        return
    with ProcessPoolExecutor(at_once, mp_context=get_context("spawn"), initializer=end_with_parent) as pool:
        try:
            with interrupts_wait():
                futures = [pool.submit(run_task, name, splits[name], vectors, seed, device) for name in order]
            for future in as_completed(futures):
                yield future.result()
        except BrokenProcessPool:
            raise DataError("a task's process was ended, perhaps for want of memory; --jobs 1 needs less") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _size(split: Split) -> int:
    """Return about how long training takes: words, three times where they are labelled one by one."""
    if isinstance(split, Sentences):
        return 3 * sum(map(len, split.words))
    return sum(len(words_of(text)) for row in split.texts for text in row)


def _result(task: Task, data: Data, predictions: Predictions, seconds: float) -> dict[str, Any]:
    valid = score(data.valid, predictions.valid)
    test = score(data.test, predictions.test) if data.test and predictions.test is not None else None
    if valid is None:
        raise DataError(f"{task.name}: valid has no labels")
    log.info("%s: valid %.2f, %.0f s", task.name, 100 * valid.macro, seconds)
    return {
        "kind": task.kind,
        "valid": valid.macro,
        "test": test and test.macro,
        "seconds": seconds,
        "valid_detail": {label: counts.f1 for label, counts in valid.each.items()},
        "rows": {
            "train": len(rows_of(data.train)),
            "valid": len(rows_of(data.valid)),
            "seen": len(seen(data)),
            "test": len(rows_of(data.test)) if data.test else 0,
        },
        "weights": dict(predictions.weights),
    }


def _submit(folder: Path, task: Task, data: Data, predictions: Predictions) -> None:
    aspects = data.train.aspects if isinstance(data.train, Documents) else None
    write_submission(folder / "valid", task, predictions.valid, aspects)
    if predictions.test is not None:
        write_submission(folder / "test", task, predictions.test, aspects)
