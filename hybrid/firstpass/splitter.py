"""Words to their first splits, by compiled loops, or by plain Python while there are few."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from hybrid.compiling import compiled
from hybrid.firstpass import kernels
from hybrid.firstpass.arrays import Known, Memory, Splits
from hybrid.firstpass.weights import FirstPass
from lexicon import Lexicon
from lexicon.flat import MOST_SYMBOLS, build_flat, symbols_of
from lexicon.normalize import LAST_SIMPLE
from lexicon.respelling import DIGRAPHS

FEW = 48
"""Words that are split before the loops are compiled and the tries laid flat: plain Python takes some 2 ms for each."""

_MOST = 65535
"""Counts beyond are all the same."""


class FirstSplitter:
    """Splits words by what the lexicon and the characters say.

    Args:
        lexicon: what is known of words.
        characters: those that nets know; of them the first pass knows the letters, at most `MOST_SYMBOLS`.
        weights: what everything is worth.
    """

    def __init__(self, lexicon: Lexicon, characters: str, weights: FirstPass) -> None:
        self._lexicon, self._characters = lexicon, self.letters(characters)
        self.tables = weights.tables(self._characters)
        self.memory = Memory(lexicon.cut_ptr, lexicon.cut_at, lexicon.cut_count)
        self._plain = 0

    @staticmethod
    def letters(characters: str) -> str:
        """Return the characters that have symbols."""
        return "".join([c for c in characters if c.isalpha() and c <= LAST_SIMPLE][:MOST_SYMBOLS])

    def symbols(self, words: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the characters' symbols, 0 for those that are not known, and (B + 1,) where each word's begin."""
        starts = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, words), np.int64, len(words)), out=starts[1:])
        return symbols_of("".join(words), self._characters), starts

    def reads(self, symbols: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return (B,): the word is neither empty nor too long, and has known characters only."""
        lengths = np.diff(starts)
        strange = np.zeros(len(symbols) + 1, np.int64)
        np.cumsum(symbols == 0, out=strange[1:])
        return (lengths > 0) & (lengths <= kernels.LONGEST) & (np.diff(strange[starts]) == 0)

    def may_be_respelt(self, symbols: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return (B,): whether `lexicon.respelling.respell` may change the word; False is certain."""
        found = np.ones(len(starts) - 1, bool)
        if not self._few(len(found)):
            rows = [(a, b, c) for (a, b), c in zip(*self._digraphs, strict=True) if c]
            table = np.array(rows, np.int64).reshape(-1, 3)
            compiled(kernels.find_digraphs, kernels.JITTED)(symbols, starts, self.known, table, found)
        return found

    @cached_property
    def _digraphs(self) -> tuple[list[list[int]], list[int]]:
        pairs = [symbols_of(pair, self._characters).tolist() for pair in DIGRAPHS]
        return pairs, symbols_of("".join(DIGRAPHS.values()), self._characters).tolist()

    def split(self, symbols: NDArray[np.uint8], starts: NDArray[np.int64]) -> Splits:
        """Return the best split of words whose lookup forms have these symbols."""
        words = len(starts) - 1
        splits = Splits(np.zeros(len(symbols), np.float32), *np.zeros((3, words)))
        scratch = kernels.new_scratch(self.tables.windows)
        if not self._few(words):
            loop = compiled(kernels.split_words, kernels.JITTED)
            loop(symbols, starts, self.known, self.memory, self.tables, scratch, splits)
            return splits
        self._plain += words
        for b, (first, end) in enumerate(zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)):
            if 0 < end - first <= kernels.LONGEST:
                found = self._walk(symbols[first:end], scratch.hits)
                kernels.split_word(symbols, first, end - first, b, found, self.memory, self.tables, scratch, splits)
        return splits

    def scores(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return (E,): the scores, in nats, of the edges of the lattice of words that it reads (`hybrid.lattice`)."""
        symbols, starts = self.symbols(words)
        lengths = np.diff(starts)
        scores = np.zeros(int((lengths * (lengths + 1) // 2).sum()))
        scratch = kernels.new_scratch(self.tables.windows)
        if not self._few(len(words)):
            compiled(kernels.score_words, kernels.JITTED)(
                symbols, starts, self.known, self.memory, self.tables, scratch, scores
            )
            return scores
        at = 0
        for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            found = self._walk(symbols[first:end], scratch.hits)
            at = kernels.score_word(symbols, first, end - first, at, found, self.memory, self.tables, scratch, scores)
        return scores

    def _few(self, words: int) -> bool:
        return "known" not in self.__dict__ and self._plain + words <= FEW

    @cached_property
    def known(self) -> Known:
        """The lexicon's strings and the dictionary's words, laid flat at the first call: some 2 s."""
        strings = dict(self._lexicon.trie.items())
        words = set(self._lexicon.dictionary)
        keys = list(words | strings.keys())
        trie, places = build_flat(keys, self._characters)
        kept = [keys[i] for i in places.tolist()]
        string = np.fromiter((strings.get(key, -1) for key in kept), np.int32, len(kept))
        says = np.zeros((len(kept), 8), np.uint16)
        says[string >= 0, :7] = self._columns[string[string >= 0]]
        says[:, 7] = np.fromiter((key in words for key in kept), bool, len(kept))
        return Known(trie.node, trie.key, string, says)

    @cached_property
    def _columns(self) -> NDArray[np.uint16]:
        """(strings, 7): counts in each role, listed, shortened, seen."""
        lexicon = self._lexicon
        columns = [*lexicon.parts.T, lexicon.listed, lexicon.shortened, lexicon.seen]
        return np.stack([np.minimum(column, _MOST) for column in columns], axis=1).astype(np.uint16)

    def _walk(self, symbols: NDArray[np.uint8], hits: NDArray[np.int32]) -> int:
        """Fill hits as `kernels.walk` does, from the tries."""
        word = "".join(self._characters[symbol - 1] if symbol else "\0" for symbol in symbols.tolist())
        found = 0
        for start in range(len(word)):
            rest = word[start:].partition("\0")[0]
            strings = dict(self._lexicon.trie.iter_prefixes_with_ids(rest))
            words = {key for key, _ in self._lexicon.dictionary.iter_prefixes_with_ids(rest)}
            for key in sorted(strings.keys() | words, key=len):
                end, number = start + len(key), strings.get(key, -1)
                counts = self._columns[number].tolist() if number >= 0 else [0] * 7
                count = counts[kernels.role_of(start, end, len(word))]
                hits[found] = start, end, number, count, *counts[4:], key in words
                found += 1
        return found
