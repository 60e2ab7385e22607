"""Which parts of a word belong together first: a log-linear choice of the cut that parts modifier from head.

For a stretch of parts, each inner cut gets a score from what the lexicon says of the two halves: is it a word, do other
words begin or end with it, does it carry a linking element. The softmax of the scores is the probability that the
stretch is modifier and head there; the tree takes the best cut of the whole, then of each half.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lexicon import Lexicon
from lexicon.lemmas import Lemmatizer
from lexicon.mining import FINAL, INITIAL
from lexicon.once import made_once

FEATURES = (
    "only the left half is cut again",
    "only the right half is cut again",
    "left half: a noun with a linking element or none",
    "left half: a known word",
    "left half: a noun as it stands",
    "left half: log (1 + other words that begin with its stem)",
    "left half: it ends in s",
    "left half: length",
    "right half: a noun, as it stands or inflected",
    "right half: a known word",
    "right half: log (1 + other words that end with it)",
    "right half: length",
    "right half: the part before it ends in s",
    "one part before: log (1 + words that begin with it)",
    "one part after: log (1 + words that end with it)",
    "left half: log (1 + times it stood before a word's last part)",
    "one part before: log (1 + times it was a first part)",
    "one part after: log (1 + times it was a last part)",
)
"""Of a half that is cut again, unless it says otherwise; lengths in tens of characters."""


class Bracketer:
    """Brackets the parts of a word.

    Args:
        lexicon: what is known of words.
        weights: feature → weight, in nats.
    """

    def __init__(self, lexicon: Lexicon, weights: Mapping[str, float]) -> None:
        self._lexicon = lexicon
        self._weights = np.array([weights[name] for name in FEATURES])

    @made_once
    def _lemmatizer(self) -> Lemmatizer:
        return Lemmatizer.of(self._lexicon)

    def features(self, parts: Sequence[str]) -> NDArray[np.float64]:
        """Return (P − 1, F): what is known of each inner cut of P parts in lookup form, P ≥ 2."""
        itself = self._is_listed("".join(parts))
        rows = [self._cut(parts[:at], parts[at:], itself) for at in range(1, len(parts))]
        return np.array(rows, np.float64)

    def _is_listed(self, word: str) -> int:
        number = self._lexicon.trie.get(word, -1)
        return int(number >= 0 and self._lexicon.listed[number] > 0)

    def _cut(self, left: Sequence[str], right: Sequence[str], itself: int) -> list[float]:
        """Return (F,) for one cut; `itself`: how often the word that is cut is counted, which tells nothing."""
        before, after = "".join(left), "".join(right)
        row = [0.0] * len(FEATURES)
        row[0] = len(left) > 1 and len(right) == 1
        row[1] = len(right) > 1 and len(left) == 1
        if len(left) > 1:
            lemma = self._lemmatizer.modifier(before)
            nouns = self._lexicon.nouns
            begin = self._others_begin(before[: lemma.stem], itself)
            row[2:8] = [lemma.noun, lemma.form is not None, before in nouns, begin,
                        before.endswith("s"), len(before) / 10]  # fmt: skip
            row[15] = self._seen(before, itself if len(right) == 1 else 0)
        if len(right) > 1:
            lemma = self._lemmatizer.head(after)
            row[8:13] = [lemma.noun, lemma.form is not None, self._others_end(after, itself), len(after) / 10,
                         left[-1].endswith("s")]  # fmt: skip
        if row[1]:
            row[13], row[16] = self._others_begin(before, itself), self._times(before, INITIAL)
        if row[0]:
            row[14], row[17] = self._others_end(after, itself), self._times(after, FINAL)
        return row

    def _seen(self, stretch: str, itself: int) -> float:
        number = self._lexicon.trie.get(stretch, -1)
        return math.log1p(max(0, int(self._lexicon.seen[number]) - itself)) if number >= 0 else 0.0

    def _times(self, part: str, role: int) -> float:
        number = self._lexicon.trie.get(part, -1)
        return math.log1p(int(self._lexicon.parts[number, role])) if number >= 0 else 0.0

    def _others_begin(self, stretch: str, itself: int) -> float:
        return math.log1p(max(0, self._lexicon.inventory.beginning_with_each(stretch)[-1] - itself))

    def _others_end(self, stretch: str, itself: int) -> float:
        return math.log1p(max(0, self._lexicon.inventory.ending_with_each(stretch)[0] - itself))

    def cut_probabilities(self, parts: Sequence[str]) -> NDArray[np.float64]:
        """Return (P − 1,): the probability that each inner cut of P parts is that between modifier and head."""
        if len(parts) == 2:
            return np.ones(1)
        score = self.features(parts) @ self._weights
        weight = np.exp(score - score.max())
        return weight / weight.sum()
