"""For scikit-learn: a tokenizer for its vectorizers, and a transformer that separates parts in texts.

Both are their parameters and nothing else, so that `clone`, pickle, `set_params` and grid searches work; the model is
named, not held. What has been split is remembered once a process, whichever copy of a tokenizer asked.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybrid.describing import GRANULARITIES
from hybrid.given import check_string, list_of_strings
from hybrid.integrations.shared import segmenter_of
from hybrid.integrations.wanted import wanted
from hybrid.memory import Memory
from hybrid.text import find_words
from hybrid.worker import KEPT, Worker
from lexicon.normalize import HYPHENS, INVISIBLE

with wanted("sklearn"):
    import numpy as np
    from sklearn.base import BaseEstimator, TransformerMixin

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

EMITTED = ("parts", "both", "words")
FORMS = ("surface", "stem", "lemma")

_OTHER = re.compile(r"\w+")
"""Tokens of what is no word: numbers, codes, addresses."""

_INVISIBLE = dict.fromkeys(map(ord, [*INVISIBLE, "\u200c", "\u200d"]))


class CompoundTokenizer(BaseEstimator):  # type: ignore[misc]
    """Text to tokens, for `CountVectorizer(tokenizer=...)` and its kin; also give these `token_pattern=None`.

    Words are found as in `Segmenter.split_text`; of what stands between them, letters and digits in a row are tokens.
    Several threads may use one.

    Args:
        emit: "parts": the parts of each word, or the word where it is no compound; "both": also the compound itself,
            before its parts; "words": words alone, as if there were no splitter.
        form: of parts and of words that are no compounds. "surface": as they stand; "stem": without linking element,
            *Arbeit* of *Arbeits*; "lemma": the dictionary form of nouns, *Haus* of *Häuser*, and the stem of others.
        lowercase: give tokens in lower case. Vectorizers do so themselves, before.
        min_length: characters; shorter tokens are left out. 2 is also what vectorizers do by themselves.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
        model: a model folder; None: the default model.
        mode: as for `hybrid.load`.
    """

    def __init__(
        self,
        *,
        emit: str = "parts",
        form: str = "surface",
        lowercase: bool = True,
        min_length: int = 2,
        granularity: str = "fine",
        min_probability: float = 0.0,
        model: str | Path | None = None,
        mode: str = "cascade",
    ) -> None:
        self.emit = emit
        self.form = form
        self.lowercase = lowercase
        self.min_length = min_length
        self.granularity = granularity
        self.min_probability = min_probability
        self.model = model
        self.mode = mode

    def __call__(self, text: str) -> list[str]:
        """Return the tokens of a text, in order.

        Raises:
            DataError: the package regex is not installed.
            ModelError: as for `hybrid.load`.
            TypeError: `text` is no string.
            ValueError: a parameter is none of those above.
        """
        check_string("text", text)
        self._check()
        places = list(find_words(text))
        words = [text[start:end] for start, end in places]
        split = _memory(segmenter_of(self.model, self.mode), self.granularity, self.min_probability, self.form)
        tokens, at = list[str](), 0
        for (start, end), word, parts in zip(places, words, split(words), strict=True):
            tokens += _OTHER.findall(text[at:start])
            if self.emit == "words" or (self.emit == "both" and len(parts) > 1):
                tokens.append(_plain(word))
            if self.emit != "words":
                tokens += parts
            at = end
        tokens += _OTHER.findall(text[at:])
        least = max(1, self.min_length)  # what is nothing but marks that don't show is no token
        return [token.lower() if self.lowercase else token for token in tokens if len(token) >= least]

    def _check(self) -> None:
        for name, right in (("emit", EMITTED), ("form", FORMS), ("granularity", GRANULARITIES)):
            given = getattr(self, name)
            if given not in right:
                raise ValueError(f"{name} is {given!r}, should be one of {', '.join(right)}")
        if not isinstance(self.min_length, Integral):
            raise ValueError(f"min_length is {self.min_length!r}, should be a whole number of characters")
        if not isinstance(self.min_probability, Real):
            raise ValueError(f"min_probability is {self.min_probability!r}, should be a number from 0 to 1")


SETTINGS = 8
"""Of these the words are remembered: 300 MB each, where a million distinct ones came."""


@lru_cache(SETTINGS)
def _memory(segmenter: "Segmenter", granularity: str, min_probability: float, form: str) -> Memory[tuple[str, ...]]:
    """Return what remembers the tokens of words, the parts of each."""
    choice: dict[str, Any] = {"granularity": granularity, "min_probability": min_probability}
    segmenter.split_parts([], **choice)  # a wrong one is told at once

    def find(words: list[str]) -> Iterable[tuple[str, ...]]:
        if form == "surface":
            return (tuple(map(_plain, parts)) for parts, _ in segmenter.split_parts(words, **choice))
        lemma = form == "lemma"
        splits = segmenter.split_batch(words, **choice)
        return (tuple(_plain((lemma and part.lemma) or part.stem) for part in split.parts) for split in splits)

    return Memory(find, kept=KEPT)


def _plain(token: str) -> str:
    """Return a token composed (NFC), without hyphens at its ends and without what doesn't show."""
    return unicodedata.normalize("NFC", token.translate(_INVISIBLE)).strip("".join(HYPHENS))


