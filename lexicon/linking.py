"""German linking elements: what stands between a modifier and the next part, and what a modifier changes there."""

from collections.abc import Iterator

LINKING_ELEMENTS = ("s", "n", "e", "en", "es", "er", "ns", "nen")
"""Added to a modifier: *Arbeit-s-amt*, *Sonne-n-schein*, *Hund-e-hütte*, *Rind-er-braten*."""

DROPPED_ENDINGS = ("e", "en")
"""Dropped from a modifier: *Sprach-bereich* of Sprache, *Süd-hang* of Süden."""

UMLAUT_ENDINGS = ("er", "e", "en", "n", "")
"""Added to a modifier that also changes its vowel: *Häus-er-meer*, *Gäns-e-braten*, *Mütter-genesung*."""

_PLAIN = {"ä": "a", "ö": "o", "ü": "u"}


def without_umlaut(stretch: str) -> Iterator[str]:
    """Yield the words that a stretch in lookup form may be an umlauted form of: *häuser* may be of *haus*."""
    for ending in UMLAUT_ENDINGS:
        stem = stretch.removesuffix(ending)
        last = max(stem.rfind(umlaut) for umlaut in _PLAIN)
        if last >= 0 and stretch.endswith(ending):
            yield stem[:last] + _PLAIN[stem[last]] + stem[last + 1 :]
