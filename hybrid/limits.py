"""How much is done for one word; beyond that a word is left whole, or an error says so."""

LONGEST_WORD = 1000
"""Characters; a longer word is left whole."""

LONGEST_LINE = 1 << 30
"""Bytes; a longer line of standard input or of a corpus is an error, before memory ends."""

MOST_SPLITS = 1000
"""The longest list of best splits; it is kept at every character of a word while it is made."""

MOST_PARTS = 32
"""The largest least number of parts; the lattice grows by so many layers."""
