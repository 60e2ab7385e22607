"""Answers to questions, as JSON has them: the segmenter's part of the server, which knows nothing of HTTP."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import hybrid
from hybrid.errors import DataError
from hybrid.explaining import Explanation
from hybrid.firstpass.splitter import COLUMNS as FIRST_COLUMNS
from hybrid.output import record_of
from hybrid.segmentation import Segmentation
from hybrid.segmenter import Segmenter
from hybrid.serving import limits
from hybrid.user import UserDictionary

if TYPE_CHECKING:
    from hybrid.serving.schemas import AskedText, AskedWord, AskedWords, Options

Answer = dict[str, Any]

_VARIANTS = 64
"""Segmenters with a request's own words, or without some columns, that are kept."""

_SEEN_ARC = 0.0001
"""Least probability of a segment that is told of."""

WHAT = {
    "count": "what one more part costs",
    "segment": "nets that read the characters of every segment",
    "segment_lexicon": "nets that also read what lexicon and dictionary say",
    "user": "your own entries",
    "first_characters": "first pass: characters where a part ends",
    "first_lexicon": "first pass: what lexicon and dictionary say of a part",
    "first_string": "first pass: characters of the part itself",
}
"""What is told of the default model's columns."""


class Answerer:
    """Answers questions with a segmenter.

    Args:
        segmenter: what splits words where a request says nothing else.
    """

    def __init__(self, segmenter: Segmenter) -> None:
        self._segmenter = segmenter
        self._variant = lru_cache(_VARIANTS)(self._make_variant)

    def split(self, asked: "AskedWord") -> Answer:
        """Return a word's best split, and with k above 1 the k best too.

        Raises:
            CutError, ModelError, NoPathError: as `Segmenter.split`.
            DataError: the caller's words contradict one another; there is no such column.
        """
        segmenter = self.segmenter_for(asked)
        choice = {"granularity": asked.granularity, "min_parts": asked.min_parts}
        places = {"cuts": asked.cuts, "no_cuts": asked.no_cuts}
        best = segmenter.split(asked.word, min_probability=asked.min_probability, **choice, **places)  # type: ignore[arg-type]
        if asked.k == 1:
            return _ranked([best])
        return _ranked([best, *segmenter.nbest(asked.word, asked.k, **choice, **places)], told=True)  # type: ignore[arg-type]

    def split_many(self, asked: "AskedWords") -> Answer:
        """Return the words' splits; errors as in `split`."""
        segmenter = self.segmenter_for(asked)
        rankings = segmenter.nbest_batch(
            asked.words,
            asked.k,
            granularity=asked.granularity,
            min_parts=asked.min_parts,
            min_probability=asked.min_probability,
        )
        return {"splits": [_ranked([splits[0], *splits], told=asked.k > 1) for splits in rankings]}

    def text(self, asked: "AskedText") -> Answer:
        """Return the tokens of a text; errors as in `split`."""
        tokens = self.segmenter_for(asked).split_text(
            asked.text, granularity=asked.granularity, min_probability=asked.min_probability
        )
        return {
            "tokens": [
                {"text": token.text, "start": token.start, "end": token.end,
                 "split": token.split and record_of(token.split, token.start)} for token in tokens
            ]
        }  # fmt: skip

    def explain(self, asked: "AskedWord") -> Answer:
        """Return why a word is split so, with its lattice; errors as in `split`."""
        segmenter = self.segmenter_for(asked)
        places = {"min_parts": asked.min_parts, "cuts": asked.cuts, "no_cuts": asked.no_cuts}
        told = segmenter.explain(asked.word, asked.k, seen=_SEEN_ARC, **places)  # type: ignore[arg-type]
        best, ranked = told.splits[0], list(told.splits)
        if asked.granularity != "fine":
            ranked = segmenter.nbest(asked.word, asked.k, granularity=asked.granularity, **places)  # type: ignore[arg-type]
            best = ranked[0]
        if asked.min_probability:
            best = segmenter.split(
                asked.word,
                granularity=asked.granularity,
                min_probability=asked.min_probability,
                **places,  # type: ignore[arg-type]
            )
        return {"word": asked.word, "best": record_of(best), "nbest": list(map(record_of, ranked)), **_told(told)}

    def columns(self) -> Answer:
        """Return what is weighed."""
        weights: dict[str, float | None] = {**self._segmenter.columns, "user": 1.0}
        if self._segmenter.model.first_pass is not None:
            weights |= dict.fromkeys(FIRST_COLUMNS)
        rows = [{"name": name, "weight": weight, "what": WHAT.get(name, ""), "can_be_off": weight is not None}
                for name, weight in weights.items()]  # fmt: skip
        return {"columns": rows}

    def health(self) -> Answer:
        """Return what answers."""
        card = self._segmenter.model.card
        name = card.get("name") or f"a model of {self._segmenter.model.training.get('words')} words"
        told = {key.lower(): value for key, value in vars(limits).items() if key.isupper()}
        return {"status": "ok", "version": hybrid.__version__, "model": str(name), "mode": self._segmenter.mode,
                "limits": told}  # fmt: skip

    def is_quick(self, asked: "AskedWord") -> bool:
        """Return whether a question is one that many ask, and that takes a few thousandths of a second."""
        return len(asked.word) <= limits.QUICK_WORD and self.segmenter_is_usual(asked)

    def segmenter_is_usual(self, asked: "Options") -> bool:
        """Return whether a request has neither words of its own nor a word on columns."""
        return not (asked.entries or asked.always or asked.never or asked.without or asked.nets)

    def segmenter_for(self, asked: "Options") -> Segmenter:
        """Return the segmenter that a request wants: with its own words beside the server's, without its columns.

        Raises:
            DataError: its words contradict one another; there is no such column.
        """
        if self.segmenter_is_usual(asked):
            return self._segmenter
        off = tuple(sorted(set(asked.without))) if asked.without or asked.nets else None
        return self._variant(tuple(asked.entries), tuple(asked.always), tuple(asked.never), off)

    def _make_variant(
        self, entries: Sequence[str], always: Sequence[str], never: Sequence[str], off: Sequence[str] | None
    ) -> Segmenter:
        segmenter = self._segmenter
        if entries or always or never:
            own = UserDictionary.make(entries, always=always, never=never)
            segmenter = segmenter.with_user(segmenter.user.updated(own.respelt(segmenter.model.lexicon.dictionary)))
        try:
            return segmenter if off is None else segmenter.without_columns(off)
        except ValueError as error:
            raise DataError(str(error)) from None


def _ranked(splits: Sequence[Segmentation], *, told: bool = False) -> Answer:
    """Return the first split, and where `told` the others as its ranking, as `hybrid split --format json` does."""
    best, *ranked = splits
    answer: Answer = {"word": best.word, **record_of(best)}
    return {**answer, "nbest": list(map(record_of, ranked))} if told else answer


def _told(explanation: Explanation) -> Answer:
    """Return what columns gave to splits and segments."""
    rows = zip(explanation.splits, explanation.contributions, explanation.constraints, strict=True)
    by = "nets" if explanation.columns else "told"
    return {
        "decided_by": "first pass" if explanation.columns == FIRST_COLUMNS else by,
        "columns": list(explanation.columns),
        "finest": [
            {**record_of(split), "contributions": [round(x, 4) for x in gave], "constraint": round(took, 4)}
            for split, gave, took in rows
        ],
        "arcs": [
            {"text": arc.text, "start": arc.start, "end": arc.end, "probability": round(arc.probability, 6),
             "best": arc.best, "contributions": [round(x, 4) for x in arc.contributions],
             "constraint": round(arc.constraint, 4)} for arc in explanation.arcs
        ],
    }  # fmt: skip
