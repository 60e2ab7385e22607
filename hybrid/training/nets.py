"""The training loops of the three kinds of net."""

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Event, Lock
from typing import TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hybrid.alphabet import Alphabet
from hybrid.inference import batches_of_one_length, flat_index
from hybrid.lattice import one_length
from hybrid.networks import WORD_END, BoundaryTagger, CharLanguageModel, SeededDropout, SegmentNet
from hybrid.progress import progress_bar
from hybrid.training.config import TrainingConfig
from hybrid.training.inputs import SegmentInputs
from hybrid.training.likelihood import marginals_of_one_length
from lexicon import Lexicon
from lexicon.mining import FINAL, INITIAL, WHOLE

_SEEDING = Lock()  # threads share the global generator

log = logging.getLogger(__name__)

Batch = NDArray[np.int64]
Net = TypeVar("Net", bound=nn.Module)


class InterruptedTrainingError(Exception):
    """Training was told to stop: a net trained side by side with this one failed, or the user asked."""


@dataclass(frozen=True)
class NetKind:
    """How segment nets of one kind are made: size of their states, rates of dropout, passes of training."""

    hidden: int
    epochs: int
    dropout: tuple[float, float, float]


@dataclass(frozen=True)
class Schedule:
    """How long and how fast one net trains."""

    name: str
    epochs: int
    batch: int
    rate: float
    seed: int


