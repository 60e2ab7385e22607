"""A marisa trie's strings, read without marisa: its C++ code believes what a file says of itself, and this does not.

A file holds levels. Each is a tree in breadth-first order, as bits (LOUDS): a node's label is one byte, or a link to a
string of the next level, whose strings are spelt from the node up to the root; the last level's links lead into a tail
of plain strings. What else is there, indices and caches, only makes searching quick, and is passed over.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MOST_NODES = 1 << 23
"""Nodes of a level; the shipped dictionary of 668,467 words has 779,000."""

MOST_BYTES = 1 << 27
"""Bytes of all nodes' strings together; the shipped dictionary's have 11 million."""

MOST_LEVELS = 127

_MAGIC = b"We love Marisa.\0"

_SINGLE = [bytes([byte]) for byte in range(256)]


class _Level(NamedTuple):
    """A tree of M nodes, of which L have links; the root is node 0."""

    parent: NDArray[np.int64]  # (M,), less than the node itself; −1 of the root
    terminal: NDArray[np.int64]  # (K,), the nodes at which strings end, ascending
    base: NDArray[np.uint8]  # (M,), the label where it is one byte, else the link's lowest byte
    linked: NDArray[np.int64]  # (L,), the nodes that have links, ascending
    link: NDArray[np.int64]  # (L,)
    tail: bytes
    ends: NDArray[np.int64]  # where the tail's strings end, ascending; a NUL there is none of theirs


class _Reader:
    """Reads sections one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def take(self, size: int) -> bytes:
        if size > len(self._content) - self._at:
            raise ValueError("a section is longer than the file")
        self._at += size
        return self._content[self._at - size : self._at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def vector(self) -> bytes:
        size = self.number(8)
        data = self.take(size)
        self.take(-size % 8)
        return data

    def bits(self) -> NDArray[np.uint8]:
        """Return a vector of bits, one in a byte."""
        units = self.vector()
        size, _ = self.number(4), self.number(4)
        for _ in range(3):
            self.vector()  # the index
        return _unpacked(units, size)

    def flat(self, count: int) -> NDArray[np.int64]:
        """Return (count,): numbers of equally many bits each."""
        units = self.vector()
        width, _, size = self.number(4), self.number(4), self.number(8)
        if size != count or width > 32:
            raise ValueError("links of another number than the nodes that have one")
        bits = _unpacked(units, width * size).reshape(size, width)
        values = np.zeros(size, np.int64)
        for place in range(width):
            values |= bits[:, place].astype(np.int64) << place
        return values

    def level(self) -> _Level:
        """Return a tree, checked to be one."""
        louds, terminal, linked = self.bits(), np.flatnonzero(self.bits()), np.flatnonzero(self.bits())
        base = np.frombuffer(self.vector(), np.uint8)
        ones, nodes = np.flatnonzero(louds), np.arange(len(base))
        if not len(base) == len(ones) <= MOST_NODES:
            raise ValueError("another number of nodes than of labels, or too many")
        parent = ones - nodes - 1
        if not len(parent) or (parent >= nodes).any() or (parent[1:] < 0).any():
            raise ValueError("its nodes are no tree")
        if (terminal >= len(base)).any() or (linked >= len(base)).any() or not linked.all():
            raise ValueError("a flag of a node that is not there, or a label of the root")
        link = base[linked] + 256 * self.flat(len(linked))
        tail, ends = self.vector(), np.flatnonzero(self.bits())
        ends = ends + 1 if len(ends) else np.flatnonzero(np.frombuffer(tail, np.uint8) == 0)
        return _Level(parent, terminal, base, linked, link, tail, ends)


def _unpacked(units: bytes, size: int) -> NDArray[np.uint8]:
    if size > 8 * len(units):
        raise ValueError("more bits than there are")
    return np.unpackbits(np.frombuffer(units, np.uint8), count=size, bitorder="little")


def read_strings(content: bytes) -> list[str]:
    """Return the strings of a marisa trie in the order of their numbers.

    Args:
        content: the file's bytes, whatever they are.

    Raises:
        ValueError: it is no such trie; strings are not UTF-8, empty, hold NUL, or are too many or too long.
    """
    levels = _read_levels(content)
    below: list[bytes] = []
    room = MOST_BYTES
    for depth in range(len(levels) - 1, -1, -1):
        below = _spell(levels[depth], below, room, upwards=depth > 0)
        room -= sum(map(len, below))
    strings = [below[node].decode() for node in levels[0].terminal.tolist()]
    if "" in strings or any("\0" in string for string in strings):
        raise ValueError("a string that is empty, or holds NUL")
    return strings


def _read_levels(content: bytes) -> list[_Level]:
    reader = _Reader(content)
    if reader.take(len(_MAGIC)) != _MAGIC:
        raise ValueError("it does not begin as one")
    levels = [reader.level()]
    while len(levels[-1].linked) and not levels[-1].tail:
        if len(levels) == MOST_LEVELS:
            raise ValueError("too many levels")
        levels.append(reader.level())
    return levels


def _spell(level: _Level, below: Sequence[bytes], room: int, *, upwards: bool) -> list[bytes]:
    """Return each node's string.

    Args:
        level: whose nodes.
        below: the strings of the next level's nodes; none for the last level.
        room: bytes that the strings may have together.
        upwards: strings are spelt from the node up to the root.
    """
    labels = [_SINGLE[byte] for byte in level.base.tolist()]
    of_links = _linked_strings(level, below, room)
    for node, label in zip(level.linked.tolist(), of_links, strict=True):
        labels[node] = label
    strings = [b""]
    for parent, label in zip(level.parent[1:].tolist(), labels[1:], strict=True):
        string = label + strings[parent] if upwards else strings[parent] + label
        room -= len(string)
        if room < 0:
            raise ValueError("its strings are too long")
        strings.append(string)
    return strings


def _linked_strings(level: _Level, below: Sequence[bytes], room: int) -> list[bytes]:
    """Return the strings that the links lead to."""
    if not level.tail:
        if (level.link >= len(below)).any():
            raise ValueError("a link to a node that is not there")
        return [below[link] for link in level.link.tolist()]
    places = np.searchsorted(level.ends, level.link, "right")
    if (places >= len(level.ends)).any() or level.ends[-1] > len(level.tail):
        raise ValueError("a link beyond the tail")
    ends = level.ends[places]
    if (ends - level.link).sum() > room:
        raise ValueError("its strings are too long")
    return [level.tail[start:end] for start, end in zip(level.link.tolist(), ends.tolist(), strict=True)]
