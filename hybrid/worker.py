"""A splitter with a memory: most words of a corpus come again and again."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, TypeVar

from hybrid.given import list_of_strings
from hybrid.joining import put_joints
from hybrid.limits import LONGEST_KEPT
from hybrid.text import find_words

if TYPE_CHECKING:
    from hybrid.parts import Parts
    from hybrid.segmenter import Segmenter

KEPT = 1 << 20
"""Words, and as many stretches between blanks, whose splits a worker remembers: up to 900 MB."""

LONG = 1 << 21
"""Characters; a longer text is split piece by piece, for its words take many times the memory that it does."""

_BLANK = re.compile(r"[ \n]")
"""Where a long text may be cut: no word reaches over it."""

Value = TypeVar("Value")


class Worker:
    """Splits words and texts, each distinct word once as long as it is remembered; not for several threads at once.

    Args:
        segmenter: what splits them.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
        kept: most words that are remembered; when there would be more, all are forgotten. One of more than
            `LONGEST_KEPT` characters never is.

    Raises:
        ModelError: as for `Segmenter.split`.
        ValueError: as for `Segmenter.split`.
    """

    def __init__(
        self,
        segmenter: "Segmenter",
        *,
        granularity: str = "fine",
        min_probability: float = 0.0,
        kept: int = KEPT,
    ) -> None:
        segmenter.split_parts(
            [], granularity=granularity, min_probability=min_probability
        )  # a wrong one is told at once
        self._segmenter = segmenter
        self._granularity, self._min_probability = granularity, min_probability
        self._kept = kept
        self._words: dict[str, Parts] = {}
        self._chunks: dict[str, str] = {}
        self._separator = ""

    def split(self, words: Iterable[str]) -> "list[Parts]":
        """Return the parts of each word, in order, and their probability."""
        words = list_of_strings("words", words)
        return _look_up(self._words, words, self._split, self._kept)

    def separate(self, texts: Iterable[str], separator: str = "|") -> list[str]:
        """Return running texts with the parts of their words separated; all else is left as it is.

        The marks "￭" and "@@" are followed by a blank, as tools for translation have them. `hybrid.joining.join_text`
        undoes it; that is why a text which has the separator inside a word gets one more there: *a|b* becomes *a||b*.

        Raises:
            DataError: the package regex is not installed.
            ValueError: the separator is empty or has a line end.
        """
        texts = list_of_strings("texts", texts)
        if not separator or "\n" in separator:
            raise ValueError(f"separator is {separator!r}; one character or more of a line is right")
        if separator != self._separator:
            self._chunks, self._separator = {}, separator
        rest = iter(self._separate_texts([text for text in texts if len(text) <= LONG]))
        return [next(rest) if len(text) <= LONG else self._separate_long(text) for text in texts]

    def _separate_texts(self, texts: Sequence[str]) -> list[str]:
        chunks = "\n".join(texts).replace("\n", " \n ").split(" ")  # no word reaches over a blank or the end of a line
        separated = " ".join(_look_up(self._chunks, chunks, self._separate, self._kept))
        lines = separated.replace(" \n ", "\n").split("\n")
        if len(lines) == len(texts):
            return lines
        ends = list(accumulate(text.count("\n") + 1 for text in texts))
        return ["\n".join(lines[first:end]) for first, end in zip([0, *ends], ends, strict=False)]

    def _separate_long(self, text: str) -> str:
        """Return one text of any length, separated piece by piece."""
        pieces, at = list[str](), 0
        while at < len(text):
            blank = _BLANK.search(text, at + LONG)
            end = blank.end() if blank else len(text)
            pieces += self._separate_texts([text[at:end]])
            at = end
        return "".join(pieces)

    def _split(self, words: list[str]) -> "Iterable[Parts]":
        return self._segmenter.split_parts(words, granularity=self._granularity, min_probability=self._min_probability)

    def _separate(self, chunks: list[str]) -> Iterable[str]:
        """Return stretches of text with the parts of their words separated."""
        places = [list(find_words(chunk)) for chunk in chunks]
        words = [chunk[start:end] for chunk, of_chunk in zip(chunks, places, strict=True) for start, end in of_chunk]
        split = iter(self.split(words))
        for chunk, of_chunk in zip(chunks, places, strict=True):
            yield put_joints(chunk, [(start, end, next(split)[0]) for start, end in of_chunk], self._separator)


def _look_up(
    table: dict[str, Value], keys: Sequence[str], find: Callable[[list[str]], Iterable[Value]], most: int
) -> list[Value]:
    """Return the value of each key; those that the table lacks are found, all at a time, and put there."""
    missing = sorted(set(keys).difference(table))
    if len(table) + len(missing) > most:
        table.clear()
        missing = sorted(set(keys))
    table.update(zip(missing, find(missing), strict=True))
    found = list(map(table.__getitem__, keys))
    for key in missing:
        if len(key) > LONGEST_KEPT:
            del table[key]
    return found
