"""From labelled words to a model: count, train the nets side by side, fit the weights, count again with all words."""

import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.alphabet import Alphabet
from hybrid.columns import column_names, compute_columns, standard_scorers
from hybrid.errors import DataError
from hybrid.evidence import gather
from hybrid.inference import LanguageModel, SegmentNets, one_thread
from hybrid.limits import MOST_PARTS
from hybrid.model import Model
from hybrid.nets import Nets
from hybrid.networks import CharLanguageModel, SegmentNet
from hybrid.training.config import TrainingConfig
from hybrid.training.inputs import segment_inputs
from hybrid.training.nets import NetKind, train_language_model, train_segment_net
from hybrid.training.weights import fit_weights
from hybrid.training.words import Cuts, SplitWords
from lexicon import Lexicon, mine
from lexicon.trie import Trie

log = logging.getLogger(__name__)

SegmentNetsByName = dict[str, tuple[SegmentNet, ...]]


def train(
    words: Sequence[str],
    cuts: Sequence[Cuts],
    *,
    unlabelled: Sequence[str] = (),
    dictionary: Trie | None = None,
    noun: NDArray[np.bool_] | None = None,
    times: NDArray[np.int64] | None = None,
    min_parts: int | None = None,
    config: TrainingConfig | None = None,
    device: torch.device,
) -> Model:
    """Train a model.

    Args:
        words: words in lookup form; one may come twice, by two spellings.
        cuts: for each its inner cuts, ascending.
        unlabelled: words in lookup form that are known to exist, such as those to be segmented.
        dictionary: words of the language, in lookup form; None: none.
        noun: (D,), by the dictionary's numbers, the word is a noun's dictionary form; None: all are.
        times: (B,), how often each word is shown to the nets in an epoch, 0 for those kept for the weights; None: once,
            and those kept are drawn by the seed.
        min_parts: the least number of parts of a word; None: the least among `words` of two characters and more, and
            at most 2.
        config: epochs, rates and the seed.
        device: where the nets train.

    Raises:
        DataError: there are too few words, or one has fewer parts than `min_parts`.
    """
    config = config or TrainingConfig()
    data = SplitWords(list(words), list(cuts))
    if times is None:
        kept, rest = data.part(config)
        shown = rest
    else:
        kept, rest = data.take(np.flatnonzero(times == 0)), data.take(np.flatnonzero(times))
        shown = data.take(np.repeat(np.arange(len(times)), times))
    least = _least_parts(data, min_parts)
    listed = [*kept.words, *unlabelled] if unlabelled else ()
    lexicon = Lexicon.from_counts(mine(rest.words, rest.cuts, listed=listed), dictionary, noun)
    log.info("lexicon: %d strings from %d words", len(lexicon), len(rest.words))
    alphabet = Alphabet.of(data.words)
    nets, language_model = _train_nets(shown, lexicon, alphabet, config, min(least, 2), device)
    scorers = standard_scorers(
        LanguageModel(language_model, alphabet, device),
        {name: SegmentNets(some, alphabet, device) for name, some in nets.items()},
    )
    evidence = gather(kept.words, lexicon)  # neither the nets nor the counts have seen these words
    columns, gold = compute_columns(scorers, evidence), kept.gold_edges(evidence)
    fitted = fit_weights(evidence.lattice.lattice, columns, gold, min_parts=least, prior=config.prior)
    weights = {name: float(weight) for name, weight in zip(column_names(scorers), fitted, strict=True)}
    log.info("column weights: %s", " ".join(f"{name} {weight:+.2f}" for name, weight in weights.items()))
    everything = Lexicon.from_counts(mine(data.words, data.cuts, listed=unlabelled), dictionary, noun)
    figures: dict[str, str | int | float] = {
        "words": len(data.words), "unlabelled": len(unlabelled), "dictionary": len(dictionary or ()),
        "held_out": len(kept.words), "most_parts": max(len(inner) for inner in data.cuts) + 1, "seed": config.seed,
    }  # fmt: skip
    return Model(everything, alphabet, Nets(nets, {}, language_model), weights, least, figures)


def _least_parts(data: SplitWords, min_parts: int | None) -> int:
    rows = list(zip(data.words, data.cuts, strict=True))
    if min_parts is None:
        return min([2, *(len(inner) + 1 for word, inner in rows if len(word) > 1)])
    if not 1 <= min_parts <= MOST_PARTS:
        raise DataError(f"min_parts is {min_parts}; 1 to {MOST_PARTS} is right")
    few = next((word for word, inner in rows if len(inner) + 1 < min(min_parts, len(word))), None)
    if few is not None:
        raise DataError(f"training data: word {few!r} has fewer than {min_parts} parts, the least number asked for")
    return min_parts


def _train_nets(
    rest: SplitWords, lexicon: Lexicon, alphabet: Alphabet, config: TrainingConfig, min_parts: int, device: torch.device
) -> tuple[SegmentNetsByName, CharLanguageModel]:
    """Train the nets, on CPU cores of their own where there are cores."""
    inputs = segment_inputs(rest.paths(), lexicon)
    blind = replace(inputs, features=inputs.features[:, :0], segments=inputs.segments[:, :0])
    character = NetKind(config.character_hidden, config.character_epochs, config.character_dropout)
    reading = NetKind(config.lexicon_hidden, config.lexicon_epochs, config.lexicon_dropout)
    wanted = [("segment", blind, character)] * config.character_nets
    wanted += [("segment_lexicon", inputs, reading)] * config.lexicon_nets
    seeds = np.random.SeedSequence(config.seed).generate_state(len(wanted) + 1).tolist()
    stop = Event()

    def segment_net(number: int) -> SegmentNet:
        name, given, kind = wanted[number]
        title = f"{name.replace('_', ' with ')} net {number + 1} of {len(wanted)}"
        return train_segment_net(title, given, alphabet, config, kind, seeds[number], min_parts, device, stop)

    jobs: list[Callable[[], Any]] = [partial(segment_net, number) for number in range(len(wanted))]
    jobs.append(lambda: train_language_model(lexicon, alphabet, config, seeds[-1], device, stop))
    workers = min(len(jobs), os.cpu_count() or 1) if device.type == "cpu" else 1
    *trained, language_model = _side_by_side(jobs, workers, stop)
    nets: SegmentNetsByName = {}
    for (name, *_), net in zip(wanted, trained, strict=True):
        nets[name] = (*nets.get(name, ()), net)
    return nets, language_model


def _side_by_side(jobs: list[Callable[[], Any]], workers: int, stop: Event) -> list[Any]:
    """Return what each job returns; when one fails, or the user interrupts, the others are told to stop."""
    with one_thread(), ThreadPoolExecutor(workers) as pool:
        futures: list[Future[Any]] = [pool.submit(job) for job in jobs]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            if not all(future.done() and not future.exception() for future in futures):
                stop.set()
        failed = [future.exception() for future in futures if future.done() and future.exception()]
        if failed:
            pool.shutdown(cancel_futures=True)
            raise failed[0]  # type: ignore[misc]
        return [future.result() for future in futures]
