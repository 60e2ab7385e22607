"""The one error of this package."""


class LexiconError(ValueError):
    """A lexicon or its source is not usable; the message says what, where, and what would be right."""
