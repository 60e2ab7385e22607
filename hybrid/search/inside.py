"""The terms that words are found by beside themselves, remembered: most words of a text come again and again."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hybrid.memory import Memory
from hybrid.search.compounds import split_compounds
from hybrid.search.subwords import subwords
from hybrid.segmentation import Segmentation
from hybrid.text import find_words

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter


class Inside(NamedTuple):
    """A term that a word is found by beside itself, where it stands in the word, and what it is made of."""

    term: str
    start: int
    end: int
    text: str


class Insides:
    """Finds terms; several threads may use it at once.

    Args:
        segmenter: what splits.
        analyze: what an engine makes of a text: its terms.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
    """

    def __init__(
        self,
        segmenter: "Segmenter",
        analyze: Callable[[str], Sequence[str]],
        *,
        granularity: str,
        min_probability: float,
    ) -> None:
        self._segmenter, self._analyze = segmenter, analyze
        self._granularity, self._min_probability = granularity, min_probability
        self._remembered = Memory(self._find)

    def look_up(self, words: set[str]) -> dict[str, tuple[Inside, ...]]:
        """Return the terms of each word; those not known are split, all at a time.

        Args:
            words: as an engine's tokenizer leaves them, with hyphens or commas at will.
        """
        distinct = list(words)
        return dict(zip(distinct, self._remembered(distinct), strict=True))

    def _find(self, words: list[str]) -> list[tuple[Inside, ...]]:
        places = [(word, *place) for word in words for place in find_words(word)]
        texts = [word[start:end] for word, start, end in places]
        splits = split_compounds(
            self._segmenter, texts, granularity=self._granularity, min_probability=self._min_probability
        )
        result: dict[str, tuple[Inside, ...]] = dict.fromkeys(words, ())
        for (word, start, _), text in zip(places, texts, strict=True):
            if text in splits:
                result[word] += self._terms(splits[text], start)
        return list(result.values())

    def _terms(self, split: Segmentation, at: int) -> tuple[Inside, ...]:
        """Return the terms of a word's subwords, each term once, with places counted from `at`."""
        found: dict[str, Inside] = {}
        for subword in subwords(split):
            terms = self._analyze(subword.text)
            if len(terms) == 1:  # none: a stop word; several: not to be searched as one
                found.setdefault(terms[0], Inside(terms[0], at + subword.start, at + subword.end, subword.text))
        return tuple(found.values())


def leaves(inside: Sequence[Inside]) -> list[list[str]]:
    """Return the terms of each part of a word, from left to right; those of groups of parts are left out."""
    terms: dict[tuple[int, int], list[str]] = {}
    for found in inside:
        terms.setdefault((found.start, found.end), []).append(found.term)
    return [terms[place] for place in sorted(terms)
            if not any(place[0] <= other[0] and other[1] <= place[1] for other in terms if other != place)]  # fmt: skip
