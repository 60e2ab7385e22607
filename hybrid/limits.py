"""How much is done for one word; beyond that a word is left whole, or an error says so."""

LONGEST_WORD = 1000
"""Letters, marks and hyphens not counted; a longer word is left whole."""

LONGEST_STRING = 8 * LONGEST_WORD
"""Characters; a longer string is left whole unread."""

LONGEST_KEPT = 100
"""Characters; of longer words and parts nothing is remembered, so that memory is bounded."""

LONGEST_LINE = 1 << 30
"""Bytes; a longer line of standard input or of a corpus is an error, before memory ends."""

MOST_SPLITS = 1000
"""The longest list of best splits; it is kept at every character of a word while it is made."""

MOST_PARTS = 32
"""The largest least number of parts; the lattice grows by so many layers."""
