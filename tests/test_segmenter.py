"""Splitting: any string, any batch, probabilities, and the model's own ways."""

import itertools
import pickle
import unicodedata
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import CutError, DataError, ModelError, NoPathError, Segmentation, Segmenter
from hybrid.limits import LONGEST_WORD
from hybrid.ranking import batches
from hybrid.training import TrainingConfig
from tests.conftest import QUICK

COMMON = ["Haustür", "Sonnenschein", "Wachstube", "Arbeitszimmer", "Kinderwagen", "Straße", "a", "", "Video-Call"]


def check_tiles(split: Segmentation, word: str) -> None:
    assert split.word == word
    assert "".join(split.texts) == word
    position = 0
    for part in split.parts:
        assert part.start == position < part.end
        assert word[part.start : part.end] == part.text
        position = part.end
    assert position == len(word)
    assert len(split.labels) == len(word)
    assert 0 < split.probability <= 1


@given(words=st.lists(st.text(max_size=15), max_size=4))
@settings(deadline=None)
def test_any_string_is_tiled_by_its_parts(segmenter: Segmenter, words: list[str]) -> None:
    for word, split in zip(words, segmenter.split_batch(words), strict=True):
        check_tiles(split, word)
    for word in words:
        for split in segmenter.nbest(word, 3):
            check_tiles(split, word)


@given(word=st.text("ahustrenöü", min_size=1, max_size=8), min_parts=st.integers(1, 4))
@settings(deadline=None, max_examples=25)
def test_probabilities_of_all_splits_sum_to_one(segmenter: Segmenter, word: str, min_parts: int) -> None:
    ranking = segmenter.nbest(word, 2 ** (len(word) - 1), min_parts=min_parts)
    expected = sum(
        1 for cuts in itertools.product((0, 1), repeat=len(word) - 1) if sum(cuts) + 1 >= min(min_parts, len(word))
    )
    assert len({str(split) for split in ranking}) == len(ranking) == expected
    assert sum(split.probability for split in ranking) == pytest.approx(1, abs=1e-6)
    scores = [split.score for split in ranking]
    assert scores == sorted(scores, reverse=True)
    assert str(ranking[0]) == str(segmenter.split(word, min_parts=min_parts))


def test_the_same_for_any_batch_size_and_order(segmenter: Segmenter, tiny_data: dict[str, list[int]]) -> None:
    words = [*COMMON, *list(tiny_data)[:100]]
    expected = segmenter.split_batch(words)
    for batch_size in (1, 7):
        found = segmenter.split_batch(words, batch_size=batch_size)
        assert [str(split) for split in found] == [str(split) for split in expected]
        for one, other in zip(found, expected, strict=True):
            assert one.score == pytest.approx(other.score, abs=1e-4)
    backwards = segmenter.split_batch(words[::-1])[::-1]
    assert [str(split) for split in backwards] == [str(split) for split in expected]
    assert [str(segmenter.split(word)) for word in COMMON] == [str(split) for split in expected[: len(COMMON)]]


def test_it_has_learnt_something(segmenter: Segmenter) -> None:
    from hybrid.metrics import evaluate
    from tests.conftest import silver

    gold = silver("val", 300)
    predicted = {split.word: split.labels for split in segmenter.split_batch(gold)}
    assert evaluate(gold, predicted).f1 > 0.6
    assert segmenter.model.min_parts == 1
    assert segmenter.split("Hund").texts == ("Hund",)


def test_words_with_two_parts_or_more_are_always_split(tiny_data: dict[str, list[int]]) -> None:
    model = Segmenter.train(dict(list(tiny_data.items())[::5]), config=QUICK, device="cpu")
    assert model.model.min_parts == 2
    assert all(len(split.parts) >= 2 for split in model.split_batch(["Hund", "ab", "Straße"]))
    assert model.split("a").texts == ("a",)
    assert len(model.split("Hund", min_parts=4).parts) == 4
    assert model.split("Hund", min_parts=9).texts == ("H", "u", "n", "d")


@pytest.mark.parametrize("word", ["Haustür", "Gemüsesuppe", "Ölpreis", "Äpfelöl"])
def test_decomposed_and_composed_umlauts_split_alike(segmenter: Segmenter, word: str) -> None:
    decomposed = unicodedata.normalize("NFD", word)
    assert decomposed != word
    split, other = segmenter.split(word), segmenter.split(decomposed)
    assert tuple(unicodedata.normalize("NFC", text) for text in other.texts) == split.texts
    assert other.score == pytest.approx(split.score, abs=1e-5)


