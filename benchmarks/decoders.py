"""The ways to split that are compared: each turns words into labels, some into rankings too."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybrid.columns import column_names, compute_columns
from hybrid.decoding import spanning
from hybrid.evidence import gather
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.scorers import Scorer
from hybrid.segmenter import Segmenter
from hybrid.training.weights import fit_weights
from hybrid.training.words import SplitWords
from lexicon import Lexicon, normalize

Labels = list[int]
Split = Callable[[Sequence[str]], list[Labels]]
Rank = Callable[[Sequence[str], int], list[list[Labels]]]


@dataclass(frozen=True)
class Decoder:
    """A way to split.

    Attributes:
        name: as it stands in the tables.
        split: words → the labels of each.
        rank: words and k → up to k label lists of each, the best first; None: it has no ranking.
    """

    name: str
    split: Split
    rank: Rank | None = None


def never_split(words: Sequence[str]) -> list[Labels]:
    """Leave every word whole."""
    return [[0] * (len(word) - 1) + [1] for word in words]


def longest_match(lexicon: Lexicon) -> Split:
    """Return the decoder that takes, from left to right, the longest part of the lexicon, the whole word excepted.

    What no part begins with goes to the part before it.
    """

    def cuts(text: str) -> list[int]:
        ends, at, matched = [], 0, False
        while at < len(text):
            longest = 0
            for prefix, number in lexicon.trie.iter_prefixes_with_ids(text[at : at + LONGEST_SEGMENT]):
                if lexicon.parts[number].any() and len(prefix) < len(text):
                    longest = max(longest, len(prefix))
            if at and (longest or matched):
                ends.append(at)
            matched = longest > 0
            at += longest or 1
        return ends

    def split(words: Sequence[str]) -> list[Labels]:
        forms = [normalize(word) for word in words]
        return [form.to_labels(cuts(form.text)) for form in forms]

    return split


def weighted(name: str, segmenter: Segmenter) -> Decoder:
    """Return the exact decoder of a segmenter's columns, with no more parts than training words had."""
    return Decoder(
        name,
        lambda words: [split.labels for split in segmenter.split_batch(words, max_parts=segmenter.most_parts)],
        lambda words, k: [[split.labels for split in splits] for splits in segmenter.nbest_batch(words, k)],
    )


def threshold(segmenter: Segmenter, column: str) -> Split:
    """Return the decoder that cuts wherever a boundary net's probability is above a half."""
    scorer = next(s for s in segmenter.scorers if s.names == (column,))

    def split(words: Sequence[str]) -> list[Labels]:
        forms = [normalize(word) for word in words]
        evidence = gather([form.text for form in forms], segmenter.model.lexicon)
        logits = np.zeros(len(evidence.seen), np.float32)
        logits[evidence.dst_node()] = scorer.score(evidence)[0]  # equal for all edges into a node
        nodes = np.split(logits, evidence.lattice.lattice.node_ptr[1:-1])
        return [
            form.to_labels([at for at in np.flatnonzero(node > 0).tolist() if 0 < at < len(form.text)])
            for form, node in zip(forms, nodes, strict=True)
        ]

    return _in_batches(split)


def greedy(segmenter: Segmenter) -> Split:
    """Return the decoder that makes the cut which raises the score most, again and again, until none does."""

    def split(words: Sequence[str]) -> list[Labels]:
        forms = [normalize(word) for word in words]
        evidence = gather([form.text for form in forms], segmenter.model.lexicon)
        lattice, score = evidence.lattice, segmenter.score(evidence)
        if segmenter.model.min_parts > 1:
            score = np.where(spanning(lattice.lattice), -np.inf, score)
        result = []
        for w, form in enumerate(forms):
            table = np.full((len(form.text) + 1,) * 2, -np.inf)
            edges = np.flatnonzero(lattice.word == w)
            table[lattice.src[edges], lattice.dst[edges]] = score[edges]
            result.append(form.to_labels(_greedy_cuts(table)))
        return result

    return _in_batches(split)


def _greedy_cuts(table: np.ndarray) -> list[int]:
    """Cut a word of n characters whose segments score as `table` (n + 1, n + 1) says, −inf: not allowed."""
    bounds = [0, len(table) - 1]
    while True:
        gains = [
            (table[start, cut] + table[cut, end] - (table[start, end] if table[start, end] > -np.inf else 0), cut)
            for start, end in zip(bounds, bounds[1:], strict=False)
            for cut in range(start + 1, end)
            if table[start, cut] + table[cut, end] > -np.inf
        ]
        gain, cut = max(gains, default=(0.0, 0))
        must = len(bounds) == 2 and table[0, -1] == -np.inf  # the whole word is not allowed
        if not gains or not (gain > 0 or must):
            return bounds[1:-1]
        bounds = sorted([*bounds, cut])


def _in_batches(split: Split, size: int = 1024) -> Split:
    return lambda words: [row for at in range(0, len(words), size) for row in split(words[at : at + size])]


@dataclass(frozen=True)
class Refit:
    """A model's columns on the words kept for the weights, so that any choice of them can be weighed anew."""

    segmenter: Segmenter
    held: SplitWords
    lexicon: Lexicon
    scorers: Sequence[Scorer]
    prior: float

    def weigh(self, wanted: Sequence[Sequence[str]]) -> list[Segmenter]:
        """Return a segmenter for each choice of columns, its weights fitted as the full model's are."""
        evidence = gather(self.held.words, self.lexicon)
        names, columns = column_names(self.scorers), compute_columns(self.scorers, evidence)
        gold, lattice = self.held.gold_edges(evidence), evidence.lattice.lattice
        least = self.segmenter.model.min_parts
        result = []
        for chosen in wanted:
            rows = [names.index(name) for name in chosen]
            weights = fit_weights(lattice, columns[rows], gold, min_parts=least, prior=self.prior)
            model = replace(self.segmenter.model, weights=dict(zip(chosen, weights.tolist(), strict=True)))
            result.append(Segmenter(model, device=self.segmenter.device))
        return result
