"""What is timed: the default model in its modes, and its rivals; each with its score on labelled words."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import hybrid
from benchmarks.decoders import Decoder, Labels
from benchmarks.rivals import installed_rivals
from benchmarks.words import WordList, capitalised, test_words
from hybrid.cascade import FirstStage
from hybrid.datasets import read_labelled
from hybrid.errors import DataError
from hybrid.firstpass.splitter import FirstSplitter
from hybrid.metrics import evaluate
from hybrid.model import Model
from hybrid.ranking import read_form
from hybrid.segmenter import MODES, Segmenter
from lexicon.dictionary import read_nouns

WARM = 256
"""Words that each contestant splits before it is timed: more than the first pass splits before it is compiled."""

DEVICE = "cpu"

Run = Callable[[Sequence[str]], object]


@dataclass(frozen=True)
class Contestant:
    """A way to split words.

    Attributes:
        name: as it stands in the tables.
        run: what is timed, on words.
        label: words and a granularity to the labels of each.
        mode: of the default model; None: a rival.
        whole: it is timed on all words, not on as many as take about a second.
    """

    name: str
    run: Run
    label: Callable[[Sequence[str], str], list[Labels]]
    mode: str | None = None
    whole: bool = False


def default_model() -> Model:
    """Return the default model.

    Raises:
        DataError: it has no first pass, so that there are no modes to compare.
    """
    model = hybrid.load(device=DEVICE).model
    if model.first_pass is None:
        raise DataError("the default model has no first pass, so there is nothing to compare; make it anew with "
                        "`make default-model`")  # fmt: skip
    return model


def segmenters(model: Model) -> dict[str, Segmenter]:
    """Return a segmenter of each mode."""
    return {mode: Segmenter(model, device=DEVICE, mode=mode) for mode in MODES}


def contestants(modes: Mapping[str, Segmenter]) -> list[Contestant]:
    """Return the modes, full objects, and the rivals that are installed."""
    found = [Contestant(f"mode {mode}", one.split_parts, partial(labels, one), mode, mode != "nets")
             for mode, one in modes.items()]  # fmt: skip
    cascade = modes["cascade"]
    found.append(Contestant("mode cascade, full objects", cascade.split_batch, partial(_full, cascade), "cascade"))
    rivals = map(capitalised, installed_rivals())
    return [*found, *(Contestant(rival.name, rival.split, partial(_rival, rival)) for rival in rivals)]


def labels(segmenter: Segmenter, words: Sequence[str], granularity: str) -> list[Labels]:
    """Return the labels of words, by the way that is timed where there is one for the granularity."""
    return [_labels(parts) for parts, _ in segmenter.split_parts(words, granularity=granularity)]


def _full(segmenter: Segmenter, words: Sequence[str], granularity: str) -> list[Labels]:
    return [split.labels for split in segmenter.split_batch(words, granularity=granularity)]


def _rival(rival: Decoder, words: Sequence[str], granularity: str) -> list[Labels]:
    return rival.split(words)  # it knows one granularity


def _labels(parts: Sequence[str]) -> Labels:
    ends = set(accumulate(map(len, parts)))
    return [int(at in ends) for at in range(1, max(ends) + 1)]


def scores(label: Callable[[Sequence[str], str], list[Labels]], lists: Sequence[WordList]) -> dict[str, float]:
    """Return the F1 on each list."""
    result = {}
    for of in lists:
        found = label(list(of.gold), of.granularity)
        result[of.name] = evaluate(of.gold, dict(zip(of.gold, found, strict=True))).f1
    return result


def scored_lists(compounds: Path | None, most: int | None) -> list[WordList]:
    """Return the first of the annotated test words and, where there are some, of compounds in the contest's format.

    Raises:
        DataError: a file is not what it should be.
    """
    lists = [test_words(), *([WordList(compounds.stem, read_labelled(compounds), "contest")] if compounds else [])]
    return [replace(of, gold=dict(list(of.gold.items())[:most])) for of in lists]


def nouns(seed: int) -> list[str]:
    """Return the nouns of the list that ships, with a capital, in an order drawn by the seed."""
    found = [noun[:1].upper() + noun[1:] for noun in read_nouns()]
    random.Random(seed).shuffle(found)
    return found


class FirstSight:
    """Tells of words whether the nets would be asked.

    Args:
        model: one with a first pass.
    """

    def __init__(self, model: Model) -> None:
        assert model.first_pass is not None
        splitter = FirstSplitter(model.lexicon, model.alphabet.characters, model.first_pass)
        self._first = FirstStage(splitter, 0.0, partial(read_form, lexicon=model.lexicon))
        self._told = model.corrections
        self.sure = model.first_pass.sure

    def probabilities(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return (B,): how sure the first pass is of each word; -1: it can't read it; inf: the model was told of it."""
        first = self._first.split(words)
        told = np.array([text in self._told for text in first.texts])
        return np.where(told, np.inf, np.where(first.sure, first.splits.probability, -1.0))

    def shares(self, words: Sequence[str]) -> dict[str, float]:
        """Return, for each mode, the share of words that go to the nets."""
        first = self.probabilities(words)
        return {"cascade": float((first < self.sure).mean()), "fast": float((first < 0).mean()), "nets": 1.0}
