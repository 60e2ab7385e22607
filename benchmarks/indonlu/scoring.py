"""The benchmark's figure of one task's predictions."""

from collections.abc import Sequence

from benchmarks.indonlu.reading import Documents, Sentences
from hybrid.metrics import F1Scores, chunk_f1, flatten_aspects, label_f1


def score(gold: Documents | Sentences, predicted: Sequence[Sequence[str]]) -> F1Scores | None:
    """Return F1 by label or type, of which the macro mean is the figure; None where the labels are kept back.

    Raises:
        ValueError: predictions are not as many as there are labels.
    """
    if gold.labels is None:
        return None
    if isinstance(gold, Sentences):
        return chunk_f1(gold.labels, predicted)
    return label_f1(flatten_aspects(gold.labels), flatten_aspects(predicted))
