"""Word vectors from plain text: which words stand near which, weighed by information and brought to few numbers."""

import reprlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from hybrid.errors import DataError
from hybrid.inference import one_thread
from hybrid.labelling.vocabulary import lookup_form

WINDOW = 4
"""Words on each side that count as near; the k-th counts 1/k."""

SMOOTHING = 0.75
"""Exponent of neighbours' counts, so that rare ones don't seem to tell much (Levy, Goldberg & Dagan 2015)."""


@dataclass(frozen=True)
class WordVectors:
    """Vectors of V words.

    Attributes:
        words: number of each word, in its lookup form.
        vectors: (V, D) float32, of mean 0 and standard deviation 1 over all numbers that are used.
    """

    words: dict[str, int]
    vectors: NDArray[np.float32]

    @classmethod
    def learn(cls, texts: Iterable[Sequence[str]], *, size: int = 100, least: int = 2, seed: int = 0) -> "WordVectors":
        """Return the singular vectors of positive pointwise mutual information (Levy & Goldberg 2014).

        Args:
            texts: words of each; repeated texts count once.
            size: D; where there are fewer words, the last numbers are 0.
            least: words that occur less often have no vector.
            seed: of the randomised decomposition (Halko, Martinsson & Tropp 2011).

        Raises:
            DataError: fewer than two words occur `least` times, or none of these near another more often than by
                chance; `size` is below 1; texts, or a text, are a string or no list, or a word is none.
        """
        if size < 1:
            raise DataError(f"size is {size}, should be 1 or more")
        if isinstance(texts, str) or not isinstance(texts, Iterable):
            raise DataError(f"texts are of type {type(texts).__name__}; lists of words are right")
        distinct = dict.fromkeys(_forms(place, text) for place, text in enumerate(texts))
        counts = Counter(word for text in distinct for word in text)
        words = {word: i for i, word in enumerate(sorted(w for w, c in counts.items() if c >= least))}
        if len(words) < 2:
            raise DataError(f"{len(words)} words occur {least} times or more; two or more are right")
        information = _information(_near(distinct, words), len(words))
        if not information._nnz():
            raise DataError("no two words stand near each other more often than by chance")
        with one_thread(), torch.random.fork_rng(devices=[]):
            torch.default_generator.manual_seed(seed)
            left, values, _ = torch.svd_lowrank(information, q=min(size + 20, len(words)), niter=4)
        vectors = (left * values.sqrt())[:, :size].numpy()
        scaled = (vectors - vectors.mean()) / max(float(vectors.std()), 1e-9)
        return cls(words, np.pad(scaled, ((0, 0), (0, size - scaled.shape[1]))).astype(np.float32))

    def table(self, words: dict[str, int], *, scale: float, seed: int) -> NDArray[np.float32]:
        """Return (W + 1, D) float32: first vectors for a net's words, numbered from 1 on; row 0 is the unknown word.

        Args:
            words: number of each.
            scale: standard deviation of vectors that are known; others are random, and a third of that.
            seed: of the random ones.
        """
        size = self.vectors.shape[1]
        table = np.random.default_rng(seed).normal(0, scale / 3, (len(words) + 1, size)).astype(np.float32)
        table[0] = 0
        known = [(i, self.words[word]) for word, i in words.items() if word in self.words]
        if known:
            rows, numbers = np.array(known).T
            table[rows] = scale * self.vectors[numbers]
        return table


def _forms(place: int, text: Sequence[str]) -> tuple[str, ...]:
    if isinstance(text, str) or not isinstance(text, Iterable):  # a string's letters would be taken for words
        raise DataError(f"text {place} (from 0) is {reprlib.repr(text)}; a list of words is right")
    words = tuple(text)
    wrong = next((word for word in words if not isinstance(word, str)), "")
    if wrong != "":
        raise DataError(f"text {place} (from 0) has the word {reprlib.repr(wrong)}; strings are right")
    return tuple(lookup_form(word) for word in words)


def _near(texts: Iterable[Sequence[str]], words: dict[str, int]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return (K,) numbers of pairs, left · V + right, and (K,) how near they are in all, in both orders."""
    flat: list[int] = []
    for text in texts:
        flat += [words.get(word, -1) for word in text]
        flat += [-1] * WINDOW
    row = np.array(flat, np.int64)
    pairs, weights = [], []
    for k in range(1, WINDOW + 1):
        left, right = row[:-k], row[k:]
        both = (left >= 0) & (right >= 0)
        pairs += [left[both] * len(words) + right[both], right[both] * len(words) + left[both]]
        weights += [np.full(2 * int(both.sum()), 1 / k)]
    keys, inverse = np.unique(np.concatenate(pairs), return_inverse=True)
    return keys, np.bincount(inverse, weights=np.concatenate(weights), minlength=len(keys)).astype(np.float64)


def _information(near: tuple[NDArray[np.int64], NDArray[np.float64]], count: int) -> torch.Tensor:
    """Return (V, V) sparse: max(0, log P(pair) / P(word) P(neighbour)), neighbours' counts smoothed."""
    keys, weights = near
    left, right = np.divmod(keys, count)
    of_word = np.bincount(left, weights=weights, minlength=count)
    of_neighbour = of_word**SMOOTHING
    value = np.log(weights * of_neighbour.sum() / np.maximum(of_word[left] * of_neighbour[right], 1e-12))
    some = value > 0
    index = torch.from_numpy(np.stack([left[some], right[some]]))
    return torch.sparse_coo_tensor(
        index, torch.from_numpy(value[some].astype(np.float32)), (count, count), check_invariants=True
    ).coalesce()
