"""Where a word must be cut and where it must not: sums of −inf, or of a heavy penalty, over a lattice's edges.

Cuts at hyphens, and none beside what is no letter, hold for every word; they are penalties, so that a path is always
left. What a caller forces or forbids is −inf.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index

import numpy as np
from numpy.typing import NDArray

from hybrid.errors import CutError
from hybrid.lattice import WordLattice
from lexicon import LookupForm
from lexicon.errors import quoted

PENALTY = -1e4
"""Nats for an edge that a hyphen or another non-letter speaks against: far below all that columns sum to."""


@dataclass(frozen=True, slots=True)
class Cuts:
    """What a caller wants of one word.

    Attributes:
        forced: nodes of the lookup form where a part must end.
        forbidden: nodes where none may end.
    """

    forced: frozenset[int] = frozenset()
    forbidden: frozenset[int] = frozenset()


FREE = Cuts()


def places_of(word: str, places: Iterable[int]) -> list[int]:
    """Return places in a word, as they were given.

    Raises:
        CutError: there are far more than the word has.
        TypeError: one is no whole number.
    """
    most, result = 2 * len(word) + 100, list[int]()
    for place in places:
        try:
            result.append(index(place))
        except TypeError:
            raise TypeError(f"{quoted(word)}: a cut at {place!r}; a whole number is right") from None
        if len(result) > most:
            raise CutError(f"{quoted(word)}: more than {most:,} cuts")
    return result


def read_cuts(word: str, form: LookupForm, cuts: Iterable[int], no_cuts: Iterable[int]) -> Cuts:
    """Turn places in the caller's word into nodes of its form.

    Raises:
        CutError: a place is not inside the word, lies in a letter, or is both forced and forbidden.
    """
    forced, forbidden = (_nodes(word, form, places) for places in (cuts, no_cuts))
    if both := forced & forbidden:
        raise CutError(f"{word!r}: a cut at {form.offsets[min(both)]} is both forced and forbidden")
    return Cuts(forced, forbidden)


def _nodes(word: str, form: LookupForm, places: Iterable[int]) -> frozenset[int]:
    nodes = set()
    for place in places:
        node = form.node(place)
        if not 0 < place < len(word):
            right = f"1 to {len(word) - 1} lies inside the word" if len(word) > 1 else "nothing lies inside the word"
            raise CutError(f"{word!r}: a cut at {place}; {right}")
        if node is None:
            raise CutError(f"{word!r}: a cut at {place} would fall inside a letter, or two that are read as one")
        nodes.add(node)
    return frozenset(nodes - {0, len(form.text)})


def constrain(lattice: WordLattice, forms: Sequence[LookupForm], wanted: Sequence[Cuts]) -> NDArray[np.float64] | None:
    """Return (E,): what is added to the edges' scores, or None where nothing is.

    Args:
        lattice: of the B words.
        forms: the B words that were decoded.
        wanted: the callers' cuts.
    """
    soft = [_by_spelling(form) for form in forms]
    if not any(cuts != FREE for cuts in (*soft, *wanted)):
        return None
    added = (PENALTY * _violations(lattice, soft)).astype(np.float64)
    added[_violations(lattice, wanted) > 0] = -np.inf
    return added


def _by_spelling(form: LookupForm) -> Cuts:
    """Return cuts at hyphens, and no cut between two characters of which one is no letter."""
    text = form.text
    if text.isalpha() and not form.breaks:
        return FREE
    letter = [character.isalpha() for character in text]
    apart = {node for node in range(1, len(text)) if not (letter[node - 1] and letter[node])}
    return Cuts(frozenset(form.breaks), frozenset(apart - set(form.breaks)))


def _violations(lattice: WordLattice, cuts: Sequence[Cuts]) -> NDArray[np.int64]:
    """Return (E,): how many forced cuts lie inside each edge, plus 1 where it ends at a forbidden one."""
    first = lattice.lattice.node_ptr
    forced, forbidden = np.zeros((2, first[-1]), np.int64)
    for w, of_word in enumerate(cuts):
        forced[first[w] + np.fromiter(of_word.forced, np.int64, len(of_word.forced))] = 1
        forbidden[first[w] + np.fromiter(of_word.forbidden, np.int64, len(of_word.forbidden))] = 1
    up_to = np.cumsum(forced)
    src, dst = lattice.src_node(), lattice.dst_node()
    return up_to[dst] - forced[dst] - up_to[src] + forbidden[dst]
