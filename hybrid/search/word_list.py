"""The largest word list with which Lucene's filter finds nothing in a vocabulary but what begins and ends with parts.

Let S be all candidates. While the filter finds one of S in some word where no part begins or ends, take it out of S.
What is left is the largest list that does it: of every other list that does, no subword is ever taken out. For if one
is found at a wrong place with S, then with each smaller list that has it too: with `only_longest_match` it was the
longest of S there, and so it is the longest of fewer. Without, once is enough.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from hybrid.search.compound_filter import Sizes, find_subwords
from hybrid.search.rows import Row


@dataclass(slots=True)
class WordList:
    """A list and what it does for the vocabulary that it was made of.

    Attributes:
        subwords: the list.
        refused: candidates that are not on it, with the reason: the word where it would be found wrongly, or the size
            that it hasn't.
        words: of the vocabulary, compounds and others, each spelling once.
        compounds: of these, those with two parts or more, and how often they come.
        all_found: compounds of which the list finds each part, and how often they come.
        some_found: those of which it finds a part, but not all, likewise.
    """

    subwords: set[str]
    refused: dict[str, str] = field(default_factory=dict)
    words: int = 0
    compounds: tuple[int, int] = (0, 0)
    all_found: tuple[int, int] = (0, 0)
    some_found: tuple[int, int] = (0, 0)


def largest_word_list(rows: Iterable[Row], sizes: Sizes) -> WordList:
    """Return the largest list that finds nothing wrong in the rows' words.

    Args:
        rows: the vocabulary; it is gone through several times.
        sizes: the filter's settings.
    """
    result = WordList(set())
    for candidate in (candidate for row in rows for candidate in row.candidates()):
        if fault := _fault(candidate, sizes):
            result.refused[candidate] = fault
        else:
            result.subwords.add(candidate)
    while wrong := _wrong(rows, result.subwords, sizes):
        result.subwords.difference_update(wrong)
        result.refused |= {subword: f"in {word}" for subword, word in wrong.items()}
    _count(result, rows, sizes)
    return result


def aligned(row: Row, place: tuple[int, int]) -> bool:
    """Whether what stands at a place of a word begins and ends where parts do."""
    return place[0] in row.starts and place[1] in row.ends


def _fault(subword: str, sizes: Sizes) -> str:
    if len(subword) < sizes.min_subword_size:
        return f"shorter than {sizes.min_subword_size}"
    if len(subword) > sizes.max_subword_size:
        return f"longer than {sizes.max_subword_size}"
    if any("\ud800" <= char <= "\udfff" for char in subword):
        return "beyond U+FFFF"  # Lucene's list would find half of such a character
    return ""


def _wrong(rows: Iterable[Row], subwords: set[str], sizes: Sizes) -> dict[str, str]:
    """Return the subwords that are found where no part begins and ends, each with the first such word."""
    wrong: dict[str, str] = {}
    for row in rows:
        found = find_subwords(row.word, subwords, sizes)
        if found:
            starts, ends = row.starts, row.ends
            for start, end in found:
                if start not in starts or end not in ends:
                    wrong.setdefault(row.word[start:end], row.word)
    return wrong


def _count(result: WordList, rows: Iterable[Row], sizes: Sizes) -> None:
    tally = {"compounds": [0, 0], "all_found": [0, 0], "some_found": [0, 0]}
    for row in rows:
        result.words += 1
        if len(row.parts) < 2:
            continue
        found = set(find_subwords(row.word, result.subwords, sizes))
        parts = [any((start, end) in found for end in ends) for start, *ends in row.parts]
        names = ["compounds", *(["all_found"] if all(parts) else ["some_found"] if any(parts) else [])]
        for name in names:
            tally[name] = [tally[name][0] + 1, tally[name][1] + row.count]
    for name, (words, tokens) in tally.items():
        setattr(result, name, (words, tokens))
