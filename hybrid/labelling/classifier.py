"""TextClassifier: labels of whole texts, learnt from labelled ones; what callers hold."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hybrid.errors import DataError
from hybrid.labelling.checking import check_list, is_list
from hybrid.labelling.classifier_config import ClassifierConfig

if TYPE_CHECKING:
    from hybrid.labelling.classifier_learning import Learnt
    from hybrid.labelling.vectors import WordVectors

BATCH = 512
"""Texts that are scored at a time."""

Labels = Sequence[str] | Sequence[Sequence[str]]


@dataclass(frozen=True)
class TextClassifier:
    """Gives texts a label, or one for each of several aspects.

    Made by `learn`. Every score is a column over (text, aspect, label): log-count ratios of a lexicon of n-grams, a
    linear model over these n-grams, and a net that reads the words in a row; their weighted sum is what counts.

    Attributes:
        labels: (L,), sorted; those too rare to be predicted are not among them.
        single: a text has one label, not a row of labels.
        learnt: lexicon, models and weights.
        config: how it was trained.
    """

    labels: tuple[str, ...]
    single: bool
    learnt: "Learnt"
    config: ClassifierConfig

    @classmethod
    def learn(
        cls,
        texts: Sequence[Sequence[str]],
        labels: Labels,
        *,
        seed: int | None = None,
        vectors: "WordVectors | None" = None,
        config: ClassifierConfig | None = None,
        device: str | None = None,
    ) -> "TextClassifier":
        """Learn from labelled texts.

        Args:
            texts: N, the words of each; a text may be without words.
            labels: of each text a label, or a row of labels, one for each aspect.
            seed: takes the place of the configuration's.
            vectors: what the nets' word vectors begin with, such as `WordVectors.learn` makes of any text.
            config: sizes, rates, epochs; the defaults if None.
            device: torch device; cuda, else mps, else cpu if None.

        Raises:
            DataError: texts and labels differ in number, rows of labels in length; a text is not a list of words, a
                label not a string; fewer texts than folds; fewer than two labels; torch can't use the device.
            ValueError: the seed is negative or above 2³² − 1.
        """
        from hybrid.labelling.classifier_learning import learn

        config = config or ClassifierConfig()
        config = config if seed is None else replace(config, seed=seed)
        _check_texts(texts)
        single, rows = _rows(labels, len(texts))
        if len(texts) < config.folds:
            raise DataError(f"{len(texts)} texts to learn from; {config.folds} or more are right, one for each fold")
        counts = Counter(label for row in rows for label in row)
        names = tuple(sorted(label for label, count in counts.items() if count >= config.rare))
        if len(names) < 2:
            told = f"{len(counts)} different labels, {len(names)} of which {config.rare} texts or more have"
            raise DataError(f"{told}; two or more are right")
        number = {name: i for i, name in enumerate(names)}
        numbers = np.array([[number.get(label, -1) for label in row] for row in rows], np.int64)
        return cls(names, single, learn(texts, numbers, len(names), vectors, config, device), config)

    @property
    def weights(self) -> dict[str, float]:
        """The columns' weights, by name."""
        from hybrid.labelling.classifier_learning import COLUMNS

        return dict(zip(COLUMNS, self.learnt.combination.weights.tolist(), strict=False))

    def probabilities(self, texts: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Return (B, A, L): how probable each label is for each aspect of each text; 0 where the aspect never has it.

        Raises:
            DataError: a text is not a list of words.
        """
        _check_texts(texts)
        parts = [np.zeros((0, *self.learnt.combination.bias.shape))]
        for at in range(0, len(texts), BATCH):
            columns = self.learnt.columns(texts[at : at + BATCH], self.config)
            parts.append(self.learnt.combination.probabilities(columns))
        return np.concatenate(parts)

    def classify(self, texts: Sequence[Sequence[str]]) -> list[str] | list[tuple[str, ...]]:
        """Return a label for each text, or a row of labels where there were rows in training.

        Not always the most probable one: rare labels are favoured as much as macro F1 is expected to gain by it.

        Raises:
            DataError: a text is not a list of words.
        """
        best = self.learnt.combination.best(self.probabilities(texts)).tolist()
        rows = [tuple(self.labels[i] for i in row) for row in best]
        return [row[0] for row in rows] if self.single else rows


def _check_texts(texts: Sequence[Sequence[str]]) -> None:
    """Check that texts are lists of words.

    Raises:
        DataError: one is not.
    """
    check_list(texts, "texts are", "texts, each a list of words,")
    for place, words in enumerate(texts):
        check_list(words, f"text {place} (from 0) is", "words")
        wrong = [type(word).__name__ for word in words if not isinstance(word, str)]
        if wrong:
            raise DataError(f"text {place} (from 0) has a word of type {wrong[0]}; strings are right")


def _rows(labels: Labels, count: int) -> tuple[bool, list[tuple[str, ...]]]:
    """Return whether there is one label a text, and a row of labels for each.

    Raises:
        DataError: they are no list, another number than texts, rows of different lengths, or one is no string.
    """
    check_list(labels, "labels are", "labels, or of rows of labels,")
    if len(labels) != count or not count:
        raise DataError(f"{count} texts and {len(labels)} labels; as many of each are right, and some")
    single = all(isinstance(label, str) for label in labels)
    rows: list[tuple[str, ...]] = []
    for place, label in enumerate(labels):
        where = f"text {place} (from 0)"
        if not single and not is_list(label):
            told = "a string for each text, or a row of strings for each, is right"
            raise DataError(f"{where} has a label of type {type(label).__name__}; {told}")
        row = (str(label),) if single else tuple(label)
        wrong = [type(name).__name__ for name in row if not isinstance(name, str)]
        if wrong:
            raise DataError(f"{where} has a label of type {wrong[0]}; strings are right")
        rows.append(tuple(map(str, row)))  # numpy has strings of its own
        if len(row) != len(rows[0]) or not row:
            raise DataError(f"{where} has {len(row)} labels, text 0 has {len(rows[0])}; as many are right, and some")
    return single, rows
