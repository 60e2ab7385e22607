"""How time grows: with the number of words, with their length, with threads."""

import logging
import os
import random
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import torch

from benchmarks.speed.contestants import FirstSight
from benchmarks.speed.sizes import Sizes
from benchmarks.speed.timing import affordable, paired, rates, spread
from hybrid.segmenter import Segmenter

QUICK_MODES = ("cascade", "fast")

log = logging.getLogger(__name__)


def by_corpus(
    words: Sequence[str], modes: Mapping[str, Segmenter], first: FirstSight, sizes: Sizes
) -> list[dict[str, Any]]:
    """Return words a second for growing numbers of distinct words."""
    counts = sorted({min(count, len(words)) for count in sizes.corpus})
    runs = {(count, mode): partial(modes[mode].split_parts, words[:count]) for count in counts for mode in QUICK_MODES}
    nets = {count: first.shares(words[:count]) for count in counts}
    rows = [{"words": count, "nets": nets[count][mode], **_rates(count, mode, seconds)}
            for (count, mode), seconds in _timed(runs, sizes)]  # fmt: skip
    log.info("growth with the number of words: %d rows", len(rows))
    return rows


def by_length(
    nouns: Sequence[str], modes: Mapping[str, Segmenter], first: FirstSight, sizes: Sizes, *, seed: int
) -> list[dict[str, Any]]:
    """Return microseconds for a word and for a character, for words joined to be longer and longer."""
    runs: dict[tuple[int, str], Callable[[], object]] = {}
    lists: dict[tuple[int, str], list[str]] = {}
    for length in sizes.lengths:
        joined = joined_words(nouns, length, sizes.joined, seed=seed)
        for mode, segmenter in modes.items():
            count = affordable(segmenter.split_parts, joined, sizes.seconds / 2, least=8)
            lists[length, mode] = joined[:count]
            runs[length, mode] = partial(segmenter.split_parts, joined[:count])
    rows = []
    for (length, mode), seconds in _timed(runs, sizes):
        words = lists[length, mode]
        characters = sum(map(len, words))
        rows.append({
            "length": length, "mode": mode, "words": len(words), "mean_length": characters / len(words),
            "nets": first.shares(words)[mode],
            "us_per_word": spread([one / len(words) * 1e6 for one in seconds]),
            "us_per_character": spread([one / characters * 1e6 for one in seconds]),
        })  # fmt: skip
    log.info("growth with the length of words: %d rows", len(rows))
    return rows


def by_threads(words: Sequence[str], modes: Mapping[str, Segmenter], sizes: Sizes) -> list[dict[str, Any]]:
    """Return words a second when threads share the words; not on one core, and torch has one thread in each."""
    cores = os.cpu_count() or 1
    counts = sorted({1, *(2**k for k in range(cores.bit_length()) if 2**k <= cores), cores})
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        runs = {(count, mode): partial(_shared, modes[mode], words, count) for count in counts for mode in QUICK_MODES}
        timed = _timed(runs, sizes)
    finally:
        torch.set_num_threads(threads)
    return [{"threads": count, **_rates(len(words), mode, seconds)} for (count, mode), seconds in timed]


def joined_words(nouns: Sequence[str], length: int, count: int, *, seed: int) -> list[str]:
    """Return distinct words of about so many characters, made of nouns that are drawn."""
    around = max(2, min(8, length // 20))
    rng = random.Random(seed)
    found: dict[str, None] = {}
    for _ in range(50 * count):  # short ones may come again
        word = rng.choice(nouns)
        while len(word) < length - around:
            word += rng.choice(nouns).lower()
        if len(word) <= length + around:
            found[word] = None
        if len(found) == count:
            break
    return list(found)


def _shared(segmenter: Segmenter, words: Sequence[str], threads: int) -> None:
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(segmenter.split_parts, [words[i::threads] for i in range(threads)]))


def _timed(
    runs: Mapping[tuple[int, str], Callable[[], object]], sizes: Sizes
) -> list[tuple[tuple[int, str], list[float]]]:
    keys = {f"{size} {mode}": (size, mode) for size, mode in runs}
    seconds = paired({name: runs[key] for name, key in keys.items()}, sizes.rounds)
    return [(keys[name], of_name) for name, of_name in seconds.items()]


def _rates(count: int, mode: str, seconds: Sequence[float]) -> dict[str, Any]:
    return {"mode": mode, "words_per_second": rates(count, seconds)}
