"""The words of a search index: lines of a file or of standard input, taken apart as by Lucene's standard tokenizer."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hybrid import stdin
from hybrid.corpus.lines import read_blocks
from hybrid.disk_errors import naming
from hybrid.errors import DataError
from hybrid.search.arguments import LONGEST
from hybrid.search.lowercase import lucene_lower, units
from hybrid.utf8 import LineDecoder
from lexicon.errors import quoted

ROWS, SIZE = 1 << 13, 1 << 20
"""Lines and bytes that are read at a time."""

MOST_COUNT, DIGITS = 10**15, 16

_LETTER, _NUMBER = r"[\p{WB=ALetter}\p{WB=Hebrew_Letter}]", r"\p{WB=Numeric}"

_MARKS = r"[\p{WB=Extend}\p{WB=Format}\p{WB=ZWJ}]*+"

_RUN = rf"(?:[{_LETTER}{_NUMBER}\p{{WB=ExtendNumLet}}]{_MARKS})++"

_BETWEEN = (
    rf"(?<={_LETTER}{_MARKS})['‘’.·:․‧＇．：]{_MARKS}(?={_LETTER})"
    rf"|(?<={_NUMBER}{_MARKS})['‘’.․＇．,;]{_MARKS}(?={_NUMBER})"
)

_WORD = rf"{_RUN}(?:(?:{_BETWEEN}){_RUN})*+"
"""Letters, digits and low lines, each with the marks that follow; between letters an apostrophe, a dot or a colon,
between digits a dot or a comma: Unicode's word boundaries (UAX 29)."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A word as its writer has it, how often it comes, and the same in lower case as a search engine keeps it."""

    word: str
    count: int
    lower: str


def read_vocabulary(path: Path, errors: str) -> Iterator[list[Entry]]:
    """Yield the words of a list, some at a time, each but once whatever its case.

    Args:
        path: the file; "-" is standard input.
        errors: what becomes of bytes that are not UTF-8, as for `LineDecoder`.

    Raises:
        DataError: there is no such file, a line is not UTF-8 or too long, or what follows its tab is no count.
        OSError: reading fails.
    """
    seen: set[str] = set()
    number, where = 1, stdin.NAME if str(path) == "-" else str(path)
    for lines in _lines(path, errors):
        found = []
        for line in lines:
            for entry in _entries(line, where, number):
                if entry.lower not in seen:
                    seen.add(entry.lower)
                    found.append(entry)
            number += 1
        yield found


def too_long(word: str) -> bool:
    """Whether Lucene's standard tokenizer would cut a word in pieces."""
    return len(units(word)) > LONGEST


def _lines(path: Path, errors: str) -> Iterator[Iterable[str]]:
    if str(path) == "-":
        yield from stdin.words(errors)
        return
    if path.is_dir() or not path.exists():
        fault = "is a folder" if path.is_dir() else "no such file"
        raise DataError(f"{path}: {fault}; a file with a word a line is right, or - for standard input")
    decoder = LineDecoder(str(path), errors)
    with naming(path), path.open("rb") as stream:
        at = 0
        for block in read_blocks(stream, first=1, start=0, rows=ROWS, size=SIZE, where=path):
            lines = list(decoder.decode(block.lines, first=block.first, start=at))
            lines[0] = lines[0].removeprefix("\ufeff") if block.first == 1 else lines[0]
            yield [line.removesuffix("\n").removesuffix("\r") for line in lines]
            at = block.end


def _entries(line: str, where: str, number: int) -> Iterator[Entry]:
    text, tab, told = line.partition("\t")
    count = 1
    if tab:
        told = told.strip()
        if not told.isdecimal() or len(told) > DIGITS or int(told) > MOST_COUNT:
            raise DataError(f"{where}: line {number}: {quoted(told)} is no count; a word, a tab and a whole number, or "
                            "a word alone, are right")  # fmt: skip
        count = int(told)
    for word in _pattern().findall(text):
        yield Entry(word, count, lucene_lower(word))


@cache
def _pattern() -> Any:
    import regex

    return regex.compile(_WORD, regex.VERSION1)
