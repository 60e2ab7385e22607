"""From labelled words to a model: count, train the nets side by side, fit the weights, count again with all words."""

import logging
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from threading import Event
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.alphabet import Alphabet
from hybrid.columns import column_names, compute_columns, standard_scorers
from hybrid.errors import DataError
from hybrid.evidence import gather
from hybrid.features import node_features
from hybrid.inference import LanguageModel, Tagger, one_thread
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.limits import MOST_PARTS
from hybrid.model import Model
from hybrid.networks import BoundaryTagger, CharLanguageModel
from hybrid.training.config import TrainingConfig
from hybrid.training.nets import train_language_model, train_tagger
from hybrid.training.weights import fit_weights
from lexicon import Lexicon, mine

log = logging.getLogger(__name__)

LEAST_WORDS = 20
"""Fewer words can't be parted into those that nets learn from and those that weights do."""

CHUNK = 4096
"""Words whose lattices are held in memory at a time."""

Cuts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """Words in lookup form with their inner cuts."""

    words: list[str]
    cuts: list[Cuts]

    def take(self, indices: NDArray[np.int64]) -> "Split":
        """Return the words at these places."""
        return Split([self.words[i] for i in indices], [self.cuts[i] for i in indices])


def train(
    words: Sequence[str],
    cuts: Sequence[Cuts],
    *,
    unlabelled: Sequence[str] = (),
    min_parts: int | None = None,
    config: TrainingConfig | None = None,
    device: torch.device,
) -> Model:
    """Train a model.

    Args:
        words: words in lookup form; one may come twice, by two spellings.
        cuts: for each its inner cuts, ascending.
        unlabelled: words in lookup form that are known to exist, such as those to be segmented.
        min_parts: the least number of parts of a word; None: the least among `words` of two characters and more, and
            at most 2.
        config: epochs, rates and the seed.
        device: where the nets train.

    Raises:
        DataError: there are fewer than `LEAST_WORDS` words, or one has fewer parts than `min_parts`.
    """
    config = config or TrainingConfig()
    data = Split(list(words), list(cuts))
    if len(data.words) < LEAST_WORDS:
        raise DataError(f"{len(data.words)} labelled words; training needs at least {LEAST_WORDS}")
    if min_parts is not None and not 1 <= min_parts <= MOST_PARTS:
        raise DataError(f"min_parts is {min_parts}; 1 to {MOST_PARTS} is right")
    few = [w for w, inner in zip(words, cuts, strict=True) if len(inner) + 1 < min(min_parts or 1, len(w))]
    if few:
        raise DataError(f"training data: word {few[0]!r} has fewer than {min_parts} parts, the least number asked for")
    if min_parts is None:
        min_parts = min([2, *(len(inner) + 1 for w, inner in zip(words, cuts, strict=True) if len(w) > 1)])
    order = np.random.default_rng(config.seed).permutation(len(data.words))
    usable = np.array([_is_path(w, inner) for w, inner in zip(data.words, data.cuts, strict=True)])[order]
    kept = max(2, min(round(config.held_out * len(order)), config.held_out_most, len(order) // 2))
    chosen = np.flatnonzero(usable)[:kept]
    if len(chosen) < 2:
        raise DataError(f"training needs at least 2 words whose parts all have at most {LONGEST_SEGMENT} characters")
    held, rest = data.take(np.sort(order[chosen])), data.take(np.sort(np.delete(order, chosen)))
    lexicon = Lexicon.from_counts(mine(rest.words, rest.cuts, listed=[*held.words, *unlabelled] if unlabelled else ()))
    log.info("lexicon: %d strings from %d words", len(lexicon), len(rest.words))
    alphabet = Alphabet.of(data.words)
    taggers, language_model = _train_nets(rest, lexicon, alphabet, config, device)
    weights = _fit(held, lexicon, alphabet, taggers, language_model, min_parts, config, device)
    everything = Lexicon.from_counts(mine(data.words, data.cuts, listed=unlabelled))
    figures: dict[str, str | int | float] = {"words": len(data.words), "unlabelled": len(unlabelled),
                                             "held_out": len(held.words), "seed": config.seed}  # fmt: skip
    return Model(everything, alphabet, taggers, language_model, weights, min_parts, figures)


def _train_nets(
    rest: Split, lexicon: Lexicon, alphabet: Alphabet, config: TrainingConfig, device: torch.device
) -> tuple[dict[str, BoundaryTagger], CharLanguageModel]:
    """Train the three nets, on CPU cores of their own where there are cores."""
    features = np.concatenate([_features(words, cuts, lexicon) for words, cuts in _chunks(rest)])
    nothing = np.zeros((len(features), 0), np.float32)
    stop = Event()

    def tagger(name: str, given: NDArray[np.float32], seed: int) -> BoundaryTagger:
        return train_tagger(name, rest.words, rest.cuts, given, alphabet, config, seed, device, stop)

    jobs: list[Callable[[], Any]] = [
        lambda: tagger("boundary net with lexicon", features, config.seed),
        lambda: tagger("boundary net", nothing, config.seed + 1),
        lambda: train_language_model(lexicon, alphabet, config, config.seed + 2, device, stop),
    ]
    workers = min(len(jobs), os.cpu_count() or 1) if device.type == "cpu" else 1
    reading, plain, language_model = _side_by_side(jobs, workers, stop)
    return {"boundary": plain, "boundary_lexicon": reading}, language_model


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


def _features(words: Sequence[str], cuts: Sequence[Cuts], lexicon: Lexicon) -> NDArray[np.float32]:
    """Return (L, F): leave-one-out features of the node after each of the words' L characters."""
    evidence = gather(words, lexicon, cuts)
    after_character = np.ones(len(evidence.seen), bool)
    after_character[evidence.lattice.lattice.node_ptr[:-1]] = False
    return node_features(evidence)[after_character]


def _fit(
    held: Split,
    lexicon: Lexicon,
    alphabet: Alphabet,
    taggers: dict[str, BoundaryTagger],
    language_model: CharLanguageModel,
    min_parts: int,
    config: TrainingConfig,
    device: torch.device,
) -> dict[str, float]:
    """Fit the weights on words that neither the nets nor the counts have seen."""
    scorers = standard_scorers(
        LanguageModel(language_model, alphabet, device),
        {name: Tagger(net, alphabet, device) for name, net in taggers.items()},
    )
    evidence = gather(held.words, lexicon)
    parts = [
        (w, start, end)
        for w, (word, inner) in enumerate(zip(held.words, held.cuts, strict=True))
        for start, end in zip((0, *inner), (*inner, len(word)), strict=True)
    ]
    gold = evidence.lattice.edge(*np.array(parts, np.int64).reshape(-1, 3).T)
    columns = compute_columns(scorers, evidence)
    weights = fit_weights(evidence.lattice.lattice, columns, gold, min_parts=min_parts, prior=config.prior)
    named = {name: float(weight) for name, weight in zip(column_names(scorers), weights, strict=True)}
    log.info("column weights: %s", " ".join(f"{name} {weight:+.2f}" for name, weight in named.items()))
    return named


def _is_path(word: str, cuts: Cuts) -> bool:
    """Whether the split's parts are all edges of the word's lattice."""
    parts = zip((0, *cuts), (*cuts, len(word)), strict=True)
    return not cuts or all(end - start <= LONGEST_SEGMENT for start, end in parts)


def _chunks(split: Split) -> Iterator[tuple[list[str], list[Cuts]]]:
    for at in range(0, len(split.words), CHUNK):
        yield split.words[at : at + CHUNK], split.cuts[at : at + CHUNK]
