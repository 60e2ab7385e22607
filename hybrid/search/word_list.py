"""The largest word list with which Lucene's filter finds nothing in a vocabulary but what begins and ends with parts.

Let S be all candidates. While the filter finds one of S in some word where no part begins or ends, take it out of S.
What is left is the largest list that does it: of every other list that does, no subword is ever taken out. For if one
is found at a wrong place with S, then with each smaller list that has it too: with `only_longest_match` it was the
longest of S there, and so it is the longest of fewer. Without, once is enough.

A part may also end with another form of the same word: *laufwerk* in *plattenlaufwerken* is no nonsense.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hybrid.search.compound_filter import Sizes, find_subwords
from hybrid.search.rows import Row


@dataclass(slots=True)
class Tally:
    """How many words there are of a kind, and how often they come."""

    words: int = 0
    tokens: int = 0

    def add(self, row: Row) -> None:
        """Count a word."""
        self.words += 1
        self.tokens += row.count


@dataclass(slots=True)
class WordList:
    """A list and what it does for the vocabulary that it was made of.

    Attributes:
        subwords: the list.
        refused: candidates that are not on it, with the reason: the word where it would be found wrongly, or the size
            that it hasn't.
        words: of the vocabulary, compounds and others, each spelling once.
        compounds: of these, those with two parts or more.
        all_found: compounds of which the list finds each part.
        some_found: those of which it finds a part, but not all.
        wrong: words in which it finds something wrong, compounds or not; none unless that is tolerated.
    """

    subwords: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)
    words: Tally = field(default_factory=Tally)
    compounds: Tally = field(default_factory=Tally)
    all_found: Tally = field(default_factory=Tally)
    some_found: Tally = field(default_factory=Tally)
    wrong: Tally = field(default_factory=Tally)


class Forms:
    """The forms of each dictionary form that stand in a vocabulary: what a part may also end with.

    Args:
        rows: the vocabulary.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self._forms: defaultdict[str, set[str]] = defaultdict(set)
        for row in rows:
            for lemma, form in row.forms():
                self._forms[lemma].add(form)

    def ends(self, row: Row) -> list[tuple[int, set[int]]]:
        """Return for each part of a word where it begins and may end."""
        result = []
        for (start, *ends), lemma in zip(row.parts, row.lemmas, strict=True):
            part = row.word[start : ends[-1]]
            more = (start + len(form) for form in self._forms.get(lemma, ()) if part.startswith(form))
            result.append((start, {*ends, *more}))
        return result

    def wrong(self, row: Row, found: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield those places in a word that don't begin and end where parts do."""
        starts = {places[0] for places in row.parts}
        ends = {end for places in row.parts for end in places[1:]}
        if off := [place for place in found if place[0] not in starts or place[1] not in ends]:
            more = set[int]().union(*(ends for _, ends in self.ends(row)))
            yield from (place for place in off if place[0] not in starts or place[1] not in more)


def largest_word_list(rows: Iterable[Row], sizes: Sizes, tolerated: float = 0.0) -> WordList:
    """Return the largest list that finds nothing wrong in the rows' words.

    Args:
        rows: the vocabulary; it is gone through several times.
        sizes: the filter's settings.
        tolerated: the share of a subword's finds that may be wrong, each word counted as often as it comes. Above 0 the
            list is still the largest without `only_longest_match`, and just a good one with it.
    """
    result = WordList()
    for candidate in (candidate for row in rows for candidate in row.candidates()):
        if fault := _fault(candidate, sizes):
            result.refused[candidate] = fault
        else:
            result.subwords.add(candidate)
    forms = Forms(rows)
    while wrong := _wrong(rows, result.subwords, sizes, forms, tolerated):
        result.subwords.difference_update(wrong)
        result.refused |= {subword: f"in {word}" for subword, word in wrong.items()}
    _count(result, rows, sizes, forms)
    return result


def _fault(subword: str, sizes: Sizes) -> str:
    if len(subword) < sizes.min_subword_size:
        return f"shorter than {sizes.min_subword_size}"
    if len(subword) > sizes.max_subword_size:
        return f"longer than {sizes.max_subword_size}"
    return ""


def _wrong(rows: Iterable[Row], subwords: set[str], sizes: Sizes, forms: Forms, tolerated: float) -> dict[str, str]:
    """Return the subwords that are found too often where no part begins and ends, each with the first such word."""
    first: dict[str, str] = {}
    wrong: defaultdict[str, int] = defaultdict(int)
    every: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        found = find_subwords(row.word, subwords, sizes)
        for start, end in forms.wrong(row, found):
            subword = row.word[start:end]
            first.setdefault(subword, row.word)
            wrong[subword] += row.count
        for start, end in found if tolerated else ():
            every[row.word[start:end]] += row.count
    if not tolerated:  # nor in a word that is said to come never
        return first
    return {subword: word for subword, word in first.items() if wrong[subword] > tolerated * every[subword]}


def _count(result: WordList, rows: Iterable[Row], sizes: Sizes, forms: Forms) -> None:
    for row in rows:
        result.words.add(row)
        found = set(find_subwords(row.word, result.subwords, sizes))
        if any(forms.wrong(row, found)):
            result.wrong.add(row)
        if len(row.parts) < 2:
            continue
        result.compounds.add(row)
        parts = [any((start, end) in found for end in ends) for start, ends in forms.ends(row)]
        if any(parts):
            (result.all_found if all(parts) else result.some_found).add(row)
