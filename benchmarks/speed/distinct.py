"""Distinct words, nothing remembered: words a second of each mode and each rival, with its F1 beside it."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from benchmarks.speed.contestants import Contestant, FirstSight, scores
from benchmarks.speed.sizes import Sizes
from benchmarks.speed.timing import affordable, paired, rates
from benchmarks.words import WordList

log = logging.getLogger(__name__)


def measure_lists(
    of_lists: Mapping[str, Sequence[str]],
    entrants: Sequence[Contestant],
    scored: Sequence[WordList],
    first: FirstSight,
    sizes: Sizes,
) -> dict[str, Any]:
    """Return the rows of each list of words; all contestants are warm.

    Args:
        of_lists: distinct words, by the name of their list.
        entrants: what is timed.
        scored: labelled words, for the F1.
        first: tells how many words go to the nets.
        sizes: how much is measured.
    """
    f1 = {}
    for one in entrants:
        f1[one.name] = scores(one.label, scored)
        log.info("%-55s F1 %s", one.name, f1[one.name])
    result: dict[str, Any] = {}
    for name, words in of_lists.items():
        rows = _rows(words, entrants, first.shares(words), sizes)
        result[name] = {"words": len(words), "rows": [{**row, "f1": f1[row["name"]]} for row in rows]}
        for row in result[name]["rows"]:
            log.info("%-8s %-55s %9.0f words/s", name, row["name"], row["words_per_second"]["median"])
    return result


def _rows(
    words: Sequence[str], entrants: Sequence[Contestant], shares: Mapping[str, float], sizes: Sizes
) -> list[dict[str, Any]]:
    count = {one.name: len(words) if one.whole else affordable(one.run, words, sizes.seconds, least=sizes.least)
             for one in entrants}  # fmt: skip
    seconds = paired({one.name: partial(one.run, words[: count[one.name]]) for one in entrants}, sizes.rounds)
    return [
        {"name": one.name, "mode": one.mode, "words": count[one.name],
         "words_per_second": rates(count[one.name], seconds[one.name]),
         "nets": shares[one.mode] if one.mode else None}
        for one in entrants
    ]  # fmt: skip
