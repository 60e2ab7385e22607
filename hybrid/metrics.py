"""How good predictions are: the contest's F1 and what stands beside it, rankings, labels, labelled spans.

IndoNLU's figures (Wilie et al. 2020) are of texts `label_f1(gold, predicted).macro`, where they have several aspects
after `flatten_aspects`, and of sentences `chunk_f1(gold, predicted).macro`; each kind of tasks has a mean of its own.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hybrid.calibration import Bin, expected_calibration_error, reliability
from hybrid.chunks import Chunk, iob_chunks, iob_labels

__all__ = [
    "Bin",
    "Chunk",
    "Counts",
    "F1Scores",
    "Scores",
    "Span",
    "chunk_f1",
    "dcg",
    "evaluate",
    "expected_calibration_error",
    "flatten_aspects",
    "iob_chunks",
    "iob_labels",
    "label_f1",
    "ndcg",
    "relevance",
    "reliability",
    "span_f1",
    "spans",
]

Span = tuple[int, int]


def spans(labels: Sequence[int]) -> list[Span]:
    """Return the (start, end) of each part; what follows the last 1 is a part too."""
    ends = [i + 1 for i, label in enumerate(labels) if label]
    if labels and not labels[-1]:
        ends.append(len(labels))
    return list(zip([0, *ends[:-1]], ends, strict=True)) if ends else []


def span_f1(gold: Sequence[int], predicted: Sequence[int]) -> float:
    """Return the contest's F1 of one word: over exact (start, end) parts; 0 for a wrong length or where none match."""
    if len(gold) != len(predicted):
        return 0.0
    wanted, found = set(spans(gold)), set(spans(predicted))
    right = len(wanted & found)
    if not right:
        return 0.0
    precision, recall = right / len(found), right / len(wanted)
    return 2 * precision * recall / (precision + recall)


@dataclass(frozen=True, slots=True)
class Scores:
    """Measures over all gold words.

    Attributes:
        words: how many gold words there are.
        f1: mean of `span_f1`, the contest's score.
        exact: share of words whose split is right as a whole.
        boundary_precision, boundary_recall: of inner cuts, over all words together; 0 where there are none to count.
        missing: gold words without a prediction.
        wrong_length: words whose prediction has another length.
    """

    words: int
    f1: float
    exact: float
    boundary_precision: float
    boundary_recall: float
    missing: int
    wrong_length: int


def evaluate(gold: Mapping[str, Sequence[int]], predicted: Mapping[str, Sequence[int]]) -> Scores:
    """Score predictions; a missing word or one of the wrong length scores 0, words not in `gold` do not count.

    Raises:
        ValueError: `gold` holds no word.
    """
    if not gold:
        raise ValueError("no gold word to score against")
    f1 = exact = right = found = wanted = 0.0
    for word, labels in gold.items():
        guess = predicted.get(word, [])
        if len(guess) != len(labels):
            guess = []
        f1 += span_f1(labels, guess)
        exact += spans(labels) == spans(guess)
        cuts, guessed = ({end for _, end in spans(s)} - {len(labels)} for s in (labels, guess))
        right += len(cuts & guessed)
        found += len(guessed)
        wanted += len(cuts)
    return Scores(
        words=len(gold),
        f1=f1 / len(gold),
        exact=exact / len(gold),
        boundary_precision=right / found if found else 0.0,
        boundary_recall=right / wanted if wanted else 0.0,
        missing=sum(word not in predicted for word in gold),
        wrong_length=sum(word in predicted and len(predicted[word]) != len(labels) for word, labels in gold.items()),
    )


def relevance(gold: Sequence[int], predicted: Sequence[int]) -> int:
    """Return a split's grade in a ranking: 2 the gold split, 1 one consistent with it, 0 any other.

    Consistent is a coarsening or a refinement of the gold split that shares an inner boundary with it.
    """
    if len(gold) != len(predicted):
        return 0
    wanted, found = ({end for _, end in spans(labels)} - {len(gold)} for labels in (gold, predicted))
    if wanted == found:
        return 2
    return int(bool(wanted & found) and (wanted < found or found < wanted))


def dcg(relevances: Sequence[float], *, k: int = 20) -> float:
    """Return the discounted cumulative gain of a ranking's first k: Σ relevance / log2(rank + 1).

    Raises:
        ValueError: k is below 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}, should be 1 or more")
    return sum(value / math.log2(rank + 1) for rank, value in enumerate(relevances[:k], 1))


def ndcg(relevances: Sequence[float], *, k: int = 20, pool: Sequence[float] | None = None) -> float:
    """Return the normalised discounted cumulative gain of a ranking's first k (Järvelin & Kekäläinen 2002).

    Args:
        relevances: grades in the order of the ranking, the best-ranked first.
        k: how many of them count.
        pool: the grades that an ideal ranking could draw from, in any order, such as those of all systems' splits;
            None: the submitted list alone, which does not punish a system for what it left out.

    Returns:
        0 … 1; 0 where the ideal has no gain.

    Raises:
        ValueError: k is below 1, a grade is negative or not finite, or the pool's best k have less gain than the list.
    """
    pool = None if pool is None else list(pool)
    wrong = next((value for value in (*relevances, *(pool or ())) if not 0 <= value < math.inf), None)
    if wrong is not None:
        raise ValueError(f"a relevance is {wrong}, should be 0 or more and finite")
    ideal = dcg(sorted(relevances if pool is None else pool, reverse=True), k=k)
    gain = dcg(relevances, k=k)
    if gain > ideal * (1 + 1e-12):
        raise ValueError("the pool lacks grades of the list; it should hold all of them")
    return min(1.0, gain / ideal) if ideal else 0.0


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
        ValueError: there are not as many sentences of each, or labels of a sentence; or a label is none.
    """
    gold, predicted = list(gold), list(predicted)
    if len(gold) != len(predicted):
        raise ValueError(f"{len(gold)} gold sentences and {len(predicted)} predicted; as many of each are right")
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for place, (labels, guess) in enumerate(zip(gold, predicted, strict=True)):
        if len(labels) != len(guess):
            told = f"sentence {place} (from 0): {len(labels)} gold labels and {len(guess)} predicted"
            raise ValueError(f"{told}; as many of each are right")
        wants, finds = _chunks("gold", place, labels), _chunks("predicted", place, guess)
        right.update(kind for _, _, kind in set(wants).intersection(finds))
        found.update(kind for _, _, kind in finds)
        wanted.update(kind for _, _, kind in wants)
    return _scores(right, found, wanted)


def _chunks(name: str, place: int, labels: Sequence[str]) -> list[Chunk]:
    if isinstance(labels, str):
        raise ValueError(f"{name} sentence {place} (from 0) is the string {labels!r}; a list of labels is right")
    try:
        return iob_chunks(labels)
    except ValueError as error:
        raise ValueError(f"{name} sentence {place} (from 0), {error}") from None


def _scores(right: Counter[str], found: Counter[str], wanted: Counter[str]) -> F1Scores:
    return F1Scores({name: Counts(right[name], found[name], wanted[name]) for name in sorted({*found, *wanted})})
