"""For scikit-learn: a tokenizer for its vectorizers, and a transformer that separates parts in texts.

Both are their parameters and nothing else, so that `clone`, pickle, `set_params` and grid searches work; the model is
named, not held. What has been split is remembered once a process, whichever copy of a tokenizer asked.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybrid.given import check_string, list_of_strings
from hybrid.integrations.shared import segmenter_of
from hybrid.integrations.wanted import wanted
from hybrid.limits import LONGEST_KEPT
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
        for name, given, right in (("emit", self.emit, EMITTED), ("form", self.form, FORMS)):
            if given not in right:
                raise ValueError(f"{name} is {given!r}, should be one of {', '.join(right)}")
        places = list(find_words(text))
        words = [text[start:end] for start, end in places]
        split = _memory(segmenter_of(self.model, self.mode), self.granularity, self.min_probability, self.form)
        tokens, at = list[str](), 0
        for (start, end), word, parts in zip(places, words, split.tokens(words), strict=True):
            tokens += _OTHER.findall(text[at:start])
            if self.emit == "words" or (self.emit == "both" and len(parts) > 1):
                tokens.append(_plain(word))
            if self.emit != "words":
                tokens += parts
            at = end
        tokens += _OTHER.findall(text[at:])
        return [token.lower() if self.lowercase else token for token in tokens if len(token) >= self.min_length]


class _Memory:
    """Remembers the tokens of words; what is looked up and put there at once is whole, so that threads may share it."""

    def __init__(self, segmenter: "Segmenter", granularity: str, min_probability: float, form: str) -> None:
        self._segmenter, self._form = segmenter, form
        self._choice: dict[str, Any] = {"granularity": granularity, "min_probability": min_probability}
        segmenter.split_parts([], **self._choice)  # a wrong one is told at once
        self._known: dict[str, tuple[str, ...]] = {}

    def tokens(self, words: list[str]) -> list[tuple[str, ...]]:
        """Return the parts of each word as tokens."""
        known = self._known
        missing = sorted({word for word in words if word not in known})
        if not missing:
            return [known[word] for word in words]
        found = dict(zip(missing, self._find(missing), strict=True))
        if len(known) + len(found) > KEPT:
            self._known = {}  # others may still read the old one
        self._known.update((word, parts) for word, parts in found.items() if len(word) <= LONGEST_KEPT)
        return [found[word] if word in found else known[word] for word in words]

    def _find(self, words: list[str]) -> Iterable[tuple[str, ...]]:
        if self._form == "surface":
            return (tuple(map(_plain, parts)) for parts, _ in self._segmenter.split_parts(words, **self._choice))
        lemma = self._form == "lemma"
        splits = self._segmenter.split_batch(words, **self._choice)
        return (tuple(_plain((lemma and part.lemma) or part.stem) for part in split.parts) for split in splits)


@lru_cache(16)
def _memory(segmenter: "Segmenter", granularity: str, min_probability: float, form: str) -> _Memory:
    return _Memory(segmenter, granularity, min_probability, form)


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
        _texts(X)
        self._worker().separate([], self.separator)
        return self

    def transform(self, X: Iterable[str]) -> Any:  # noqa: N803
        """Return (n,) str: the texts with the parts of their words separated.

        Args:
            X: n texts: a list, a Series, an array of one dimension.

        Raises:
            DataError: the package regex is not installed.
            ModelError: as for `hybrid.load`.
            TypeError: it is a single string, or a text is no string, such as a missing value.
            ValueError: it has two dimensions, or a parameter is none of those above.
        """
        return np.array(self._worker().separate(_texts(X), self.separator), dtype=object)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return (1,) str: the name of the column, as given, or "text"; a pipeline asks for it."""
        return np.array(["text"] if input_features is None else input_features, dtype=object)

    def _worker(self) -> Worker:
        return Worker(segmenter_of(self.model, self.mode), granularity=self.granularity,
                      min_probability=self.min_probability)  # fmt: skip

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
        TypeError: it is a single string, or a text is no string.
        ValueError: it has two dimensions.
    """
    if getattr(given, "ndim", 1) != 1 or hasattr(given, "columns"):
        raise ValueError(f"X has shape {given.shape}; one column of texts is right, such as frame['title']")
    return list_of_strings("X", given)
