"""Labelled spans of a sequence, written as IOB labels, one a word, and read back."""

from collections.abc import Iterable

Chunk = tuple[int, int, str]
"""Start, end (the first word after it) and type, which is "" for labels B and I without one."""

RIGHT = "O, B, I, B-TYPE or I-TYPE is right"


def iob_chunks(labels: Iterable[str]) -> list[Chunk]:
    """Return the chunks of one sentence, in order, by the rules of the CoNLL-2000 script conlleval.

    A chunk starts at each B, at an I after O or where the sentence begins, and at an I of another type than the chunk
    that it would go on with. It ends before O, before the next chunk, and with the sentence.

    Args:
        labels: one a word, `O`, `B-TYPE`, `I-TYPE`, or `B` and `I` without a type; what stands after the first hyphen
            is the type.

    Raises:
        ValueError: a label is none of these; the message has it and its place.
    """
    chunks: list[Chunk] = []
    start, open_type, place = 0, None, -1
    for place, label in enumerate(labels):
        begins, kind = _read(label, place)
        if begins or kind != open_type:
            if open_type is not None:
                chunks.append((start, place, open_type))
            start, open_type = place, kind
    if open_type is not None:
        chunks.append((start, place + 1, open_type))
    return chunks


def _read(label: str, place: int) -> tuple[bool, str | None]:
    """Return whether a label always starts a chunk, and its type, None outside of chunks."""
    if label == "O":
        return False, None
    mark, hyphen, kind = label.partition("-") if isinstance(label, str) else ("", "", "")
    if mark not in ("B", "I") or bool(hyphen) != bool(kind):
        raise ValueError(f"word {place} (from 0): {label!r} is no IOB label; {RIGHT}")
    return mark == "B", kind


def iob_labels(length: int, spans: Iterable[Chunk]) -> list[str]:
    """Return the labels of a sentence of `length` words: B-TYPE, I-TYPE … for each span, in any order, O elsewhere.

    A span of type "" gets B and I without one. `iob_chunks` reads back what was written.

    Raises:
        ValueError: a span has no word, lies outside of the sentence or on another one, or its type is no string; or
            `length` is negative.
    """
    if length < 0:
        raise ValueError(f"a sentence of {length} words; 0 or more is right")
    labels, taken = ["O"] * length, [False] * length
    for start, end, kind in spans:
        if not 0 <= start < end <= length:
            raise ValueError(f"span {start} to {end}, {kind!r}: 0 ≤ start < end ≤ {length} is right")
        if not isinstance(kind, str):
            raise ValueError(f"span {start} to {end}: its type is {kind!r}; a string is right")
        if any(taken[start:end]):
            raise ValueError(f"span {start} to {end}, {kind!r}: lies on another span; a word has one label")
        tail = f"-{kind}" if kind else ""
        labels[start:end] = [f"B{tail}", *[f"I{tail}"] * (end - start - 1)]
        taken[start:end] = [True] * (end - start)
    return labels
