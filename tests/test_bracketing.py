"""Bracketing: probabilities of cuts, the weights that make them, the tree and the coarser splits."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid import ModelError, Segmenter, Tree, UserDictionary
from hybrid.bracketing import FEATURES, Bracketer
from hybrid.describing import Describer
from hybrid.training.bracketing import Choice, fit_bracketing
from lexicon import Lexicon, mine, normalize
from lexicon.trie import build_trie

STEMS = ["auto", "bahn", "berg", "feld", "garten", "haus", "hof", "markt", "tür", "wein"]
PAIRS = [(a, b) for a, b in itertools.permutations(STEMS, 2) if (STEMS.index(a) * 3 + STEMS.index(b) * 5) % 4 == 0]
"""The pairs of stems that are words; a third stem beside one should be left out of it."""

LEXICON = Lexicon.from_counts(
    mine(["".join(pair) for pair in PAIRS], [(len(a),) for a, _ in PAIRS], listed=STEMS),
    build_trie([*STEMS, *map("".join, PAIRS)]),
)

PARTS = st.lists(st.one_of(st.sampled_from([*STEMS, "hauses", "bahns"]), st.text("abens", min_size=1, max_size=4)),
                 min_size=2, max_size=6)  # fmt: skip
WEIGHTS = st.lists(st.floats(-8, 8), min_size=len(FEATURES), max_size=len(FEATURES)).map(
    lambda values: dict(zip(FEATURES, values, strict=True))
)


def choices(stems: list[str]) -> list[Choice]:
    """Return three stems of which either the first two or the last two, and not both, are a word."""
    pairs = set(PAIRS)
    return [((a, b, c), 2 if (a, b) in pairs else 1) for a, b, c in itertools.permutations(stems, 3)
            if ((a, b) in pairs) != ((b, c) in pairs)]  # fmt: skip


@pytest.fixture(scope="module")
def bracketer() -> Bracketer:
    return Bracketer(LEXICON, fit_bracketing(choices(STEMS[:7]), LEXICON))


@given(PARTS, WEIGHTS)
def test_probabilities_of_cuts_sum_to_one(parts: list[str], weights: dict[str, float]) -> None:
    probability = Bracketer(LEXICON, weights).cut_probabilities(parts)
    assert probability.shape == (len(parts) - 1,)
    assert (probability >= 0).all()
    assert probability.sum() == pytest.approx(1)


@given(PARTS)
def test_a_word_tells_nothing_of_itself(parts: list[str]) -> None:
    word, weights = "".join(parts), dict.fromkeys(FEATURES, 0.0)
    listed = {*STEMS, *map("".join, PAIRS)} - {word}
    without, with_it = (Lexicon.from_counts(mine([], [], listed=words)) for words in (listed, {*listed, word}))
    np.testing.assert_array_equal(*(Bracketer(x, weights).features(parts) for x in (without, with_it)))


def test_what_is_attested_belongs_together(bracketer: Bracketer) -> None:
    unseen = [choice for choice in choices(STEMS) if not set(choice[0]) <= set(STEMS[:7])]
    assert {left for _, left in unseen} == {1, 2}
    assert len(unseen) > 50
    for parts, left in unseen:
        assert bracketer.cut_probabilities(parts)[left - 1] > 0.7
    untrained = Bracketer(LEXICON, dict.fromkeys(FEATURES, 0.0))
    assert untrained.cut_probabilities(["haus", "tür", "hof"]).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("prior", [0.3, 1.0, 10.0])
def test_the_slope_is_zero_at_the_fitted_weights(prior: float) -> None:
    chosen = [*choices(STEMS[:6]), (("haus", "tür", "hof", "markt"), 2), (("wein", "berg", "auto", "xx"), 1)]
    weights = np.array(list(fit_bracketing(chosen, LEXICON, prior=prior).values()))

    def likelihood(values: np.ndarray) -> float:
        made = Bracketer(LEXICON, dict(zip(FEATURES, values.tolist(), strict=True)))
        logs = [np.log(made.cut_probabilities(parts)[left - 1]) for parts, left in chosen]
        return sum(logs) - prior / 2 * float(values @ values)

    steps = 1e-4 * np.eye(len(weights))
    slope = [(likelihood(weights + step) - likelihood(weights - step)) / 2e-4 for step in steps]
    np.testing.assert_allclose(slope, 0, atol=1e-4)
    assert all(likelihood(weights) > likelihood(weights + 100 * step) for step in (*steps, *-steps))


def test_nothing_chosen_leaves_all_weights_at_zero() -> None:
    assert fit_bracketing([], LEXICON) == dict.fromkeys(FEATURES, 0.0)


def nodes_of(tree: Tree) -> list[Tree]:
    return [tree, *(node for child in tree.children for node in nodes_of(child))]


@given(PARTS)
def test_trees_nest_and_tile(bracketer: Bracketer, parts: list[str]) -> None:
    form = normalize("".join(parts))
    cuts = tuple(itertools.accumulate(map(len, parts[:-1])))
    tree = Describer(LEXICON, bracketer).tree(form.text, form, cuts)
    assert [leaf.text for leaf in tree.leaves()] == parts
    for node in nodes_of(tree):
        assert form.text[node.start : node.end] == node.text
        assert len(node.children) in (0, 2)
        if node.children:
            assert "".join(child.text for child in node.children) == node.text
            assert [child.start for child in node.children] == [node.start, node.children[0].end]
            inner = [leaf.text for leaf in node.leaves()]
            at = int(bracketer.cut_probabilities(inner).argmax()) + 1
            assert node.children[0].text == "".join(inner[:at])


@given(PARTS)
def test_coarser_splits_against_the_rule(bracketer: Bracketer, parts: list[str]) -> None:
    """The head is never cut; for the contest the modifier is cut once where it has parts of its own."""
    form = normalize("".join(parts))
    cuts = tuple(itertools.accumulate(map(len, parts[:-1])))
    describer = Describer(LEXICON, bracketer)
    tree = describer.tree(form.text, form, cuts)
    modifier = tree.children[0]
    inner = tuple(child.end for child in modifier.children[:-1])
    head, contest = {}, {}
    for at, share in enumerate(bracketer.cut_probabilities(parts), 1):
        head[(cuts[at - 1],)] = share
        if at == 1:
            contest[(cuts[0],)] = share
        else:
            for cut, of_modifier in zip(cuts, bracketer.cut_probabilities(parts[:at]), strict=False):
                contest[(cut, cuts[at - 1])] = share * of_modifier
    for name, expected, shown in (("fine", {cuts: 1.0}, cuts), ("head", head, (modifier.end,)),
                                  ("contest", contest, (*inner, modifier.end))):  # fmt: skip
        found = describer.coarse(form, cuts, name)
        assert found == pytest.approx(expected)
        assert sum(found.values()) == pytest.approx(1)
        assert next(iter(found)) == shown
        assert all(set(coarse) <= set(cuts) for coarse in found)


def test_words_of_one_part_and_of_none(bracketer: Bracketer) -> None:
    describer = Describer(LEXICON, bracketer)
    assert describer.tree("Haus", normalize("Haus"), ()) == Tree("Haus", 0, 4)
    assert describer.tree("", normalize(""), ()) is None
    for name in ("fine", "head", "contest"):
        assert describer.coarse(normalize("Haus"), (), name) == {(): 1.0}


def test_without_bracketing_all_parts_stand_side_by_side() -> None:
    form = normalize("Haus-Tür-Hof")
    tree = Describer(LEXICON, None).tree("Haus-Tür-Hof", form, (4, 7))
    assert str(tree) == "(Haus- Tür- Hof)"
    assert Describer(LEXICON, None).coarse(form, (4, 7), "fine") == {(4, 7): 1.0}


def test_granularities_of_a_segmenter(segmenter: Segmenter) -> None:
    words = ["Haus-Türschloss", "Weinberghof", "Hoftürweinberg", "Ei", ""]
    with pytest.raises(ModelError, match="this model knows no bracketing, which granularity 'head' needs"):
        segmenter.split_batch(words, granularity="head")
    knows = Segmenter(replace(segmenter.model, bracketing=fit_bracketing(choices(STEMS), LEXICON)), device="cpu")
    knows = knows.with_user(UserDictionary.make(always=["Haus|tür|schloss", "Wein|berg|hof", "Hof|tür|wein|berg"]))
    fine, head, contest = (knows.split_batch(words, granularity=name) for name in ("fine", "head", "contest"))
    assert [len(split.parts) for split in (*fine[:3], *head[:3])] == [3, 3, 4, 2, 2, 2]
    for word, whole, two, three in zip(words, fine, head, contest, strict=True):
        assert "".join(two.texts) == "".join(three.texts) == word
        assert whole.tree == two.tree == three.tree
        assert {part.end for part in two.parts} <= {part.end for part in three.parts}
        assert {part.end for part in three.parts} <= {part.end for part in whole.parts}
        assert not word or len(three.parts) == len(two.parts) + bool(
            whole.tree.children and whole.tree.children[0].children
        )
