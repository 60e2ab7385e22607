"""The first pass: a small model of words' segments, in compiled loops, that is sure of most words."""
