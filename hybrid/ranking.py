"""Words to ranked splits, and given splits to their probabilities: what a segmenter does with a batch."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hybrid.constraints import FREE, Cuts, constrain
from hybrid.decoding import Path, k_best, marginals, viterbi
from hybrid.describing import Describer
from hybrid.evidence import Evidence, gather
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.limits import LONGEST_WORD, MOST_PARTS
from hybrid.segmentation import Segmentation
from hybrid.user import UserDictionary
from lexicon import Lexicon, LookupForm, normalize
from lexicon.respelling import respell

Reals = NDArray[np.float64]

Told = tuple[int, ...]
"""The inner cuts of a word that are given, not found."""

Score = Callable[[Evidence], Reals]
"""Evidence to (E,): the score of each edge, in nats."""

BATCH = 2048
"""Words, and"""

BATCH_EDGES = 400_000
"""edges, whose lattices are held in memory at a time: some 100 MB. Ordinary words have about 100 edges each."""

FINE_SPLITS = 4
"""Splits into finest parts, beyond those asked for, over which a coarser split's probability is summed."""

NOTHING = LookupForm("", (0,))
"""Stands in a lattice for a word that is left whole."""


@dataclass(frozen=True, slots=True)
class Request:
    """How words are to be split.

    Attributes:
        k: how many splits of each word.
        min_parts: the least number of parts, at the finest granularity.
        granularity: one of `GRANULARITIES`.
        min_probability: a word whose best split into finest parts is less probable is left whole.
    """

    k: int
    min_parts: int
    granularity: str = "fine"
    min_probability: float = 0.0


def batches(words: Iterable[str], k: int, min_parts: int, batch_size: int) -> Iterator[list[str]]:
    """Yield words whose lattices fit in memory together.

    Args:
        words: any strings.
        k: how many splits of each are wanted.
        min_parts: the least number of parts.
        batch_size: most words at a time.

    Raises:
        ValueError: `min_parts` is not 1 … `MOST_PARTS`.
    """
    if not 1 <= min_parts <= MOST_PARTS:
        raise ValueError(f"min_parts is {min_parts}, should be 1 to {MOST_PARTS}")
    batch: list[str] = []
    edges = 0
    for word in words:
        layers = min(min_parts, len(word)) if min_parts > 2 else 1
        cost = len(word) * (min(len(word), LONGEST_SEGMENT) * layers + k)
        if batch and (len(batch) == batch_size or edges + cost > BATCH_EDGES):
            yield batch
            batch, edges = [], 0
        batch.append(word)
        edges += cost
    if batch:
        yield batch


def read_form(word: str, lexicon: Lexicon) -> LookupForm:
    """Return a word's lookup form in the spelling that the lexicon knows."""
    form = normalize(word)
    return respell(form, lexicon.dictionary) if len(form.text) <= LONGEST_WORD else form


