"""Taggers, classifiers and word vectors with what careless callers give them."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from hybrid.errors import DataError
from hybrid.labelling.classifier import TextClassifier
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.labels import LabelSet
from hybrid.labelling.lattice import KEPT_EDGES, kept_template, template
from hybrid.labelling.networks import ContextEncoder
from hybrid.labelling.tagger import SpanTagger
from hybrid.labelling.vectors import WordVectors
from hybrid.metrics import chunk_f1
from lexicon.ngrams import character_ngrams, kept_keys
from tests.labelled import FEW, SMALL

QUICK = ClassifierConfig(folds=2, epochs=1, hidden=4, embedding=4)
TEXTS = [["baik", "sekali"], ["buruk", "sekali"]] * 4
KINDS = ["a", "b"] * 4


def test_five_steps_are_enough_for_a_classifier() -> None:
    """Of which the schedule of learning rates would rise over exactly one."""
    found = TextClassifier.learn(TEXTS, KINDS, config=replace(QUICK, epochs=5), device="cpu")
    assert len(found.classify(TEXTS)) == len(TEXTS)


def test_words_that_no_lexicon_can_hold_are_classified() -> None:
    odd = ["\ud800", "\0", "a\tb", "👩‍👩‍👧", "", "x" * 10_000]
    found = TextClassifier.learn([*TEXTS, odd, odd], [*KINDS, "a", "b"], config=replace(QUICK, epochs=0))
    assert set(found.classify([odd, [], *([word] for word in odd)])) <= {"a", "b"}


def test_a_net_that_saw_empty_contexts_alone_reads_contexts() -> None:
    """Else it would take the first words of a context for those of the sentence."""
    words, labels = [["a", "b"], ["c", "d", "e"]], [["B", "O"], ["O", "B", "I"]]
    found = SpanTagger.learn(words, labels, contexts=[["q", "r"], []], config=replace(SMALL, nets=2), device="cpu")
    assert all(isinstance(net.encoder, ContextEncoder) for net in found.learnt.nets)
    assert [len(row) for row in found.tag(words, [[], ["q"] * 9])] == [2, 3]


def test_no_memory_is_kept_of_what_is_unusually_long() -> None:
    """A process that reads long documents or words would else fill up with them."""
    longest, templates, keys = (1, 3), kept_template.cache_info(), kept_keys.cache_info()
    words = KEPT_EDGES // 8 + 1
    assert template(words, longest).into.sum() == 8 * words - 3
    assert len([*character_ngrams(["x" * 500], 3, 3)]) == 500
    assert (kept_template.cache_info(), kept_keys.cache_info()) == (templates, keys)
    assert template(4, longest) is template(4, longest)


def test_of_several_chunks_where_one_is_wanted_the_first_alone_gives_a_label() -> None:
    spans = [[(0, 1, "A"), (1, 3, "A"), (3, 4, None), (4, 5, "B")], [(0, 1, None), (1, 3, "C")]]
    assert LabelSet.of(spans, single=True) == LabelSet((None, "A", "C", None), (1, 1, 2, 1), single=True)
    assert LabelSet.of(spans) == LabelSet((None, "A", "B", "C"), (1, 2, 1, 2))


@pytest.mark.parametrize(
    ("learn", "told"),
    [
        (lambda: SpanTagger.learn(None, FEW[1]), "sentences are of type NoneType; a list of sentences"),
        (lambda: SpanTagger.learn(iter(FEW[0]), FEW[1]), "sentences are of type list_iterator"),
        (lambda: SpanTagger.learn(FEW[0], None), "labels are of type NoneType"),
        (lambda: SpanTagger.learn(FEW[0], FEW[1], contexts="ab"), "contexts are of type str"),
        (lambda: SpanTagger.learn([{"a": 1}], [["B"]]), r"sentence 0 \(from 0\) is \{'a': 1\}; a list of strings"),
        (lambda: WordVectors.learn(None), "texts are of type NoneType"),
        (lambda: WordVectors.learn([["a"], None]), r"text 1 \(from 0\) is None; a list of words is right"),
        (lambda: WordVectors.learn([["a", 1]]), r"text 0 \(from 0\) has the word 1; strings are right"),
        (lambda: WordVectors.learn([[b"a"]]), r"text 0 \(from 0\) has the word b'a'"),
    ],
)  # fmt: skip
def test_what_is_no_list_of_words_is_told(learn: Callable[[], object], told: str) -> None:
    with pytest.raises(DataError, match=told):
        learn()


@pytest.mark.parametrize(
    ("config", "wrong", "told"),
    [
        (TaggerConfig, {"dropout": (0.1,)}, "dropout has 1 rates; three are right"),
        (TaggerConfig, {"folds": 9.5}, "folds is 9.5, should be 1 or more, and a whole number"),
        (ClassifierConfig, {"epochs": None}, "epochs is None, should be 0 or more"),
        (TaggerConfig, {"prior": -1.0}, "prior is -1.0, should be 0 or more"),
        (TaggerConfig, {"rate": np.inf}, "rate is inf"),
        (TaggerConfig, {"vector_scale": np.nan}, "vector_scale is nan"),
        (TaggerConfig, {"seed": 2**70}, "seed is .*, should be 4294967295 or less"),
        (ClassifierConfig, {"seed": 2**70}, "seed is .*, should be 4294967295 or less"),
        (ClassifierConfig, {"weight_decay": -1.0}, "weight_decay is -1.0"),
        (ClassifierConfig, {"prior": np.inf}, "prior is inf"),
    ],
)
def test_numbers_that_cannot_be_trained_with_are_told(config: type, wrong: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        config(**wrong)


def test_a_sentence_without_a_list_of_labels_is_told() -> None:
    with pytest.raises(ValueError, match=r"predicted sentence 1 \(from 0\) is of type NoneType; a list of labels"):
        chunk_f1([["O"], ["B"]], [["O"], None])
