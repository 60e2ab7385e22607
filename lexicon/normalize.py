"""From a caller's string to the form that is looked up, with the way back.

A lookup form has one character per extended grapheme cluster (Unicode Standard Annex 29), so that a cut never falls
inside a letter, however it was spelt: "ä" is one character whether it came composed or as "a" and U+0308.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

try:
    import regex

    _CLUSTERS = regex.compile(r"\X")
except ImportError:  # plain Python below gives the same clusters for letters and their marks
    regex = None

REPLACEMENT = "\ufffd"
"""Stands for what a trie can't hold: a lone surrogate, NUL."""

_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners: they belong to the letter before, as in "Auf\u200clage"."""

_LAST_SIMPLE = "\u02af"
"""Up to here (Latin letters and IPA) every letter in NFC is a cluster of its own."""


@dataclass(frozen=True, slots=True)
class LookupForm:
    """A word as the lexicon and the nets see it.

    Attributes:
        text: lower case, composed (NFC), one character per grapheme cluster.
        offsets: where each character of `text` starts in the caller's string, then that string's length;
            `len(text) + 1` numbers, increasing.
    """

    text: str
    offsets: tuple[int, ...]

    def to_labels(self, cuts: Iterable[int]) -> list[int]:
        """Turn inner cuts of `text` into 0/1 labels, one per character of the caller's string, the last one 1."""
        labels = [0] * self.offsets[-1]
        for cut in (*cuts, len(self.text)):
            if cut:
                labels[self.offsets[cut] - 1] = 1
        return labels

    def to_cuts(self, labels: Iterable[int]) -> tuple[int, ...]:
        """Turn 0/1 labels, one per character of the caller's string, into inner cuts of `text`.

        Raises:
            ValueError: a label cuts inside one letter (between a base and its combining mark).
        """
        node = {offset: i for i, offset in enumerate(self.offsets)}
        ends = [i + 1 for i, label in enumerate(labels) if label]
        for end in ends:
            if end not in node:
                raise ValueError(f"label 1 at character {end} cuts a letter from its combining mark")
        return tuple(node[end] for end in ends if end < self.offsets[-1])


def normalize(word: str) -> LookupForm:
    """Return the lookup form of any string; the empty string gives an empty form."""
    lowered = word.lower()
    if (
        len(lowered) == len(word)
        and all(c <= _LAST_SIMPLE for c in lowered)
        and "\r\n" not in word
        and "\0" not in word
    ):
        return LookupForm(lowered, tuple(range(len(word) + 1)))
    characters, offsets, at = [], [], 0
    for cluster in _clusters(word):
        characters.append(_lookup_character(cluster))
        offsets.append(at)
        at += len(cluster)
    return LookupForm("".join(characters), (*offsets, at))


def _clusters(word: str) -> list[str]:
    if regex is not None:
        return list(_CLUSTERS.findall(word))
    clusters: list[str] = []
    for character in word:
        if clusters and (unicodedata.category(character) in {"Mn", "Me", "Mc"} or character in _JOINERS):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _lookup_character(cluster: str) -> str:
    character = unicodedata.normalize("NFC", cluster).lower()[0]
    return REPLACEMENT if character == "\0" or "\ud800" <= character <= "\udfff" else character
