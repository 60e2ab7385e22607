"""Words in running text: found, split, and put together again without a byte lost.

A word is letters with their marks, or several pieces of letters and digits joined by hyphens of which one at least is
letters alone. Addresses of pages and people, file names, paths, mentions, codes with digits or underscores, numbers:
all else is left as it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hybrid.errors import DataError
from hybrid.joining import WORD_CHARACTERS, put_joints
from hybrid.segmentation import Segmentation
from lexicon.normalize import HYPHENS

_ENDINGS = frozenset(
    "de com org net at ch eu info htm html pdf txt csv json xml jpg jpeg png gif py exe zip doc docx xls xlsx".split()
)
"""What a file name or the address of a page ends in."""

_INSIDE = rf"[{WORD_CHARACTERS}_]"
"""What words, numbers, names and codes are made of."""

_RUN = rf"""
    (?P<address> (?:\p{{L}}[\p{{L}}\p{{N}}+.\-]{{0,15}}://|www\.)[^\s<>"]++ )
  | (?P<path> (?<!{_INSIDE}|/)~?(?:/[\p{{L}}\p{{N}}\p{{M}}_.\-]++){{2,}}+ )
  | (?P<run> [@\#]?{_INSIDE}++(?:[.@%+]{_INSIDE}++)*+ )
"""
"""Each way matches as much as it can and gives nothing back, so that the time is linear in the text's length."""


@dataclass(frozen=True, slots=True)
class Token:
    """A stretch of a text: a word with its split, or what stands between words.

    Attributes:
        text: its characters.
        start: the place of its first character in the text.
        end: the place after its last one.
        split: the word's split, with places counted in `text`; None for what is no word.
    """

    text: str
    start: int
    end: int
    split: Segmentation | None = None


def find_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield where words begin and end.

    Raises:
        DataError: the package regex is not installed.
    """
    patterns = _patterns()
    for match in patterns["run"].finditer(text):
        run = match["run"]
        if run is None or run[0] in "@#" or "@" in run:
            continue
        parts = list(patterns["between"].split(run))
        if len(parts) > 1 and parts[-1].lower() in _ENDINGS:
            continue
        at = match.start()
        for part in parts:
            if "_" not in part:
                yield from ((at + start, at + end) for start, end in _words_of_part(part, patterns))
            at += len(part) + 1


def is_word(text: str) -> bool:
    """Return whether a text is one word from end to end.

    Raises:
        DataError: the package regex is not installed.
    """
    return next(find_words(text), None) == (0, len(text))


def _words_of_part(part: str, patterns: dict[str, Any]) -> Iterator[tuple[int, int]]:
    """Yield the words in a stretch of letters, digits and hyphens; two hyphens on end are a dash."""
    for match in patterns["hyphened"].finditer(part):
        if any(patterns["letters"].fullmatch(piece) for piece in patterns["hyphen"].split(match[0])):
            end = match.end()
            follows = part[end : end + 2]
            ends_in_one = bool(follows) and follows[0] in HYPHENS and follows[1:] not in HYPHENS
            yield match.start(), end + ends_in_one


def tokens(text: str, splits: Iterable[Segmentation], words: Iterable[tuple[int, int]]) -> list[Token]:
    """Return the tokens that tile a text.

    Args:
        text: any text.
        splits: of its words, in order.
        words: where they begin and end.
    """
    result: list[Token] = []
    at = 0
    for (start, end), split in zip(words, splits, strict=True):
        if at < start:
            result.append(Token(text[at:start], at, start))
        result.append(Token(text[start:end], start, end, split))
        at = end
    if at < len(text):
        result.append(Token(text[at:], at, len(text)))
    return result


def join_parts(tokens: Iterable[Token], separator: str) -> str:
    """Return the text with each word's parts separated; `hybrid.joining.join_text` undoes it."""
    tokens = list(tokens)
    at = tokens[0].start if tokens else 0
    words = [(t.start - at, t.end - at, t.split.texts) for t in tokens if t.split is not None]
    return put_joints("".join(token.text for token in tokens), words, separator)


@cache
def _patterns() -> dict[str, Any]:
    try:
        import regex
    except ImportError:
        raise DataError("splitting running text needs the package regex: pip install regex") from None
    piece, hyphen = r"[\p{L}\p{N}\p{M}\u00ad\u200b-\u200d\u2060]++", r"[-\u2010\u2011]"
    return {
        "run": regex.compile(_RUN, regex.VERBOSE | regex.IGNORECASE),
        "between": regex.compile(r"[.@%+]"),
        "hyphened": regex.compile(rf"{piece}(?:{hyphen}{piece})*+"),
        "hyphen": regex.compile(hyphen),
        "letters": regex.compile(r"\p{L}[\p{L}\p{M}\u00ad\u200b-\u200d\u2060]*+"),
    }
