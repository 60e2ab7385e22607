"""Words and characters to numbers: what nets over words read."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from lexicon.normalize import REPLACEMENT

UNKNOWN = 0
"""The number of a word or character that was not there in training."""

LONGEST_WORD = 24
"""Characters of a word that are read: its first and last twelve where it has more."""

SHAPES = 8
"""Kinds of writing, see `shape`."""

_SHAPE = [
    regex.compile(pattern)
    for pattern in (r"\p{Ll}+", r"\p{Lu}\p{Ll}*", r"\p{Lu}+", r"\p{N}+", r"[\p{P}\p{S}]+", r".*\p{N}.*", r".*\p{L}.*")
]


_DIGIT = regex.compile(r"\p{N}")

_NO_KEY = regex.compile(r"[\t\x00\p{Cs}]")
"""What stands between words in the lexicon, and what its trie can't hold."""


def shape(word: str) -> int:
    """Return how a word is written.

    Returns:
        1 lower case, 2 capitalised, 3 upper case, 4 digits, 5 punctuation, 6 with digits among others, 7 other with
        letters, 0 none of these.
    """
    return next((i for i, pattern in enumerate(_SHAPE, 1) if pattern.fullmatch(word)), 0)


def lookup_form(word: str) -> str:
    """Return the form under which a word is known: in lower case, digits alike; what a lexicon can't hold as U+FFFD."""
    return as_key(_DIGIT.sub("0", word.lower()))


def as_key(word: str) -> str:
    """Return a word with U+FFFD for what a lexicon can't hold: tabs, NUL, lone surrogates."""
    return _NO_KEY.sub(REPLACEMENT, word)


@dataclass(frozen=True)
class Vocabulary:
    """Numbers of words and characters.

    Attributes:
        words: number of each word, in its lookup form; from 1 on.
        characters: number of each character; from 1 on.
    """

    words: dict[str, int]
    characters: dict[str, int]

    @classmethod
    def of(cls, sentences: Iterable[Sequence[str]], *, least: int = 1) -> "Vocabulary":
        """Return that of sentences.

        Args:
            sentences: of training; their characters that occur twice or more are in it.
            least: and their words that occur so many times or more.
        """
        counts: Counter[str] = Counter()
        letters: Counter[str] = Counter()
        for sentence in sentences:
            counts.update(lookup_form(word) for word in sentence)
            for word in sentence:
                letters.update(word)
        known = sorted(word for word, count in counts.items() if count >= least)
        return cls(
            {word: i for i, word in enumerate(known, 1)},
            {c: i for i, c in enumerate(sorted(c for c, n in letters.items() if n > 1), 1)},
        )

    def with_words(self, further: Iterable[str]) -> "Vocabulary":
        """Return one that has further words, in their lookup form, after its own."""
        words = dict(self.words)
        for word in further:
            words.setdefault(word, len(words) + 1)
        return Vocabulary(words, self.characters)

    def word_numbers(self, words: Sequence[str]) -> NDArray[np.int64]:
        """Return (W,): the number of each word."""
        return np.array([self.words.get(lookup_form(word), UNKNOWN) for word in words], np.int64)

    def character_numbers(self, words: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return (W, C) the characters of each word, filled up with 0, and (W,) how many there are, 1 or more."""
        cut = [w if len(w) <= LONGEST_WORD else w[: LONGEST_WORD // 2] + w[-LONGEST_WORD // 2 :] for w in words]
        lengths = np.array([max(len(w), 1) for w in cut], np.int64)
        table = np.zeros((len(cut), int(lengths.max(initial=1))), np.int64)
        for row, word in zip(table, cut, strict=True):
            row[: len(word)] = [self.characters.get(c, UNKNOWN) for c in word]
        return table, lengths
