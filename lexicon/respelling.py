"""Spellings that avoid umlauts and ß, read as the usual ones where the lexicon knows the word only so.

*Strassenbahn* (Swiss, or in capitals) is looked up as *straßenbahn*, *Mueller* as *müller*; *Masse* and *neue* stay.
"""

from lexicon.normalize import LookupForm
from lexicon.trie import Trie

_DIGRAPHS = {"ss": "ß", "ae": "ä", "oe": "ö", "ue": "ü"}

_LONGEST_WORD = 40
"""Characters of a word that is looked for around a digraph."""

_SHORTEST_WORD = 3


def respell(form: LookupForm, words: Trie) -> LookupForm:
    """Return the form with each digraph read as one letter where that makes a longer known word around it.

    Args:
        form: any word's form; its offsets go on leading to the caller's string.
        words: known words in lookup form.
    """
    node = 1
    while node < len(form.text):
        letter = _DIGRAPHS.get(form.text[node - 1 : node + 1])
        if letter is not None and node not in form.breaks:
            folded = form.merged(node, letter)
            length = _longest_around(folded.text, node - 1, node, words)
            if length and length + 1 > _longest_around(form.text, node - 1, node + 1, words):
                form = folded
        node += 1
    return form


def _longest_around(text: str, start: int, end: int, words: Trie) -> int:
    """Return the length of the longest known word in `text` that covers the characters start … end − 1, or 0."""
    longest = 0
    for first in range(max(0, end - _LONGEST_WORD), start + 1):
        for word, _ in words.iter_prefixes_with_ids(text[first : first + _LONGEST_WORD]):
            if first + len(word) >= end and len(word) >= _SHORTEST_WORD:
                longest = max(longest, len(word))
    return longest
