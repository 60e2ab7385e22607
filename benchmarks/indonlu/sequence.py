"""The sequence labelling tasks: a tagger of labelled spans each."""

from benchmarks.indonlu.predictions import Predictions
from benchmarks.indonlu.reading import Sentences
from benchmarks.indonlu.tasks import Task
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.tagger import SpanTagger
from hybrid.labelling.vectors import WordVectors


def tag_task(
    task: Task,
    train: Sentences,
    valid: Sentences,
    test: Sentences | None,
    *,
    vectors: WordVectors | None,
    seed: int,
    device: str | None,
) -> Predictions:
    """Learn from train and label valid and test.

    A passage with a question is taken to have exactly one answer, as nearly all of train have: the lattice knows.

    Args:
        task: of sequence labelling.
        train: is learnt from.
        valid: is labelled; its labels are not read.
        test: the same; None where there is none.
        vectors: what word vectors begin with.
        seed: for everything random.
        device: torch device; None for the best there is.
    """
    if train.labels is None:
        raise ValueError(f"{task.name}: train has no labels")
    tagger = SpanTagger.learn(
        train.words,
        train.labels,
        contexts=train.contexts,
        single=bool(task.context),
        vectors=vectors,
        config=TaggerConfig(seed=seed),
        device=device,
    )
    labelled = [None if split is None else tagger.tag(split.words, split.contexts) for split in (valid, test)]
    return Predictions(labelled[0] or [], labelled[1], tagger.weights)
