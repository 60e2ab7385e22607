"""The weights of the bracketing, from trees: a convex problem, solved by Newton's method."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hybrid.bracketing import FEATURES, Bracketer
from lexicon import Lexicon

Choice = tuple[Sequence[str], int]
"""P parts in lookup form, P ≥ 3, and how many of them make up the modifier."""


def fit_bracketing(
    choices: Sequence[Choice], lexicon: Lexicon, *, prior: float = 1.0, steps: int = 30
) -> dict[str, float]:
    """Return feature → weight under which the choices are likeliest, with a Gaussian prior around 0.

    Args:
        choices: where stretches of parts are cut into modifier and head.
        lexicon: what the features are read from.
        prior: 1 / variance.
        steps: Newton steps; some ten are enough.
    """
    bracketer = Bracketer(lexicon, dict.fromkeys(FEATURES, 0.0))
    rows = [(bracketer.features(parts), left - 1) for parts, left in choices]
    weights = np.zeros(len(FEATURES))
    for _ in range(steps):
        slope, curve = -prior * weights, prior * np.eye(len(weights))
        for features, chosen in rows:
            probability = _softmax(features @ weights)
            mean = probability @ features
            slope += features[chosen] - mean
            curve += (features * probability[:, None]).T @ features - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return dict(zip(FEATURES, weights.tolist(), strict=True))


def _softmax(score: NDArray[np.float64]) -> NDArray[np.float64]:
    weight = np.exp(score - score.max())
    return weight / weight.sum()
