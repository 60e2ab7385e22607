"""Words to ranked splits, and given splits to their probabilities: what a segmenter does with a batch."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hybrid.cascade import FirstSplits
from hybrid.constraints import FREE, Cuts
from hybrid.decoding import marginals
from hybrid.describing import Describer
from hybrid.finding import ALONE, Found, decode, split_probability
from hybrid.given import check_string
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.limits import LONGEST_STRING, LONGEST_WORD, MOST_PARTS
from hybrid.parts import Parts, parts_of
from hybrid.segmentation import Segmentation
from hybrid.stages import Reals, Scored, Stages
from hybrid.user import UserDictionary
from lexicon import Lexicon, LookupForm, normalize
from lexicon.normalize import REPLACEMENT
from lexicon.once import made_once
from lexicon.respelling import respell

Told = tuple[int, ...]
"""The inner cuts of a word that are given, not found."""

BATCH = 2048
"""Words, and"""

BATCH_EDGES = 400_000
"""edges, whose lattices are held in memory at a time: some 100 MB. Ordinary words have about 100 edges each."""

FINE_SPLITS = 4
"""Splits into finest parts, beyond those asked for, over which a coarser split's probability is summed."""


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
        TypeError: a word is no string.
        ValueError: `min_parts` is not 1 … `MOST_PARTS`.
    """
    if not 1 <= min_parts <= MOST_PARTS:
        raise ValueError(f"min_parts is {min_parts}, should be 1 to {MOST_PARTS}")
    batch: list[str] = []
    edges = 0
    for place, word in enumerate(words):
        check_string(f"words[{place}]", word)
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
    """Return a word's lookup form in the spelling that the lexicon knows; of a string too long, one strange letter."""
    if len(word) > LONGEST_STRING:
        return LookupForm(REPLACEMENT, (0, len(word)))
    form = normalize(word)
    return respell(form, lexicon.dictionary) if len(form.text) <= LONGEST_WORD else form


