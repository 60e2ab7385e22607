"""Nets to numbers: batches of one length, so nothing is padded; the same result, to rounding, for any batch size."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import Lock

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.alphabet import Alphabet
from hybrid.errors import DataError
from hybrid.evidence import Evidence
from hybrid.features import node_features, segment_features
from hybrid.lattice import LONGEST_SEGMENT, WordLattice, one_length
from hybrid.networks import PART_END, BoundaryTagger, CharLanguageModel, SegmentNet

Symbols = NDArray[np.int64]

BATCH_SEGMENTS = 200_000
"""Segments that a segment net joins at a time: 50 MB with 64 numbers each."""

BATCH = 512
"""Sequences in one pass of a net; on one core the taggers are quickest with 512, by 2 to 14 % over 64 … 2,048."""


def pick_device(name: str | None = None) -> torch.device:
    """Return the device named, else CUDA where there is one, else MPS, else the CPU.

    Raises:
        DataError: torch knows no such device, or it is not there.
    """
    if name is not None:
        try:
            probe = torch.zeros(1, device=name)
            probe.cpu()
        except Exception as error:
            reason = str(error).split("\n")[0].split(". ")[0]
            raise DataError(f"device {name!r} can't be used: {reason}") from None
        return probe.device
    if torch.cuda.is_available():
        return torch.device("cuda")
    return torch.device("mps" if torch.backends.mps.is_available() else "cpu")


class _Threads:
    """How many callers want torch to use one thread, and how many threads it used before the first of them."""

    def __init__(self) -> None:
        self.lock, self.callers, self.before = Lock(), 0, 1

    def forget(self) -> None:
        """Begin anew in a forked process, where other threads' calls never end."""
        if self.callers:
            torch.set_num_threads(self.before)
        self.lock, self.callers = Lock(), 0


_THREADS = _Threads()
"""torch has one number of threads for the whole process, so this is the process's too."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_THREADS.forget)


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one CPU thread: nets this small are run side by side instead, one a core.

    When the last of several threads leaves, torch has as many as before the first came.
    """
    with _THREADS.lock:
        if not _THREADS.callers:
            _THREADS.before = torch.get_num_threads()
        _THREADS.callers += 1
        torch.set_num_threads(1)
    try:
        yield
    finally:
        with _THREADS.lock:
            _THREADS.callers -= 1
            if not _THREADS.callers:
                torch.set_num_threads(_THREADS.before)


@contextmanager
def _undisturbed(device: torch.device) -> Iterator[None]:
    """Run nets in one thread, without gradients, and in 32 bits even where a caller's own nets take fewer."""
    plain = torch.autocast(device.type, enabled=False) if device.type in {"cpu", "cuda"} else nullcontext()
    with torch.inference_mode(), plain, one_thread():
        yield


def batches_of_one_length(lengths: NDArray[np.int64], size: int) -> Iterator[NDArray[np.int64]]:
    """Yield the indices of sequences of equal length, at most `size` at a time, short ones first; no empty sequence."""
    order = np.argsort(lengths, kind="stable")
    bounds = np.flatnonzero(np.diff(lengths[order], prepend=-1, append=-1))
    for start, stop in zip(bounds, bounds[1:], strict=False):
        if lengths[order[start]] > 0:
            for at in range(start, stop, size):
                yield order[at : min(at + size, stop)]


def flat_index(starts: NDArray[np.int64], length: int) -> NDArray[np.int64]:
    """Return (B, length): the places of `length` items in a row from each start."""
    return starts[:, None] + np.arange(length)


@dataclass(frozen=True)
class Tagger:
    """A boundary net with its alphabet, on a device. Reads the lexicon's features if the net was trained with them."""

    net: BoundaryTagger
    alphabet: Alphabet
    device: torch.device
    batch: int = BATCH

    def boundary_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """Return (N,) float32: log-odds that a part ends at each node of the lattice; 0 at a word's first node."""
        lattice = evidence.lattice
        lengths = np.diff(lattice.lattice.node_ptr) - 1
        symbols = self.alphabet.encode(lattice.words)
        first_symbol = np.cumsum(lengths) - lengths
        read = self.net.config["features"]
        features = node_features(evidence)[:, :read] if read else np.zeros((len(evidence.seen), 0), np.float32)
        inputs = torch.from_numpy(features)
        result = np.zeros(len(evidence.seen), np.float32)
        self.net.eval()
        with _undisturbed(self.device):
            for batch in batches_of_one_length(lengths, self.batch):
                length = int(lengths[batch[0]])
                nodes = flat_index(lattice.lattice.node_ptr[:-1][batch] + 1, length)
                chars = torch.from_numpy(symbols[flat_index(first_symbol[batch], length)]).to(self.device)
                logits = self.net(chars, inputs[nodes].to(self.device))
                result[nodes] = logits.float().cpu().numpy()
        return result


INPUTS = ("features", "segment_features")


