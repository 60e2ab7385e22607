"""Training words to counts: parts by role, left stretches with their cuts, the inventory of words."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lexicon.linking import DROPPED_ENDINGS

ROLES = ("initial", "medial", "final", "whole")
"""A part's place in its word; the index is the role's number everywhere."""

INITIAL, MEDIAL, FINAL, WHOLE = range(4)


def role_of(start: int, end: int, length: int) -> int:
    """Return the number of the role of the part [start, end) in a word of `length` characters."""
    if start == 0:
        return WHOLE if end == length else INITIAL
    return FINAL if end == length else MEDIAL


@dataclass(slots=True)
class Counts:
    """What was counted, keyed by strings in lookup form.

    Attributes:
        parts: part → how often it stood in each role (4 numbers, the order of `ROLES`).
        listed: the words known to exist, labelled or not.
        seen: left stretch (all that stands before a word's last part) → how often it was seen.
        cuts: left stretch → inner cut → how often it was cut there; cut 0 → how often it was left whole.
    """

    parts: dict[str, list[int]] = field(default_factory=dict)
    listed: set[str] = field(default_factory=set)
    seen: Counter[str] = field(default_factory=Counter)
    cuts: dict[str, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def shortened(self) -> Counter[str]:
        """Return how many listed words give each string by losing an ending, as modifiers do."""
        return Counter(
            word[: -len(ending)]
            for word in sorted(self.listed)
            for ending in DROPPED_ENDINGS
            if word.endswith(ending) and len(word) > len(ending)
        )


def mine(words: Sequence[str], cuts: Sequence[Sequence[int]], *, listed: Iterable[str] = ()) -> Counts:
    """Count the parts of split words.

    Args:
        words: B words in lookup form; each is taken into the inventory too.
        cuts: for each word its inner cuts, ascending, each in 1 … length − 1.
        listed: further words known to exist, in lookup form (their splits need not be known).

    Raises:
        ValueError: `words` and `cuts` differ in length.
    """
    counts = Counts(listed={*words, *listed} - {""})
    for word, inner in zip(words, cuts, strict=True):
        edges = [0, *inner, len(word)]
        for start, end in zip(edges, edges[1:], strict=False):
            by_role = counts.parts.setdefault(word[start:end], [0, 0, 0, 0])
            by_role[role_of(start, end, len(word))] += 1
        if inner:
            stretch = word[: inner[-1]]
            counts.seen[stretch] += 1
            for cut in inner[:-1] or (0,):
                counts.cuts[stretch][cut] += 1
    return counts
