"""The words known to exist, sorted from either end: how many begin or end with a stretch of characters."""

from bisect import bisect_left
from collections.abc import Iterable

_AFTER_ALL = "\U0010ffff"  # a noncharacter: no word has it


class Inventory:
    """Listed words, to be asked for their beginnings and endings.

    Args:
        words: the words in lookup form; any order, each once.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._forwards = sorted(words)
        self._backwards = sorted(word[::-1] for word in self._forwards)

    def beginning_with_each(self, word: str) -> list[int]:
        """Return, for each v in 0 … len(word), how many words begin with `word[:v]` or are it."""
        return _counts(self._forwards, word)

    def ending_with_each(self, word: str) -> list[int]:
        """Return, for each v in 0 … len(word), how many words end with `word[v:]` or are it."""
        return _counts(self._backwards, word[::-1])[::-1]


def _counts(words: list[str], text: str) -> list[int]:
    """Return how many of the sorted words begin with each prefix of `text`, the empty one first."""
    first, last = 0, len(words)
    counts = [last]
    for length in range(1, len(text) + 1):
        if first < last:
            prefix = text[:length]
            first = bisect_left(words, prefix, first, last)
            last = bisect_left(words, prefix + _AFTER_ALL, first, last)
        counts.append(last - first)
    return counts
