"""A list of German nouns that ships: they are known to exist, and nothing else is known of them."""

import lzma
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lexicon.normalize import normalize
from lexicon.trie import Trie, build_trie

FOLDER = Path(__file__).parent
"""Holds nouns.txt.xz; `README.md` there says where it comes from."""


def read_nouns() -> list[str]:
    """Return the nouns, in lookup form, sorted."""
    return lzma.decompress((FOLDER / "nouns.txt.xz").read_bytes()).decode("utf-8").splitlines()


@cache
def shipped_dictionary() -> Trie:
    """Return the nouns as a trie, made at the first call."""
    return build_trie(read_nouns())


def dictionary_of(words: Iterable[str]) -> Trie:
    """Return any words as a trie of their lookup forms."""
    return build_trie({normalize(word).text for word in words} - {""})
