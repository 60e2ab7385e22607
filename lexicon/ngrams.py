"""How many texts of each label have an n-gram: a lexicon of n-grams, and what each says for a label."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lexicon.trie import Trie, build_trie

BETWEEN = "\t"
"""What stands between the words of an n-gram, and before characters of a word: no word has it."""

_BEGIN, _END = "\x02", "\x03"
"""A word's ends among its characters."""


def word_ngrams(words: Sequence[str], longest: int) -> Iterable[str]:
    """Yield the keys of all stretches of 1 … `longest` words."""
    for size in range(1, longest + 1):
        for start in range(len(words) - size + 1):
            yield BETWEEN.join(words[start : start + size])


def character_ngrams(words: Sequence[str], shortest: int, longest: int) -> Iterable[str]:
    """Yield the keys of all stretches of `shortest` … `longest` characters of each word, its two ends among them."""
    for word in words:
        yield from (kept_keys if len(word) <= LONGEST_KEPT else _of_word)(word, shortest, longest)


def _of_word(word: str, shortest: int, longest: int) -> tuple[str, ...]:
    text = f"{_BEGIN}{word}{_END}"
    return tuple(
        BETWEEN + text[start : start + size]
        for size in range(shortest, longest + 1)
        for start in range(len(text) - size + 1)
    )


LONGEST_KEPT = 64
"""Characters of words whose keys are remembered; longer ones have many, and are seldom seen again."""

kept_keys = lru_cache(maxsize=1 << 16)(_of_word)
"""Keys of a word, remembered, since texts would else hold the same strings a thousand times."""


@dataclass(frozen=True)
class NgramLexicon:
    """G n-grams, each with how many texts of each label have it; a text may have a label for each of A aspects.

    Attributes:
        trie: number of each n-gram.
        counts: (A, G, L) int64, texts with that label for that aspect that have the n-gram.
        texts: (A, L) int64, texts with that label.
    """

    trie: Trie
    counts: NDArray[np.int64]
    texts: NDArray[np.int64]

    @classmethod
    def mine(
        cls, ngrams: Sequence[Iterable[str]], labels: NDArray[np.int64], size: int, *, least: int = 1
    ) -> "NgramLexicon":
        """Count n-grams.

        Args:
            ngrams: keys of each of N texts; repeated ones count once.
            labels: (N, A), −1 where a text is not counted for an aspect.
            size: L.
            least: n-grams of fewer texts than that are left out.

        Raises:
            ValueError: there are not as many rows of labels as texts, or a label is not −1 … L − 1.
        """
        labels = np.asarray(labels)
        if labels.ndim != 2 or len(labels) != len(ngrams):
            raise ValueError(f"{len(ngrams)} texts and labels of shape {labels.shape}; a row for each text is right")
        if labels.size and not (labels.min() >= -1 and labels.max() < size):
            raise ValueError(f"labels from {labels.min()} to {labels.max()}; −1 to {size - 1} are right")
        distinct = [set(of_text) for of_text in ngrams]
        seen = Counter(key for of_text in distinct for key in of_text)
        trie = build_trie({key for key, count in seen.items() if count >= least})
        result = cls(trie, np.zeros((labels.shape[1], len(trie), size), np.int64),
                     np.zeros((labels.shape[1], size), np.int64))  # fmt: skip
        result._count([result.numbers(of_text) for of_text in distinct], labels, 1)
        return result

    def without(self, texts: Sequence[NDArray[np.int64]], labels: NDArray[np.int64]) -> "NgramLexicon":
        """Return a lexicon of the same n-grams, counted without some of the texts.

        Args:
            texts: of each of M texts that were counted, the numbers of its n-grams.
            labels: (M, A), as they were counted.
        """
        result = NgramLexicon(self.trie, self.counts.copy(), self.texts.copy())
        result._count(texts, labels, -1)
        return result

    def _count(self, texts: Sequence[NDArray[np.int64]], labels: NDArray[np.int64], step: int) -> None:
        for numbers, row in zip(texts, labels, strict=True):
            for aspect in np.flatnonzero(row >= 0):
                self.counts[aspect, numbers, row[aspect]] += step
                self.texts[aspect, row[aspect]] += step

    def __len__(self) -> int:
        return len(self.trie)

    def numbers(self, ngrams: Iterable[str]) -> NDArray[np.int64]:
        """Return (K,), ascending: numbers of the distinct n-grams that are known."""
        get = self.trie.get
        return np.array(sorted({n for n in (get(key, -1) for key in ngrams) if n >= 0}), np.int64)

    def log_ratios(
        self,
        numbers: NDArray[np.int64] | None = None,
        own: NDArray[np.int64] | None = None,
        *,
        strength: float = 1.0,
    ) -> NDArray[np.float64]:
        """Return (A, K, L): how much an n-gram speaks for each label against the others, in nats.

        log ((c + a) / (n + 2a)) − log ((c′ + a) / (n′ + 2a)), where c of n texts with the label have the n-gram, and c′
        of n′ texts with another label: the log-count ratio of Wang & Manning (2012), over texts. 0 for n-grams that no
        text has any more.

        Args:
            numbers: (K,) of n-grams; None: all.
            own: (A,) labels of a text, −1 for none, that has all of `numbers` and was counted: it is taken out, so that
                it is judged as a text that was not there (leave-one-out).
            strength: a, above 0.

        Raises:
            ValueError: `strength` is not above 0.
        """
        if strength <= 0:
            raise ValueError(f"strength is {strength}, should be above 0")
        counts = (self.counts if numbers is None else self.counts[:, numbers]).astype(np.float64)  # (A, K, L)
        texts = self.texts.astype(np.float64)
        if own is not None:
            aspects = np.flatnonzero(np.asarray(own) >= 0)
            counts[aspects, :, own[aspects]] -= 1
            texts[aspects, own[aspects]] -= 1
        every, others = counts.sum(axis=2, keepdims=True), texts.sum(axis=1, keepdims=True) - texts
        inside = np.log((counts + strength) / (texts + 2 * strength)[:, None])
        outside = np.log((every - counts + strength) / (others + 2 * strength)[:, None])
        return np.where(every > 0, inside - outside, 0.0)
