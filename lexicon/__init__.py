"""What words are made of: parts, left stretches and whole words, mined from labelled splits.

Imports neither torch nor numba nor `hybrid`: the lexicon stands on its own.
"""

from lexicon.errors import LexiconError
from lexicon.mining import Counts, mine
from lexicon.normalize import LookupForm, normalize
from lexicon.store import Lexicon

__all__ = ["Counts", "Lexicon", "LexiconError", "LookupForm", "mine", "normalize"]
