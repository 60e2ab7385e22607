"""The defaults of taggers over words, in one place."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

LARGEST_SEED = 2**32 - 1
"""The largest that options give, too."""


@dataclass(frozen=True, slots=True)
class TaggerConfig:
    """How a tagger is trained. The defaults were chosen on slices of the training splits of IndoNLU.

    Attributes:
        seed: for folds, the nets' first weights, the order of batches and dropout.
        nets: how many nets are trained and averaged; each is kept from a fold of its own.
        folds: into so many the sentences are cut; more than `nets`.
        epochs, batch, rate: passes, sentences in a step, and the top learning rate of AdamW under a one-cycle schedule
            (Smith & Topin 2019).
        weight_decay: AdamW's.
        clip: largest gradient norm.
        embedding, letter_embedding, letter_hidden, hidden, layers: sizes, see `hybrid.labelling.networks`.
        dropout: rates for the input, between layers, and for the output.
        unknown: rate at which training words are read as unknown ones.
        vector_scale: standard deviation of the word vectors that nets begin with, where there are any.
        least: words that occur less often have no vector of their own.
        strength: weight of a label's share in the lexicon's log-ratios, in occurrences.
        prior: strength of the Gaussian prior on the column weights (1 / variance).
        weight_edges: sentences for the weights have no more edges than this together.
    """

    seed: int = 0
    nets: int = 3
    folds: int = 10
    epochs: int = 10
    batch: int = 32
    rate: float = 2e-3
    weight_decay: float = 1e-2
    clip: float = 5.0
    embedding: int = 100
    letter_embedding: int = 32
    letter_hidden: int = 50
    hidden: int = 128
    layers: int = 1
    dropout: tuple[float, float, float] = (0.3, 0.3, 0.3)
    unknown: float = 0.1
    vector_scale: float = 0.5
    least: int = 1
    strength: float = 1.0
    prior: float = 0.1
    weight_edges: int = 3_000_000

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: one of them can't be trained with.
        """
        require_numbers(self, {"seed": 0}, above=("rate", "clip", "strength"), least=_LEAST)
        if self.folds <= self.nets:
            raise ValueError(f"folds is {self.folds}, should be more than nets, which is {self.nets}")
        if len(self.dropout) != 3:
            raise ValueError(f"dropout has {len(self.dropout)} rates; three are right: input, between layers, output")
        if not all(0 <= p < 1 for p in (*self.dropout, self.unknown)):
            raise ValueError("rates of dropout and of unknown words should be 0 or more and less than 1")


_LEAST = ("prior", "weight_decay", "vector_scale")


def require_numbers(config: Any, wholes: Mapping[str, int], *, above: Iterable[str], least: Iterable[str]) -> None:
    """Check a configuration's numbers.

    Args:
        config: a dataclass.
        wholes: of whole numbers the least that is right, where that is not 1.
        above: numbers that should be above 0.
        least: numbers that should be 0 or more.

    Raises:
        ValueError: one of them can't be trained with.
    """
    for field in fields(config):
        value, right = getattr(config, field.name), wholes.get(field.name, 1)
        if field.type in (int, "int") and not (hasattr(value, "__index__") and value >= right):
            raise ValueError(f"{field.name} is {value!r}, should be {right} or more, and a whole number")
    if config.seed > LARGEST_SEED:
        raise ValueError(f"seed is {config.seed}, should be {LARGEST_SEED} or less")
    for name in above:
        if not 0 < getattr(config, name) < math.inf:
            raise ValueError(f"{name} is {getattr(config, name)}, should be more than 0")
    for name in least:
        if not 0 <= getattr(config, name) < math.inf:
            raise ValueError(f"{name} is {getattr(config, name)}, should be 0 or more")
