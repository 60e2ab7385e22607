"""Numbers as options give them: read, or refused in a sentence that says what is right."""

import argparse
from collections.abc import Callable

DIGITS = 12
"""Digits of a number that are looked at: of thousands, Python makes none."""


def whole(least: int, most: int, form: str = ",") -> Callable[[str], int]:
    """Return what reads a whole number from `least` to `most`; `form`: how the message writes them."""

    def number(text: str) -> int:
        if not text.isdecimal() or len(text) > DIGITS or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most:{form}}")
        return int(text)

    return number


seed = whole(0, 2**32 - 1, "d")


def probability(text: str) -> float:
    """Read a probability."""
    value = _number(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return value


def share(text: str) -> float:
    """Read a share that is not the whole."""
    value = _number(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to less than 1")
    return value


def _number(text: str) -> float:
    """Return a number; -1, which is none that is wanted, of what is none."""
    try:
        return float(text)
    except ValueError:
        return -1.0
