"""Words with their splits at rest: a temporary file that is read again and again, for a vocabulary may be large."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate
from typing import IO

from hybrid.disk_errors import naming
from hybrid.search.lowercase import lucene_lower, units
from hybrid.search.subwords import constituents, ends_of, subwords
from hybrid.segmentation import Segmentation

SHARP, DOUBLE = "ß", "ss"


@dataclass(frozen=True, slots=True)
class Row:
    """A word of the vocabulary as a search engine keeps it, and how it is split.

    Attributes:
        word: in lower case, in units of UTF-16 as `units` has them.
        count: how often it comes.
        parts: for each part the place where it begins, and those where it may end for a search, ascending.
        lemmas: for each part its dictionary form; empty where the lexicon knows none.
        groups: parts and constituents, as the numbers of their first and last part; none where the word is left whole.
    """

    word: str
    count: int
    parts: tuple[tuple[int, ...], ...]
    lemmas: tuple[str, ...]
    groups: tuple[tuple[int, int], ...] = ()

    def forms(self) -> Iterator[tuple[str, str]]:
        """Yield the dictionary forms of parts that have one, each with what stands in the word."""
        for (start, *ends), lemma in zip(self.parts, self.lemmas, strict=True):
            if lemma:
                yield from ((lemma, self.word[start:end]) for end in ends)

    def candidates(self) -> Iterator[str]:
        """Yield parts and constituents, with and without what may be left out at their ends; the word is none."""
        for first, last in self.groups:
            start = self.parts[first][0]
            yield from (self.word[start:end] for end in self.parts[last][1:] if end - start < len(self.word))


def rows_of(split: Segmentation, count: int) -> list[Row]:
    """Return the row of a word and, where it has ß, that of the same word with ss, as in capitals."""
    lower = lucene_lower(split.word)
    first_of = {part.start: i for i, part in enumerate(split.parts)}
    last_of = {part.end: i for i, part in enumerate(split.parts)}
    groups = tuple((first_of[start], last_of[last.end]) for start, last in constituents(split))
    lemmas = tuple(part.lemma or "" for part in split.parts)
    rows = []
    for respelt in (False, True) if SHARP in lower else (False,):
        letters = [char.replace(SHARP, DOUBLE) if respelt else char for char in lower]
        at = list(accumulate((len(units(letter)) for letter in letters), initial=0))
        parts = tuple(tuple(at[place] for place in (part.start, *ends_of(part))) for part in split.parts)
        rows.append(Row(units("".join(letters)), count, parts, lemmas, groups))
    return rows


def rule_of(split: Segmentation) -> list[tuple[str, list[str]]]:
    """Return a compound's words to be indexed, itself first: in lower case, each once; and again with ss for ß.

    A word that is left whole has none.
    """
    found = [lucene_lower(subword.text) for subword in subwords(split)]
    if not found:
        return []
    word = lucene_lower(split.word)
    texts = [word, word.replace(SHARP, DOUBLE)] if SHARP in word else [word]
    same = [found] if len(texts) == 1 else [found, [text.replace(SHARP, DOUBLE) for text in found]]
    return [(text, list(dict.fromkeys([text, *of_text]))) for text, of_text in zip(texts, same, strict=True)]


class Spool:
    """Rows in a temporary file, which is gone when it is closed."""

    def __init__(self) -> None:
        self._folder = tempfile.gettempdir()
        self._file: IO[str] = tempfile.TemporaryFile("w+", encoding="ascii", newline="\n")  # noqa: SIM115 - closed below

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # what is not written yet where the disk is full
            self._file.close()

    def add(self, row: Row) -> None:
        """Put a row after those that are there."""
        line = json.dumps([row.word, row.count, row.parts, row.lemmas, row.groups], separators=(",", ":"))
        with naming(self._folder):
            self._file.write(line + "\n")

    def __iter__(self) -> Iterator[Row]:
        """Yield all rows, in order."""
        with naming(self._folder):
            self._file.seek(0)
        for line in self._file:
            word, count, parts, lemmas, groups = json.loads(line)  # JSON puts the two halves of a letter together
            yield Row(units(word), count, tuple(map(tuple, parts)), tuple(lemmas), tuple(map(tuple, groups)))
        self._file.seek(0, os.SEEK_END)
