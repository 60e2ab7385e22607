"""From a path through a word's lattice to what a caller gets of it: parts with stems, the tree, coarser splits."""

from collections.abc import Iterator, Sequence
from typing import Any

from hybrid.bracketing import Bracketer
from hybrid.limits import LONGEST_KEPT
from hybrid.segmentation import Segment, Tree
from lexicon import Lexicon, LookupForm
from lexicon.lemmas import Lemma, Lemmatizer
from lexicon.normalize import HYPHENS, INVISIBLE

GRANULARITIES = ("fine", "head", "contest")
"""All parts; modifier and head; head, with the modifier cut once more (the contest's rule)."""

_MOST_BRACKETED = 64
"""Parts of a word that are bracketed; of more, all but the last stand side by side."""

_HIDDEN = "".join(HYPHENS | INVISIBLE)
"""What stands after a part and is none of its letters."""

_KEPT = 1 << 16
"""Parts whose lemmas are kept: some 10 MB."""

_LONG_KEPT = 256
"""Stretches of more than `LONGEST_KEPT` characters whose cuts are kept: those of one word or two, 2 MB at most."""

Cuts = tuple[int, ...]
"""Inner nodes of a lookup form, ascending."""


class Describer:
    """Describes splits of words.

    Args:
        lexicon: where dictionary forms are looked up.
        bracketer: what finds the trees; None: all parts stand side by side.
    """

    def __init__(self, lexicon: Lexicon, bracketer: Bracketer | None) -> None:
        self._bracketer = bracketer
        self._lemmatizer = Lemmatizer.of(lexicon)
        self._lemmas: dict[tuple[str, bool], Lemma] = {}
        self._cuts: dict[tuple[str, ...], list[float]] = {}
        self._long_cuts: dict[tuple[str, ...], list[float]] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is remembered."""
        return {**vars(self), "_lemmas": {}, "_cuts": {}, "_long_cuts": {}}

    def segments(self, word: str, form: LookupForm, cuts: Cuts) -> tuple[Segment, ...]:
        """Return the parts between the cuts; none for the empty word."""
        nodes = [0, *cuts, len(form.text)] if word else []
        return tuple(self._segment(word, form, start, end) for start, end in zip(nodes[:-1], nodes[1:], strict=True))

    def _segment(self, word: str, form: LookupForm, start: int, end: int) -> Segment:
        closes = end == len(form.text)
        lemma = self._lemma(form.text[start:end], closes)
        first, last = form.offsets[start], form.offsets[end]
        text = word[first:last]
        bare = len(text.rstrip(_HIDDEN)) or len(text)
        stem = min(form.offsets[start + lemma.stem] - first, bare)
        written = lemma.form and (lemma.form[0].upper() + lemma.form[1:] if lemma.noun else lemma.form)
        return Segment(text, first, last, text[:stem], text[stem:bare], written)

    def _lemma(self, part: str, closes: bool) -> Lemma:
        lemma = self._lemmas.get((part, closes))
        if lemma is None:
            lemma = self._lemmatizer.head(part) if closes else self._lemmatizer.modifier(part)
            if len(self._lemmas) >= _KEPT:
                self._lemmas.clear()
            if len(part) <= LONGEST_KEPT:
                self._lemmas[part, closes] = lemma
        return lemma

    def tree(self, word: str, form: LookupForm, cuts: Cuts) -> Tree | None:
        """Return the parts between the cuts, bracketed; None for the empty word."""
        if not word:
            return None
        nodes = [0, *cuts, len(form.text)]
        if self._bracketer is None or len(cuts) < _MOST_BRACKETED:
            return self._tree(word, form, nodes)
        left, right = self._tree(word, form, nodes[:-1]), self._tree(word, form, nodes[-2:])
        return Tree(word, 0, len(word), (left, right))

    def _tree(self, word: str, form: LookupForm, nodes: Sequence[int]) -> Tree:
        start, end = form.offsets[nodes[0]], form.offsets[nodes[-1]]
        if len(nodes) == 2:
            children: list[Sequence[int]] = []
        elif self._bracketer is None or len(nodes) > _MOST_BRACKETED + 1:
            children = [nodes[i : i + 2] for i in range(len(nodes) - 1)]
        else:
            at = self._head_cut(form, nodes)
            children = [nodes[: at + 1], nodes[at:]]
        return Tree(word[start:end], start, end, tuple(self._tree(word, form, child) for child in children))

    def _head_cut(self, form: LookupForm, nodes: Sequence[int]) -> int:
        """Return the place in `nodes` of the likeliest cut between modifier and head."""
        return max(self._head_cuts(form, nodes), key=lambda pair: pair[1])[0]

    def _head_cuts(self, form: LookupForm, nodes: Sequence[int]) -> Iterator[tuple[int, float]]:
        """Yield the places in `nodes` where modifier and head may part, with their probabilities.

        Where there are hyphens, they part at the last: *(U-Bahn-)Station*.
        """
        assert self._bracketer is not None
        hyphens = [at for at in range(1, len(nodes) - 1) if nodes[at] in form.breaks]
        if hyphens:
            yield hyphens[-1], 1.0
            return
        parts = tuple(form.text[start:end] for start, end in zip(nodes[:-1], nodes[1:], strict=True))
        kept, most = (self._cuts, _KEPT) if nodes[-1] - nodes[0] <= LONGEST_KEPT else (self._long_cuts, _LONG_KEPT)
        found = kept.get(parts)
        if found is None:
            found = self._bracketer.cut_probabilities(parts).tolist()
            if len(kept) >= most:
                kept.clear()
            kept[parts] = found
        yield from enumerate(found, 1)

    def coarse(self, form: LookupForm, cuts: Cuts, granularity: str) -> dict[Cuts, float]:
        """Return the coarser splits that a split into finest parts may stand for, with their probabilities.

        The first is the one that `tree` shows.
        """
        if granularity == "fine" or not cuts:
            return {cuts: 1.0}
        if len(cuts) >= _MOST_BRACKETED:
            return {cuts[-1:]: 1.0}
        nodes = [0, *cuts, len(form.text)]
        shown = self._head_cut(form, nodes)
        result: dict[Cuts, float] = {}
        for at, probability in sorted(self._head_cuts(form, nodes), key=lambda pair: pair[0] != shown):
            if granularity == "head" or at == 1:
                result[(nodes[at],)] = probability
                continue
            left = nodes[: at + 1]
            first = self._head_cut(form, left)
            inner = sorted(self._head_cuts(form, left), key=lambda pair: pair[0] != first)
            result |= {(nodes[cut], nodes[at]): probability * share for cut, share in inner}
        return result
