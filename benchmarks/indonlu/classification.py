"""The classification tasks: a text classifier for those with one text, a forest over edits for pairs of sentences."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from benchmarks.indonlu.pairs import PairClassifier
from benchmarks.indonlu.predictions import Predictions
from benchmarks.indonlu.reading import Documents
from benchmarks.indonlu.tasks import Task
from benchmarks.indonlu.words import words_of
from hybrid.labelling.classifier import TextClassifier
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.vectors import WordVectors

RARE = 10
"""Labels of fewer (text, aspect) pairs of train are not predicted; HoASA's neg_pos has 9 of 22,830."""

SETTINGS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "EmoT": {"epochs": 6},
        "SmSA": {"epochs": 4},
        "CASA": {"epochs": 22, "batch": 16, "hidden": 80, "repeats": 2},
        "HoASA": {"epochs": 12, "hidden": 80},
    }
)
"""What differs from the classifier's defaults, by task; chosen by cross-validation on train."""


def classify_task(
    task: Task,
    train: Documents,
    valid: Documents,
    test: Documents | None,
    *,
    vectors: WordVectors | None,
    seed: int,
    device: str | None,
) -> Predictions:
    """Learn from train and label valid and test.

    Args:
        task: of classification.
        train: is learnt from.
        valid: is labelled; its labels are not read.
        test: the same; None where there is none.
        vectors: what word vectors begin with.
        seed: for everything random.
        device: torch device; None for the best there is.

    Raises:
        ValueError: train has no labels.
        ImportError: pairs of sentences, and scikit-learn is not installed.
    """
    if train.labels is None:
        raise ValueError(f"{task.name}: train has no labels")
    if len(task.texts) == 2:
        pairs = PairClassifier.learn(_pairs(train), [row[0] for row in train.labels], vectors=vectors, seed=seed)
        of_test = None if test is None else _rows(pairs.classify(_pairs(test)))
        return Predictions(_rows(pairs.classify(_pairs(valid))), of_test, {})
    config = ClassifierConfig(seed=seed, rare=RARE, **SETTINGS.get(task.name, {}))
    texts = TextClassifier.learn(_texts(train), train.labels, vectors=vectors, config=config, device=device)
    of_test = None if test is None else _rows(texts.classify(_texts(test)))
    return Predictions(_rows(texts.classify(_texts(valid))), of_test, texts.weights)


def _rows(labels: Sequence[str] | Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    return [(label,) if isinstance(label, str) else label for label in labels]


def _texts(documents: Documents) -> list[list[str]]:
    return [words_of(text) for (text,) in documents.texts]


def _pairs(documents: Documents) -> list[tuple[Sequence[str], Sequence[str]]]:
    return [(words_of(left, lower=False), words_of(right, lower=False)) for left, right in documents.texts]
