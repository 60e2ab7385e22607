"""What the default model's first pass learns from: listed words, words put together, and what the nets say of them."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hybrid.decoding import marginals
from hybrid.evidence import gather
from hybrid.inference import one_thread
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.ranking import read_form
from hybrid.segmenter import Segmenter
from hybrid.training.first_pass import Lessons
from lexicon import Lexicon
from lexicon.mining import FINAL, INITIAL, MEDIAL, role_of

FORMS = 120_000
"""Inflected words and those of other kinds, drawn from the dictionary."""

MADE = 100_000
"""Words put together from the lexicon's parts, which no list has; every fourth of three parts."""

CERTAIN = 0.95
"""Least probability of the parts without which a word is seen once more, as if it had not been counted."""

NOTED = 5e-4
"""Least probability of a segment that is worth noting."""

CHUNK = 2048

Cuts = tuple[int, ...]


def choose_words(
    lexicon: Lexicon, nouns: Iterable[str], frequent: Iterable[str], gold: Iterable[str], seed: int
) -> list[str]:
    """Return nouns, frequent and annotated words, some of the dictionary's others, and some put together.

    Args:
        lexicon: its dictionary's words and its parts.
        nouns: dictionary forms of nouns.
        frequent: words that are common, known or not.
        gold: annotated words.
        seed: for what is drawn.
    """
    rng = np.random.default_rng(seed)
    nouns = set(nouns)
    others = sorted(set(lexicon.dictionary) - nouns)
    drawn = [others[i] for i in rng.permutation(len(others))[:FORMS]]
    words = {*(word for word in nouns if word in lexicon.dictionary), *drawn, *(word.lower() for word in frequent),
             *gold, *_put_together(lexicon, rng)}  # fmt: skip
    chosen = sorted(word for word in words if word.isalpha() and 2 < len(word) <= LONGEST_SEGMENT)
    return [chosen[i] for i in rng.permutation(len(chosen))]


def _put_together(lexicon: Lexicon, rng: np.random.Generator) -> list[str]:
    """Return words of two and three parts, each drawn by the root of its count in the role."""
    drawn = []
    for role in (INITIAL, MEDIAL, FINAL):
        counts = np.sqrt(lexicon.parts[:, role])
        if not counts.any():
            return []
        numbers = rng.choice(len(counts), MADE, p=counts / counts.sum())
        drawn.append([lexicon.trie.restore_key(number) for number in numbers.tolist()])
    three = rng.random(MADE) < 0.25
    return [first + (middle if with_middle else "") + last
            for first, middle, last, with_middle in zip(*drawn, three.tolist(), strict=True)]  # fmt: skip


def gather_lessons(segmenter: Segmenter, words: Sequence[str]) -> Lessons:
    """Return what the nets say of words; those that the lexicon has counted are seen twice, once as if it had not.

    Args:
        segmenter: whose nets.
        words: in lower case.
    """
    texts = [read_form(word, segmenter.model.lexicon).text for word in words]
    chunks = [texts[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
    with one_thread(), ThreadPoolExecutor(os.cpu_count()) as workers:
        as_they_are = list(workers.map(lambda chunk: _ask(segmenter, chunk, [None] * len(chunk)), chunks))
        counted = [pair for lessons in as_they_are for pair in _counted(lessons, segmenter.model.lexicon)]
        again = [counted[at : at + CHUNK] for at in range(0, len(counted), CHUNK)]
        not_counted = list(workers.map(lambda pairs: _ask(segmenter, *map(list, zip(*pairs, strict=True))), again))
    return Lessons.join([*as_they_are, *not_counted])


def _ask(segmenter: Segmenter, words: list[str], own: list[Cuts | None]) -> Lessons:
    """Return what the nets say of words whose lattices fit in memory together; `own` as in `Lessons`."""
    known = [cuts for cuts in own if cuts is not None]
    evidence = gather(words, segmenter.model.lexicon, known or None)
    probability = marginals(evidence.lattice.lattice, segmenter.score(evidence)).edge
    some = np.flatnonzero(probability >= NOTED)
    lattice = evidence.lattice
    return Lessons(words, own, lattice.word[some], lattice.src[some], lattice.dst[some], probability[some])


def _counted(lessons: Lessons, lexicon: Lexicon) -> list[tuple[str, Cuts]]:
    """Return the listed words whose certain split the lexicon may have counted, with its inner cuts."""
    sure = lessons.probability >= CERTAIN
    ends: list[list[tuple[int, int]]] = [[] for _ in lessons.words]
    for word, start, end in zip(*(x[sure].tolist() for x in (lessons.word, lessons.start, lessons.end)), strict=True):
        ends[word].append((start, end))
    return [(word, tuple(end for _, end in parts[:-1]))
            for word, parts in zip(lessons.words, map(sorted, ends), strict=True)
            if _may_be_counted(word, parts, lexicon)]  # fmt: skip


def _may_be_counted(word: str, parts: list[tuple[int, int]], lexicon: Lexicon) -> bool:
    number = lexicon.trie.get(word, -1)
    if number < 0 or not lexicon.listed[number] or sum(end - start for start, end in parts) < len(word):
        return False
    for start, end in parts:
        number = lexicon.trie.get(word[start:end], -1)
        if number < 0 or not lexicon.parts[number, role_of(start, end, len(word))]:
            return False
    stretch = lexicon.trie.get(word[: parts[-1][0]], -1) if len(parts) > 1 else 0
    return len(parts) == 1 or (stretch >= 0 and bool(lexicon.seen[stretch]))
