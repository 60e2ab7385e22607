"""What stretches of words were called in training: a lexicon of phrases with counts by label."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lexicon.trie import Trie, build_trie

Words = Sequence[str]
LabelledSpan = tuple[int, int, int]
"""First word, the word after the last, and the label's number."""

BETWEEN = "\t"
"""What stands between the words of a key: no word has it."""

_NO_KEY = re.compile("[\t\0\ud800-\udfff]")
"""What no word of a phrase has: BETWEEN, and what a trie can't hold (NUL, lone surrogates)."""


@dataclass(frozen=True)
class PhraseLexicon:
    """P phrases, each with what it was called, out of L labels.

    Only what was a span at least once is a phrase; single words all are, where spans cover their sentences.

    Attributes:
        trie: number of each phrase.
        counts: (P, L) int64, how often the phrase was a span of each label.
        occurrences: (P,) int64, how often its words stood in a row at all; Σ counts or more.
        spans: (M, L) int64, how many spans of m + 1 words had each label, m < M, the longest phrase's words.
        stretches: (M,) int64, how many stretches of m + 1 words there were.
    """

    trie: Trie
    counts: NDArray[np.int64]
    occurrences: NDArray[np.int64]
    spans: NDArray[np.int64]
    stretches: NDArray[np.int64]

    @classmethod
    def mine(cls, sentences: Sequence[Words], spans: Sequence[Sequence[LabelledSpan]], labels: int) -> "PhraseLexicon":
        """Count phrases.

        Args:
            sentences: words in their lookup form.
            spans: of each sentence.
            labels: L.

        Raises:
            ValueError: a sentence has no list of spans, a span is not inside its sentence, its label is none of the L,
                or a word of it has a tab, NUL or lone surrogate in it.
        """
        if len(sentences) != len(spans):
            raise ValueError(f"{len(sentences)} sentences and {len(spans)} lists of spans; as many of each are right")
        called: Counter[tuple[str, int]] = Counter()
        for place, (words, of_sentence) in enumerate(zip(sentences, spans, strict=True)):
            try:
                called.update(_phrases(words, of_sentence, labels))
            except ValueError as error:  # noqa: PERF203, so that the place is told
                raise ValueError(f"sentence {place} (from 0): {error}") from None
        longest = 1 + max((key.count(BETWEEN) for key, _ in called), default=0)
        trie = build_trie({key for key, _ in called})
        counts = np.zeros((len(trie), labels), np.int64)
        for (key, label), count in called.items():
            counts[trie.get(key), label] = count
        result = cls(trie, counts, np.zeros(len(trie), np.int64), np.zeros((longest, labels), np.int64),
                     np.zeros(longest, np.int64))  # fmt: skip
        for words, of_sentence in zip(sentences, spans, strict=True):
            result._count(words, of_sentence)
        return result

    def _count(self, words: Words, spans: Sequence[LabelledSpan]) -> None:
        for start, end, label in spans:
            self.spans[end - start - 1, label] += 1
        for _, number, length in self.stretches_of(words):
            self.stretches[length - 1] += 1
            if number >= 0:
                self.occurrences[number] += 1

    def stretches_of(self, words: Words) -> Iterator[tuple[int, int, int]]:
        """Yield each stretch of a sentence up to the longest phrase: its start, its number or −1, and its length."""
        longest, get = len(self.stretches), self.trie.get
        strange = {word for word in words if _NO_KEY.search(word)}
        for start in range(len(words)):
            key, never = "", False
            for length in range(1, min(longest, len(words) - start) + 1):
                word = words[start + length - 1]
                never = never or word in strange
                key = word if length == 1 else f"{key}{BETWEEN}{word}"
                yield start, -1 if never else get(key, -1), length

    def log_ratios(
        self,
        words: Words,
        own: Sequence[LabelledSpan] = (),
        *,
        times: int = 0,
        strength: float = 1.0,
    ) -> NDArray[np.float64]:
        """Return (n, M, L): how much likelier each label is for a stretch than for any of its length, in nats.

        log ((count + a · p) / (occurrences + a)) − log p, where p is the share of stretches of that length that have
        the label; 0 for stretches that are no phrase, and for labels that no span of that length has. So counts decide
        where there are many, and an unknown phrase says nothing.

        Args:
            words: a sentence of n words, in lookup form.
            own: its own spans, where it is among what was counted: they and its words are taken out, so that it is
                judged just as if it had not been there (leave-one-out).
            times: how often it was counted; 0 where it was not.
            strength: a, the weight of p, in occurrences; more than 0.

        Raises:
            ValueError: `own` has a span that is none of the sentence, or was not counted.
        """
        longest, labels = self.spans.shape
        result = np.zeros((len(words), longest, labels))
        known = [row for row in self.stretches_of(words) if row[1] >= 0]
        if not known:
            return result
        start, number, length = np.array(known, np.int64).T
        counts, seen = self.counts[number].astype(np.float64), self.occurrences[number].astype(np.float64)
        if times:
            distinct, row = np.unique(number, return_inverse=True)
            counts -= times * self._called(words, own, distinct)[row]
            seen -= times * np.bincount(row)[row]
        spans, stretches = self._without(len(words), own, times)
        share = (spans / np.maximum(stretches, 1)[:, None])[length - 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.log((counts + strength * share) / (seen + strength)[:, None]) - np.log(share)
        phrase = counts.any(axis=1)  # what was a span in its own sentence alone is none without it
        result[start, length - 1] = np.where((share > 0) & phrase[:, None], ratio, 0.0)
        return result

    def _without(
        self, words: int, own: Iterable[LabelledSpan], times: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return `spans` and `stretches` without a sentence that was counted so many times."""
        if not times:
            return self.spans, self.stretches
        spans = self.spans.copy()
        for start, end, label in own:
            spans[end - start - 1, label] -= times
        return spans, self.stretches - times * np.maximum(words - np.arange(len(self.stretches)), 0)

    def _called(self, words: Words, own: Iterable[LabelledSpan], numbers: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return (K, L): how often each of K phrases, their numbers ascending, is one of a sentence's own spans."""
        at = {number: k for k, number in enumerate(numbers.tolist())}
        result = np.zeros((len(numbers), self.spans.shape[1]))
        for key, label in _phrases(words, own, self.spans.shape[1]):
            number = self.trie.get(key, -1)
            if number not in at:
                raise ValueError(f"the span {key.split(BETWEEN)} was not counted")
            result[at[number], label] += 1
        return result


def _phrases(words: Words, spans: Iterable[LabelledSpan], labels: int) -> Iterator[tuple[str, int]]:
    """Yield each span's key and label, checked."""
    for start, end, label in spans:
        if not 0 <= start < end <= len(words):
            raise ValueError(f"a span from {start} to {end} in a sentence of {len(words)} words")
        if not 0 <= label < labels:
            raise ValueError(f"a span's label is {label}; 0 … {labels - 1} is right")
        key = BETWEEN.join(words[start:end])
        if key.count(BETWEEN) != end - start - 1 or _NO_KEY.search(key.replace(BETWEEN, " ")):
            raise ValueError(f"a tab, NUL or lone surrogate inside a word of {list(words[start:end])!a}")
        yield key, label
