"""Rules in the format of Solr's synonym files: what an index gets in place of a compound.

A rule for Lucene's stemmer override, which has one output a word, could not hold several parts.
"""

import re
from collections.abc import Sequence

_SPECIAL = re.compile(r"([\\,#\s]|=(?=>))")
"""What the format has a use for; a backslash before it takes that away."""


def rule(word: str, outputs: Sequence[str]) -> str:
    """Return an explicit rule: the word is replaced by the outputs, all of them in its place."""
    return f"{escaped(word)} => {', '.join(map(escaped, outputs))}"


def escaped(text: str) -> str:
    """Return a text as it is written in a rule."""
    return _SPECIAL.sub(r"\\\1", text)
