"""A trie as flat arrays, for compiled loops: what a marisa trie holds, four times as large and far quicker to walk.

A node has a bit for each symbol that leads on, and the number of its first child; its children lie side by side in the
symbols' order, so a step is one look at memory and a count of bits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MOST_SYMBOLS = 31
"""Different characters: a node has 32 bits, and the lowest says that a key ends there."""

LONGEST_KEY = 48
"""Characters."""

_AT_ONCE = 12
"""Symbols of 5 bits in a number of 64, for sorting."""


@dataclass(frozen=True, slots=True)
class FlatTrie:
    """A static set of strings, each with its place in sorted order.

    Attributes:
        node: (M, 2) uint32: bits of the symbols that lead on, with bit 0 set where a key ends; the first child.
        key: (M,) int32: the number of the key that ends at a node; −1 where none does.
    """

    node: NDArray[np.uint32]
    key: NDArray[np.int32]


def symbols_of(text: str, table: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return (len(text),): each character's symbol; `table` has them by code point, the last for all beyond."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return table[np.minimum(points, len(table) - 1)]


def symbol_table(characters: str) -> NDArray[np.uint8]:
    """Return for each code point its place in `characters`, from 1; 0 for any other."""
    table = np.zeros(max(map(ord, characters), default=0) + 2, np.uint8)
    table[[ord(character) for character in characters]] = np.arange(1, len(characters) + 1)
    return table


def build_flat(keys: Sequence[str], characters: str) -> tuple[FlatTrie, NDArray[np.int64]]:
    """Make a trie of distinct strings.

    Args:
        keys: the strings.
        characters: at most `MOST_SYMBOLS` that they are made of; a key with another, an empty one and one longer than
            `LONGEST_KEY` is left out.

    Returns:
        The trie, and (K,) the places in `keys` of the strings that it numbers 0 … K − 1.
    """
    if len(characters) > MOST_SYMBOLS:
        raise ValueError(f"{len(characters)} different characters; {MOST_SYMBOLS} at most are right")
    table, lengths, places = _table(keys, characters)
    order = np.lexsort(_packed(table)[::-1])
    table, lengths, places = table[:, order], lengths[order], places[order]
    alive = np.arange(len(places))
    above = np.zeros(len(places), np.int64)  # the node that each key has come to
    differs = np.zeros(len(places), bool)  # from the key before it, so far
    bits, first, ends = [np.zeros(1, np.uint32)], [np.zeros(1, np.uint32)], []
    count = 1
    for depth in range(int(lengths.max(initial=0))):
        differs[1:] |= table[depth, 1:] != table[depth, :-1]
        differs[:1] = True
        alive = alive[lengths[alive] > depth]
        starts = differs[alive]
        starts[:1] = True
        of_key = count + np.cumsum(starts) - 1
        opening = alive[starts]
        parents, symbol = above[opening], table[depth, opening].astype(np.uint32)
        level, base = bits[-1], count - len(bits[-1])
        np.bitwise_or.at(level, parents - base, np.uint32(1) << symbol)
        family = np.flatnonzero(np.diff(parents, prepend=-1))
        first[-1][parents[family] - base] = count + family
        above[alive] = of_key
        bits.append(np.zeros(len(opening), np.uint32))
        first.append(np.zeros(len(opening), np.uint32))
        ended = lengths[alive] == depth + 1
        bits[-1][of_key[ended] - count] |= np.uint32(1)
        ends.append((of_key[ended], alive[ended]))
        count += len(opening)
    key = np.full(count, -1, np.int32)
    for node, number in ends:
        key[node] = number
    return FlatTrie(np.stack([np.concatenate(bits), np.concatenate(first)], axis=1), key), places


def _table(keys: Sequence[str], characters: str) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """Return the symbols of the keys that can be held, (longest, K), their lengths and their places, both (K,)."""
    lengths = np.fromiter(map(len, keys), np.int64, len(keys))
    starts = np.cumsum(lengths) - lengths
    symbols = symbols_of("".join(keys), symbol_table(characters))
    strange = np.zeros(len(symbols) + 1, np.int64)
    np.cumsum(symbols == 0, out=strange[1:])
    places = np.flatnonzero((lengths > 0) & (lengths <= LONGEST_KEY) & (strange[starts + lengths] == strange[starts]))
    starts, lengths = starts[places], lengths[places]
    table = np.zeros((int(lengths.max(initial=0)), len(places)), np.uint8)
    for row in range(len(table)):
        long_enough = lengths > row
        table[row, long_enough] = symbols[starts[long_enough] + row]
    return table, lengths, places


def _packed(table: NDArray[np.uint8]) -> list[NDArray[np.uint64]]:
    """Return the symbols as numbers of K words each, of which the first differing ones sort as the strings do."""
    result = []
    for first in range(0, max(1, len(table)), _AT_ONCE):
        packed = np.zeros(table.shape[1], np.uint64)
        for row in range(first, first + _AT_ONCE):
            packed <<= np.uint64(5)
            if row < len(table):
                packed |= table[row]
        result.append(packed)
    return result
