"""The two kinds of net: modules, and their parameters out and in."""

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

Net = TypeVar("Net", bound=nn.Module)

PART_END, WORD_END = 0, 1
"""The language model's two closing symbols: a part ends inside the word, or with it."""


class SeededDropout(nn.Module):
    """Dropout from a generator of its own, so that nets which train side by side in two threads are repeatable."""

    def __init__(self, p: float) -> None:
        super().__init__()
        self.p = p
        self.generator: torch.Generator | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Map a tensor to one of the same shape."""
        if not self.training or self.p == 0:
            return x
        return x * torch.empty_like(x).bernoulli_(1 - self.p, generator=self.generator).div_(1 - self.p)


class BoundaryTagger(nn.Module):
    """A bidirectional LSTM over the characters of a word: log-odds that a part ends after each.

    Args:
        symbols: how many different characters there are, the unknown one included.
        features: how many numbers come with each character, 0 for a net that reads characters alone.
        embedding, hidden: sizes of a character's vector and of each direction's state.
        dropout: rates for the input, between the two layers, and for the output.
    """

    def __init__(
        self,
        symbols: int,
        features: int = 0,
        embedding: int = 64,
        hidden: int = 128,
        dropout: tuple[float, float, float] = (0.05, 0.1, 0.2),
    ) -> None:
        super().__init__()
        self.config = {"symbols": symbols, "features": features, "embedding": embedding, "hidden": hidden}
        self.embedding = nn.Embedding(symbols, embedding)
        self.lower = nn.LSTM(embedding + features, hidden, batch_first=True, bidirectional=True)
        self.upper = nn.LSTM(2 * hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, 1)
        self.dropouts = nn.ModuleList(SeededDropout(p) for p in dropout)

    def forward(self, symbols: Tensor, features: Tensor) -> Tensor:
        """Map symbols (B, L) int64 and features (B, L, F) float32 to log-odds (B, L) float32."""
        x = torch.cat([self.dropouts[0](self.embedding(symbols)), features], dim=2)
        x = self.dropouts[1](self.lower(x)[0])
        x = self.dropouts[2](self.upper(x)[0])
        return self.out(x).squeeze(2)


class CharLanguageModel(nn.Module):
    """An LSTM over the characters of a part, told whether the part opens its word, predicting the next character.

    Its last prediction is one of two ends, so that P(part, end | opens) covers all four roles, and one pass from a
    start position scores every segment that begins there.

    Args:
        symbols: how many different characters there are, the unknown one included.
        embedding, hidden: sizes of a character's vector and of the state.
        dropout: rate for the input and the output.
    """

    def __init__(self, symbols: int, embedding: int = 64, hidden: int = 160, dropout: float = 0.3) -> None:
        super().__init__()
        self.config = {"symbols": symbols, "embedding": embedding, "hidden": hidden}
        self.symbols = symbols
        self.embedding = nn.Embedding(symbols + 2, embedding)
        self.lstm = nn.LSTM(embedding, hidden, batch_first=True)
        self.out = nn.Linear(hidden, symbols + 2)
        self.dropouts = nn.ModuleList([SeededDropout(dropout), SeededDropout(dropout)])

    def forward(self, opens: Tensor, symbols: Tensor) -> Tensor:
        """Map opens (B,) bool and symbols (B, L) int64 to log P of what comes next (B, L + 1, symbols + 2).

        Position i is before character i; the last two of the third axis are `PART_END` and `WORD_END`.
        """
        begin = self.symbols + opens.to(torch.int64)
        x = self.dropouts[0](self.embedding(torch.cat([begin[:, None], symbols], dim=1)))
        x = self.dropouts[1](self.lstm(x)[0])
        return torch.log_softmax(self.out(x), dim=2)


def to_arrays(net: nn.Module) -> dict[str, NDArray[np.float32]]:
    """Return a net's parameters by name."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in net.state_dict().items()}


def from_arrays(kind: type[Net], config: Mapping[str, int], arrays: Mapping[str, NDArray[np.float32]]) -> Net:
    """Make a net of one kind from its sizes and parameters, on the CPU, ready to predict.

    Raises:
        ValueError: a parameter is missing, superfluous of another type, or of the wrong shape for these sizes.
    """
    with torch.device("meta"):
        net = kind(**config)
    expected = {name: tuple(tensor.shape) for name, tensor in net.state_dict().items()}
    found = {name: array.shape for name, array in arrays.items()}
    if any(array.dtype != np.float32 for array in arrays.values()):
        raise ValueError("a parameter is not float32")
    if found != expected:
        name = next(n for n in sorted({*found, *expected}) if found.get(n) != expected.get(n))
        raise ValueError(f"parameter {name} has shape {found.get(name)}, should be {expected.get(name)}")
    net.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()}, assign=True)
    return net.eval()
