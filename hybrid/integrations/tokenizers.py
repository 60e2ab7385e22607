"""A pre-tokenizer for Hugging Face's `tokenizers` that cuts words where their parts end.

What is trained on top - BPE, WordPiece, Unigram - then learns no token that reaches over the end of a part.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from itertools import accumulate, islice, pairwise
from pathlib import Path
from typing import Any

from hybrid.errors import DataError
from hybrid.given import list_of_strings, refuse_one_string
from hybrid.integrations.shared import segmenter_of
from hybrid.integrations.wanted import wanted
from hybrid.memory import Memory
from hybrid.text import find_words
from hybrid.user import UserDictionary
from hybrid.worker import KEPT

with wanted("tokenizers"):
    from tokenizers import NormalizedString, PreTokenizedString
    from tokenizers.pre_tokenizers import PreTokenizer

Cuts = tuple[int, ...]

FEW = 16
"""Places of a piece that are cut one after another."""

log = logging.getLogger(__name__)

_asked: "ContextVar[list[CompoundPreTokenizer] | None]" = ContextVar("asked", default=None)


class CompoundPreTokenizer:
    """Cuts pieces of text where a part of a word ends, and nowhere else; several threads may share it.

    It reads letters, so it has to stand before `ByteLevel`, which writes bytes; before or after all else.
    `PreTokenizer.custom` makes a step of it; `compound_pre_tokenizer` does both.

    Args:
        model: a model folder; None: the default model.
        mode: as for `hybrid.load`.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
        entries: the user's words, as for `UserDictionary.make`.
        always: words that are cut just so, likewise.
        never: words that are left whole, likewise.

    Raises:
        DataError: the user's words are wrong.
        ModelError: as for `hybrid.load` and `Segmenter.split`.
        TypeError: as for `UserDictionary.make`.
        ValueError: as for `hybrid.load` and `Segmenter.split`.
    """

    def __init__(
        self,
        model: str | Path | None = None,
        *,
        mode: str = "cascade",
        granularity: str = "fine",
        min_probability: float = 0.0,
        entries: Mapping[str, float] | Sequence[str] = (),
        always: Sequence[str] = (),
        never: Sequence[str] = (),
    ) -> None:
        always, never = list_of_strings("always", always), list_of_strings("never", never)
        entries = dict(entries) if isinstance(entries, Mapping) else list_of_strings("entries", entries)
        user = UserDictionary.make(entries, always=always, never=never)
        segmenter = segmenter_of(model, mode)
        if entries or always or never:
            segmenter = segmenter.with_user(user)

        def cuts_of(words: list[str]) -> list[Cuts]:
            parts = segmenter.split_parts(words, granularity=granularity, min_probability=min_probability)
            return [tuple(accumulate(map(len, of[:-1]))) for of, _ in parts]

        cuts_of([])  # a wrong setting is told at once
        self.settings: dict[str, Any] = {  # as JSON has them, which knows no numbers of NumPy's
            "model": None if model is None else str(model),
            "mode": mode,
            "granularity": granularity,
            "min_probability": float(min_probability),
            "entries": {word: float(weight) for word, weight in entries.items()}
            if isinstance(entries, dict)
            else entries,
            "always": always,
            "never": never,
        }
        self._words = Memory(cuts_of, kept=KEPT)
        self._chunks = Memory(self._find, kept=KEPT)

    def __reduce__(self) -> tuple[Any, ...]:
        """Be pickled and copied as settings: what is remembered is found anew."""
        return _made_of, (type(self), self.settings)

    def pre_tokenize(self, pretokenized: PreTokenizedString) -> None:
        """Cut the pieces that there are so far; `tokenizers` calls this, for each text once."""
        asked = _asked.get()
        if asked is not None:
            asked.append(self)
            return
        pieces = [text.split(" ") for text, _, _ in pretokenized.get_splits("normalized", "byte")]
        found = iter(self._chunks([chunk for chunks in pieces for chunk in chunks]))
        cuts = [_joined(chunks, found) for chunks in pieces]
        if any(cuts):
            pretokenized.split(lambda i, piece: _cut(piece, [0, *cuts[i], len(piece.normalized)]))

    def ahead(self, texts: Iterable[str], block: int = 10_000) -> Iterator[str]:
        """Yield the texts, having split the words of so many of them at once, which is many times faster.

        For training, and for many new texts: `tokenizer.train_from_iterator(cutter.ahead(texts), trainer)`. What a
        normalizer makes other words of is split when it comes.

        Raises:
            TypeError: the texts are one string, or one of them is none.
            ValueError: `block` is below 1.
        """
        if block < 1:
            raise ValueError(f"block is {block}, should be 1 or more texts")
        refuse_one_string("texts", texts)
        texts = iter(texts)
        while some := list_of_strings("texts", islice(texts, block)):
            self._chunks([chunk for text in some for chunk in text.split(" ")])
            yield from some

    def _find(self, chunks: list[str]) -> list[Cuts]:
        """Return where stretches between blanks are cut; no word reaches over a blank."""
        places = [list(find_words(chunk)) for chunk in chunks]
        words = [chunk[a:b] for chunk, some in zip(chunks, places, strict=True) for a, b in some]
        cuts = iter(self._words(words))
        return [tuple(start + cut for start, _ in some for cut in next(cuts)) for some in places]


def _joined(chunks: list[str], found: Iterator[Cuts]) -> list[int]:
    """Return where a piece is cut, of its stretches between blanks and where each of these is."""
    at, result = 0, list[int]()
    for chunk, cuts in zip(chunks, found, strict=False):
        result += [at + cut for cut in cuts]
        at += len(chunk) + 1
    return result


def _cut(piece: NormalizedString, places: list[int]) -> list[NormalizedString]:
    """Cut a piece at places, from 0 to its end.

    To cut something out of a string takes time for all of it, so that a long one is halved first.
    """
    if len(places) == 2:
        return [piece]
    if len(places) > FEW:
        middle = len(places) // 2
        at = places[middle]
        halves = zip((piece[:at], piece[at:]), (places[: middle + 1], [place - at for place in places[middle:]]),
                     strict=True)  # fmt: skip
        return [one for half, inside in halves if half is not None for one in _cut(half, inside)]
    cut = (piece[a:b] for a, b in pairwise(places))
    return [one for one in cut if one is not None]  # as by its type it could be, of places outside the piece


def _made_of(kind: "type[CompoundPreTokenizer]", settings: dict[str, Any]) -> "CompoundPreTokenizer":
    return kind(**settings)


def compound_pre_tokenizer(
    model: str | Path | None = None,
    *,
    mode: str = "cascade",
    granularity: str = "fine",
    min_probability: float = 0.0,
    entries: Mapping[str, float] | Sequence[str] = (),
    always: Sequence[str] = (),
    never: Sequence[str] = (),
) -> PreTokenizer:
    """Return a pre-tokenizer that cuts where parts end; arguments and errors as for `CompoundPreTokenizer`."""
    return PreTokenizer.custom(
        CompoundPreTokenizer(
            model, mode=mode, granularity=granularity, min_probability=min_probability, entries=entries, always=always,
            never=never,
        )
    )  # fmt: skip


def cutter_of(step: PreTokenizer) -> CompoundPreTokenizer:
    """Return what `PreTokenizer.custom` made a step of, which the library keeps to itself: it is asked.

    Raises:
        DataError: the step is somebody else's.
        TypeError: it is none.
    """
    if not isinstance(step, PreTokenizer):
        raise TypeError(f"step is a {type(step).__name__}; a pre-tokenizer is right")
    answers: list[CompoundPreTokenizer] = []
    before = _asked.set(answers)
    try:
        step.pre_tokenize(PreTokenizedString(""))
    except Exception:  # somebody else's does what it likes
        log.debug("a custom pre-tokenizer fails on the empty text", exc_info=True)
    finally:
        _asked.reset(before)
    if not answers:
        raise DataError("the pre-tokenizer is not ours; one that compound_pre_tokenizer returned is right")
    return answers[0]
