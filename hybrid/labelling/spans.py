"""Labelled spans that cover a sentence: its chunks, and each word outside of them by itself."""

from collections.abc import Iterable, Sequence

from hybrid.chunks import iob_chunks, iob_labels

Label = str | None
"""A chunk's type ("" where its labels are B and I alone), or None for a word outside of chunks."""

Span = tuple[int, int, Label]
"""First word, the word after the last, and label."""


def covering(labels: Sequence[str]) -> list[Span]:
    """Return the spans that cover a sentence, in order.

    Args:
        labels: one a word, as `hybrid.chunks.iob_chunks` reads them.

    Raises:
        ValueError: a label is none of O, B, I, B-TYPE, I-TYPE.
    """
    spans: list[Span] = []
    at = 0
    for start, end, kind in iob_chunks(labels):
        spans += [(i, i + 1, None) for i in range(at, start)]
        spans.append((start, end, kind))
        at = end
    return spans + [(i, i + 1, None) for i in range(at, len(labels))]


def labels_of(length: int, spans: Iterable[Span]) -> list[str]:
    """Return the IOB labels of a sentence of `length` words; spans outside of chunks may be there or not."""
    return iob_labels(length, ((start, end, kind) for start, end, kind in spans if kind is not None))
