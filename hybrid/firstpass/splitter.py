"""Words to their first splits, by compiled loops, or by plain Python while there are few."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hybrid.compiling import compiled
from hybrid.firstpass import kernels
from hybrid.firstpass.arrays import Known, Memory, Splits
from hybrid.firstpass.weights import FirstPass
from lexicon import Lexicon
from lexicon.flat import MOST_SYMBOLS, build_flat, symbol_table, symbols_of
from lexicon.normalize import LAST_SIMPLE
from lexicon.once import made_once
from lexicon.respelling import DIGRAPHS

FEW = 48
"""Words that are split before the loops are compiled and the tries laid flat: plain Python takes some 2 ms for each."""

OTHER_LETTER = MOST_SYMBOLS + 1
"""The symbol of a letter that leads nowhere."""

COLUMNS = ("first_characters", "first_lexicon", "first_string")
"""What a segment's score is the sum of: characters around its end and what meets there, or of the whole word; what the
lexicon says of it; which string it is."""

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
        self._symbols = symbol_table(self._characters + LAST_SIMPLE)
        letters = np.array([chr(point).isalpha() for point in range(len(self._symbols) - 1)] + [False])
        self._symbols[letters & ((self._symbols == 0) | (self._symbols > len(self._characters)))] = OTHER_LETTER
        self.tables = weights.tables(self._characters)
        self.memory = Memory(lexicon.cut_ptr, lexicon.cut_at, lexicon.cut_count)
        self._plain = 0

    @staticmethod
    def letters(characters: str) -> str:
        """Return the characters that have symbols."""
        return "".join([c for c in characters if c.isalpha() and c <= LAST_SIMPLE][:MOST_SYMBOLS])

    def symbols(self, words: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        """Return the characters' symbols, and (B + 1,) where each word's begin.

        `OTHER_LETTER` stands for a Latin letter that the lexicon's words don't have, 0 for what is no such letter.
        """
        starts = np.zeros(len(words) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, words), np.int64, len(words)), out=starts[1:])
        return symbols_of("".join(words), self._symbols), starts

    def reads(self, symbols: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return (B,): the word is neither empty nor too long, and is made of Latin letters."""
        lengths = np.diff(starts)
        strange = np.zeros(len(symbols) + 1, np.int64)
        np.cumsum(symbols == 0, out=strange[1:])
        return (lengths > 0) & (lengths <= kernels.LONGEST) & (np.diff(strange[starts]) == 0)

    def may_be_respelt(self, symbols: NDArray[np.uint8], starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return (B,): whether `lexicon.respelling.respell` may change the word; False is certain."""
        found = np.ones(len(starts) - 1, bool)
        if not self._few(len(found)):
            rows = [(a, b, c) for (a, b), c in zip(*self._digraphs, strict=True) if c < OTHER_LETTER]
            table = np.array(rows, np.int64).reshape(-1, 3)
            compiled(kernels.find_digraphs, kernels.JITTED)(symbols, starts, self.known, table, found)
            others = np.zeros(len(symbols) + 1, np.int64)  # which the dictionary's words may have all the same
            np.cumsum(symbols == OTHER_LETTER, out=others[1:])
            found |= np.diff(others[starts]) > 0
        return found

    @made_once
    def _digraphs(self) -> tuple[list[list[int]], list[int]]:
        pairs = [symbols_of(pair, self._symbols).tolist() for pair in DIGRAPHS]
        return pairs, symbols_of("".join(DIGRAPHS.values()), self._symbols).tolist()

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
        self._plain += len(words)
        at = 0
        for first, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
            found = self._walk(symbols[first:end], scratch.hits)
            at = kernels.score_word(symbols, first, end - first, at, found, self.memory, self.tables, scratch, scores)
        return scores

    def columns(self, word: str) -> NDArray[np.float64]:
        """Return (3, E): what each of `COLUMNS` gives to the edges of one word, in nats; `scores` has their sums."""
        symbols, _ = self.symbols([word])
        x, tables, n = kernels.new_scratch(self.tables.windows), self.tables, len(word)
        found = self._walk(symbols, x.hits)
        kernels.read_word(symbols, 0, n, found, self.memory, tables, x)
        end, start = np.tril_indices(n + 1, -1)  # in the lattice's order: by end, then by start
        role = np.array([kernels.role_of(s, t, n) for s, t in zip(start.tolist(), end.tolist(), strict=True)])
        sides = tables.around[role * 4 + x.side[end, 0] * 2 + x.side[start, 1]]
        of_node = np.where(end < n, tables.hashed[x.near[end]].sum(axis=1) + tables.meetings[x.meet[end]], 0.0)
        of_word = np.where(end - start == n, tables.hashed[x.affix].sum(), 0.0)
        same = x.same[end, start]
        of_string = np.where(same >= 0, tables.hashed[same], 0.0)
        clipped = [np.clip(scores, kernels.LOWEST, kernels.HIGHEST) for scores in (of_node, of_word)]
        return np.stack([clipped[0] + clipped[1], np.log(tables.segments[x.code[end, start]] * sides), of_string])

    def _few(self, words: int) -> bool:
        return "known" not in self.__dict__ and self._plain + words <= FEW

    @made_once
    def known(self) -> Known:
        """The lexicon's strings and the dictionary's words, laid flat at the first call: some 2 s."""
        strings = dict(self._lexicon.trie.items())
        words = set(self._lexicon.dictionary)
        others = list(words.difference(strings))
        trie, places = build_flat([*strings, *others], self._characters)
        string = np.full(len(strings) + len(others), -1, np.int32)
        string[: len(strings)] = np.fromiter(strings.values(), np.int32, len(strings))
        says = np.ones((len(string), 8), np.uint16)
        says[:, :7] = 0
        says[: len(strings), :7] = self._columns[string[: len(strings)]]
        says[: len(strings), 7] = np.fromiter(map(words.__contains__, strings), bool, len(strings))
        return Known(trie.node, trie.key, string[places], says[places])

    @made_once
    def _columns(self) -> NDArray[np.uint16]:
        """(strings, 7): counts in each role, listed, shortened, seen."""
        lexicon = self._lexicon
        columns = [*lexicon.parts.T, lexicon.listed, lexicon.shortened, lexicon.seen]
        return np.stack([np.minimum(column, _MOST) for column in columns], axis=1).astype(np.uint16)

    def _walk(self, symbols: NDArray[np.uint8], hits: NDArray[np.int32]) -> int:
        """Fill hits as `kernels.walk` does, from the tries."""
        known = self._characters.ljust(OTHER_LETTER, "\0")
        word = "".join(known[symbol - 1] for symbol in symbols.tolist())
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
