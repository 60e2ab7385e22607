"""Which stage scores a word's lattice: the first pass where it is sure of a split, else the nets."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hybrid.cascade import FirstStage
from hybrid.constraints import Cuts, constrain
from hybrid.decoding import marginals, viterbi
from hybrid.evidence import Evidence, gather
from hybrid.lattice import WordLattice, build_lattice
from hybrid.user import UserDictionary
from lexicon import Lexicon, LookupForm

Reals = NDArray[np.float64]

Score = Callable[[Evidence], Reals]
"""Evidence to (E,): the score of each edge, in nats."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Words whose lattices one stage scores.

    Attributes:
        places: their places among the words given.
        lattice: their lattice.
        scores: (E,) of its edges, −inf where a caller forbids one.
        added: (E,), what constraints added; None: nothing.
        evidence: what the nets read; None: the first pass scored them.
    """

    places: list[int]
    lattice: WordLattice
    scores: Reals
    added: Reals | None
    evidence: Evidence | None


@dataclass(frozen=True)
class Stages:
    """Scores lattices.

    Attributes:
        lexicon: what is known of words.
        score: how the nets, and what goes with them, score edges.
        first: the first pass; None: the nets score every word.
        user: the caller's entries, which only the nets' columns are weighed with.
    """

    lexicon: Lexicon
    score: Score
    first: FirstStage | None
    user: UserDictionary

    def scored(self, forms: Sequence[LookupForm], wanted: Sequence[Cuts], min_parts: int) -> Iterator[Scored]:
        """Yield the words, in at most two groups, with their scores.

        Args:
            forms: B words, none empty, whose lattices fit in memory together.
            wanted: the caller's constraints on each.
            min_parts: the least number of parts.
        """
        sure = self._sure(forms, wanted, min_parts)
        for by_nets in (False, True):
            places = np.flatnonzero(sure != by_nets).tolist()
            if places:
                some, cuts = [forms[i] for i in places], [wanted[i] for i in places]
                yield self._by_nets(places, some, cuts) if by_nets else self._by_first(places, some, cuts)

    def _sure(self, forms: Sequence[LookupForm], wanted: Sequence[Cuts], min_parts: int) -> NDArray[np.bool_]:
        """Return (B,): the first pass reads the word and is sure of a split."""
        sure = np.zeros(len(forms), bool)
        if self.first is None:
            return sure
        reads = self.first.reads([form.text for form in forms])
        places = [i for i in np.flatnonzero(reads).tolist() if not self.user.touches(forms[i].text)]
        if places:
            of = self._by_first(places, [forms[i] for i in places], [wanted[i] for i in places])
            lattice = of.lattice.lattice
            log_z = marginals(lattice, of.scores, min_parts=min_parts).log_z
            if np.isfinite(log_z).all():  # else a caller forbids every path, which the nets' side tells him
                best = [path.score for path in viterbi(lattice, of.scores, min_parts=min_parts)]
                sure[places] = np.exp(np.array(best) - log_z) >= self.first.sure
        return sure

    def _by_first(self, places: list[int], forms: Sequence[LookupForm], wanted: Sequence[Cuts]) -> Scored:
        assert self.first is not None
        lattice = build_lattice([form.text for form in forms])
        scores = self.first.splitter.scores(lattice.words)
        added = constrain(lattice, forms, wanted)
        return Scored(places, lattice, scores if added is None else scores + added, added, None)

    def _by_nets(self, places: list[int], forms: Sequence[LookupForm], wanted: Sequence[Cuts]) -> Scored:
        evidence = gather([form.text for form in forms], self.lexicon)
        scores, added = self.score(evidence), constrain(evidence.lattice, forms, wanted)
        return Scored(places, evidence.lattice, scores if added is None else scores + added, added, evidence)
