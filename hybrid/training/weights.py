"""Column weights by conditional log-likelihood over whole lattices: a convex problem, solved by L-BFGS."""

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.decoding import marginals
from hybrid.lattice import Lattice


def fit_weights(
    lattice: Lattice,
    columns: NDArray[np.float32],
    gold: NDArray[np.int64],
    *,
    min_parts: int,
    prior: float,
    forbidden: NDArray[np.bool_] | None = None,
) -> NDArray[np.float64]:
    """Return the C weights under which the gold paths are likeliest, with a Gaussian prior around 0.

    The gradient is columns @ (gold − marginal) (Lafferty, McCallum & Pereira 2001).

    Args:
        lattice: sequences with E edges, none of them part of what columns were made from.
        columns: (C, E).
        gold: the edges of the gold paths; each path must have at least `min_parts` edges where its sequence allows.
        min_parts: as in decoding.
        prior: 1 / variance.
        forbidden: (E,), edges that no path may take; None: none.
    """
    values = columns.astype(np.float64)
    observed = np.bincount(gold, minlength=lattice.edge_count).astype(np.float64)
    weights = torch.zeros(len(values), dtype=torch.float64, requires_grad=True)
    scale = np.sqrt(np.maximum((values * values).mean(1), 1e-12))  # columns of like size: L-BFGS then needs few steps
    values /= scale[:, None]

    def negative_log_likelihood() -> torch.Tensor:
        """Set the gradient at the current weights and return what is minimised."""
        w = weights.detach().numpy()
        scores = w @ values
        allowed = scores if forbidden is None else np.where(forbidden, -np.inf, scores)
        result = marginals(lattice, allowed, min_parts=min_parts)
        likelihood = float(scores @ observed - result.log_z.sum())
        weights.grad = torch.from_numpy(prior * w - values @ (observed - result.edge))
        return torch.tensor(prior / 2 * float(w @ w) - likelihood, dtype=torch.float64)

    optimizer = torch.optim.LBFGS([weights], max_iter=100, tolerance_grad=1e-3, line_search_fn="strong_wolfe")
    optimizer.step(negative_log_likelihood)  # type: ignore[no-untyped-call]
    return weights.detach().numpy() / scale
