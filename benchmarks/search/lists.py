"""Word lists of a vocabulary: what they find in it, and what a list of half of it finds in the other half."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from hybrid.integrations.shared import segmenter_of
from hybrid.search.arguments import MAX_SUBWORD, MIN_SUBWORD, MIN_WORD
from hybrid.search.compound_filter import Sizes, find_subwords
from hybrid.search.lowercase import lucene_lower
from hybrid.search.rows import Row, rows_of, rule_of
from hybrid.search.word_list import Forms, WordList, largest_word_list

TOLERATED = (0.0, 0.01, 0.05, 0.1, 0.2)
DEFAULT = Sizes(MIN_WORD, MIN_SUBWORD, MAX_SUBWORD)
ENGINES = Sizes(5, 2, 15)
"""What the engines take where nothing is said."""


def measure_lists(words: Mapping[str, int], seed: int) -> dict[str, Any]:
    """Return what lists of some words, with how often they come, find in them; and what rules hold."""
    counts: dict[str, tuple[str, int]] = {}
    for word, count in words.items():
        first, before = counts.get(lucene_lower(word), (word, 0))
        counts[lucene_lower(word)] = (first, before + count)
    splits = segmenter_of().split_batch([word for word, _ in counts.values()])
    some = list(zip(splits, (count for _, count in counts.values()), strict=True))
    rules = [(len(rule[1]), count) for split, count in some for rule in rule_of(split)[:1]]
    total = sum(count for _, count in some)
    of_each = [rows_of(split, count) for split, count in some]
    rows = [row for each in of_each for row in each]
    kinds = [(DEFAULT, share) for share in TOLERATED]
    kinds += [(Sizes(MIN_WORD, MIN_SUBWORD, MAX_SUBWORD, True), 0.0), (Sizes(MIN_WORD, 3, MAX_SUBWORD), 0.0),
              (Sizes(MIN_WORD, 2, MAX_SUBWORD), 0.0)]  # fmt: skip
    random.Random(seed).shuffle(of_each)
    half = len(of_each) // 2
    known, new = ([row for each in side for row in each] for side in (of_each[:half], of_each[half:]))
    return {
        "rules": {"compounds": len(rules), "outputs": sum(size for size, _ in rules) / len(rules),
                  "growth": 1 + sum((size - 1) * count for size, count in rules) / total},
        "same words": [_same(rows, sizes, share) for sizes, share in kinds],
        "new words": _new(known, new),
    }  # fmt: skip


def _same(rows: Sequence[Row], sizes: Sizes, tolerated: float) -> dict[str, Any]:
    found = largest_word_list(rows, sizes, tolerated)
    shares = {name: [getattr(found, name).words / of.words, getattr(found, name).tokens / of.tokens]
              for name, of in (("all_found", found.compounds), ("some_found", found.compounds),
                               ("wrong", found.words))}  # fmt: skip
    return {**asdict(sizes), "tolerated": tolerated, "subwords": len(found.subwords), **shares}


def _new(known: Sequence[Row], new: Sequence[Row]) -> list[dict[str, Any]]:
    """Return what lists of known words find in new ones."""
    every = {candidate for row in known for candidate in row.candidates()}
    kinds: list[tuple[str, set[str], Sizes]] = [
        ("all parts, the engines' sizes", every, ENGINES),
        ("all parts, our sizes", every, DEFAULT),
    ]
    for least in (2, 3, 4):
        sizes = Sizes(MIN_WORD, least, MAX_SUBWORD)
        kinds.append((f"export-search, subwords of {least} letters and more", _list(known, sizes, 0.0), sizes))
    kinds += [(f"export-search --tolerate {share}", _list(known, DEFAULT, share), DEFAULT) for share in TOLERATED[1:]]
    forms = Forms([*known, *new])
    rows = []
    for name, listed, sizes in kinds:
        found = wrong = places = parts = 0
        for row in new:
            here = find_subwords(row.word, listed, sizes)
            here = [place for place in here if place != (0, len(row.word))]  # the word itself, which is there anyway
            found, wrong = found + len(here), wrong + len(list(forms.wrong(row, here)))
            if len(row.parts) > 1:
                places += len(row.parts)
                parts += sum(any((start, end) in here for end in ends) for start, ends in forms.ends(row))
        rows.append(
            {"name": name, "subwords": len(listed), "found": found, "wrong": wrong, "parts_found": parts / places}
        )
    return rows


def _list(rows: Sequence[Row], sizes: Sizes, tolerated: float) -> set[str]:
    found: WordList = largest_word_list(rows, sizes, tolerated)
    return found.subwords
