"""What nets learn from: a lexicon's word on training words, each seen as if it had not been counted."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.evidence import gather
from hybrid.features import FEATURES, SEGMENT_FEATURES, node_features, segment_features
from hybrid.training.words import SplitWords
from lexicon import Lexicon


@dataclass(frozen=True)
class SegmentInputs:
    """B words, with L characters and E segments in all.

    Attributes:
        words: in lookup form.
        features: (L, F) float32, what the lexicon says of the node after each character.
        segments: (E, S) float16, what it says of each segment, in the order of `hybrid.lattice`.
        gold: the numbers, among all E, of the parts.
    """

    words: Sequence[str]
    features: NDArray[np.float32]
    segments: NDArray[np.float16]
    gold: NDArray[np.int64]


def segment_inputs(data: SplitWords, lexicon: Lexicon) -> SegmentInputs:
    """Gather what the lexicon, in which the words are counted, says of them without themselves."""
    features, segments = [np.zeros((0, len(FEATURES)), np.float32)], [np.zeros((0, len(SEGMENT_FEATURES)), np.float16)]
    gold = [np.zeros(0, np.int64)]
    edges = 0
    for chunk in data.chunks():
        evidence = gather(chunk.words, lexicon, chunk.cuts)
        after_character = np.ones(len(evidence.seen), bool)
        after_character[evidence.lattice.lattice.node_ptr[:-1]] = False
        features.append(node_features(evidence)[after_character])
        segments.append(segment_features(evidence))
        gold.append(chunk.gold_edges(evidence) + edges)
        edges += len(evidence.lattice.src)
    return SegmentInputs(data.words, np.concatenate(features), np.concatenate(segments), np.concatenate(gold))
