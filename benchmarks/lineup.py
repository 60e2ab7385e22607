"""Which decoders are compared: baselines, the full hybrid, and the same with columns left out or added."""

from pathlib import Path

import torch

from benchmarks.cache import Trained, with_boundary_net
from benchmarks.data import Task
from benchmarks.decoders import Decoder, Refit, greedy, longest_match, never_split, threshold, weighted
from hybrid.columns import further_scorers, standard_scorers
from hybrid.inference import LanguageModel, SegmentNets, Tagger
from hybrid.scorers import (
    CountScorer,
    InventoryScorer,
    LanguageModelScorer,
    LexiconScorer,
    MemoryScorer,
    UnknownLanguageModelScorer,
    UnknownScorer,
)
from hybrid.training import TrainingConfig
from hybrid.training.words import SplitWords
from lexicon import Lexicon, mine, normalize

FULL = "full hybrid"

KINDS: dict[str, tuple[str, ...]] = {
    "part count": CountScorer.names,
    "inventory": InventoryScorer.names,
    "language model": UnknownLanguageModelScorer.names,
    "character net": ("segment",),
    "lexicon nets": ("segment_lexicon",),
    "lexicon counts": LexiconScorer.names,
    "unknown flags": UnknownScorer.names,
    "memory": MemoryScorer.names,
    "language model everywhere": LanguageModelScorer.names,
    "boundary net": ("boundary",),
}
"""What decoders are made of, and its columns; the first five are the full hybrid's."""

USED = list(KINDS)[:5]

CHOICES = {
    "lexicon alone, Viterbi": ["part count", "lexicon counts", "unknown flags"],
    "lexicon with memory and inventory, Viterbi": ["part count", "lexicon counts", "unknown flags", "memory",
                                                   "inventory"],
    "language model alone, Viterbi": ["part count", "language model everywhere"],
    "boundary net, Viterbi": ["part count", "boundary net"],
    "character net alone": ["part count", "character net"],
    "lexicon nets alone": ["part count", "lexicon nets"],
    **{f"without {left_out}": [kind for kind in USED if kind != left_out] for left_out in USED},
    **{f"with {added} too": [*USED, added] for added in KINDS if added not in USED},
}  # fmt: skip
"""Decoder → what it is made of; the weights of each are fitted anew."""


def lineup(task: Task, told: Trained, config: TrainingConfig, *, device: str | None, cache: Path) -> list[Decoder]:
    """Return the decoders, the full hybrid first.

    Args:
        task: what is measured.
        told: the full hybrid, which knows the words to segment (not their labels).
        config: how it was trained.
        device: a torch device name; None: the best there is.
        cache: folder of models trained before.
    """
    full = told.segmenter
    forms = [normalize(word) for word in task.train]
    cuts = [form.to_cuts(labels) for form, labels in zip(forms, task.train.values(), strict=True)]
    held, rest = SplitWords([form.text for form in forms], cuts).part(config)
    unlabelled = sorted({normalize(word).text for word in task.gold})
    lexicon = Lexicon.from_counts(
        mine(rest.words, rest.cuts, listed=[*held.words, *unlabelled]), full.model.lexicon.dictionary
    )
    extended = with_boundary_net(full, rest, config, device=device, folder=cache)
    model, place = extended.model, torch.device(extended.device)
    language_model = LanguageModel(model.language_model, model.alphabet, place)
    segments = {name: SegmentNets(nets, model.alphabet, place) for name, nets in model.segment_nets.items()}
    boundary = Tagger(model.taggers["boundary"], model.alphabet, place)
    scorers = [
        *standard_scorers(language_model, segments),
        *further_scorers(language_model, {"boundary": boundary}),
    ]
    refit = Refit(extended, held, lexicon, scorers, config.prior)
    chosen = [[column for kind in kinds for column in KINDS[kind]] for kinds in CHOICES.values()]
    fitted = dict(zip(CHOICES, refit.weigh(chosen), strict=True))
    return [
        weighted(FULL, full),
        Decoder("never split", never_split),
        Decoder("longest match in the lexicon", longest_match(full.model.lexicon)),
        Decoder("boundary net at 0.5", threshold(fitted["boundary net, Viterbi"], "boundary")),
        *(weighted(name, segmenter) for name, segmenter in fitted.items()),
        Decoder(f"{FULL}, greedy", greedy(full)),
    ]
