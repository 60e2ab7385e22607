"""Strings that nobody would call words, and what holds of a split of any string: for tests and `make fuzz`."""

from hypothesis import strategies as st

from hybrid.segmentation import Segmentation

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
