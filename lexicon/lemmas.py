"""A part's stem, linking element and dictionary form: *arbeits* is *arbeit* and *s*, *schul* is of *schule*.

The forms are guessed by the rules of German linking and inflection; a guess holds where the dictionary has the word.
"""

from collections.abc import Container
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexicon.linking import LINKING_ELEMENTS, without_umlaut

if TYPE_CHECKING:
    from lexicon.store import Lexicon

_LINKS = (*LINKING_ELEMENTS, "ens")
"""Linking elements, in the order they are tried."""

_INFLECTIONS = ("n", "en", "s", "es", "e", "er", "ern", "nen")
"""Endings of a word's last part."""

_SHORTEST = 3
"""Characters of a stem from which an ending is taken."""

_SHORT_NOUNS = {"ei": "ei", "eier": "ei", "öl": "öl", "öle": "öl"}
"""Nouns of two letters, which the dictionary lacks."""

_PARTICLES = frozenset(
    "ab an auf aus außen außer bei binnen durch ein gegen her hin hinter innen mit nach neben nicht ob ober quer rück "
    "selbst über um unter vor vorder wider wieder zu zusammen zwischen".split()
)
"""Modifiers that are neither noun nor verb, though some look like it."""


@dataclass(frozen=True, slots=True)
class Lemma:
    """What a part is made of.

    Attributes:
        stem: how many of its characters are stem; the others link.
        form: the dictionary form in lower case; None where the dictionary knows none.
        noun: the form is a noun.
    """

    stem: int
    form: str | None
    noun: bool = False


class Lemmatizer:
    """Finds the dictionary forms of parts.

    Args:
        nouns: nouns' dictionary forms, in lower case.
        words: words of the language in any form, in lower case.
    """

    def __init__(self, nouns: Container[str], words: Container[str]) -> None:
        self._nouns, self._words = nouns, words

    @classmethod
    def of(cls, lexicon: "Lexicon") -> "Lemmatizer":
        """Return one that knows a lexicon's dictionary."""
        return cls(lexicon.nouns, lexicon.dictionary)

    def modifier(self, part: str) -> Lemma:
        """Return the lemma of a part, in lookup form, that another follows."""
        noun = part if part in self._nouns else _SHORT_NOUNS.get(part)
        if noun is not None:
            return Lemma(len(noun), noun, noun=True)
        if part in _PARTICLES:
            return Lemma(len(part), part)
        if part.endswith(("el", "er")) and part + "n" in self._words and part + "t" in self._words:
            return Lemma(len(part), part + "n")  # wander(n), räucher(n)
        for link in _LINKS:
            stem = part.removesuffix(link)
            if _SHORTEST <= len(stem) < len(part) and (
                stem in self._nouns or (stem + "e" in self._nouns and link == "s")
            ):
                form = stem if stem in self._nouns else stem + "e"  # geschicht(e)s
                return Lemma(len(stem), form, noun=True)
        for form in without_umlaut(part):
            if len(form) >= _SHORTEST and form in self._nouns:
                return Lemma(len(form), form, noun=True)
        return self._shortened(part)

    def _shortened(self, part: str) -> Lemma:
        """Return the lemma of a modifier that is no noun, or has lost an ending."""
        if part + "em" in self._words:  # an adjective: dunkel(em)
            return Lemma(len(part), part)
        if part + "e" in self._nouns:
            return Lemma(len(part), part + "e", noun=True)
        if (verb := self._verb(part)) is not None:
            return Lemma(len(part), verb)
        if part in self._words:
            return Lemma(len(part), part)
        if part.endswith("e") and len(part) > _SHORTEST and (verb := self._verb(part[:-1])) is not None:
            return Lemma(len(part) - 1, verb)
        form = part + "en" if part + "en" in self._words else None
        return Lemma(len(part), form, noun=form in self._nouns)

    def head(self, part: str) -> Lemma:
        """Return the lemma of a word's last part, in lookup form; all of it is stem."""
        if part in self._nouns:
            return Lemma(len(part), part, noun=True)
        for ending in _INFLECTIONS:
            stem = part.removesuffix(ending)
            if _SHORTEST <= len(stem) < len(part) and stem in self._nouns:
                return Lemma(len(part), stem, noun=True)
        for form in (*without_umlaut(part), *without_umlaut(part.removesuffix("n"))):  # häuser(n)
            if form in self._nouns:
                return Lemma(len(part), form, noun=True)
        return Lemma(len(part), part if part in self._words else None)

    def _verb(self, stem: str) -> str | None:
        """Return the infinitive of a verb's stem."""
        for ending in ("en", "n"):
            infinitive = stem + ending
            if infinitive in self._words and any(stem + form in self._words for form in ("t", "te", "et")):
                return infinitive
        return None