class CompoundSplitter(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[misc, call-arg]
    """Texts to texts in which the parts of words are separated by blanks, to be used before any vectorizer.

    It learns nothing, so that `transform` goes without `fit`. One column of texts comes in, (n,), and one goes out; as
    scikit-learn's vectorizers it has no `set_output`.

    Args:
        separator: stands between parts.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
        model: a model folder; None: the default model.
        mode: as for `hybrid.load`.
    """

    def __init__(
        self,
        *,
        separator: str = " ",
        granularity: str = "fine",
        min_probability: float = 0.0,
        model: str | Path | None = None,
        mode: str = "cascade",
    ) -> None:
        self.separator = separator
        self.granularity = granularity
        self.min_probability = min_probability
        self.model = model
        self.mode = mode

    def fit(self, X: Iterable[str], y: Any = None) -> "CompoundSplitter":  # noqa: N803
        """Check the parameters and the texts, and return itself; errors as for `transform`."""
        self._separated([])
        _texts(X)
        return self

    def fit_transform(self, X: Iterable[str], y: Any = None) -> Any:  # noqa: N803
        """Do what `transform` does; texts that come one by one are read once."""
        return self.transform(X)

    def transform(self, X: Iterable[str]) -> Any:  # noqa: N803
        """Return (n,) str: the texts with the parts of their words separated.

        Args:
            X: n texts: a list, a Series, an array of one dimension, NumPy's or Arrow's.

        Raises:
            DataError: the package regex is not installed.
            ModelError: as for `hybrid.load`.
            TypeError: it is a single string, or a text is no string, such as a missing value.
            ValueError: it has two dimensions, or a parameter is none of those above.
        """
        return np.array(self._separated(_texts(X)), dtype=object)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return (1,) str: the name of the column, as given, or "text"; a pipeline asks for it."""
        return np.array(["text"] if input_features is None else input_features, dtype=object)

    def _separated(self, texts: list[str]) -> list[str]:
        if not isinstance(self.separator, str):
            raise ValueError(f"separator is {self.separator!r}; a string is right")
        if not isinstance(self.min_probability, Real):
            raise ValueError(f"min_probability is {self.min_probability!r}, should be a number from 0 to 1")
        worker = Worker(segmenter_of(self.model, self.mode), granularity=self.granularity,
                        min_probability=self.min_probability)  # fmt: skip
        return worker.separate(texts, self.separator)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string, tags.input_tags.one_d_array, tags.input_tags.two_d_array = True, True, False
        tags.requires_fit = False
        return tags

    def __sklearn_is_fitted__(self) -> bool:
        return True


def _texts(given: Any) -> list[str]:
    """Return texts as a list.

    Raises:
        TypeError: it is a single string or nothing of several, or a text is no string.
        ValueError: it has two dimensions.
    """
    if getattr(given, "ndim", 1) != 1 or hasattr(type(given), "columns"):
        shape = getattr(given, "shape", "of a frame")
        raise ValueError(f"X has shape {shape}; one column of texts is right, such as frame['title']")
    if not isinstance(given, Iterable):
        raise TypeError(f"X is a {type(given).__name__}; a list of texts is right")
    return list_of_strings("X", given.to_pylist() if hasattr(given, "to_pylist") else given)
