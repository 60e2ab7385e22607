"""The three kinds of net: modules, and their parameters out and in."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

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


class _CharacterReader(nn.Module):
    """Two bidirectional LSTM layers over the characters of a word, and what the lexicon says at each.

    Args:
        symbols: how many different characters there are, the unknown one included.
        features: how many numbers come with each character, 0 for a net that reads characters alone.
        embedding, hidden: sizes of a character's vector and of each direction's state.
        dropout: rates for the input, between the two layers, and for the output.
    """

    def __init__(
        self, symbols: int, features: int, embedding: int, hidden: int, dropout: tuple[float, float, float]
    ) -> None:
        super().__init__()
        self.config = {"symbols": symbols, "features": features, "embedding": embedding, "hidden": hidden}
        self.embedding = nn.Embedding(symbols, embedding)
        self.lower = nn.LSTM(embedding + features, hidden, batch_first=True, bidirectional=True)
        self.upper = nn.LSTM(2 * hidden, hidden, batch_first=True, bidirectional=True)
        self.dropouts = nn.ModuleList(SeededDropout(p) for p in dropout)

    def read(self, symbols: Tensor, features: Tensor) -> Tensor:
        """Map symbols (B, L) int64 and features (B, L, F) float32 to states (B, L, 2 · hidden)."""
        x = torch.cat([self.dropouts[0](self.embedding(symbols)), features], dim=2)
        x = self.dropouts[1](self.lower(x)[0])
        return self.dropouts[2](self.upper(x)[0])


class BoundaryTagger(_CharacterReader):
    """Log-odds that a part ends after each character of a word; each boundary by itself.

    Args:
        symbols, features, embedding, hidden: sizes, as for both nets that read words.
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
        super().__init__(symbols, features, embedding, hidden, dropout)
        self.out = nn.Linear(2 * hidden, 1)

    def forward(self, symbols: Tensor, features: Tensor) -> Tensor:
        """Map symbols (B, L) int64 and features (B, L, F) float32 to log-odds (B, L) float32."""
        return self.out(self.read(symbols, features)).squeeze(2)


class SegmentNet(_CharacterReader):
    """A score for each segment of a word; a word's split is as likely as the sum of its parts' scores says.

    Trained on whole lattices, it is a semi-Markov conditional random field (Sarawagi & Cohen 2004) over states of an
    LSTM (Kong, Dyer & Smith 2016): score(s, t) = out · relu(U h(s) + V h(t) + W x(s, t)) + cut · h(t).

    Args:
        symbols, features, embedding, hidden: sizes, as for both nets that read words.
        segment_features: how many numbers come with each segment.
        joint: size of the layer that joins a segment's two ends and its own numbers.
        dropout: rates for the input, between the two layers, and for the output.
    """

    def __init__(
        self,
        symbols: int,
        features: int,
        segment_features: int,
        embedding: int = 64,
        hidden: int = 64,
        joint: int = 64,
        dropout: tuple[float, float, float] = (0.05, 0.1, 0.2),
    ) -> None:
        super().__init__(symbols, features, embedding, hidden, dropout)
        self.config |= {"segment_features": segment_features, "joint": joint}
        self.begin = nn.Linear(2 * hidden, joint)
        self.end = nn.Linear(2 * hidden, joint, bias=False)
        self.segment = nn.Linear(segment_features, joint, bias=False) if segment_features else None
        self.first = nn.Parameter(torch.zeros(joint))
        self.out = nn.Linear(joint, 1)
        self.cut = nn.Linear(2 * hidden, 1)

    def forward(self, symbols: Tensor, features: Tensor, segments: Tensor, src: Tensor, dst: Tensor) -> Tensor:
        """Map B words of L characters, with E segments each, to scores (B, E) float32, in nats.

        Args:
            symbols: (B, L) int64.
            features: (B, L, F) float32, what the lexicon says of the node after each character.
            segments: (B, E, S) float32, what it says of each segment.
            src: (E,) int64, a segment's first character.
            dst: (E,) int64, the character after its last.
        """
        x = self.read(symbols, features)
        begin = torch.cat([self.first.expand(len(x), 1, -1), self.begin(x[:, :-1])], dim=1)  # (B, L, joint)
        joined = begin.index_select(1, src) + self.end(x).index_select(1, dst - 1)  # (B, E, joint)
        if self.segment is not None:
            joined = joined + self.segment(segments)
        cut = self.cut(x).squeeze(2) * (torch.arange(x.shape[1], device=x.device) < x.shape[1] - 1)
        return self.out(torch.relu(joined)).squeeze(2) + cut.index_select(1, dst - 1)


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


class _WithoutFirstValues(TorchFunctionMode):
    """Leaves parameters without the values that a net begins with: they are read from a file.

    On the meta device, making those values would import a part of torch that takes seconds.
    """

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Skip what `torch.nn.init` does."""
        if getattr(function, "__module__", None) == "torch.nn.init":
            return args[0] if args else (kwargs or {})["tensor"]
        return function(*args, **(kwargs or {}))


def from_arrays(kind: type[Net], config: Mapping[str, int], arrays: Mapping[str, NDArray[np.float32]]) -> Net:
    """Make a net of one kind from its sizes and parameters, on the CPU, ready to predict.

    Raises:
        ValueError: a parameter is missing, superfluous of another type, or of the wrong shape for these sizes.
    """
    with torch.device("meta"), _WithoutFirstValues():
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