@dataclass(frozen=True)
class SegmentNets:
    """Segment nets that differ by their seeds, averaged, with their alphabet, on a device."""

    nets: tuple[SegmentNet, ...]
    alphabet: Alphabet
    device: torch.device
    batch: int = BATCH

    def segment_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """Return (E,) float32: the mean of the nets' scores of each edge, in nats."""
        lattice = evidence.lattice
        lengths = np.diff(lattice.lattice.node_ptr) - 1
        symbols = self.alphabet.encode(lattice.words)
        first_symbol = np.cumsum(lengths) - lengths
        first_edge = lattice.lattice.edge_ptr[lattice.lattice.node_ptr[:-1]]
        inputs, of_segment = torch.from_numpy(node_features(evidence)), torch.from_numpy(segment_features(evidence))
        result = np.zeros(len(lattice.src), np.float32)
        for net in self.nets:
            net.eval()
        with _undisturbed(self.device):
            for batch in batches_of_one_length(lengths, self.batch):
                length = int(lengths[batch[0]])
                _, *ends = one_length(length, 1)
                src, dst = (torch.from_numpy(end).to(self.device) for end in ends)
                for some in np.array_split(batch, -(-len(batch) * len(src) // BATCH_SEGMENTS)):
                    edges = flat_index(first_edge[some], len(src))
                    nodes = flat_index(lattice.lattice.node_ptr[:-1][some] + 1, length)
                    chars = torch.from_numpy(symbols[flat_index(first_symbol[some], length)]).to(self.device)
                    given = inputs[nodes].to(self.device), of_segment[edges].float().to(self.device)
                    for net in self.nets:
                        of_node, of_edge = (x[:, :, : net.config[key]] for x, key in zip(given, INPUTS, strict=True))
                        scores = net(chars, of_node, of_edge, src, dst)
                        result[edges] += scores.float().cpu().numpy() / len(self.nets)
        return result


@dataclass(frozen=True)
class LanguageModel:
    """A character language model with its alphabet, on a device."""

    net: CharLanguageModel
    alphabet: Alphabet
    device: torch.device
    batch: int = BATCH

    def segment_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """Return (E,) float32: log P(segment, end | does it open the word), in nats.

        Of a whole word beyond the longest segment only so much is read, and taken to be typical of the rest.
        """
        lattice = evidence.lattice
        table, row_of = self._rows(lattice)
        closes = lattice.dst == (np.diff(lattice.lattice.node_ptr) - 1)[lattice.word]
        row = row_of[lattice.lattice.node_ptr[lattice.word] + lattice.src]
        length = lattice.dst - lattice.src
        scored = np.minimum(length, LONGEST_SEGMENT)
        scores = table[row + scored, closes.astype(np.int64)]
        return np.where(length > scored, scores * (length / np.maximum(scored, 1)), scores).astype(np.float32)

    def _rows(self, lattice: WordLattice) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Score each distinct (opens, rest of word) once.

        Returns:
            (T, 2): log P of a rest's first i characters as a part, at row + i, for either end; and (N,) the row of
            the rest that begins at each node.
        """
        rests: dict[tuple[bool, str], int] = {}
        of_node = np.fromiter(
            (
                rests.setdefault((at == 0, word[at : at + LONGEST_SEGMENT]), len(rests))
                for word in lattice.words
                for at in range(len(word) + 1)
            ),
            np.int64,
            count=int(lattice.lattice.node_ptr[-1]),
        )
        lengths = np.array([len(rest) for _, rest in rests], np.int64)
        opens = np.array([o for o, _ in rests], bool)
        symbols = self.alphabet.encode([rest for _, rest in rests])
        first_symbol, row = np.cumsum(lengths) - lengths, np.cumsum(lengths + 1) - lengths - 1
        table = np.zeros((int(row[-1] + lengths[-1]) + 1 if rests else 0, 2), np.float32)
        self.net.eval()
        with _undisturbed(self.device):
            for batch in batches_of_one_length(lengths, self.batch):
                length = int(lengths[batch[0]])
                chars = torch.from_numpy(symbols[flat_index(first_symbol[batch], length)]).to(self.device)
                scores = prefix_scores(self.net, torch.from_numpy(opens[batch]).to(self.device), chars)
                table[flat_index(row[batch], length + 1)] = scores.float().cpu().numpy()
        return table, row[of_node]


def prefix_scores(net: CharLanguageModel, opens: torch.Tensor, symbols: torch.Tensor) -> torch.Tensor:
    """Return (B, L + 1, 2): log P of each row's first 0 … L characters as a part, for either end, in one pass."""
    log_p = net(opens, symbols)
    chosen = log_p[:, :-1].gather(2, symbols[:, :, None]).squeeze(2)
    before = torch.nn.functional.pad(chosen.cumsum(1), (1, 0))
    ends = net.symbols + PART_END
    return before[:, :, None] + log_p[:, :, ends : ends + 2]
