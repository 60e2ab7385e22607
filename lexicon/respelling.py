"""Spellings that avoid umlauts and ß, read as the usual ones where the lexicon knows the word only so.

*Strassenbahn* (Swiss, or in capitals) is looked up as *straßenbahn*, *Mueller* as *müller*; *Masse* and *neue* stay.
"""

from dataclasses import dataclass
from itertools import product

from lexicon.normalize import LookupForm
from lexicon.trie import Trie

DIGRAPHS = {"ss": "ß", "ae": "ä", "oe": "ö", "ue": "ü"}
"""Two letters, and the one that they may be read as."""

_AT_ONCE = 4
"""Digraphs that are weighed together; there are twice as many ways to read them for each more."""

_LONGEST_WORD = 40
"""Characters of a word that is looked for around a digraph."""

_SHORTEST_WORD = 3

_LONG_WORD = 6


def respell(form: LookupForm, words: Trie) -> LookupForm:
    """Return the form with digraphs read as one letter where that makes longer known words around them.

    Args:
        form: any word's form; its offsets go on leading to the caller's string.
        words: known words in lookup form.
    """
    nodes = [node for node in range(1, len(form.text))
             if form.text[node - 1 : node + 1] in DIGRAPHS and node not in form.breaks]  # fmt: skip
    for first in range(0, len(nodes), _AT_ONCE) if len(words) else ():
        some = nodes[first : first + _AT_ONCE]
        ways = [_read(some, way, form) for way in product((False, True), repeat=len(some))]
        folded = max(ways, key=lambda reading: _weigh(reading, words)).form
        nodes = [node - (len(form.text) - len(folded.text)) * (node > some[-1]) for node in nodes]
        form = folded
    return form


@dataclass(frozen=True, slots=True)
class _Reading:
    """A form, where its digraphs or the letters they were read as are, and how many were."""

    form: LookupForm
    spans: list[tuple[int, int]]
    folded: int


def _weigh(reading: _Reading, words: Trie) -> int:
    """Return how well known words cover the digraphs; one that opens the word counts more, and folding costs."""
    around = sum(_weigh_around(reading.form.text, start, end, words) for start, end in reading.spans)
    return around - 2 * reading.folded


def _read(nodes: list[int], way: tuple[bool, ...], form: LookupForm) -> _Reading:
    """Return the form with the digraphs folded that a way folds.

    Of two digraphs that share a letter, only the first is folded.
    """
    spans, gone = list[tuple[int, int]](), 0
    for node, fold in zip(nodes, way, strict=True):
        at = node - gone
        letter = DIGRAPHS.get(form.text[at - 1 : at + 1]) if fold else None
        if letter is None:
            spans.append((at - 1, min(at + 1, len(form.text))))
            continue
        form = form.merged(at, letter)
        spans.append((at - 1, at))
        gone += 1
    return _Reading(form, spans, gone)


def _weigh_around(text: str, start: int, end: int, words: Trie) -> int:
    """Return twice the length of the longest known word that covers the characters start … end − 1, or 0.

    A digraph read as one letter counts as two, as it is written, and a little more in a word of six letters and more
    (*Kant·straße*, not *Kants·trasse*; but *Pass*, not *Spaß*, in *Gesundheitspass*). Two words may also part between
    its letters: *Preis·statistik*.
    """
    best = ends = 0
    for first in range(max(0, end - _LONGEST_WORD), start + 1):
        for word, _ in words.iter_prefixes_with_ids(text[first : first + _LONGEST_WORD]):
            last = first + len(word)
            if len(word) >= _SHORTEST_WORD and last >= end:
                folded = (2 + (len(word) >= _LONG_WORD)) * (end - start == 1)
                best = max(best, 2 * len(word) + folded + 3 * (first == 0))
            elif len(word) >= _SHORTEST_WORD and last == start + 1:
                ends = max(ends, 2 * len(word) + 3 * (first == 0))
    if ends and end - start == 2:
        begins = max(
            (len(word) for word, _ in words.iter_prefixes_with_ids(text[start + 1 :][:_LONGEST_WORD])), default=0
        )
        best = max(best, ends + 2 * begins if begins >= _SHORTEST_WORD else 0)
    return best
