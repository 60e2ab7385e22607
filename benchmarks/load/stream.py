"""An endless stream of words such as a pipeline meets: known ones, new ones, what is no word, what is far too long."""

import random
from collections.abc import Iterator
from itertools import islice

from lexicon.dictionary import read_nouns

STRANGE = (
    "äöüßÄÖÜẞ",
    "\u0300\u0301\u0308\u0323\u200d\ufe0f",
    "👨👩👧❤🇩🇪🏽",
    "\u00ad\u200b\u200c\u2060-\u2010\u2013",
    "אבגד\u202e한국어中文ПриветΣςǅŉİıﬁ",
    "0123456789.,_@/#%+'",
    "\0\t\x1c\x85\u2028 ",
)

BLOCK = 500
"""Lines."""

TEXT_WORDS = 12
"""Words a line of running text."""

VOCABULARY = 20_000
"""Different words of running text, which the command remembers: of ever new ones up to a million (`hybrid.worker`)."""


def words(seed: int) -> Iterator[str]:
    """Yield strings without line ends and "|": six in ten known nouns, three new compounds, one anything."""
    rng, known = random.Random(seed), [noun.capitalize() for noun in read_nouns()]
    while True:
        kind = rng.random()
        if kind < 0.6:
            yield rng.choice(known)
        elif kind < 0.9:
            yield rng.choice(known) + rng.choice(known).lower()
        elif kind < 0.995:
            yield "".join(rng.choice(rng.choice(STRANGE)) for _ in range(rng.randint(1, 30)))
        elif kind < 0.9995:
            yield rng.choice(known) * rng.randint(5, 40)
        else:
            yield rng.choice(STRANGE)[0] * 20_000


def blocks(seed: int, *, text: bool) -> Iterator[list[str]]:
    """Yield `BLOCK` lines at a time: ever new words, or with `text` some of a fixed vocabulary in a row."""
    stream = words(seed)
    if not text:
        while True:
            yield list(islice(stream, BLOCK))
    rng, vocabulary = random.Random(seed), list(islice(stream, VOCABULARY))
    while True:
        yield [" ".join(rng.choices(vocabulary, k=TEXT_WORDS)) for _ in range(BLOCK)]
