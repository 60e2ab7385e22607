"""The lattice of words: which edges there are, in which order, and how they are found again."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid.lattice import LONGEST_SEGMENT, build_lattice
from lexicon.mining import ROLES, role_of


@given(st.lists(st.text("ab", max_size=12), max_size=4))
def test_every_segment_is_an_edge(words: list[str]) -> None:
    built = build_lattice(words)
    expected = [(w, s, t) for w, word in enumerate(words) for t in range(len(word) + 1) for s in range(t)]
    assert list(zip(built.word.tolist(), built.src.tolist(), built.dst.tolist(), strict=True)) == expected
    assert built.lattice.edge_word().tolist() == built.word.tolist()
    assert built.lattice.edge_dst().tolist() == built.dst.tolist()
    assert built.role.tolist() == [role_of(s, t, len(words[w])) for w, s, t in expected]
    np.testing.assert_array_equal(built.edge(built.word, built.src, built.dst), np.arange(len(expected)))


@given(st.lists(st.integers(0, LONGEST_SEGMENT * 3), min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_long_words_have_the_whole_word_and_no_other_long_edge(lengths: list[int]) -> None:
    built = build_lattice(["x" * length for length in lengths])
    length = np.array(lengths)[built.word]
    whole = (built.src == 0) & (built.dst == length)
    assert ((built.dst - built.src <= LONGEST_SEGMENT) | whole).all()
    assert whole.sum() == sum(1 for n in lengths if n)
    assert set(np.array(ROLES)[built.role[whole]]) <= {"whole"}
    np.testing.assert_array_equal(built.edge(built.word, built.src, built.dst), np.arange(len(built.src)))


def test_edges_grow_linearly_beyond_the_longest_segment() -> None:
    one, two = (build_lattice(["x" * n]).lattice.edge_count for n in (1000, 2000))
    assert two - one == 1000 * LONGEST_SEGMENT
