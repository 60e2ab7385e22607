"""The arrays that the first pass's loops read and fill."""

from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]


class Known(NamedTuple):
    """The strings that the lexicon knows, as a `lexicon.flat.FlatTrie`, and what it says of each of the K keys."""

    node: Array  # (M, 2) uint32
    key: Array  # (M,) int32
    string: Array  # (K,) int32, the number of the string in the lexicon's columns; −1: it is none
    says: Array  # (K, 8) uint16: count in each of 4 roles, listed, shortened, seen, in the dictionary


class Memory(NamedTuple):
    """How left stretches were cut: columns of a `lexicon.Lexicon`."""

    cut_ptr: Array
    cut_at: Array
    cut_count: Array


class Tables(NamedTuple):
    """What everything is worth."""

    hashed: Array  # (2 ** bits,) float32, nats: stretches around a node, strings by role, affixes of the word
    segments: Array  # (kernels.SEGMENTS,) float64, exp of nats
    around: Array  # (kernels.AROUND,) float64, exp of nats
    meetings: Array  # (kernels.MEETINGS,) float32, nats
    windows: Array  # (W, 2) int64, characters before and after a node
    letters: Array  # (4,) int64, the symbols of s, n, e, r


class Scratch(NamedTuple):
    """Room for one word; S = kernels.LONGEST + 1 nodes."""

    hits: Array  # (H, 8) int32, known segments: start, end, number of the string or −1, count in its role, listed,
    #              shortened, seen, in the dictionary
    code: Array  # (S, S) int32, of the segment [s, t), at [t, s]: its place in the table of segments
    same: Array  # (S, S) int32, its place in the hashed table as this string; −1: it is none
    near: Array  # (S, W) int32, of the node t: the places of the stretches around it
    meet: Array  # (S,) int64, of the node t: its place in the table of meetings
    side: Array  # (S, 2) int64, 1 where all before the node, all after it, is a listed word
    seen: Array  # (S,) int64, how often the stretch before the node was seen before a last part
    affix: Array  # (2 · kernels.AFFIXES,) int64, of the word: the places of its beginnings and endings
    own: Array  # (S,) int64; own[0] is 1 where the word was counted in the lexicon, and own[t] then 1 where it was cut
    weight: Array  # (S, S) float64, of the segment [s, t): exp of its score
    alpha: Array  # (S,) float64, sum over the paths to the node
    beta: Array  # (S,) float64, sum over the paths from it
    best: Array  # (S,) float64, the best path's weight
    back: Array  # (S,) int64, where its last segment begins
    left: Array  # (R + 1,) int64, hashes of the last 0 … R characters before a node
    right: Array  # (R + 1,) int64, hashes of the first 0 … R characters after it


class Splits(NamedTuple):
    """What is found of B words, T characters in all; 0 everywhere of words that are passed over."""

    cuts: Array  # (T,) float32: at the first character of each part but the first, the probability of a cut there
    probability: Array  # (B,) float64, of the best split
    log_z: Array  # (B,) float64, log of the sum over all splits
    uncut: Array  # (B,) float64, the probability that the word is one part
