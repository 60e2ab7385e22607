"""The first stage of two: words that the lexicon and a small model are sure of; the nets are asked of the others."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.firstpass.arrays import Splits
from hybrid.firstpass.kernels import LONGEST
from hybrid.firstpass.splitter import FirstSplitter
from lexicon import LookupForm

ReadForm = Callable[[str], LookupForm]


@dataclass(frozen=True, slots=True)
class FirstSplits:
    """The first splits of B words.

    Attributes:
        sure: (B,) bool, the split is to be taken; nothing else here counts for a word where it is not.
        texts: the words' lookup forms.
        forms: those that are not just the word in lower case, by the word's place.
        starts: (B + 1,) int64, where each word's characters begin in `splits.cuts`.
        splits: what was found.
    """

    sure: NDArray[np.bool_]
    texts: list[str]
    forms: dict[int, LookupForm]
    starts: NDArray[np.int64]
    splits: Splits

    def form(self, b: int) -> LookupForm:
        """Return the lookup form of a word."""
        text = self.texts[b]
        return self.forms.get(b) or LookupForm(text, tuple(range(len(text) + 1)))


@dataclass(frozen=True)
class FirstStage:
    """Splits the words that need no net.

    Attributes:
        splitter: what splits them.
        sure: the least probability of a split that is taken.
        read_form: makes the lookup form of a word that may have to be respelt.
    """

    splitter: FirstSplitter
    sure: float
    read_form: ReadForm

    def split(self, words: Sequence[str]) -> FirstSplits:
        """Split words that stand in no dictionary of the caller's, without constraints."""
        texts = lower_all(words)
        symbols, starts = self.splitter.symbols(texts)
        reads = self.splitter.reads(symbols, starts)
        forms: dict[int, LookupForm] = {}
        for b in np.flatnonzero(self.splitter.may_be_respelt(symbols, starts) & reads).tolist():
            form = self.read_form(words[b])
            if form.text != texts[b]:
                forms[b], texts[b] = form, form.text
        if forms:
            symbols, starts = self.splitter.symbols(texts)
        splits = self.splitter.split(symbols, starts)
        return FirstSplits(reads & (splits.probability >= self.sure), texts, forms, starts, splits)

    def reads(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """Return (B,): the first pass can read the lookup form."""
        return self.splitter.reads(*self.splitter.symbols(texts))


def lower_all(words: Sequence[str]) -> list[str]:
    """Return the words in lower case; "" for one that is too long, becomes longer or shorter so, or has a line end."""
    if max(map(len, words), default=0) > LONGEST:
        words = [word if len(word) <= LONGEST else "" for word in words]
    joined = "\n".join(words)
    lowered = joined.lower()
    texts = lowered.split("\n")
    if len(lowered) == len(joined) and len(texts) == len(words):
        return texts
    texts = [word.lower() for word in words]
    return [text if len(text) == len(word) and "\n" not in text else ""
            for text, word in zip(texts, words, strict=True)]  # fmt: skip
