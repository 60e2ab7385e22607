"""Labelled spans that cover a sentence: its chunks, and each word outside of them by itself."""

from collections.abc import Iterable, Sequence

from hybrid.chunks import Chunk, iob_chunks, iob_labels

OUTSIDE = "O"
"""The label of a word that belongs to no chunk: in a lattice, a span of one word."""


def covering(labels: Sequence[str]) -> list[Chunk]:
    """Return the spans that cover a sentence, in order.

    Args:
        labels: one a word, as `hybrid.chunks.iob_chunks` reads them.

    Raises:
        ValueError: a label is none of O, B, I, B-TYPE, I-TYPE.
    """
    spans: list[Chunk] = []
    at = 0
    for chunk in iob_chunks(labels):
        spans += [(i, i + 1, OUTSIDE) for i in range(at, chunk[0])]
        spans.append(chunk)
        at = chunk[1]
    return spans + [(i, i + 1, OUTSIDE) for i in range(at, len(labels))]


def labels_of(length: int, spans: Iterable[Chunk]) -> list[str]:
    """Return the labels of a sentence whose spans are given, those outside of chunks with them or not."""
    return iob_labels(length, (span for span in spans if span[2] != OUTSIDE))
