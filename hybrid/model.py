"""The stored model: everything that training made, and nothing that decoding needs only while it runs."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hybrid.alphabet import Alphabet
from lexicon import Lexicon

if TYPE_CHECKING:
    from hybrid.networks import BoundaryTagger, CharLanguageModel


@dataclass(frozen=True, slots=True)
class Model:
    """A trained model.

    Attributes:
        lexicon: what words are made of.
        alphabet: the characters the nets know.
        taggers: boundary nets by column name.
        language_model: the net that scores segments.
        weights: column name → weight.
        min_parts: the least number of parts that training words had (2 where all were compounds).
        training: figures to keep with the model: words, seed, versions.
    """

    lexicon: Lexicon
    alphabet: Alphabet
    taggers: dict[str, "BoundaryTagger"]
    language_model: "CharLanguageModel"
    weights: dict[str, float]
    min_parts: int
    training: dict[str, str | int | float]

    def with_listed(self, words: Iterable[str]) -> "Model":
        """Return the model with further words, in lookup form, in its lexicon's inventory."""
        return replace(self, lexicon=self.lexicon.with_listed(words))
