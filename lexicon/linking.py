"""German linking elements: what stands between a modifier and the next part, and what a modifier loses there."""

LINKING_ELEMENTS = ("s", "n", "e", "en", "es", "er", "ns", "nen")
"""Added to a modifier: *Arbeit-s-amt*, *Sonne-n-schein*, *Hund-e-hütte*, *Rind-er-braten*."""

DROPPED_ENDINGS = ("e", "en")
"""Dropped from a modifier: *Sprach-bereich* of Sprache, *Süd-hang* of Süden."""