def test_words_beyond_the_longest_are_left_whole(segmenter: Segmenter) -> None:
    long = "Haustür" * (LONGEST_WORD // 7 + 1)
    split = segmenter.split(long)
    assert (split.texts, split.probability) == ((long,), 1.0)
    assert len(segmenter.split(long[:LONGEST_WORD], min_parts=2).parts) > 1


def test_save_and_load_give_the_same_splits(segmenter: Segmenter, model_folder: object) -> None:
    again = Segmenter.load(model_folder)
    assert again.model.training == segmenter.model.training
    for one, other in zip(segmenter.split_batch(COMMON), again.split_batch(COMMON), strict=True):
        assert one == other


def test_a_segmenter_can_be_pickled(segmenter: Segmenter) -> None:
    again = pickle.loads(pickle.dumps(segmenter))
    assert again.split_batch(COMMON) == segmenter.split_batch(COMMON)


def test_listed_words_join_the_inventory_of_a_new_segmenter(segmenter: Segmenter) -> None:
    more = segmenter.with_listed(["Quarzzaun"])
    assert more.model.lexicon.trie.get("quarzzaun", -1) >= 0
    assert segmenter.model.lexicon.trie.get("quarzzaun", -1) == -1


def test_training_data_is_checked() -> None:
    with pytest.raises(DataError, match="2 labelled words; training needs at least 20"):
        Segmenter.train({"Haustür": [0, 0, 0, 1, 0, 0, 1], "ab": [1, 1]})
    with pytest.raises(DataError, match="'Haustür': 2 labels for 7 characters"):
        Segmenter.train({"Haustür": [0, 1]})
    with pytest.raises(DataError, match="an empty word"):
        Segmenter.train({"": []})


def test_odd_training_words_are_taken() -> None:
    """Parts longer than the longest segment, words of one letter, capitals, decomposed letters."""
    odd = {"x" * 50 + "haus": [*[0] * 49, 1, 0, 0, 0, 1], "e": [1], "Tu\u0308r": [0, 0, 0, 1], "y" * 60: [*[0] * 59, 1]}
    data = {f"haus{c}tür": [0, 0, 0, 1, 1, 0, 0, 1] for c in "abcdefghijklmnopqrstuvwxyz"}
    for seed in range(3):  # another word is held out for the weights
        config = replace(QUICK, seed=seed, held_out=0.5)
        assert Segmenter.train({**data, **odd}, config=config).split("Tu\u0308r").word == "Tu\u0308r"


def test_a_model_of_other_columns_is_refused(segmenter: Segmenter) -> None:
    weights = segmenter.model.weights
    with pytest.raises(ModelError, match=r"columns differ from the scorers' in \['rhyme'\]; train the model anew"):
        Segmenter(replace(segmenter.model, weights={**weights, "rhyme": 1.0}))
    with pytest.raises(ModelError, match=r"columns differ from the scorers' in \['inventory_cut'\]"):
        Segmenter(replace(segmenter.model, weights={k: v for k, v in weights.items() if k != "inventory_cut"}))


def test_a_column_without_weight_is_not_computed(segmenter: Segmenter) -> None:
    """A model may do with fewer scorers, or with some of those that are not trained by default."""
    lean = Segmenter(replace(segmenter.model, weights={"count": -1.0, "memory_seen": 0.1, "memory_cut": 1.0,
                                                       "memory_other": -1.0}))  # fmt: skip
    assert [name for scorer in lean.scorers for name in scorer.names] == list(lean.model.weights)
    check_tiles(lean.split("Haustür"), "Haustür")


def test_wrong_arguments_are_named(segmenter: Segmenter, model_folder: object) -> None:
    for call in (segmenter.split_batch, segmenter.with_listed, lambda words: segmenter.nbest_batch(words, 2)):
        with pytest.raises(TypeError, match="is one string; a list of words is right"):
            call("Haus")
    with pytest.raises(TypeError, match="unlabelled is one string"):
        Segmenter.train({}, unlabelled="Haus")
    with pytest.raises(TypeError, match=r"Segmenter\.load\(folder\) makes a segmenter"):
        Segmenter(model_folder)
    with pytest.raises(ValueError, match="batch_size is 0, should be 1 or more"):
        segmenter.split_batch(["Haus"], batch_size=0)
    for least in (0, 33):
        with pytest.raises(ValueError, match=f"min_parts is {least}, should be 1 to 32"):
            segmenter.split_batch(["Haus"], min_parts=least)
    for wrong in ({"seed": -1}, {"held_out": 1.0}, {"tagger_batch": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            TrainingConfig(**wrong)


def test_least_parts_of_training_words(tiny_data: dict[str, list[int]]) -> None:
    with pytest.raises(DataError, match="min_parts is 0"):
        Segmenter.train(tiny_data, min_parts=0)
    with pytest.raises(DataError, match=r"word 'abdampfwärme' has fewer than 3 parts"):
        Segmenter.train(tiny_data, min_parts=3)


def test_numbers_of_numpy_are_labels_too() -> None:
    with pytest.raises(DataError, match="1 labelled words"):
        Segmenter.train({"Ei": np.array([0, 1])})


def test_corners_of_training() -> None:
    letters = Segmenter.train({c: [1] for c in "abcdefghijklmnopqrstuvwxyz"}, config=QUICK)
    assert letters.split("a").texts == ("a",)
    long = {f"ab{i:02}c" * 12 + "xyz": [*[0] * 49, 1, *[0] * 12, 1] for i in range(25)}
    with pytest.raises(DataError, match="whose parts all have at most 40 characters"):
        Segmenter.train(long, config=QUICK)
    nul = {f"haus{c}\0tür": [0, 0, 0, 1, 0, 0, 0, 0, 1] for c in "abcdefghijklmnopqrstuvwxyz"}
    assert Segmenter.train(nul, config=QUICK).split("hausa\0tür").word == "hausa\0tür"


def test_long_words_do_not_pile_up(segmenter: Segmenter) -> None:
    """A batch is bounded by its lattice's edges, not by its words alone."""
    long = list(batches(["ab" * 450] * 25, 1, 1, 2048))
    many = list(batches(["Haustür"] * 500, 200, 1, 2048))
    assert [sum(map(len, parts)) for parts in (long, many)] == [25, 500]
    assert len(long) + len(many) > 4
    assert max(sum(map(len, words)) for words in long) <= 900 * 12
    assert len(segmenter.split_batch(["ab" * 450] * 25)) == 25


def test_nbest_needs_a_number(segmenter: Segmenter) -> None:
    for k in (0, 1001):
        with pytest.raises(ValueError, match=f"k is {k}, should be 1 to 1,000"):
            segmenter.nbest("Haus", k)


def test_no_more_parts_than_asked_for(segmenter: Segmenter) -> None:
    words = ["Arbeitszimmertür", "Haustürschlüsselloch", "x"]
    assert segmenter.most_parts == 3
    for most in (1, 2, 3):
        splits = segmenter.split_batch(words, max_parts=most)
        for word, split in zip(words, splits, strict=True):
            ranking = segmenter.nbest(word, 8)
            few = [s for s in ranking if len(s.parts) <= most]
            assert str(split) == str((few or ranking)[0])
    with pytest.raises(ValueError, match="max_parts is 0, should be 1 or more"):
        segmenter.split_batch(words, max_parts=0)
    with pytest.raises(ValueError, match="max_parts is 2, should be 3 or more, the least number of parts"):
        segmenter.split_batch(words, max_parts=2, min_parts=3)


def test_words_of_very_many_parts_have_a_shallow_tree(segmenter: Segmenter) -> None:
    for word in ("a-" * 400 + "a", "Haus-" * 70 + "tür"):
        split = segmenter.split(word)
        check_tiles(split, word)
        assert str(split.tree).count("(") < 100
        assert split == segmenter.split(word)
        assert "told" not in str(segmenter.explain(word, 1))


def test_a_word_left_whole_for_its_probability_stands_once(segmenter: Segmenter) -> None:
    (whole,) = segmenter.nbest_batch(["Haustür"], 3, min_probability=1.0)[0]
    assert whole.texts == ("Haustür",)
    assert whole.probability == pytest.approx(1 - whole.compound_probability)
    free = next(split for split in segmenter.nbest("Haustür", 50) if len(split.parts) == 1)
    assert whole.score == pytest.approx(free.score)


def test_what_is_no_word_and_no_cut_is_told(segmenter: Segmenter) -> None:
    with pytest.raises(TypeError, match="word is a int; a string is right"):
        segmenter.split(5)
    with pytest.raises(TypeError, match="user is a set"):
        segmenter.with_user({"a"})
    with pytest.raises(CutError, match="longer than 1,000 characters"):
        segmenter.split("Haus" * 251, cuts=[4])
    with pytest.raises(NoPathError, match="'Haus': no split is left"):
        segmenter.split("Haus", no_cuts=[1, 2, 3], min_parts=2)