@dataclass(frozen=True)
class Ranker:
    """Ranks the splits of words.

    Attributes:
        lexicon: what is known of them.
        score: how edges are scored.
        describer: what tells parts, trees and coarser splits.
        user: words that are always or never cut.
        corrections: words with cuts that the model was told.
    """

    lexicon: Lexicon
    score: Score
    describer: Describer
    user: UserDictionary
    corrections: Mapping[str, tuple[int, ...]]

    def rank(
        self, words: Sequence[str], request: Request, wanted: Sequence[Cuts | Told] | None = None
    ) -> Iterator[list[Segmentation]]:
        """Yield up to k splits of each word, the most probable first.

        Args:
            words: words whose lattices fit in memory together.
            request: how they are to be split.
            wanted: for each word, the cuts that its caller forces or forbids, or all its cuts; None: what the user's
                dictionary or the model's corrections tell.
        """
        forms = [read_form(word, self.lexicon) for word in words]
        if wanted is None:
            wanted = [self.cuts_of(form) for form in forms]
        evidence, scores, _ = self.lattice(forms, wanted)
        lattice = evidence.lattice.lattice
        k = request.k + (FINE_SPLITS if request.granularity != "fine" else 0)
        k = min(k, 2 ** min(max((len(text) for text in evidence.lattice.words), default=1), 62))  # no word has more
        sums = marginals(lattice, scores, min_parts=request.min_parts)
        if k == 1:
            rankings = [[path] for path in viterbi(lattice, scores, min_parts=request.min_parts)]
        else:
            rankings = k_best(lattice, scores, k, min_parts=request.min_parts)
        nodes = np.split(sums.node(lattice), lattice.node_ptr[1:-1])
        whole = _whole(evidence, sums.edge)
        for word, form, of_word, paths, *numbers in zip(
            words, forms, wanted, rankings, sums.log_z.tolist(), nodes, whole.tolist(), strict=True
        ):
            if isinstance(of_word, Cuts):
                yield self._read_off(word, form, paths, evidence, request, *numbers)
            else:
                yield [self._tell(word, form, of_word, request)]

    def cuts_of(self, form: LookupForm) -> Cuts | Told:
        """Return the cuts that the user's dictionary or the model's corrections tell of a word, or no constraint."""
        told = self.user.cuts_of(form, self.corrections)
        return FREE if told is None else told

    def lattice(
        self, forms: Sequence[LookupForm], wanted: Sequence[Cuts | Told]
    ) -> tuple[Evidence, Reals, Reals | None]:
        """Return the words' lattice, its edges' scores, −inf where a caller forbids one, and what constraints added.

        Words whose cuts are told, and those too long, are empty in it.
        """
        found = [cuts if isinstance(cuts, Cuts) and 0 < len(form.text) <= LONGEST_WORD else None
                 for form, cuts in zip(forms, wanted, strict=True)]  # fmt: skip
        decoded = [NOTHING if cuts is None else form for form, cuts in zip(forms, found, strict=True)]
        evidence = gather([form.text for form in decoded], self.lexicon)
        scores = self.score(evidence)
        added = constrain(evidence, decoded, [cuts or FREE for cuts in found])
        return evidence, scores if added is None else scores + added, added

    def probabilities(self, data: Mapping[str, Sequence[int]], *, min_parts: int) -> list[float]:
        """Return the posterior probability of a given split of each word.

        Args:
            data: words whose lattices fit in memory together, with 0/1 for each of their characters.
            min_parts: the least number of parts.
        """
        read = [self._labelled_form(word, labels) for word, labels in data.items()]
        forms, cuts = [form for form, _ in read], [inner for _, inner in read]
        wanted = [self.cuts_of(form) for form in forms]
        evidence, scores, _ = self.lattice(forms, wanted)
        lattice = evidence.lattice
        log_z = marginals(lattice.lattice, scores, min_parts=min_parts).log_z
        result: list[float] = []
        for w, (form, inner) in enumerate(zip(forms, cuts, strict=True)):
            length = len(form.text)
            starts, ends = np.array([0, *inner]), np.array([*inner, length])
            told = wanted[w]
            if not isinstance(told, Cuts):
                result.append(float(inner == told))
            elif length > LONGEST_WORD:  # left whole
                result.append(0.0 if inner else 1.0)
            elif len(starts) < min(min_parts, length) or (inner and max(ends - starts) > LONGEST_SEGMENT):
                result.append(0.0)
            else:
                total = scores[lattice.edge(np.full(len(starts), w), starts, ends)].sum()
                result.append(min(1.0, math.exp(total - log_z[w])))
        return result

    def _labelled_form(self, word: str, labels: Sequence[int]) -> tuple[LookupForm, tuple[int, ...]]:
        """Return a word's lookup form and its inner cuts there; one that a label cuts apart is not respelt."""
        form = read_form(word, self.lexicon)
        try:
            return form, form.to_cuts(labels)
        except ValueError:
            form = normalize(word)
            return form, form.to_cuts(labels)

    def _read_off(
        self,
        word: str,
        form: LookupForm,
        paths: Sequence[Path],
        evidence: Evidence,
        request: Request,
        log_z: float,
        node: Reals,
        whole: float,
    ) -> list[Segmentation]:
        """Return paths as splits of the caller's word; `node` has its nodes' probabilities, `whole` that of no cut."""
        fine = [(tuple(evidence.lattice.src[list(path.edges[1:])].tolist()), path.score) for path in paths]
        compound = min(1.0, max(0.0, 1.0 - whole))
        splits: dict[tuple[int, ...], Segmentation] = {}
        total: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for cuts, score in fine:
            probability = min(1.0, math.exp(score - log_z))
            if splits and not probability:  # against its spelling: between two digits, across a hyphen
                continue
            for coarse, share in self.describer.coarse(form, cuts, request.granularity).items():
                total[coarse] += probability * share
                if coarse not in splits:
                    splits[coarse] = self._describe(word, form, coarse, cuts, score, node, compound)
        best, *others = [replace(split, probability=min(1.0, total[cuts])) for cuts, split in splits.items()]
        sure = min(1.0, math.exp(fine[0][1] - log_z))
        if sure < request.min_probability and best.parts:
            score = log_z + math.log(max(whole, 1e-300))
            return [replace(self._describe(word, form, (), (), score, node, compound), probability=whole)]
        if request.granularity != "fine":
            others.sort(key=lambda split: -split.probability)
        return [best, *others][: request.k]

    def _tell(self, word: str, form: LookupForm, told: Told, request: Request) -> Segmentation:
        """Return a split that is given, not found."""
        cuts, probability = next(iter(self.describer.coarse(form, told, request.granularity).items()))
        node = np.zeros(len(form.text) + 1)
        node[list(told)] = 1.0
        split = self._describe(word, form, cuts, told, 0.0, node, float(bool(told)))
        return replace(split, probability=probability)

    def _describe(
        self,
        word: str,
        form: LookupForm,
        cuts: tuple[int, ...],
        fine: tuple[int, ...],
        score: float,
        node: Reals,
        compound: float,
    ) -> Segmentation:
        return Segmentation(
            word=word,
            parts=self.describer.segments(word, form, cuts),
            score=score,
            probability=0.0,
            cut_probabilities=tuple(node[list(cuts)].tolist()),
            compound_probability=compound,
            tree=self.describer.tree(word, form, fine),
        )


def _whole(evidence: Evidence, probability: Reals) -> Reals:
    """Return (B,): the probability of each word's edge from end to end; 1 for the empty word."""
    length = np.array([len(word) for word in evidence.lattice.words], np.int64)
    some = np.flatnonzero(length)
    result = np.ones(len(length))
    result[some] = probability[evidence.lattice.edge(some, np.zeros_like(some), length[some])]
    return result
