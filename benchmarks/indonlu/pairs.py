"""Does one sentence follow from another: what they share, what was changed, and a forest of trees over it.

With a few hundred pairs to learn from, words tell nothing; how the sentences differ does (compare Malakasiotis &
Androutsopoulos 2007).
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.integrations.wanted import wanted
from hybrid.labelling.vectors import WordVectors
from hybrid.labelling.vocabulary import lookup_form

TREES = 400
LEAST_LEAF = 3
"""Pairs in a leaf: chosen by repeated cross-validation on train, like the kind of forest."""

_NEGATION = frozenset(("tidak", "bukan", "tanpa", "belum", "tak", "tiada", "jangan"))

Pair = tuple[Sequence[str], Sequence[str]]


@dataclass(frozen=True)
class Rarity:
    """How rare words are among sentences: log((N + 1) / (n + 1)), n of N sentences having the word."""

    sentences: int
    counts: Mapping[str, int]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> "Rarity":
        """Count the sentences that each word is in."""
        return cls(len(sentences), Counter(word for words in sentences for word in set(words)))

    def __call__(self, word: str) -> float:
        """Return how rare a word is."""
        return math.log((self.sentences + 1) / (self.counts.get(word, 0) + 1))


def require_forest() -> None:
    """Check, before long work, that there is what pairs are learnt with.

    Raises:
        ImportError: scikit-learn is not installed.
    """
    with wanted("sklearn"):
        import sklearn  # noqa: F401


@dataclass(frozen=True)
class PairClassifier:
    """Labels pairs of sentences. Made by `learn`.

    Attributes:
        forest: scikit-learn's, over the numbers of `pair_features`.
        rarity: of words, in lower case.
        vectors: of words; None: none.
    """

    forest: Any
    rarity: Rarity
    vectors: WordVectors | None

    @classmethod
    def learn(
        cls, pairs: Sequence[Pair], labels: Sequence[str], *, vectors: WordVectors | None, seed: int
    ) -> "PairClassifier":
        """Learn from labelled pairs of lists of words.

        Raises:
            ImportError: scikit-learn is not installed.
        """
        with wanted("sklearn"):
            from sklearn.ensemble import ExtraTreesClassifier
        rarity = Rarity.of([[word.lower() for word in words] for pair in pairs for words in pair])
        forest = ExtraTreesClassifier(
            TREES, min_samples_leaf=LEAST_LEAF, max_features=0.3, class_weight="balanced", random_state=seed
        )
        return cls(forest.fit(_table(pairs, rarity, vectors), list(labels)), rarity, vectors)

    def classify(self, pairs: Sequence[Pair]) -> list[str]:
        """Return a label for each pair."""
        return [] if not pairs else [str(x) for x in self.forest.predict(_table(pairs, self.rarity, self.vectors))]


def _table(pairs: Sequence[Pair], rarity: Rarity, vectors: WordVectors | None) -> NDArray[np.float64]:
    return np.array([[*pair_features(pair, rarity, vectors).values()] for pair in pairs], np.float64)


def pair_features(pair: Pair, rarity: Rarity, vectors: WordVectors | None) -> dict[str, float]:
    """Return what tells of a pair, by name: shared words, edits, numbers and negation, and how like changed words are.

    Args:
        pair: words of both sentences, as they are written.
        rarity: of words, in lower case.
        vectors: of words; None: changed words are compared by their letters alone.
    """
    names = [{word.lower() for word in words[1:] if word[0].isupper()} for words in pair]
    left, right = ([word.lower() for word in words if word[0].isalnum()] for words in pair)
    return {
        "new_names": float(len(names[1] - names[0])),
        "lost_names": float(len(names[0] - names[1])),
        **_shared(left, right, rarity),
        **_edits(left, right),
        **_marks(set(left), set(right)),
        **_changed(set(left) - set(right), set(right) - set(left), rarity, vectors),
        "letters": SequenceMatcher(None, " ".join(left), " ".join(right), autojunk=False).ratio(),
    }


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 1.0


def _shared(left: Sequence[str], right: Sequence[str], rarity: Rarity) -> dict[str, float]:
    a, b = set(left), set(right)
    weight = [sum(map(rarity, sorted(words))) for words in (a & b, a, b)]
    twos = [set(zip(words, words[1:], strict=False)) for words in (left, right)]
    return {
        "words_left": _share(len(a & b), len(a)),
        "words_right": _share(len(a & b), len(b)),
        "words_both": _share(len(a & b), len(a | b)),
        "weight_left": _share(weight[0], weight[1]),
        "weight_right": _share(weight[0], weight[2]),
        "twos_left": _share(len(twos[0] & twos[1]), len(twos[0])),
        "twos_right": _share(len(twos[0] & twos[1]), len(twos[1])),
        "length_left": math.log(len(left) + 1),
        "length_right": math.log(len(right) + 1),
        "longer": math.log((len(right) + 1) / (len(left) + 1)),
        "length_differs": abs(math.log((len(right) + 1) / (len(left) + 1))),
    }


def _edits(left: Sequence[str], right: Sequence[str]) -> dict[str, float]:
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    sizes: dict[str, list[int]] = {"replace": [], "insert": [], "delete": []}
    for kind, start, end, other_start, other_end in matcher.get_opcodes():
        if kind != "equal":
            sizes[kind].append(max(end - start, other_end - other_start))
    return {
        "in_order": matcher.ratio(),
        **{f"{kind}s": float(len(of_kind)) for kind, of_kind in sizes.items()},
        **{f"{kind}_words": float(sum(of_kind)) for kind, of_kind in sizes.items()},
    }


def _marks(left: Set[str], right: Set[str]) -> dict[str, float]:
    numbers = [{word for word in words if word[0].isdigit()} for words in (left, right)]
    return {
        "new_numbers": float(len(numbers[1] - numbers[0])),
        "other_numbers": float(numbers[0] != numbers[1]),
        "other_negation": float((left & _NEGATION) != (right & _NEGATION)),
    }


def _changed(left: Set[str], right: Set[str], rarity: Rarity, vectors: WordVectors | None) -> dict[str, float]:
    """Return what tells of words that only one of the sentences has."""
    letters = [max((SequenceMatcher(None, a, b).ratio() for a in sorted(left)), default=0.0) for b in sorted(right)]
    senses = [max((_likeness(a, b, vectors) for a in sorted(left)), default=0.0) for b in sorted(right)]
    return {
        "left_weight": min(60.0, sum(map(rarity, sorted(left)))),
        "right_weight": min(40.0, sum(map(rarity, sorted(right)))),
        "left_rarest": max(map(rarity, left), default=0.0),
        "right_rarest": max(map(rarity, right), default=0.0),
        "letters_mean": float(np.mean(letters)) if letters else 1.0,
        "letters_least": min(letters, default=1.0),
        "sense_mean": float(np.mean(senses)) if senses else 1.0,
        "sense_least": min(senses, default=1.0),
        "one_word": float(len(left) == len(right) == 1),
        "nothing_new": float(not right),
        "only_less": float(not right and bool(left)),
    }


def _likeness(a: str, b: str, vectors: WordVectors | None) -> float:
    """Return the cosine of two words' vectors, 0 where one has none."""
    if vectors is None:
        return 0.0
    at, other = (vectors.words.get(lookup_form(word)) for word in (a, b))
    if at is None or other is None:
        return 0.0
    x, y = vectors.vectors[at], vectors.vectors[other]
    return float(x @ y / max(1e-9, float(np.linalg.norm(x)) * float(np.linalg.norm(y))))
