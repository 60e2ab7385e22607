"""The words to tokenize: those of a held-out share of a text, with their parts, and annotated ones."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from benchmarks.speed.zipf import Text
from hybrid.segmenter import Segmenter
from hybrid.text import find_words
from lexicon.gold import read_gold

BLOCK = 100
"""Lines that are learnt from, or held out, together: neighbours are much alike."""

HELD_OUT = 10
"""One block in so many is held out."""

Parts = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Words:
    """Words to be measured on.

    Attributes:
        counts: word → how often it comes.
        parts: word → its parts.
        seen: words that the text to learn from has.
        seen_parts: parts of these.
    """

    counts: Mapping[str, int]
    parts: Parts
    seen: frozenset[str] = frozenset()
    seen_parts: frozenset[str] = frozenset()

    @property
    def compounds(self) -> list[str]:
        """Words of two parts or more."""
        return [word for word in self.counts if len(self.parts[word]) > 1]

    @property
    def new(self) -> list[str]:
        """Compounds that the text to learn from does not have, though it has each of their parts in some word."""
        return [
            word
            for word in self.compounds
            if word not in self.seen and all(part.lower() in self.seen_parts for part in self.parts[word])
        ]


def shares(text: Text, seed: int) -> tuple[list[str], list[str]]:
    """Return the lines to learn from and those held out; a line that comes again counts once.

    Raises:
        DataError: the file can't be read, or is not UTF-8.
        ImportError: the package with the frequent words is not installed.
    """
    lines = list(dict.fromkeys(line for block in text.blocks(10_000) for line in block))
    blocks = [lines[at : at + BLOCK] for at in range(0, len(lines), BLOCK)]
    random.Random(seed).shuffle(blocks)
    held_out = max(1, len(blocks) // HELD_OUT)
    return list(chain(*blocks[held_out:])), list(chain(*blocks[:held_out]))


def words_of(train: Iterable[str], held_out: Iterable[str], segmenter: Segmenter) -> Words:
    """Return the words of the lines held out."""
    seen, counts = _count(train), _count(held_out)
    known, parts = _split(seen, segmenter), _split(counts, segmenter)
    seen_parts = frozenset(part.lower() for some in known.values() for part in some)
    return Words(counts, parts, frozenset(seen), seen_parts)


def annotated() -> Words:
    """Return the annotated test words, each once and with a capital, as most of them, nouns, are written."""
    gold = [word for word in read_gold() if word.part == "test"]
    parts = {word.word.capitalize(): [word.texts[0].capitalize(), *word.texts[1:]] for word in gold}
    return Words(dict.fromkeys(parts, 1), parts)


def _count(lines: Iterable[str]) -> Counter[str]:
    return Counter(line[start:end] for line in lines for start, end in find_words(line))


def _split(words: Iterable[str], segmenter: Segmenter) -> Parts:
    distinct = list(words)
    return dict(zip(distinct, (parts for parts, _ in segmenter.split_parts(distinct)), strict=True))