@dataclass(frozen=True)
class Ranker:
    """Ranks the splits of words.

    Attributes:
        lexicon: what is known of them.
        stages: what scores their lattices.
        describer: what tells parts, trees and coarser splits.
        user: words that are always or never cut.
        corrections: words with cuts that the model was told.
    """

    lexicon: Lexicon
    stages: Stages
    describer: Describer
    user: UserDictionary
    corrections: Mapping[str, tuple[int, ...]]

    def rank(self, words: Sequence[str], request: Request) -> list[list[Segmentation]]:
        """Return up to k splits of each word, the most probable first; the words' lattices fit in memory together."""
        plain = request.k == 1 and request.min_parts == 1 and request.granularity == "fine"
        first = self.first_splits(words) if plain else None
        if first is None:
            return self.rank_wanted(words, request)
        rest = np.flatnonzero(~first.sure).tolist()
        of_rest = iter(self.rank_wanted([words[i] for i in rest], request))
        return [[self._first(word, b, first, request)] if sure else next(of_rest)
                for b, (word, sure) in enumerate(zip(words, first.sure.tolist(), strict=True))]  # fmt: skip

    def first_splits(self, words: Sequence[str]) -> FirstSplits | None:
        """Return what the first pass says of words that nothing is told of; None where there is none."""
        if self.stages.first is None:
            return None
        first = self.stages.first.split(words)
        if self.user.entries or not self._told.isdisjoint(first.texts):
            for b in np.flatnonzero(first.sure).tolist():
                if first.texts[b] in self._told or self.user.touches(first.texts[b]):
                    first.sure[b] = False
        return first

    @made_once
    def _told(self) -> frozenset[str]:
        """Words whose cuts are told."""
        return self.user.never.union(self.user.always, self.corrections)

    def parts(self, words: Sequence[str], request: Request) -> list[Parts | None]:
        """Return the parts of each word at the finest granularity; None for those that `rank_wanted` has to split."""
        first = self.first_splits(words)
        return [None] * len(words) if first is None else parts_of(words, first, request.min_probability)

    def rank_wanted(
        self, words: Sequence[str], request: Request, wanted: Sequence[Cuts | Told] | None = None
    ) -> list[list[Segmentation]]:
        """Return up to k splits of each word, the most probable first.

        Args:
            words: words whose lattices fit in memory together.
            request: how they are to be split.
            wanted: for each word, the cuts that its caller forces or forbids, or all its cuts; None: what the user's
                dictionary or the model's corrections tell.
        """
        forms = [read_form(word, self.lexicon) for word in words]
        if wanted is None:
            wanted = [self.cuts_of(form) for form in forms]
        found = self._find(forms, wanted, request)
        return [
            self._read_off(word, form, of_word, request)
            if isinstance(cuts, Cuts)
            else [self._tell(word, form, cuts, request)]
            for word, form, cuts, of_word in zip(words, forms, wanted, found, strict=True)
        ]

    def cuts_of(self, form: LookupForm) -> Cuts | Told:
        """Return the cuts that the user's dictionary or the model's corrections tell of a word, or no constraint."""
        told = self.user.cuts_of(form, self.corrections)
        return FREE if told is None else told

    def scored(self, forms: Sequence[LookupForm], wanted: Sequence[Cuts | Told], min_parts: int) -> Iterator[Scored]:
        """Yield the words that are to be decoded, with their scores: none that is told, empty or too long."""
        open_words = [(i, form, cuts) for i, (form, cuts) in enumerate(zip(forms, wanted, strict=True))
                      if isinstance(cuts, Cuts) and 0 < len(form.text) <= LONGEST_WORD]  # fmt: skip
        if open_words:
            places, some, of_each = zip(*open_words, strict=True)
            for group in self.stages.scored(some, of_each, min_parts):
                yield replace(group, places=[places[i] for i in group.places])

    def _find(self, forms: Sequence[LookupForm], wanted: Sequence[Cuts | Told], request: Request) -> list[Found]:
        k = request.k + (FINE_SPLITS if request.granularity != "fine" else 0)
        found = [ALONE] * len(forms)
        for group in self.scored(forms, wanted, request.min_parts):
            for place, of_word in zip(group.places, decode(group, k, request.min_parts), strict=True):
                found[place] = of_word
        return found

    def probabilities(self, data: Mapping[str, Sequence[int]], *, min_parts: int) -> list[float]:
        """Return the posterior probability of a given split of each word.

        Args:
            data: words whose lattices fit in memory together, with 0/1 for each of their characters.
            min_parts: the least number of parts.
        """
        read = [self._labelled_form(word, labels) for word, labels in data.items()]
        forms, cuts = [form for form, _ in read], [inner for _, inner in read]
        wanted = [self.cuts_of(form) for form in forms]
        # of a word that is told, or left whole because it is too long
        result = [float(inner == (() if isinstance(told, Cuts) else told))
                  for inner, told in zip(cuts, wanted, strict=True)]  # fmt: skip
        for group in self.scored(forms, wanted, min_parts):
            log_z = marginals(group.lattice.lattice, group.scores, min_parts=min_parts).log_z
            for w, place in enumerate(group.places):
                result[place] = split_probability(group, w, cuts[place], float(log_z[w]), min_parts)
        return result

    def _labelled_form(self, word: str, labels: Sequence[int]) -> tuple[LookupForm, tuple[int, ...]]:
        """Return a word's lookup form and its inner cuts there; one that a label cuts apart is not respelt."""
        form = read_form(word, self.lexicon)
        try:
            return form, form.to_cuts(labels)
        except ValueError:
            form = normalize(word)
            return form, form.to_cuts(labels)

    def _first(self, word: str, b: int, first: FirstSplits, request: Request) -> Segmentation:
        """Return what the first pass found of a word, into finest parts."""
        at = first.starts[b]
        text = first.splits.cuts[at : first.starts[b + 1]]
        cuts = tuple(np.flatnonzero(text).tolist())
        probability, whole = float(first.splits.probability[b]), float(first.splits.uncut[b])
        log_z = float(first.splits.log_z[b])
        if probability < request.min_probability and cuts:
            cuts, probability = (), whole
        return Segmentation(
            word=word,
            parts=self.describer.segments(word, first.form(b), cuts),
            score=log_z + math.log(max(probability, 1e-300)),
            probability=probability,
            cut_probabilities=tuple(text[list(cuts)].tolist()),
            compound_probability=1.0 - whole,
            tree=self.describer.tree(word, first.form(b), cuts),
        )

    def _read_off(self, word: str, form: LookupForm, found: Found, request: Request) -> list[Segmentation]:
        """Return what was found as splits of the caller's word."""
        compound = min(1.0, max(0.0, 1.0 - found.whole))
        splits: dict[tuple[int, ...], Segmentation] = {}
        total: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for cuts, score in found.paths:
            probability = min(1.0, math.exp(score - found.log_z))
            if splits and not probability:  # against its spelling: between two digits, across a hyphen
                continue
            for coarse, share in self.describer.coarse(form, cuts, request.granularity).items():
                total[coarse] += probability * share
                if coarse not in splits:
                    splits[coarse] = self._describe(word, form, coarse, cuts, score, found.node, compound)
        best, *others = [replace(split, probability=min(1.0, total[cuts])) for cuts, split in splits.items()]
        sure = min(1.0, math.exp(found.paths[0][1] - found.log_z))
        if sure < request.min_probability and best.parts:
            score = found.log_z + math.log(max(found.whole, 1e-300))
            return [replace(self._describe(word, form, (), (), score, found.node, compound), probability=found.whole)]
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
