"""Words in running text: found, split, and put together again without a byte lost.

A word is letters with their combining marks, and several such pieces, or numbers, joined by hyphens where at least one
has letters. Addresses of pages and people, file names, mentions, codes with digits or underscores in them: all else is
left as it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from hybrid.errors import DataError
from hybrid.segmentation import Segmentation

_NAME = r"[\p{L}\p{N}_\-]{1,64}+"
_OTHER = rf"""
    (?:\p{{L}}[\p{{L}}\p{{N}}+.\-]{{0,15}}://|www\.)[^\s<>"]++                       # https://…, www.…
  | [\p{{L}}\p{{N}}._%+\-]{{1,64}}+@{_NAME}(?:\.{_NAME})++                          # e-mail addresses
  | [@\#][\p{{L}}\p{{N}}_]++                                                      # mentions, tags
  | {_NAME}(?:\.{_NAME}){{0,8}}\.
    (?:de|com|org|net|at|ch|eu|html?|pdf|txt|csv|jpe?g|png|py|exe|zip|docx?|xlsx?)(?![\p{{L}}\p{{N}}_])
  | (?<![\p{{L}}\p{{N}}/])~?(?:/[\p{{L}}\p{{N}}_.\-]++){{2,}}+                       # paths
  | (?<![\p{{L}}\p{{N}}_])\p{{N}}++(?:[-.,:/]\p{{N}}++)*+(?![-\p{{L}}\p{{N}}_])              # numbers, dates
"""

_LETTER = r"\p{L}[\p{M}\u00ad\u200b-\u200d\u2060]*+"
_HYPHEN = r"[-\u2010\u2011]"
_MIXED = rf"(?:{_LETTER}|\p{{N}})++"
_WORD = rf"""
    (?<![\p{{L}}\p{{N}}_])
    (?: (?:{_MIXED}{_HYPHEN})* (?:{_LETTER})++ (?:{_HYPHEN}{_MIXED})*+ ) {_HYPHEN}?
    (?![\p{{L}}\p{{N}}_])
"""


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
    for match in _pattern().finditer(text):
        if match.lastgroup == "word":
            yield match.span()


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
    """Return the text with each word's parts separated; without the separators it is the text again."""
    return "".join(token.text if token.split is None else separator.join(token.split.texts) for token in tokens)


@cache
def _pattern() -> Any:
    try:
        import regex
    except ImportError:
        raise DataError("splitting running text needs the package regex: pip install regex") from None
    return regex.compile(rf"(?P<other>{_OTHER})|(?P<word>{_WORD})", regex.VERBOSE | regex.IGNORECASE)
