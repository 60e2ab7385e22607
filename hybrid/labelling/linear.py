"""A linear model over n-grams: logistic regression whose weights lean on what a lexicon says of each n-gram."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hybrid.inference import one_thread

Product = Callable[[Tensor], Tensor]
"""Weights (G, J) to sums (N, J)."""

STEPS = 60
"""Passes of L-BFGS over the texts; more changed no score."""


@dataclass(frozen=True)
class NgramRows:
    """N texts as rows of n-grams, each row of Euclidean length 1.

    Attributes:
        first: (N + 1,) int64; the n-grams of text n are at first[n] … first[n + 1] of the next two.
        number: (K,) int64, of each n-gram.
        value: (K,) float32, weight of each in its text.
    """

    first: NDArray[np.int64]
    number: NDArray[np.int64]
    value: NDArray[np.float32]

    @classmethod
    def of(cls, texts: Sequence[NDArray[np.int64]], rarity: NDArray[np.float64]) -> "NgramRows":
        """Weigh n-grams by how rare they are.

        Args:
            texts: of each text, numbers of its distinct n-grams.
            rarity: (G,) of all n-grams.
        """
        first = np.concatenate([[0], np.cumsum([len(t) for t in texts])]).astype(np.int64)
        number = np.concatenate([*texts, np.zeros(0, np.int64)])
        value = rarity[number]
        row = np.repeat(np.arange(len(texts)), np.diff(first))
        norm = np.sqrt(np.bincount(row, weights=value**2, minlength=len(texts)))
        return cls(first, number, (value / np.maximum(norm, 1e-12)[row]).astype(np.float32))

    def some(self, places: NDArray[np.int64]) -> "NgramRows":
        """Return the rows at some places."""
        sizes = np.diff(self.first)[places]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        at = np.arange(first[-1]) + np.repeat(self.first[places] - first[:-1], sizes)
        return NgramRows(first, self.number[at], self.value[at])

    def times(self, weights: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return (N, J): the product with weights (G, J)."""
        with one_thread(), torch.inference_mode():
            return self.summed()(torch.from_numpy(weights)).numpy()

    def summed(self) -> Product:
        """Return the product with weights as a function of tensors; torch's own sparse matrices are unfinished."""
        number, first, value = (torch.from_numpy(a) for a in (self.number, self.first, self.value))

        def product(weights: Tensor) -> Tensor:
            return nn.functional.embedding_bag(
                number, weights, first, mode="sum", per_sample_weights=value, include_last_offset=True
            )

        return product

    def turned(self, width: int) -> "NgramRows":
        """Return the transposed rows: of each of `width` n-grams the texts that have it."""
        row = np.repeat(np.arange(len(self.first) - 1), np.diff(self.first))
        order = np.argsort(self.number, kind="stable")
        first = np.concatenate([[0], np.cumsum(np.bincount(self.number, minlength=width))]).astype(np.int64)
        return NgramRows(first, row[order], self.value[order])


class _Product(torch.autograd.Function):
    """Rows times weights; the way back goes over the transposed rows, which are made once."""

    @staticmethod
    def forward(ctx: Any, weights: Tensor, there: Product, back: Product) -> Tensor:
        """Return (N, J)."""
        ctx.back = back
        return there(weights)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        """Return the gradient at the weights (G, J)."""
        return ctx.back(gradient.contiguous()), None, None


@dataclass(frozen=True)
class LinearModel:
    """Scores of labels: bias + Σ over a text's n-grams of their weights.

    Attributes:
        weights: (G, A · L) float32.
        bias: (A, L) float32.
    """

    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    @classmethod
    def fit(
        cls, rows: NgramRows, labels: NDArray[np.int64], ratios: NDArray[np.float64], *, penalty: float
    ) -> "LinearModel":
        """Fit by multinomial log-likelihood, each label of an aspect with the same weight in all.

        An n-gram's values are multiplied by its largest log-count ratio, so that what tells of labels costs less
        (the idea of NB-SVM: Wang & Manning 2012).

        Args:
            rows: N texts.
            labels: (N, A), −1 where a text has none to learn.
            ratios: (A, G, L) log-count ratios.
            penalty: weight of the squared weights.
        """
        aspects, size, count = ratios.shape
        scale = torch.from_numpy(np.repeat(np.abs(ratios).max(axis=2).T, count, axis=1).astype(np.float32))
        target = torch.from_numpy(np.where(labels < 0, 0, labels))
        share = torch.from_numpy(_balanced(labels, count))
        with one_thread():
            there, back = rows.summed(), rows.turned(size).summed()
            weights = torch.zeros(size, aspects * count, requires_grad=True)
            bias = torch.zeros(aspects, count, requires_grad=True)
            optimizer = torch.optim.LBFGS(
                [weights, bias], max_iter=STEPS, history_size=6, line_search_fn="strong_wolfe"
            )

            def loss() -> Tensor:
                optimizer.zero_grad()
                scores = _Product.apply(weights * scale, there, back).view(-1, aspects, count) + bias  # type: ignore[no-untyped-call]
                chosen = scores.log_softmax(dim=2).gather(2, target[:, :, None]).squeeze(2)
                total = penalty * weights.square().sum() - (share * chosen).sum()
                total.backward()
                return total

            optimizer.step(loss)  # type: ignore[no-untyped-call]
            return cls((weights * scale).detach().numpy(), bias.detach().numpy())

    def scores(self, rows: NgramRows) -> NDArray[np.float32]:
        """Return (N, A, L) log-probabilities."""
        scores = rows.times(self.weights).reshape(-1, *self.bias.shape) + self.bias
        return scores - np.logaddexp.reduce(scores, axis=2, keepdims=True)


def _balanced(labels: NDArray[np.int64], count: int) -> NDArray[np.float32]:
    """Return (N, A): weights of texts under which each label that an aspect has weighs the same; 0 for label −1."""
    share = np.zeros(labels.shape, np.float32)
    for aspect, column in enumerate(labels.T):
        seen = np.bincount(column[column >= 0], minlength=count)
        of_label = seen.sum() / np.maximum(seen, 1) / max(1, np.count_nonzero(seen))
        share[:, aspect] = np.where(column < 0, 0, of_label[column])
    return share
