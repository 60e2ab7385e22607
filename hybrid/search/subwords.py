"""What a compound is to be found by: its parts and what belongs together, as written and as dictionaries have them.

Arbeitsamtsleiterin: *arbeits*, *arbeit*, *amts*, *amt*, *leiterin*, and *arbeitsamts*, *arbeitsamt*.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hybrid.segmentation import Segment, Segmentation, Tree


@dataclass(frozen=True, slots=True)
class Subword:
    """Something that a compound is to be found by.

    Attributes:
        text: as it stands there, without hyphen at its end, or as a dictionary has it: *Arbeit* of *Arbeits*, *buch*
            of *Bücher*. The case is the word's.
        start: the place of its first character in the word.
        end: the place after the last one, linking element and hyphen included.
    """

    text: str
    start: int
    end: int


def subwords(split: Segmentation) -> list[Subword]:
    """Return what a word is to be found by beside itself, from left to right, the longest first; each but once."""
    found: dict[Subword, None] = {}
    for start, last in constituents(split):
        for text in _forms(split.word[start : last.start], last):
            found[Subword(text, start, last.end)] = None
    return list(found)


def constituents(split: Segmentation) -> Iterator[tuple[int, Segment]]:
    """Yield the parts of a compound and the groups of them that belong together: the first place, and the last part.

    A word that is left whole has none, and the word itself is none of its own. Of a coarser split than the finest only
    groups of its own parts are given.
    """
    if len(split.parts) < 2 or split.tree is None:
        return
    starts = {part.start for part in split.parts}
    ends = {part.end: part for part in split.parts}
    nodes: list[Tree] = list(reversed(split.tree.children))
    while nodes:
        node = nodes.pop()
        if node.start in starts and node.end in ends:
            yield node.start, ends[node.end]
        nodes += reversed(node.children)


def ends_of(part: Segment) -> tuple[int, ...]:
    """Return the places where a part may end for a search: whole, without hyphen, linking element, or ending.

    The ending is what its dictionary form lacks: *Kinder*, *Kind*.
    """
    bare = part.start + len(part.stem + part.link)
    ends = {part.end, bare, part.start + len(part.stem)}
    if part.lemma and part.text.lower().startswith(part.lemma.lower()):
        ends.add(part.start + len(part.lemma))
    return tuple(sorted(ends))


def _forms(before: str, last: Segment) -> list[str]:
    """Return a group of parts as written, and with the last of them as a dictionary has it."""
    written = last.stem + last.link
    lemma = last.lemma or last.stem
    if written[:1].islower():
        lemma = lemma[:1].lower() + lemma[1:]
    return [before + written, before + lemma]
