"""From a caller's string to the form that is looked up, with the way back.

A lookup form has one character per extended grapheme cluster (Unicode Standard Annex 29), so that a cut never falls
inside a letter, however it was spelt: "ä" is one character whether it came composed or as "a" and U+0308. Soft hyphens
and other marks that don't show belong to the letter before them, and so does a hyphen, which is also noted as a break.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

try:
    import regex

    _CLUSTERS = regex.compile(r"[\U0001F1E6-\U0001F1FF]{2}[\p{GCB=Extend}\p{GCB=SpacingMark}\u200d]*+|\X")
    # flags first: \X alone counts all letters of flags before it, at each anew
except ImportError:  # plain Python below gives the same clusters for letters and their marks
    regex = None

REPLACEMENT = "\ufffd"
"""Stands for what a trie can't hold: a lone surrogate, NUL."""

_JOINERS = "\u200c\u200d"
"""Zero-width (non-)joiners: they belong to the letter before, as in "Auf\u200clage"."""

_MARKS = 8
"""Code points of a letter that are composed; a letter with more marks is no language's."""

INVISIBLE = frozenset("\u00ad\u200b\u2060\ufeff")
"""Soft hyphen, zero-width space, word joiner, byte order mark."""

HYPHENS = frozenset("-\u2010\u2011")
"""Hyphen-minus, hyphen, no-break hyphen; dashes are no hyphens."""

_NEED_CARE = frozenset("\0\u00ad-")
"""Among the simple characters: those that are no letter of their own, or that a trie can't hold."""

LAST_SIMPLE = "\u02af"
"""Up to here (Latin letters and IPA) every letter in NFC is a cluster of its own."""


@dataclass(frozen=True, slots=True)
class LookupForm:
    """A word as the lexicon and the nets see it.

    Attributes:
        text: lower case, composed (NFC), one character per grapheme cluster.
        offsets: where each character of `text` starts in the caller's string, then that string's length;
            `len(text) + 1` numbers, increasing.
        breaks: inner nodes of `text` before which a hyphen stood, ascending.
        ends: where each character of `text` ends in the caller's string, before the marks and hyphens that belong to
            it; empty where it always ends where the next one starts.
    """

    text: str
    offsets: tuple[int, ...]
    breaks: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def to_labels(self, cuts: Iterable[int]) -> list[int]:
        """Turn inner cuts of `text` into 0/1 labels, one per character of the caller's string, the last one 1."""
        labels = [0] * self.offsets[-1]
        for cut in (*cuts, len(self.text)):
            if cut:
                labels[self.offsets[cut] - 1] = 1
        return labels

    def node(self, offset: int) -> int | None:
        """Return the node at a place in the caller's string, which may lie before, in or after a letter's marks.

        None: it lies in a letter, or outside the string.
        """
        return self._nodes().get(offset)

    def merged(self, node: int, character: str) -> "LookupForm":
        """Return the form with the two characters around `node` read as one: *ue* as *ü*."""
        without = slice(node, node + 1)
        offsets, ends = list(self.offsets), list(self.ends)
        del offsets[without], ends[node - 1 : node]
        text = self.text[: node - 1] + character + self.text[node + 1 :]
        breaks = tuple(b - (b > node) for b in self.breaks if b != node)
        return LookupForm(text, tuple(offsets), breaks, tuple(ends))

    def to_cuts(self, labels: Iterable[int]) -> tuple[int, ...]:
        """Turn 0/1 labels, one per character of the caller's string, into inner cuts of `text`.

        Raises:
            ValueError: a label cuts inside one letter (between a base and its combining mark).
        """
        ends = [i + 1 for i, label in enumerate(labels) if label]
        size = len(self.text)
        if self.offsets[-1] == size and not self.ends and (not ends or ends[-1] <= size):  # a letter is one character
            return tuple(ends[:-1] if ends and ends[-1] == size else ends)
        nodes = self._nodes()
        for end in ends:
            if end not in nodes:
                raise ValueError(f"label 1 at character {end} cuts a letter from its combining mark")
        return tuple(sorted({nodes[end] for end in ends} - {0, len(self.text)}))

    def _nodes(self) -> dict[int, int]:
        nodes = {offset: i for i, offset in enumerate(self.offsets)}
        for i, end in enumerate(self.ends, 1):
            nodes |= dict.fromkeys(range(end, self.offsets[i]), i)
        return nodes


def normalize(word: str) -> LookupForm:
    """Return the lookup form of any string; the empty string gives an empty form."""
    lowered = word.lower()
    if (
        len(lowered) == len(word)
        and all(c <= LAST_SIMPLE for c in lowered)
        and "\r\n" not in word
        and _NEED_CARE.isdisjoint(word)
    ):
        return LookupForm(lowered, tuple(range(len(word) + 1)))
    return _with_marks(_clusters(word))


def _with_marks(clusters: list[str]) -> LookupForm:
    """Return the form of any clusters: marks that don't show, and hyphens, go with the letter before them."""
    characters: list[str] = []
    offsets, ends, breaks = [0], list[int](), set[int]()
    at = 0
    for cluster in clusters:
        hidden = INVISIBLE.issuperset(cluster)
        hyphen = cluster[0] in HYPHENS
        if hyphen and characters:
            breaks.add(len(characters))
        if not hidden and not hyphen:
            if characters:
                offsets.append(at)
            characters.append(_lookup_character(cluster))
            ends.append(at + len(cluster))
        at += len(cluster)
    if not characters:  # nothing but marks and hyphens: then they are the word
        return _plain(clusters)
    inner = tuple(sorted(breaks - {len(characters)}))
    offsets.append(at)
    return LookupForm("".join(characters), tuple(offsets), inner, () if ends == offsets[1:] else tuple(ends))


def _plain(clusters: list[str]) -> LookupForm:
    offsets = [0]
    for cluster in clusters:
        offsets.append(offsets[-1] + len(cluster))
    return LookupForm("".join(map(_lookup_character, clusters)), tuple(offsets))


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
    character = unicodedata.normalize("NFC", cluster[:_MARKS]).lower()[0]
    return REPLACEMENT if character == "\0" or "\ud800" <= character <= "\udfff" else character
