"""The parts of many words at once, from what the first pass found."""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from hybrid.cascade import FirstSplits
from lexicon import LookupForm

Parts = tuple[tuple[str, ...], float]
"""A word's parts, and the probability of this split."""


def parts_of(words: Sequence[str], first: FirstSplits, min_probability: float) -> list[Parts | None]:
    """Return the parts of each word; None for those that the first pass is not sure of.

    Args:
        words: the words as their callers write them.
        first: what the first pass found of them.
        min_probability: a word whose split is less probable is left whole.
    """
    pieces, bounds = _pieces(words, first)
    rows = zip(words, first.sure.tolist(), first.splits.probability.tolist(), first.splits.uncut.tolist(),
               bounds[:-1], bounds[1:], strict=True)  # fmt: skip
    result: list[Parts | None] = [
        None
        if not sure
        else (tuple(pieces[low:high]), probability)
        if probability >= min_probability or high - low == 1
        else ((word,), uncut)
        for word, sure, probability, uncut, low, high in rows
    ]
    for b, form in first.forms.items():
        found = result[b]
        if found is not None:
            result[b] = ((words[b],), found[1]) if len(found[0]) == 1 else _as_written(words[b], form, found)
    return result


def _pieces(words: Sequence[str], first: FirstSplits) -> tuple[list[str], list[int]]:
    """Return the parts of all words in a row, and where each word's begin: B + 1 numbers.

    Parts of a word that was respelt are those of its lookup form.
    """
    spelt = list(words)
    for b in first.forms:
        spelt[b] = first.texts[b]
    for b in np.flatnonzero(~first.sure).tolist():  # whose form may be of another length
        spelt[b] = first.texts[b]
    opens = first.splits.cuts > 0
    lengths = np.diff(first.starts)
    opens[first.starts[:-1][lengths > 0]] = True
    starts = np.flatnonzero(opens)
    text, places = "".join(spelt), [*starts.tolist(), len(opens)]
    return [text[a:b] for a, b in zip(places, places[1:], strict=False)], np.searchsorted(starts, first.starts).tolist()


def _as_written(word: str, form: LookupForm, found: Parts) -> Parts:
    """Return the parts of a respelt word in its caller's spelling."""
    ends = accumulate(map(len, found[0]))
    places = [0, *(form.offsets[end] for end in ends)]
    return tuple(word[a:b] for a, b in zip(places, places[1:], strict=False)), found[1]
