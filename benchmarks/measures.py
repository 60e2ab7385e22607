"""How good a decoder's splits are: the contest's score, where it is hard, and how sure the difference to another is."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.metrics import evaluate, expected_calibration_error, reliability, span_f1, spans

RESAMPLES = 2000

Splits = Mapping[str, Sequence[int]]


def word_scores(gold: Splits, predicted: Splits) -> NDArray[np.float64]:
    """Return (W,): the contest's F1 of each gold word."""
    return np.array([span_f1(labels, predicted[word]) for word, labels in gold.items()])


def measure(gold: Splits, predicted: Splits, parts: set[str]) -> dict[str, Any]:
    """Return the measures of one decoder.

    Args:
        gold: word → labels.
        predicted: the same words.
        parts: the parts of the training words, in lookup form; a gold part that is not there is unknown.
    """
    scores = evaluate(gold, predicted)
    precision, recall = scores.boundary_precision, scores.boundary_recall
    three = {word: labels for word, labels in gold.items() if sum(labels) == 3}
    unknown = {
        word: labels
        for word, labels in gold.items()
        if any(word[start:end].lower() not in parts for start, end in spans(labels))
    }
    return {
        "f1": scores.f1,
        "exact": scores.exact,
        "boundary_precision": precision,
        "boundary_recall": recall,
        "boundary_f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "f1_three_parts": evaluate(three, predicted).f1 if three else None,
        "f1_unknown_part": evaluate(unknown, predicted).f1 if unknown else None,
    }


def paired_interval(
    scores: NDArray[np.float64], reference: NDArray[np.float64], *, seed: int
) -> tuple[float, float, float]:
    """Return the mean difference of two decoders on the same words, and its 95 % interval.

    The paired bootstrap (Koehn 2004): words are drawn anew, with replacement, `RESAMPLES` times.
    """
    difference = scores - reference
    rng = np.random.default_rng(seed)
    means = [difference[rng.integers(0, len(difference), len(difference))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(difference.mean()), float(low), float(high)


def calibration(probabilities: Sequence[float], right: Sequence[bool]) -> dict[str, Any]:
    """Return the expected calibration error of predictions, and the bins of their reliability diagram."""
    bins = reliability(probabilities, right)
    return {"ece": expected_calibration_error(bins), "bins": [asdict(b) for b in bins]}
