"""Columns of scores to one probability for each label, and probabilities to the labels that macro F1 favours."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.inference import one_thread

Reals = NDArray[np.float64]

_STEPS = (0.4, 0.1)
"""Widths of steps in which offsets are sought, in nats."""

_FURTHEST = 2.0
"""No offset is further from 0, in nats."""


@dataclass(frozen=True)
class Combination:
    """What is made of C columns for A aspects and L labels.

    Attributes:
        weights: (C,) of the columns.
        bias: (A, L), −inf where an aspect never has a label.
        offset: (L,) added before the best label is taken, so that rare ones are found as often as macro F1 wants.
    """

    weights: Reals
    bias: Reals
    offset: Reals

    @classmethod
    def fit(cls, columns: NDArray[np.float32], labels: NDArray[np.int64], *, prior: float) -> "Combination":
        """Fit weights and biases by multinomial log-likelihood, then offsets by expected macro F1.

        Args:
            columns: (C, N, A, L) of texts that these scores know nothing of.
            labels: (N, A), −1 for none.
            prior: 1 / variance of a Gaussian around 1 / C for weights, and around 0 for biases.
        """
        never = _never(labels, columns.shape[3])
        weights, bias = _weights_and_bias(columns.astype(np.float64), labels, never, prior)
        combined = cls(weights, np.where(never, -np.inf, bias), np.zeros(columns.shape[3]))
        return cls(weights, combined.bias, _offsets(combined.probabilities(columns)))

    def probabilities(self, columns: NDArray[np.float32]) -> Reals:
        """Return (N, A, L) from columns (C, N, A, L)."""
        scores = np.tensordot(self.weights, columns.astype(np.float64), axes=1) + self.bias
        scores = np.exp(scores - scores.max(axis=2, keepdims=True))
        return np.asarray(scores / scores.sum(axis=2, keepdims=True))

    def best(self, probabilities: Reals) -> NDArray[np.int64]:
        """Return (N, A): the label for each aspect; of equals the first."""
        return np.asarray((probabilities * np.exp(self.offset)).argmax(axis=2))


def _never(labels: NDArray[np.int64], count: int) -> NDArray[np.bool_]:
    """Return (A, L): the aspect never has the label; an aspect without any may have all."""
    seen = np.stack([np.bincount(column[column >= 0], minlength=count) for column in labels.T])
    return np.asarray((seen == 0) & (seen.sum(axis=1, keepdims=True) > 0))


def _weights_and_bias(
    columns: Reals, labels: NDArray[np.int64], never: NDArray[np.bool_], prior: float
) -> tuple[Reals, Reals]:
    """Return (C,) and (A, L) by L-BFGS; the problem is convex."""
    count = len(columns)
    with one_thread():
        values, masked = torch.from_numpy(columns), torch.from_numpy(never)
        target = torch.from_numpy(labels)
        weights = torch.full((count,), 1 / count, dtype=torch.float64, requires_grad=True)
        bias = torch.zeros(never.shape, dtype=torch.float64, requires_grad=True)
        optimizer = torch.optim.LBFGS([weights, bias], max_iter=100, line_search_fn="strong_wolfe")

        def loss() -> torch.Tensor:
            optimizer.zero_grad()
            scores = (torch.tensordot(weights, values, 1) + bias).masked_fill(masked, -torch.inf)
            total = torch.nn.functional.cross_entropy(
                scores.flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum"
            )
            total = total + prior / 2 * ((weights - 1 / count).square().sum() + bias.square().sum())
            total.backward()  # type: ignore[no-untyped-call]
            return total

        optimizer.step(loss)  # type: ignore[no-untyped-call]
        return weights.detach().numpy(), bias.detach().numpy()


def expected_macro_f1(probabilities: Reals, predicted: NDArray[np.int64]) -> float:
    """Return the macro F1 to expect of predicted labels, over those that the probabilities expect at all.

    F1 of a label is 2 · Σ P(label) where it is predicted, over how often it is predicted plus Σ P(label).

    Args:
        probabilities: (M, L).
        predicted: (M,).
    """
    count = probabilities.shape[1]
    right = np.bincount(predicted, weights=probabilities[np.arange(len(predicted)), predicted], minlength=count)
    wanted, found = probabilities.sum(axis=0), np.bincount(predicted, minlength=count)
    some = wanted > 0
    return float(np.mean(2 * right[some] / (wanted + found)[some])) if some.any() else 0.0


def _offsets(probabilities: Reals) -> Reals:
    """Return (L,): offsets under which expected macro F1 is largest, sought one label after the other.

    Expected under the probabilities, not counted on the gold labels: where a label is rare, its count on few texts is
    mostly chance (plug-in rule for F1: Ye et al. 2012).
    """
    flat = probabilities.reshape(-1, probabilities.shape[2])
    with np.errstate(divide="ignore"):
        scores = np.log(flat)
    offset = np.zeros(flat.shape[1])
    best = expected_macro_f1(flat, scores.argmax(axis=1))
    for step in _STEPS:
        better = True
        while better:
            better = False
            for label in range(len(offset)):
                for change in (step, -step):
                    trial = offset.copy()
                    trial[label] += change
                    value = expected_macro_f1(flat, (scores + trial).argmax(axis=1))
                    if value > best + 1e-6 and abs(trial[label]) <= _FURTHEST:
                        offset, best, better = trial, value, True
    return offset
