"""Labelled spans over words: chunks, names, terms, tags of a sentence, on the lattice that splits words into parts."""
