"""The whole of `python -m benchmarks speed`: what is measured, in which order."""

import contextlib
import io
import logging
import os
import random
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from benchmarks.circumstances import circumstances, processor
from benchmarks.results import make_folder, write_result
from benchmarks.speed.answers import measure_answers
from benchmarks.speed.contestants import (
    DEVICE,
    WARM,
    Contestant,
    FirstSight,
    contestants,
    default_model,
    nouns,
    scored_lists,
    segmenters,
)
from benchmarks.speed.cost import measure_cost
from benchmarks.speed.distinct import measure_lists
from benchmarks.speed.growth import by_corpus, by_length, by_threads
from benchmarks.speed.memory import measure_memory
from benchmarks.speed.running import measure_texts
from benchmarks.speed.sizes import FULL, QUICK, Sizes
from benchmarks.speed.timing import one_core
from benchmarks.speed.zipf import Text, file_text
from benchmarks.words import WordList
from hybrid.datasets import read_word_list
from hybrid.model import Model

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Material:
    """What is split.

    Attributes:
        lists: distinct words, by the name of the list.
        warm: other words, which contestants warm up with.
        nouns: what long words are joined of.
        known: many distinct words.
        scored: labelled words.
        texts: running texts.
    """

    lists: dict[str, list[str]]
    warm: list[str]
    nouns: list[str]
    known: list[str]
    scored: list[WordList]
    texts: list[Text]


def run_speed(
    out: Path, *, words: Path | None, compounds: Path | None, text: Path | None, rounds: int | None, quick: bool,
    seed: int,
) -> dict[str, Any]:  # fmt: skip
    """Measure the default model's speed beside its accuracy, and write `out`/speed.json.

    Args:
        out: folder for the results, made if it is not there.
        words: one word a line, in place of nouns of the list that ships.
        compounds: labelled words in the contest's format: a second list, and scored at granularity "contest".
        text: running text, a further one.
        rounds: how often each contestant runs; None: as often as is usual.
        quick: so little of everything that no figure means anything.
        seed: for everything drawn.

    Raises:
        DataError: a file is not what it should be, or the default model has no first pass.
    """
    sizes = QUICK if quick else FULL
    sizes = sizes if rounds is None else replace(sizes, rounds=rounds)
    make_folder(out)
    model = default_model()
    material = _material(model, sizes, words=words, compounds=compounds, text=text, seed=seed)
    machine = {"cpu": processor(), "cores": os.cpu_count(), **circumstances(DEVICE)}
    log.info("first answers")
    first = FirstSight(model)
    answers = measure_answers(first, sizes.rounds)
    result = {
        "rounds": sizes.rounds,
        "quick": quick,
        "sure": first.sure,
        "answers": answers,
        **_in_this_process(model, first, material, sizes, seed),
        "memory": measure_memory(material.texts[: sizes.traced], sizes.block),
        "model": model.card,
        "seed": seed,
        **machine,
    }
    write_result(out, "speed", result)
    return result


def _in_this_process(model: Model, first: FirstSight, material: Material, sizes: Sizes, seed: int) -> dict[str, Any]:
    with one_core():
        modes = segmenters(model)
        entrants = contestants(modes)
        _warm_up(entrants, material.warm)
        lists = measure_lists(material.lists, entrants, material.scored, first, sizes)
        corpus = by_corpus(material.known, modes, first, sizes)
        length = by_length(material.nouns, modes, first, sizes, seed=seed)
        texts = measure_texts(material.texts, modes, sizes)
    words = next(iter(material.lists.values()))
    threads = by_threads(words, modes, sizes)
    cost = measure_cost(model, first, words, material.warm, material.scored, sizes)
    return {"lists": lists, "texts": texts, "growth": {"corpus": corpus, "length": length, "threads": threads},
            "cost": cost, "scored": {of.name: len(of.gold) for of in material.scored}}  # fmt: skip


def _warm_up(entrants: list[Contestant], words: list[str]) -> None:
    assert torch.get_num_threads() == 1
    for one in entrants:
        log.info("warm up: %s", one.name)
        with contextlib.redirect_stdout(io.StringIO()):  # one rival tells how many words it loads
            one.run(words)


def _material(
    model: Model, sizes: Sizes, *, words: Path | None, compounds: Path | None, text: Path | None, seed: int
) -> Material:
    drawn = nouns(seed)
    warm = drawn[-WARM:]
    first = drawn[:-WARM][: sizes.words] if words is None else list(dict.fromkeys(read_word_list(words)))
    scored = scored_lists(compounds, sizes.scored)
    lists = {"nouns" if words is None else words.name: first}
    lists.update({of.name: list(of.gold) for of in scored[1:]})
    known = sorted(model.lexicon.dictionary)
    random.Random(seed).shuffle(known)
    texts = [Text("frequent words", tokens=sizes.tokens, seed=seed),
             Text("frequent words, long tail", tail=True, tokens=sizes.tokens, seed=seed)]  # fmt: skip
    if text is not None:
        texts.append(file_text(text, None if sizes.whole_file else sizes.tokens))
    return Material(lists, warm, drawn, known[: max(sizes.corpus)], scored, texts)
