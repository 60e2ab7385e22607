"""Accuracy against cost: what the first pass's threshold, from "never the nets" to "always", gives and takes."""

import dataclasses
import logging
from collections.abc import Sequence
from functools import partial
from typing import Any

from benchmarks.speed.contestants import DEVICE, FirstSight, labels, scores
from benchmarks.speed.sizes import Sizes
from benchmarks.speed.timing import affordable, one_core, paired, rates
from benchmarks.words import WordList
from hybrid.model import Model
from hybrid.segmenter import Segmenter

LONGER = 3
"""Times as long as slow contestants else run: as much goes to the nets at a time as when there are many words."""

log = logging.getLogger(__name__)


def measure_cost(
    model: Model,
    first: FirstSight,
    words: Sequence[str],
    warm: Sequence[str],
    scored: Sequence[WordList],
    sizes: Sizes,
) -> list[dict[str, Any]]:
    """Return a row for each threshold.

    Args:
        model: one with a first pass.
        first: tells how many words go to the nets.
        words: distinct words to be timed on.
        warm: others, which each variant splits before.
        scored: labelled words, for the F1.
        sizes: how much is measured.
    """
    variants = {sure: with_threshold(model, sure) for sure in sizes.thresholds}
    with one_core():
        for segmenter in variants.values():
            segmenter.split_parts(warm)
        count = {sure: affordable(segmenter.split_parts, words, LONGER * sizes.seconds, least=8 * sizes.least)
                 for sure, segmenter in variants.items()}  # fmt: skip
        runs = {str(sure): partial(one.split_parts, words[: count[sure]]) for sure, one in variants.items()}
        seconds = paired(runs, sizes.rounds)
    probabilities = first.probabilities(words)
    rows = []
    for sure, segmenter in variants.items():
        rows.append({
            "sure": sure, "nets": float((probabilities < sure).mean()), "words": count[sure],
            "words_per_second": rates(count[sure], seconds[str(sure)]),
            "f1": scores(partial(labels, segmenter), scored),
        })  # fmt: skip
        log.info("threshold %.2f: %s", sure, rows[-1]["f1"])
    return rows


def with_threshold(model: Model, sure: float) -> Segmenter:
    """Return a segmenter whose first pass is believed from this probability on."""
    assert model.first_pass is not None
    first = dataclasses.replace(model.first_pass, sure=sure)
    return Segmenter(dataclasses.replace(model, first_pass=first), device=DEVICE)
