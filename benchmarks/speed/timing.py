"""Fair timing: one core, one process, and rounds in which every contestant has its turn."""

import gc
import os
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import torch

Spread = dict[str, float]
"""The median, least and largest of the figures of all rounds."""


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core, where the system lets it, and torch on one thread."""
    threads = torch.get_num_threads()
    cores = os.sched_getaffinity(0) if hasattr(os, "sched_setaffinity") else set()
    torch.set_num_threads(1)
    if cores:
        os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        if cores:
            os.sched_setaffinity(0, cores)


def spread(figures: Sequence[float]) -> Spread:
    """Return the median, the least and the largest."""
    return {"median": statistics.median(figures), "min": min(figures), "max": max(figures)}


def seconds_of(run: Callable[[], object]) -> float:
    """Return how long a call takes, without garbage collection, as `timeit` does: all that is loaded would slow it."""
    with no_collection():
        begin = time.perf_counter()
        run()
        return time.perf_counter() - begin


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect garbage before, and none until the end."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def paired(contestants: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Return each contestant's seconds in each round, in which all run once, in turn: a busy spell hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            seconds[name].append(seconds_of(run))
    return seconds


def rates(amount: int, seconds: Sequence[float]) -> Spread:
    """Return the spread of amount a second."""
    return spread([amount / one for one in seconds])


def affordable(run: Callable[[Sequence[str]], object], words: Sequence[str], seconds: float, *, least: int) -> int:
    """Return how many of the words take about so long, but at least so many, tried on more and more of them."""
    count = min(least, len(words))
    while True:
        taken = seconds_of(partial(run, words[:count]))
        if count == len(words) or taken > seconds / 4:
            return max(min(least, count), min(len(words), int(count * seconds / taken)))
        count = min(len(words), 3 * count)
