"""Lucene's DictionaryCompoundWordTokenFilter, in Python: which subwords it finds in a word, and where.

It tries every place of the word for every length; a subword is put at the place of the whole word, beside it. Written
from what Lucene 8.7 does, to which the tests hold it.
"""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """The filter's settings, by the names that Elasticsearch has for them; letters are units of UTF-16."""

    min_word_size: int
    min_subword_size: int
    max_subword_size: int
    only_longest_match: bool = False


def find_subwords(word: str, subwords: Collection[str], sizes: Sizes) -> list[tuple[int, int]]:
    """Return where the filter finds subwords: first place and place after the last, in the order it gives them.

    Args:
        word: in lower case, as `units` has it.
        subwords: the filter's list, a set.
        sizes: its settings.
    """
    found: list[tuple[int, int]] = []
    length = len(word)
    if length < sizes.min_word_size:
        return found
    for start in range(length - sizes.min_subword_size + 1):
        ends = range(start + sizes.min_subword_size, min(start + sizes.max_subword_size, length) + 1)
        here = [(start, end) for end in ends if word[start:end] in subwords]
        found += here[-1:] if sizes.only_longest_match else here
    return found
