"""The stored model: everything that training made, and nothing that decoding needs only while it runs."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hybrid.alphabet import Alphabet
from hybrid.bracketing import FEATURES
from hybrid.firstpass.weights import FirstPass
from hybrid.limits import MOST_PARTS
from hybrid.nets import Nets, StoredNets
from lexicon import Lexicon
from lexicon.errors import shown

LARGEST_WEIGHT = 1e6
"""No fitted weight comes near; a larger one could overflow scores."""

if TYPE_CHECKING:
    from hybrid.networks import BoundaryTagger, CharLanguageModel, SegmentNet


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model.

    Attributes:
        lexicon: what words are made of.
        alphabet: the characters the nets know.
        nets: what scores segments.
        weights: column name → weight.
        min_parts: the least number of parts that training words had (2 where all were compounds).
        training: figures to keep with the model: numbers of words, seed.
        bracketing: feature → weight, see `hybrid.bracketing`; None: trained without.
        corrections: words in lookup form, with the inner cuts that they were annotated with and that the nets miss.
        card: what the model is, for its users: name, sources, licences, figures, date.
        first_pass: what splits words that need no net; None: trained without.
    """

    lexicon: Lexicon
    alphabet: Alphabet
    nets: Nets | StoredNets
    weights: dict[str, float]
    min_parts: int
    training: dict[str, str | int | float]
    bracketing: dict[str, float] | None = None
    corrections: dict[str, tuple[int, ...]] = field(default_factory=dict)
    card: dict[str, Any] = field(default_factory=dict)
    first_pass: FirstPass | None = None

    @property
    def segment_nets(self) -> dict[str, tuple["SegmentNet", ...]]:
        """Nets that score segments, by the column they share."""
        return self.nets.made.segments

    @property
    def taggers(self) -> dict[str, "BoundaryTagger"]:
        """Boundary nets by column name."""
        return self.nets.made.taggers

    @property
    def language_model(self) -> "CharLanguageModel":
        """The net that scores strings."""
        return self.nets.made.language_model

    def with_listed(self, words: Iterable[str]) -> "Model":
        """Return the model with further words, in lookup form, in its lexicon's inventory."""
        return replace(self, lexicon=self.lexicon.with_listed(words))


def check_model(model: Model) -> None:
    """Check that a model which came from outside can be used.

    Raises:
        ValueError: the alphabet is not a string of ascending characters, or has another size than a net; a net's
            parameter is missing, of another shape or not finite; `min_parts` is no number from 1 to `MOST_PARTS`.
    """
    characters = model.alphabet.characters
    if not isinstance(characters, str) or list(characters) != sorted(set(characters)):
        raise ValueError("the alphabet is not a string of ascending characters")
    model.alphabet.encode([characters])  # fails on what is no character: a lone surrogate
    if isinstance(model.nets, StoredNets):
        model.nets.check(len(model.alphabet))
    if not model.weights:
        raise ValueError("there are no weights")
    if not all(abs(weight) < LARGEST_WEIGHT for weight in model.weights.values()):
        raise ValueError(f"a weight is not below {LARGEST_WEIGHT:.0e}")
    if model.bracketing is not None and set(model.bracketing) != set(FEATURES):
        raise ValueError("the weights of the bracketing are not those of its features")
    if not all(abs(weight) < LARGEST_WEIGHT for weight in (model.bracketing or {}).values()):
        raise ValueError(f"a weight of the bracketing is not below {LARGEST_WEIGHT:.0e}")
    for word, cuts in model.corrections.items():
        if not all(type(cut) is int for cut in cuts) or list(cuts) != sorted({*cuts} & {*range(1, len(word))}):
            raise ValueError(f"the correction of {word[:80]!r} has cuts that are not inside it, ascending")
    if type(model.min_parts) is not int or not 1 <= model.min_parts <= MOST_PARTS:
        raise ValueError(f"min_parts is {shown(model.min_parts)}")