def train_tagger(
    name: str,
    words: Sequence[str],
    cuts: Sequence[Sequence[int]],
    features: NDArray[np.float32],
    alphabet: Alphabet,
    config: TrainingConfig,
    seed: int,
    device: torch.device,
    stop: Event,
) -> BoundaryTagger:
    """Train a boundary net.

    Args:
        name: for the log.
        words: B words in lookup form, L characters in all.
        cuts: for each word its inner cuts.
        features: (L, F) float32, what the lexicon says of the node after each character; F = 0 for none.
        alphabet: the characters' numbers.
        config: rates and epochs.
        seed: for first weights, dropout and the order of batches.
        device: where to train.
        stop: set to end early, by the exception `InterruptedTrainingError`.
    """
    lengths = np.array([len(word) for word in words], np.int64)
    first = np.cumsum(lengths) - lengths
    symbols = torch.from_numpy(alphabet.encode(words)).to(device)
    target = np.full(len(symbols), config.smoothing, np.float32)
    target[np.concatenate([first[w] + np.array(inner, np.int64) - 1 for w, inner in enumerate(cuts)])] = (
        1 - config.smoothing
    )
    targets, inputs = torch.from_numpy(target).to(device), torch.from_numpy(features).to(device)

    def loss(net: nn.Module, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of the inner boundaries."""
        length = int(lengths[batch[0]])
        at = torch.from_numpy(flat_index(first[batch], length)).to(device)
        logits = net(symbols[at], inputs[at])[:, :-1]  # the last character always ends a part: nothing to learn
        return nn.functional.binary_cross_entropy_with_logits(logits, targets[at[:, :-1]], reduction="sum") / (
            len(batch) * max(length - 1, 1)
        )

    schedule = Schedule(name, config.tagger_epochs, config.tagger_batch, config.tagger_rate, seed)
    net = _seeded(lambda: BoundaryTagger(len(alphabet), features.shape[1], hidden=config.tagger_hidden), seed, device)
    _fit(net, loss, np.where(lengths > 1, lengths, 0), schedule, config, stop)
    return net


def train_segment_net(
    name: str,
    inputs: SegmentInputs,
    alphabet: Alphabet,
    config: TrainingConfig,
    kind: NetKind,
    seed: int,
    min_parts: int,
    device: torch.device,
    stop: Event,
) -> SegmentNet:
    """Train a segment net: the gold split's likelihood among all splits with `min_parts` parts or more.

    The likelihood's gradient by a segment's score is its posterior probability less 1 where it is a part (Sarawagi &
    Cohen 2004); forward–backward gives the former, so only the net itself is differentiated by torch.
    """
    lengths = np.array([len(word) for word in inputs.words], np.int64)
    first = np.cumsum(lengths) - lengths
    edges = np.array([_edges(int(n)) for n in lengths], np.int64)
    first_edge = np.cumsum(edges) - edges
    symbols = torch.from_numpy(alphabet.encode(inputs.words)).to(device)
    features, segments = torch.from_numpy(inputs.features).to(device), torch.from_numpy(inputs.segments).to(device)
    is_part = np.zeros(len(inputs.segments), np.float32)
    is_part[inputs.gold] = 1

    def loss(net: nn.Module, batch: Batch) -> Tensor:
        """Return the mean negative log-likelihood of the gold splits."""
        length = int(lengths[batch[0]])
        _, src, dst = one_length(length, 1)
        at = torch.from_numpy(flat_index(first[batch], length)).to(device)
        rows = flat_index(first_edge[batch], len(src))
        of_segment = segments[torch.from_numpy(rows).to(device)].float()
        ends = torch.from_numpy(src).to(device), torch.from_numpy(dst).to(device)
        scores = net(symbols[at], features[at], of_segment, *ends)
        given = scores.detach().double().cpu().numpy()
        probability, log_z = marginals_of_one_length(given, length, min_parts=min_parts)
        observed = is_part[rows]
        value = float(log_z.sum() - (given * observed).sum()) / len(batch)
        slope = torch.from_numpy((probability - observed).astype(np.float32) / len(batch))
        moved = (scores * slope.to(device)).sum()  # its gradient is the likelihood's, its value is not
        return moved - moved.detach() + value

    schedule = Schedule(name, kind.epochs, config.segment_batch, config.segment_rate, seed)
    given = len(alphabet), inputs.features.shape[1], inputs.segments.shape[1]
    net = _seeded(lambda: SegmentNet(*given, hidden=kind.hidden, dropout=kind.dropout), seed, device)
    _fit(net, loss, np.where(lengths > 1, lengths, 0), schedule, config, stop)
    return net


def train_language_model(
    lexicon: Lexicon, alphabet: Alphabet, config: TrainingConfig, seed: int, device: torch.device, stop: Event
) -> CharLanguageModel:
    """Train the language model on the lexicon's parts, each in each of its roles weighing 1 + log count."""
    parts = [(key, lexicon.parts[lexicon.trie.get(key)]) for key in sorted(lexicon.trie)]
    rows = [(key, role, int(n)) for key, by_role in parts for role, n in enumerate(by_role) if n]
    lengths = np.array([len(key) for key, _, _ in rows], np.int64)
    first = np.cumsum(lengths) - lengths
    symbols = torch.from_numpy(alphabet.encode([key for key, _, _ in rows])).to(device)
    opens = torch.tensor([role in (INITIAL, WHOLE) for _, role, _ in rows], device=device)
    end_symbol = [len(alphabet) + (WORD_END if role in (FINAL, WHOLE) else 0) for _, role, _ in rows]
    ends = torch.tensor(end_symbol, device=device)
    weight = torch.tensor([1 + math.log(n) for _, _, n in rows], device=device)

    def loss(net: nn.Module, batch: Batch) -> Tensor:
        """Return the weighted mean, over parts, of the cross-entropy per character."""
        at = torch.from_numpy(flat_index(first[batch], int(lengths[batch[0]]))).to(device)
        row = torch.from_numpy(batch).to(device)
        log_p = net(opens[row], symbols[at])
        wanted = torch.cat([symbols[at], ends[row, None]], dim=1)
        per_part = log_p.gather(2, wanted[:, :, None]).squeeze(2).mean(1)
        return -(per_part * weight[row]).sum() / weight[row].sum()

    schedule = Schedule("language model", config.language_epochs, config.language_batch, config.language_rate, seed)
    net = _seeded(lambda: CharLanguageModel(len(alphabet), hidden=config.language_hidden), seed, device)
    _fit(net, loss, lengths, schedule, config, stop)
    return net


def _edges(length: int) -> int:
    return one_length(length, 1)[0].edge_count


def _seeded(make: Callable[[], Net], seed: int, device: torch.device) -> Net:
    """Make a net whose first weights and dropout depend on the seed alone; the global generator is left as it was."""
    with _SEEDING, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        net = make().to(device)
    for module in net.modules():
        if isinstance(module, SeededDropout):
            module.generator = torch.Generator(device).manual_seed(seed)
    return net


def _fit(
    net: nn.Module,
    loss: Callable[[nn.Module, Batch], Tensor],
    lengths: NDArray[np.int64],
    schedule: Schedule,
    config: TrainingConfig,
    stop: Event,
) -> None:
    """Run AdamW over batches of one length, in an order drawn anew each epoch."""
    rng = np.random.default_rng(schedule.seed)
    per_epoch = max(1, sum(1 for _ in batches_of_one_length(lengths, schedule.batch)))
    steps = per_epoch * schedule.epochs
    optimizer = torch.optim.AdamW(net.parameters(), lr=schedule.rate, weight_decay=config.weight_decay)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimizer, schedule.rate, total_steps=max(steps, 2))
    net.train()
    with progress_bar(schedule.name, steps) as bar:
        for epoch in range(schedule.epochs):
            total = 0.0
            for batch in _shuffled_batches(lengths, schedule.batch, rng):
                if stop.is_set():
                    raise InterruptedTrainingError
                optimizer.zero_grad(set_to_none=True)
                value = loss(net, batch)
                value.backward()  # type: ignore[no-untyped-call]
                nn.utils.clip_grad_norm_(net.parameters(), config.clip)
                optimizer.step()
                rates.step()
                total += float(value.detach())
                bar.update()
            log.info("%s: epoch %d of %d, loss %.4f", schedule.name, epoch + 1, schedule.epochs, total / per_epoch)
    net.eval()
    for module in net.modules():
        if isinstance(module, SeededDropout):
            module.generator = None


def _shuffled_batches(lengths: NDArray[np.int64], size: int, rng: np.random.Generator) -> list[Batch]:
    shuffled = rng.permutation(len(lengths))
    batches = [shuffled[batch] for batch in batches_of_one_length(lengths[shuffled], size)]
    return [batches[i] for i in rng.permutation(len(batches))]
