"""The default model on any words: what it splits, what it leaves whole, and whether its probability can be trusted."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import hybrid
from benchmarks.circumstances import circumstances
from benchmarks.decoders import Decoder, Labels, never_split
from benchmarks.measures import calibration, paired_interval, word_scores
from benchmarks.results import make_folder, write_result
from benchmarks.rivals import installed_rivals
from hybrid.datasets import read_labelled
from hybrid.errors import DataError
from hybrid.metrics import evaluate
from hybrid.segmenter import Segmenter
from lexicon import normalize
from lexicon.gold import read_gold
from lexicon.normalize import HYPHENS
from lexicon.textfile import entries, read_lines

DEFAULT = "default model"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WordList:
    """Words with the labels wanted, and the granularity that they are cut at."""

    name: str
    gold: dict[str, Labels]
    granularity: str = "fine"


def run_words(
    out: Path, *, compounds: Path | None, lists: Sequence[Path], seed: int, device: str | None
) -> dict[str, Any]:
    """Measure the default model and the rivals installed, and write `out`/words.json.

    Args:
        out: folder for the results, made if it is not there.
        compounds: labelled words in the contest's format, cut at granularity "contest".
        lists: files with a line `word TAB parts joined by |`.
        seed: for the intervals.
        device: a torch device name; None: the best there is.

    Raises:
        DataError: a file is not what it should be.
    """
    wanted = [test_words(), *([WordList(compounds.stem, read_labelled(compounds), "contest")] if compounds else [])]
    wanted += [read_list(path) for path in lists]
    make_folder(out)
    segmenter = hybrid.load(device=device)
    learnt = {word.word for word in read_gold() if word.part == "train"}
    result = {
        "lists": {of.name: _measure(of, segmenter, learnt, seed) for of in wanted},
        "calibration": _calibration(segmenter, wanted[0]),
        "model": segmenter.model.card,
        "seed": seed,
        **circumstances(segmenter.device),
    }
    write_result(out, "words", result)
    return result


def test_words() -> WordList:
    """Return the annotated words that the default model has not seen."""
    words = [word for word in read_gold() if word.part == "test"]
    return WordList("annotated", {word.word: word.labels for word in words})


def read_list(path: Path) -> WordList:
    """Read words with parts; those two may differ in case and hyphens.

    Raises:
        DataError: the file is missing, or a line is wrong.
    """
    gold: dict[str, Labels] = {}
    for number, line in entries(read_lines(path, "a table of words and their parts", DataError)):
        word, *rest = line.split("\t")
        if not rest:
            raise DataError(f"{path}: line {number}: no parts; a word, a tab and its parts joined by | are right")
        try:
            gold[word] = labels_of_parts(word, rest[0].split("|"))
        except ValueError as error:
            raise DataError(f"{path}: line {number}: {error}") from None
    return WordList(path.stem, gold)


def labels_of_parts(word: str, parts: Sequence[str]) -> Labels:
    """Return the labels of parts that make up a word but for case and hyphens; a hyphen goes with what it follows.

    Raises:
        ValueError: they don't.
    """
    labels, at = [0] * len(word), 0
    for part in parts:
        if part and HYPHENS.issuperset(part):  # goes with the part before
            continue
        for character in part.strip("".join(HYPHENS)):
            while character not in HYPHENS and at < len(word) and word[at] in HYPHENS:
                at += 1
            if at == len(word) or word[at].lower() != character.lower():
                raise ValueError(f"{'|'.join(parts)!r} are not the parts of {word!r}")
            at += 1
        while at < len(word) and word[at] in HYPHENS:
            at += 1
        labels[at - 1] = 1
    if at < len(word) or not all(parts):
        raise ValueError(f"{'|'.join(parts)!r} are not the parts of {word!r}")
    return labels


def _measure(of: WordList, segmenter: Segmenter, learnt: set[str], seed: int) -> dict[str, Any]:
    """Return the list's size and a row for each decoder; `learnt`: words whose splits the default model was told."""
    unseen = {word: labels for word, labels in of.gold.items() if normalize(word).text not in learnt}

    def split(words: Sequence[str]) -> list[Labels]:
        return [one.labels for one in segmenter.split_batch(words, granularity=of.granularity)]

    decoders = [Decoder(DEFAULT, split), Decoder("never split", never_split), *map(capitalised, installed_rivals())]
    if of.granularity != "fine":
        decoders[1:1] = [Decoder(f"{DEFAULT}, told that all are compounds", _told(segmenter, of.granularity))]
    rows, scores = [], {}
    for decoder in decoders:
        row, scores[decoder.name] = _row(decoder, of, unseen)
        row["against_default"] = paired_interval(scores[decoder.name], scores[DEFAULT], seed=seed)
        rows.append(row)
    compounds = sum(sum(labels) > 1 for labels in of.gold.values())
    return {"words": len(of.gold), "compounds": compounds, "unseen": len(unseen), "granularity": of.granularity,
            "decoders": rows}  # fmt: skip


def capitalised(rival: Decoder) -> Decoder:
    """Return a rival that gets every word with a capital: some are made for nouns as they are written."""
    return replace(rival, split=lambda words: rival.split([word[:1].upper() + word[1:] for word in words]))


def _told(segmenter: Segmenter, granularity: str) -> Callable[[Sequence[str]], list[Labels]]:
    return lambda words: [one.labels for one in segmenter.split_batch(words, granularity=granularity, min_parts=2)]


def _row(decoder: Decoder, of: WordList, unseen: Mapping[str, Labels]) -> tuple[dict[str, Any], Any]:
    words = list(of.gold)
    decoder.split(words[:64])  # compile and load what the decoder loads at its first words
    begin = time.perf_counter()
    predicted = dict(zip(words, decoder.split(words), strict=True))
    seconds = time.perf_counter() - begin
    scores = evaluate(of.gold, predicted)
    whole = [word for word, labels in of.gold.items() if sum(labels) == 1]
    row = {
        "name": decoder.name,
        "f1": scores.f1,
        "exact": scores.exact,
        "f1_unseen": evaluate(unseen, predicted).f1 if unseen else None,
        "whole_left_whole": float(np.mean([sum(predicted[word]) == 1 for word in whole])) if whole else None,
        "words_per_second": len(words) / seconds,
    }
    log.info("%-12s %-60s f1 %.4f, exact %.4f", of.name, decoder.name, row["f1"], row["exact"])
    return row, word_scores(of.gold, predicted)


def _calibration(segmenter: Segmenter, of: WordList) -> dict[str, Any]:
    """Return how far the probabilities of splits, and of being a compound, can be trusted."""
    splits = segmenter.split_batch(of.gold)
    right = [split.labels == labels for split, labels in zip(splits, of.gold.values(), strict=True)]
    compound = [sum(labels) > 1 for labels in of.gold.values()]
    told: Mapping[str, tuple[list[float], list[bool]]] = {
        "splits": ([split.probability for split in splits], right),
        "being a compound": ([split.compound_probability for split in splits], compound),
    }
    return {what: calibration(*pair) for what, pair in told.items()}
