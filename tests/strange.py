"""Strings that nobody would call words, and what holds of a split of any string: for tests and `make fuzz`."""

import regex
from hypothesis import strategies as st

from hybrid import CutError
from hybrid.joining import join_text
from hybrid.segmentation import Segmentation
from hybrid.segmenter import Segmenter
from hybrid.text import join_parts
from hybrid.worker import Worker
from lexicon.normalize import _clusters

SEPARATOR = "¦"
"""In none of the strings."""

KINDS = (
    "abcdefghijklmnopqrstuvwxyzäöüß",
    "ABCXYZÄÖÜẞ",
    "\u0300\u0301\u0308\u0323\u20e3\ufe0f\u094d\u0e31",  # marks
    "👨👩👧❤🇩🇪🇫🏽🎅🏳",
    "\u00ad\u200b\u200c\u200d\u2060\ufeff",  # not seen
    "-\u2010\u2011\u2013",
    "אבגدهو\u202e\u202d\u2066\u2069",  # right to left, and marks that say so
    "\ud800\udbff\udc00\udfff",  # halves of pairs
    "\0\n\r\t\x0b\x0c\x1c\x7f\x85\u2028\u2029 \u00a0\u3000",
    "0123456789.,_@/#%+'’",
    "한국어\u1100\u1161\u11a8कषपא中文",
    "ǅŉİıﬁΣςσǰΐ\u1e9e",  # longer or shorter in lower case
    "\U0010ffff\ufffe\U000e0001\ufffd",
)
STEMS = "haus tür auto bahn Straße donau dampf schiff ss ue ae gesellschafts kapitän u\u0308ber Arbeits 3 a".split()

pieces = st.one_of(
    st.sampled_from(STEMS),
    *(st.text(kind, min_size=1, max_size=4) for kind in KINDS),
    st.text(st.characters(), min_size=1, max_size=3),
    st.builds(lambda piece, times: piece * times, st.sampled_from([*STEMS, *map(str, "".join(KINDS))]),
              st.integers(2, 60)),
)  # fmt: skip

words = st.lists(pieces, max_size=8).map("".join)
"""Of some letters up to a few hundred."""


def check_split(split: Segmentation, word: str) -> None:
    """Check all that holds of the split of any string, whatever was asked."""
    assert split.word == word
    assert "".join(split.texts) == word
    assert bool(split.parts) == bool(word)
    ends = [0, *(part.end for part in split.parts)]
    assert [part.start for part in split.parts] == ends[:-1]
    assert ends[-1] == len(word)
    for part in split.parts:
        assert part.start < part.end
        assert part.text == word[part.start : part.end]
        assert part.text.startswith(part.stem + part.link)
    assert split.labels == [int(end in ends) for end in range(1, len(word) + 1)]
    assert (split.tree is None) == (word == "")
    assert 0 <= split.probability <= 1
    assert 0 <= split.compound_probability <= 1
    assert len(split.cut_probabilities) == max(0, len(split.parts) - 1)
    assert all(0 <= p <= 1 + 1e-9 for p in split.cut_probabilities)
    if split.tree is not None:
        leaves = list(split.tree.leaves())
        assert "".join(leaf.text for leaf in leaves) == word
        assert {part.end for part in split.parts} <= {leaf.end for leaf in leaves}


def check_words(segmenter: Segmenter, words: list[str], granularity: str) -> None:
    """Check the splits of a batch, in both forms."""
    splits = segmenter.split_batch(words, granularity=granularity)
    parts = segmenter.split_parts(words, granularity=granularity)
    assert len(splits) == len(parts) == len(words)
    for word, split, (texts, probability) in zip(words, splits, parts, strict=True):
        check_split(split, word)
        assert texts == split.texts
        assert abs(probability - split.probability) < 1e-6


def check_word(segmenter: Segmenter, word: str, k: int, min_parts: int) -> None:
    """Check all else that can be asked of one word."""
    splits = segmenter.nbest(word, k, min_parts=min_parts)
    assert 1 <= len(splits) <= k
    assert len({split.texts for split in splits}) == len(splits)
    for split in splits:
        check_split(split, word)
    assert str(segmenter.explain(word, k, min_parts=min_parts))
    check_split(segmenter.split(word, min_probability=1.0), word)
    for place in range(1, min(len(word), 4)):
        try:
            split = segmenter.split(word, cuts=[place])
        except CutError:
            continue
        check_split(split, word)
        assert place in {part.end for part in split.parts} or not word.isalpha()  # a mark after a letter is its own


def check_text(segmenter: Segmenter, text: str) -> None:
    """Check that a running text comes back, whole and in chunks."""
    tokens = segmenter.split_text(text)
    assert "".join(token.text for token in tokens) == text
    separated = Worker(segmenter).separate([text], SEPARATOR)[0]
    assert separated == join_parts(tokens, SEPARATOR)
    assert join_text(separated, SEPARATOR) == text


def check_letters(text: str) -> None:
    """Check that letters are what Unicode calls extended grapheme clusters."""
    assert _clusters(text) == regex.findall(r"\X", text)


texts = st.tuples(st.sampled_from([" ", "\n", ", "]), st.lists(words, max_size=5)).map(
    lambda pair: pair[0].join(pair[1])
)
