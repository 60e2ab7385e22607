"""How good predictions are: the contest's F1 and what stands beside it, rankings, labels, labelled spans.

IndoNLU's figures (Wilie et al. 2020) are of texts `label_f1(gold, predicted).macro`, where they have several aspects
after `flatten_aspects`, and of sentences `chunk_f1(gold, predicted).macro`; each kind of tasks has a mean of its own.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hybrid.calibration import Bin, expected_calibration_error, reliability
from hybrid.chunks import Chunk, iob_chunks, iob_labels
from hybrid.f1 import Counts, F1Scores, chunk_f1, flatten_aspects, label_f1

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
