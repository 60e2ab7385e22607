"""F1 of labels and of labelled spans, by label or type, and its two means."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hybrid.chunks import Chunk, iob_chunks


@dataclass(frozen=True, slots=True)
class Counts:
    """How often one label, or one type of chunk, was right.

    Attributes:
        right: how often it is in gold and in prediction, at the same place.
        found: how often it is in the prediction.
        wanted: how often it is in gold.
    """

    right: int
    found: int
    wanted: int

    @property
    def precision(self) -> float:
        """The share of what was found that is right; 0 where nothing was found."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """The share of what was wanted that was found; 0 where nothing was wanted."""
        return self.right / self.wanted if self.wanted else 0.0

    @property
    def f1(self) -> float:
        """2PR / (P + R) of precision P and recall R; 0 where that is 0/0."""
        both = self.found + self.wanted
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True, slots=True)
class F1Scores:
    """F1 of labels, or of types of chunks.

    Attributes:
        each: counts, and with them precision, recall and F1, of all that are in gold or prediction, sorted by name.
    """

    each: Mapping[str, Counts]

    @property
    def macro(self) -> float:
        """The unweighted mean of F1 over all labels or types; 0 where there are none."""
        return math.fsum(counts.f1 for counts in self.each.values()) / len(self.each) if self.each else 0.0

    @property
    def micro(self) -> Counts:
        """Counts of all labels or types together; its F1 is, of labels, the accuracy."""
        return Counts(*(sum(getattr(c, name) for c in self.each.values()) for name in ("right", "found", "wanted")))


def label_f1(gold: Iterable[str], predicted: Iterable[str]) -> F1Scores:
    """Compare labels of texts, one a text; `macro` is what IndoNLU ranks by (Wilie et al. 2020).

    Args:
        gold: (N,) right labels.
        predicted: (N,) labels found, in the same order. Texts with several aspects: `flatten_aspects` first.

    Raises:
        ValueError: there is no label, there are not as many of each, or one is no string.
    """
    gold, predicted = list(gold), list(predicted)
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold labels and {len(predicted)} predicted; as many of each are right")
    if not gold:
        raise ValueError("no gold label to score against")
    for name, labels in (("gold", gold), ("predicted", predicted)):
        for place, label in enumerate(labels):
            if not isinstance(label, str):
                raise ValueError(f"{name} label {place} (from 0) is {label!r}; a string is right")
    return _scores(
        Counter(a for a, b in zip(gold, predicted, strict=True) if a == b), Counter(predicted), Counter(gold)
    )


def flatten_aspects(rows: Iterable[Sequence[str]]) -> list[str]:
    """Return the labels of all (row, aspect) pairs, row by row, for `label_f1`.

    Args:
        rows: of each text a label for each aspect, in the same order of aspects.

    Raises:
        ValueError: a row has more or fewer labels than the first.
    """
    flat: list[str] = []
    width = None
    for place, row in enumerate(rows):
        width = len(row) if width is None else width
        if isinstance(row, str) or len(row) != width:
            told = f"is the string {row!r}" if isinstance(row, str) else f"has {len(row)} labels, row 0 has {width}"
            raise ValueError(f"row {place} (from 0) {told}; one label for each aspect is right")
        flat += row
    return flat


def chunk_f1(gold: Iterable[Sequence[str]], predicted: Iterable[Sequence[str]]) -> F1Scores:
    """Compare chunks of sentences: right are those of the same start, end and type (CoNLL-2000's conlleval).

    `macro`, the mean over types, is what IndoNLU ranks by (Wilie et al. 2020); `micro.f1` is conlleval's overall F1.
    O is no type. Where no chunk is in gold or prediction both are 0.0.

    Args:
        gold: IOB labels of each sentence, one a word, as `iob_chunks` reads them.
        predicted: the same of what was found, in the same order.

    Raises:
        ValueError: there are not as many sentences of each, or labels of a sentence; a sentence is no list, or a label
            none.
    """
    gold, predicted = list(gold), list(predicted)
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold sentences and {len(predicted)} predicted; as many of each are right")
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for place, (labels, guess) in enumerate(zip(gold, predicted, strict=True)):
        _require_list("gold", place, labels)
        _require_list("predicted", place, guess)
        if len(labels) != len(guess):
            told = f"sentence {place} (from 0): {len(labels)} gold labels and {len(guess)} predicted"
            raise ValueError(f"{told}; as many of each are right")
        wants, finds = _chunks("gold", place, labels), _chunks("predicted", place, guess)
        right.update(kind for _, _, kind in set(wants).intersection(finds))
        found.update(kind for _, _, kind in finds)
        wanted.update(kind for _, _, kind in wants)
    return _scores(right, found, wanted)


def _require_list(name: str, place: int, labels: Sequence[str]) -> None:
    if isinstance(labels, str) or not hasattr(labels, "__len__"):
        told = f"the string {labels!r}" if isinstance(labels, str) else f"of type {type(labels).__name__}"
        raise ValueError(f"{name} sentence {place} (from 0) is {told}; a list of labels is right")


def _chunks(name: str, place: int, labels: Sequence[str]) -> list[Chunk]:
    try:
        return iob_chunks(labels)
    except ValueError as error:
        raise ValueError(f"{name} sentence {place} (from 0), {error}") from None


def _scores(right: Counter[str], found: Counter[str], wanted: Counter[str]) -> F1Scores:
    return F1Scores({name: Counts(right[name], found[name], wanted[name]) for name in sorted({*found, *wanted})})
