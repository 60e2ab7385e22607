"""The mark between parts in running text, and the way back: joined, a split text is what it was, byte for byte.

A mark is put between two characters of a word. One that the text itself has can be taken for ours only where it stands
as ours do: between such characters, or, of the marks that a blank follows, after such a character and before a blank or
the end of a line. There, and nowhere else, the text gets one mark more, and joining takes one away everywhere. So
*a|b* becomes *a||b*, and *a || b*, *@@* and every text without the mark stay as they are.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from hybrid.errors import DataError
from hybrid.given import check_string

SPACED = ("￭", "@@")
"""Marks that a blank follows: the joiner of the OpenNMT Tokenizer, and that of subword-nmt."""

WORD_CHARACTERS = r"\p{L}\p{N}\p{M}\-\u2010\u2011\u00ad\u200b-\u200d\u2060"
"""What words are made of, and so what stands on both sides of where they are cut; the inside of a set of regex's."""


def joint(separator: str) -> str:
    """Return what stands between two parts of a word in running text: the separator, with a blank where it has one."""
    return f"{separator} " if separator in SPACED else separator


def can_be_undone(separator: str) -> bool:
    """Return whether what is split with this separator can be joined again.

    It can't where the separator has what words are made of, or what stands between them: *Haus-tür* may have been so
    from the first.
    """
    return separator != "" and _patterns(separator)["word"].search(separator) is None


def join_text(text: str, separator: str = "|") -> str:
    """Return the text that was split: what `Worker.separate` and `hybrid split --text` undone give.

    Args:
        text: split running text; whole lines of it, where it comes piece by piece.
        separator: the one that it was split with; of "￭" and "@@" the blank that follows goes too.

    Raises:
        DataError: the separator is empty, or has letters, digits, hyphens, blanks or line ends; the package regex is
            not installed.
        TypeError: `text` is no string.
    """
    check_string("text", text)
    if not can_be_undone(separator):
        raise DataError(
            f"separator {separator!r} can't be told from the text; one without letters, digits, hyphens, blanks and "
            "line ends is right"
        )
    return _patterns(separator)["joint"].sub("", text) if separator in text else text


def put_joints(text: str, words: Iterable[tuple[int, int, Iterable[str]]], separator: str) -> str:
    """Return a text with the parts of its words separated.

    Args:
        text: whole stretches between blanks, or more.
        words: where each begins and ends in the text, in order, and its parts.
        separator: one character or more.
    """
    between, pieces, at = joint(separator), list[str](), 0
    for start, end, parts in _with_doubled(text, words, separator) if separator in text else words:
        pieces += (text[at:start], between.join(parts))
        at = end
    return "".join([*pieces, text[at:]])


def _with_doubled(
    text: str, words: Iterable[tuple[int, int, Iterable[str]]], separator: str
) -> Iterable[tuple[int, int, Iterable[str]]]:
    """Return the words, and among them the empty places where the text gets one mark more."""
    if not can_be_undone(separator):
        return words
    return sorted([*words, *_doubled(text, separator)], key=lambda word: word[:2])


def _doubled(text: str, separator: str) -> Iterator[tuple[int, int, Iterable[str]]]:
    for match in _patterns(separator)["own"].finditer(text):
        yield match.start(), match.start(), (separator,)


@lru_cache(64)
def _patterns(separator: str) -> dict[str, Any]:
    """Return what finds words' characters, marks of a text's own, and the marks that joining takes away.

    No mark has a word's character, so that a run of them is looked through once, from its first.
    """
    try:
        import regex
    except ImportError:
        raise DataError("splitting running text needs the package regex: pip install regex") from None
    mark, word = regex.escape(separator), f"[{WORD_CHARACTERS}]"
    follows, ours = f"(?={word})", ""
    if separator in SPACED:
        follows = r"(?=[ \n]|\Z)"
        ours = rf"|(?<={word}){mark}(?: |(?=\n|\Z))"
    return {
        "word": regex.compile(rf"[{WORD_CHARACTERS} \r\n]"),
        "own": regex.compile(rf"(?<={word})(?=(?:{mark})++{follows})"),
        "joint": regex.compile(rf"(?<={word}){mark}(?=(?:{mark}){'+' if ours else '*'}+{follows}){ours}"),
    }
