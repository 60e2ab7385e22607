"""Corpora: files of any size, split in blocks in flat memory, and gone on with where a killed run stopped."""
