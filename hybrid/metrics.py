"""How good predicted splits are: the contest's F1 and what stands beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
