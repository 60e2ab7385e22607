"""How the words of a sentence match those of a context, such as a passage's those of a question: numbers a word."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import regex
from numpy.typing import NDArray

from hybrid.labelling.vocabulary import lookup_form

FEATURES = 15
"""Numbers that come with each word, see `ContextMatch.features`."""

DECAYS = (0.5, 0.8, 0.93)
"""How much of a match is left one word further."""

STEM = 4
"""Two words are of one stem where they share so many letters in a row, and these are most of the shorter one."""

_PUNCTUATION = regex.compile(r"[\p{P}\p{S}]+")

_CLOSING = frozenset(".?!")


@dataclass(frozen=True)
class ContextMatch:
    """Weights of words, by how few texts of the training sentences have them.

    Attributes:
        weights: of each word in its lookup form: log (texts + 1) / (texts that have it + ½).
        unseen: the same of words that none has.
    """

    weights: dict[str, float]
    unseen: float

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> "ContextMatch":
        """Count words of texts, each a sentence with its context."""
        counts: Counter[str] = Counter()
        total = 0
        for text in texts:
            counts.update({lookup_form(word) for word in text})
            total += 1
        weights = {word: math.log((total + 1) / (count + 0.5)) for word, count in counts.items()}
        return cls(weights, math.log(2 * total + 2))

    def features(self, words: Sequence[str], context: Sequence[str]) -> NDArray[np.float32]:
        """Return (n, FEATURES) float32 for a sentence of n words.

        Of each word: the weight of its match, the same where a stem is enough, whether there is one of either kind, and
        whether it and a neighbour stand together in the context; matches before and after it, for each decay; of its
        clause (up to a full stop): matches, their share of what could match, whether no clause has more, and how much
        less it has than the best.
        """
        exact, stem, pairs = self._matches(words, context)
        columns = [exact / 5, exact > 0, stem / 5, stem > 0, pairs]
        for decay in DECAYS:
            columns += [_before(stem, decay) / 8, _before(stem[::-1], decay)[::-1] / 8]
        clause = np.cumsum([0, *(word in _CLOSING for word in words[:-1])])[: len(words)]
        most = np.zeros(int(clause.max(initial=0)) + 1)
        for number in range(len(most)):
            found = {lookup_form(words[i]): stem[i] for i in np.flatnonzero(clause == number).tolist()}
            most[number] = sum(found.values())
        possible = sum(self._weight(word) for word in {lookup_form(word) for word in context})
        best = most.max(initial=0)
        columns += [
            most[clause] / 8,
            most[clause] / max(possible, 1.0),
            most[clause] == best,
            (most[clause] - best) / 8,
        ]
        return np.stack(columns, axis=1).astype(np.float32)

    def _weight(self, word: str) -> float:
        return self.weights.get(lookup_form(word), self.unseen)

    def _matches(self, words: Sequence[str], context: Sequence[str]) -> tuple[NDArray[np.float64], ...]:
        """Return (n,) each: weights of words of the context, of words of a stem with one, and 1 for pairs of them."""
        asked = {word.lower() for word in context if not _PUNCTUATION.fullmatch(word)}
        both = {(a.lower(), b.lower()) for a, b in zip(context, context[1:], strict=False)}
        exact, stem, pairs = np.zeros((3, len(words)))
        for i, word in enumerate(words):
            if _PUNCTUATION.fullmatch(word):
                continue
            same = word.lower() in asked
            exact[i] = self._weight(word) if same else 0
            stem[i] = exact[i] if same else 0.8 * self._weight(word) * any(one_stem(word.lower(), a) for a in asked)
        for i, pair in enumerate(zip(words, words[1:], strict=False)):
            if (pair[0].lower(), pair[1].lower()) in both:
                pairs[i : i + 2] = 1
        return exact, stem, pairs


def one_stem(word: str, other: str) -> bool:
    """Return whether two words share a stretch of letters that is long enough, and most of the shorter one."""
    least = min(len(word), len(other))
    need = max(STEM, math.ceil(0.7 * least))
    return least >= STEM and any(word[i : i + need] in other for i in range(len(word) - need + 1))


def _before(x: NDArray[np.float64], decay: float) -> NDArray[np.float64]:
    """Return (n,): of each place, Σ over those before it of x, each word further worth `decay` times as much."""
    result = np.zeros_like(x)
    for i in range(1, len(x)):
        result[i] = decay * result[i - 1] + x[i - 1]
    return result
