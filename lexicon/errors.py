"""The one error of this package, and how text that is wrong is shown in it."""


class LexiconError(ValueError):
    """A lexicon or its source is not usable; the message says what, where, and what would be right."""


def quoted(text: str) -> str:
    """Return any text in quotes, on one line that can be printed, a long one cut short."""
    return repr(text) if len(text) <= 80 else f"{text[:60]!r}… ({len(text)} characters)"


def shown(value: object) -> str:
    """Return any value as Python writes it, on one line that can be printed, a long one cut short."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # an integer of more digits than Python writes, or what is nested too deeply
        return f"{type(value).__name__} that can't be shown"
    return text if len(text) <= 40 else text[:37] + "..."
