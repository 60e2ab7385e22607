"""A splitter with a memory: what words of a corpus, most of which come again and again, are split by."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from hybrid.text import find_words

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

Split = tuple[tuple[str, ...], float]
"""A word's parts, and the probability of this split."""

KEPT = 1 << 20
"""Splits that a worker keeps: some 200 MB."""


class Worker:
    """Splits words and texts, each distinct word once as long as it is remembered; not for several threads at once.

    Args:
        segmenter: what splits them.
        granularity, min_probability: as for `Segmenter.split`.
        kept: most splits that are remembered; beyond that the ones which were not asked for lately are forgotten.
    """

    def __init__(
        self,
        segmenter: "Segmenter",
        *,
        granularity: str = "fine",
        min_probability: float = 0.0,
        kept: int = KEPT,
    ) -> None:
        self._segmenter = segmenter
        self._granularity, self._min_probability = granularity, min_probability
        self._half = max(1, kept // 2)
        self._young: dict[str, Split] = {}
        self._old: dict[str, Split] = {}

    def split(self, words: Sequence[str]) -> list[Split]:
        """Return the parts of each word, in order, and their probability."""
        known = self._recall(words)
        return [known[word] for word in words]

    def separate(self, texts: Sequence[str], separator: str = "|") -> list[str]:
        """Return running texts with the parts of their words separated; all else is left as it is."""
        places = [list(find_words(text)) for text in texts]
        known = self._recall(text[start:end] for text, of in zip(texts, places, strict=True) for start, end in of)
        result = []
        for text, of in zip(texts, places, strict=True):
            pieces, at = list[str](), 0
            for start, end in of:
                pieces += (text[at:start], separator.join(known[text[start:end]][0]))
                at = end
            result.append("".join([*pieces, text[at:]]))
        return result

    def _recall(self, words: Iterable[str]) -> dict[str, Split]:
        """Return a table that has the words: those remembered, and the others split."""
        table: dict[str, Split] = {}
        missing: dict[str, None] = {}
        for word in words:
            if word in table or word in missing:
                continue
            split = self._young.get(word) or self._old.get(word)
            if split is None:
                missing[word] = None
            else:
                table[word] = self._young[word] = split
        new = list(missing)
        table |= zip(
            new,
            self._segmenter.split_parts(new, granularity=self._granularity, min_probability=self._min_probability),
            strict=True,
        )
        self._young |= {word: table[word] for word in new}
        if len(self._young) > self._half:
            self._old, self._young = self._young, {}
        return table
