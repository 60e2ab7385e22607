"""The facade: train, load, save, and split words."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hybrid.bracketing import Bracketer
from hybrid.cascade import FirstStage
from hybrid.columns import (
    column_names,
    compute_columns,
    weigh,
    weighed_scorers,
)
from hybrid.constraints import Cuts, places_of, read_cuts
from hybrid.datasets import check_labelled
from hybrid.decoding import marginals
from hybrid.default import FOLDER as DEFAULT
from hybrid.describing import GRANULARITIES, Describer
from hybrid.errors import CutError, ModelError, NoPathError
from hybrid.evidence import Evidence
from hybrid.explaining import SEEN, Explanation
from hybrid.firstpass.splitter import COLUMNS as FIRST_COLUMNS
from hybrid.firstpass.splitter import FirstSplitter
from hybrid.given import check_string, list_of_strings, refuse_one_string
from hybrid.lazy import NetsOnDevice
from hybrid.limits import LONGEST_STRING, LONGEST_WORD, MOST_SPLITS
from hybrid.model import Model
from hybrid.parts import Parts
from hybrid.ranking import BATCH, Ranker, Request, batches, read_form
from hybrid.scorers import UserScorer
from hybrid.segmentation import Segmentation
from hybrid.stages import Reals, Stages
from hybrid.text import Token, find_words, tokens
from hybrid.user import UserDictionary
from lexicon import normalize
from lexicon.dictionary import dictionary_of, shipped_dictionary

if TYPE_CHECKING:
    from hybrid.training import TrainingConfig

MODES = ("cascade", "fast", "nets")

QUICK_BATCH = 1 << 16
"""Words of which only the parts are wanted, that are split at a time."""

RANKED = 8
"""Splits of a word among which one is looked for that has few enough parts."""


class Segmenter:
    """Splits words with a trained model; it holds no state that splitting changes.

    Args:
        model: what training made.
        device: a torch device name such as "cuda" or "cpu"; None: CUDA where there is one, else MPS, else the CPU.
        mode: "cascade": the nets are asked of words that the first pass is not sure of; "fast": only of those that it
            can't read or that an entry of the user's stands in; "nets": of all words, as they are where a model has no
            first pass.

    Raises:
        DataError: torch knows no such device, or it is not there.
        ModelError: the model has weights for columns that this release lacks, or lacks some; it has no first pass, and
            mode is "fast".
        ValueError: no such mode.
    """

    def __init__(self, model: Model, *, device: str | None = None, mode: str = "cascade") -> None:
        if not isinstance(model, Model):
            raise TypeError(
                f"model is a {type(model).__name__}; Segmenter.load(folder) makes a segmenter from a folder"
            )
        if mode not in MODES:
            raise ValueError(f"mode is {mode!r}, should be one of {', '.join(MODES)}")
        if mode == "fast" and model.first_pass is None:
            raise ModelError("this model has no first pass, which mode 'fast' needs; the default model does")
        self.model, self._mode = model, mode
        self._nets = NetsOnDevice(model, device)
        try:
            self.scorers = weighed_scorers(self._nets.scorers(), model.weights)
        except ValueError as error:
            raise ModelError(f"{error}; train the model anew") from None
        self._weights = [model.weights[name] for name in column_names(self.scorers)]
        self._off: frozenset[str] | None = None
        bracketer = None if model.bracketing is None else Bracketer(model.lexicon, model.bracketing)
        self._describer = Describer(model.lexicon, bracketer)
        self._ranker = self._new_ranker(UserDictionary(), self._first_stage())

    @property
    def device(self) -> str:
        """The torch device that nets run on."""
        return str(self._nets.device)

    def _first_stage(self) -> FirstStage | None:
        first, lexicon = self.model.first_pass, self.model.lexicon
        if first is None or self._mode == "nets":
            return None
        splitter = FirstSplitter(lexicon, self.model.alphabet.characters, first)
        return FirstStage(splitter, 0.0 if self._mode == "fast" else first.sure, partial(read_form, lexicon=lexicon))

    def _new_ranker(self, user: UserDictionary, first: FirstStage | None) -> Ranker:
        lexicon = self.model.lexicon
        stages = Stages(lexicon, self.score, first, user)
        return Ranker(lexicon, stages, self._describer, user, self.model.corrections)

    @classmethod
    def train(
        cls,
        data: Mapping[str, Sequence[int]],
        *,
        unlabelled: Iterable[str] = (),
        dictionary: Iterable[str] | None = None,
        min_parts: int | None = None,
        config: "TrainingConfig | None" = None,
        device: str | None = None,
    ) -> "Segmenter":
        """Train on split words.

        Args:
            data: word → 0/1 for each of its characters, 1 for the last of a part.
            unlabelled: words that are known to exist, such as those to be segmented later.
            dictionary: words of the language, in any form; None: the list that ships, () for none.
            min_parts: the least number of parts of a word; None: 2 if every word in `data` has two or more, else 1.
            config: epochs, rates, seed; None: the defaults.
            device: as for `Segmenter`.

        Raises:
            DataError: a word is empty or its labels are not one a character, 0 or 1, the last one 1; too few words; a
                word with fewer parts than `min_parts`.
            TypeError: `unlabelled` or `dictionary` is a single string.
        """
        from hybrid.inference import pick_device
        from hybrid.training import train

        for name, words in (("unlabelled", unlabelled), ("dictionary", dictionary or ())):
            refuse_one_string(name, words)
        check_labelled(data)
        forms = [normalize(word) for word in data]
        cuts = [form.to_cuts(labels) for form, labels in zip(forms, data.values(), strict=True)]
        model = train(
            [form.text for form in forms],
            cuts,
            unlabelled=sorted({normalize(word).text for word in unlabelled} - {""}),
            dictionary=shipped_dictionary() if dictionary is None else dictionary_of(dictionary),
            min_parts=min_parts,
            config=config,
            device=pick_device(device),
        )
        return cls(model, device=device)

    @classmethod
    def load(cls, folder: str | Path | None = None, *, device: str | None = None, mode: str = "cascade") -> "Segmenter":
        """Load a model folder; None: the default model, for any German word. The other arguments as for `Segmenter`.

        Raises:
            ModelError: it is missing, damaged, incomplete, of another format or of a newer version.
        """
        from hybrid.model_store import load_model

        return cls(load_model(DEFAULT if folder is None else Path(folder)), device=device, mode=mode)

    def save(self, folder: str | Path) -> None:
        """Save the model into a folder of its own.

        Raises:
            ModelError: something else than a model is there.
            OSError: the folder above is missing or can't be written to.
        """
        from hybrid.model_store import save_model

        save_model(self.model, Path(folder))

    def __repr__(self) -> str:
        """Tell what it was trained on."""
        return f"<Segmenter of {self.model.training.get('words')} words, mode {self._mode}>"

    def with_listed(self, words: Iterable[str]) -> "Segmenter":
        """Return a segmenter that also knows these words to exist; this one stays as it is."""
        model = self.model.with_listed(normalize(word).text for word in list_of_strings("words", words))
        other = Segmenter(model, device=self._nets.name, mode=self._mode).with_user(self.user)
        return other if self._off is None else other.without_columns(self._off)

    def with_user(self, user: UserDictionary) -> "Segmenter":
        """Return a segmenter that knows a user's own words, in place of any before; this one stays as it is.

        Raises:
            DataError: two words that differ only in spelling (*Strasse*, *Straße*) contradict one another.
        """
        if not isinstance(user, UserDictionary):
            raise TypeError(f"user is a {type(user).__name__}; UserDictionary.make or .read makes one")
        user = user.respelt(self.model.lexicon.dictionary)
        other = copy.copy(self)
        other.scorers = [scorer for scorer in self.scorers if not isinstance(scorer, UserScorer)]
        other._weights = self._weights[: len(column_names(other.scorers))]
        if user.entries:
            weight = 0.0 if self._off and self._off.issuperset(UserScorer.names) else 1.0
            other.scorers, other._weights = [*other.scorers, UserScorer(user)], [*other._weights, weight]
        other._ranker = other._new_ranker(user, self._ranker.stages.first)
        return other

    @property
    def user(self) -> UserDictionary:
        """The user's own words, in the spelling that the model knows."""
        return self._ranker.user

    @property
    def mode(self) -> str:
        """Who is asked of which words: one of `MODES`."""
        return self._mode

    @property
    def columns(self) -> dict[str, float]:
        """What is weighed where the nets are asked: column name → weight, "user" last where there are entries."""
        return dict(zip(column_names(self.scorers), self._weights, strict=True))

    def without_columns(self, names: Iterable[str]) -> "Segmenter":
        """Return a segmenter to which the named columns say nothing, an ablation; this one stays as it is.

        Their weights are 0, the others' what they were. All words are scored by the columns, as in mode "nets": the
        first pass, which decides most words otherwise, has learnt from all of them. With no names that is all.

        Args:
            names: of `columns`; "user" may be named where there are no entries.

        Raises:
            TypeError: `names` is a single string.
            ValueError: the model has no such column.
        """
        off, there = frozenset(list_of_strings("names", names)), [*self.columns, *UserScorer.names]
        if unknown := sorted(off.difference(there)):
            raise ValueError(f"there is no column {unknown[0]!r}; {', '.join(dict.fromkeys(there))} are right")
        other = copy.copy(self)
        other._mode, other._off = "nets", off
        weights = {**self.model.weights, **dict.fromkeys(UserScorer.names, 1.0), **dict.fromkeys(off, 0.0)}
        other._weights = [weights[name] for name in self.columns]
        other._ranker = other._new_ranker(self.user, None)
        return other

    def split(
        self,
        word: str,
        *,
        granularity: str = "fine",
        min_parts: int | None = None,
        min_probability: float = 0.0,
        cuts: Iterable[int] = (),
        no_cuts: Iterable[int] = (),
    ) -> Segmentation:
        """Return the most probable split of a word.

        Args:
            word: any string; the empty one has no parts, one longer than `LONGEST_WORD` is left whole.
            granularity: "fine": all parts; "head": modifier and head; "contest": head, the modifier cut once more.
            min_parts: the least number of parts, at the finest granularity; None: the model's own, 2 where all training
                words were compounds. A shorter word takes as many as it can.
            min_probability: a word whose best split into finest parts is less probable is left whole.
            cuts: places in `word` where a part must end, at the finest granularity: 4 is between the fourth and the
                fifth character. Given these or the next, what is told of the word by the user's dictionary or with the
                model does not count.
            no_cuts: places where none may.

        Raises:
            CutError: a place is not inside the word, lies in a letter, or is both forced and forbidden.
            ModelError: a coarser granularity is asked of a model that was trained without bracketing.
            NoPathError: nothing is left by what is forced and forbidden.
            ValueError: no such granularity; a number out of its range.
        """
        return self._one(word, self._request(1, granularity, min_parts, min_probability), cuts, no_cuts)[0]

    def split_batch(
        self,
        words: Iterable[str],
        *,
        granularity: str = "fine",
        min_parts: int | None = None,
        max_parts: int | None = None,
        min_probability: float = 0.0,
        batch_size: int = BATCH,
    ) -> list[Segmentation]:
        """Return the most probable split of each word, in order.

        Args:
            words: any strings; the empty one has no parts, one longer than `LONGEST_WORD` is left whole.
            granularity: as for `split`.
            min_parts: the least number of parts; None: the model's own. A shorter word takes as many as it can.
            max_parts: the most parts, as long as one of a word's `RANKED` best splits has as few; None: any number.
            min_probability: as for `split`.
            batch_size: most words in memory at a time; results do not depend on it beyond rounding.

        Raises:
            TypeError: `words` is a single string.
            ValueError: `min_parts` is not 1 … `MOST_PARTS`, `max_parts` is below it, or `batch_size` below 1; as for
                `split`.
        """
        request = self._request(1 if max_parts is None else RANKED, granularity, min_parts, min_probability)
        if max_parts is None:
            return [ranking[0] for ranking in self._rankings(words, request, batch_size)]
        if max_parts < request.min_parts:
            raise ValueError(
                f"max_parts is {max_parts}, should be {request.min_parts} or more, the least number of parts"
            )
        return [
            next((split for split in ranking if len(split.parts) <= max_parts), ranking[0])
            for ranking in self._rankings(words, request, batch_size)
        ]

    def split_parts(
        self, words: Iterable[str], *, granularity: str = "fine", min_probability: float = 0.0
    ) -> list[Parts]:
        """Return the parts of each word, in order, with the probability of that split; no parts for the empty word.

        What `split_batch` finds, without all that it tells of it.
        """
        request = self._request(1, granularity, None, min_probability)
        words, result = list_of_strings("words", words), list[Parts]()
        quick = granularity == "fine" and request.min_parts == 1
        for at in range(0, len(words), QUICK_BATCH):
            some = words[at : at + QUICK_BATCH]
            parts = self._ranker.parts(some, request) if quick else [None] * len(some)
            rest = [word for word, found in zip(some, parts, strict=True) if found is None]
            of_rest = self._rankings(rest, request, BATCH, first=not quick)
            result += [found or _parts(next(of_rest)[0]) for found in parts]
        return result

    def nbest(
        self,
        word: str,
        k: int,
        *,
        granularity: str = "fine",
        min_parts: int | None = None,
        cuts: Iterable[int] = (),
        no_cuts: Iterable[int] = (),
    ) -> list[Segmentation]:
        """Return up to k splits of a word, the most probable first; see `nbest_batch` and `split`."""
        return self._one(word, self._request(k, granularity, min_parts), cuts, no_cuts)

    def nbest_batch(
        self,
        words: Iterable[str],
        k: int,
        *,
        granularity: str = "fine",
        min_parts: int | None = None,
        min_probability: float = 0.0,
        batch_size: int = BATCH,
    ) -> list[list[Segmentation]]:
        """Return up to k splits of each word, the most probable first; fewer where a word has fewer.

        Of a coarser granularity the first is the one that the finest split's tree gives, and the others are those that
        the k + `hybrid.ranking.FINE_SPLITS` best of the finest splits give.

        Raises:
            ValueError: k is below 1 or above `MOST_SPLITS`; as for `split_batch`.
        """
        request = self._request(k, granularity, min_parts, min_probability)
        return list(self._rankings(words, request, batch_size))

    def explain(
        self,
        word: str,
        k: int = 3,
        *,
        min_parts: int | None = None,
        cuts: Iterable[int] = (),
        no_cuts: Iterable[int] = (),
        seen: float = SEEN,
    ) -> Explanation:
        """Return the k best splits into finest parts with what each column gave, and the likeliest of the segments.

        Arguments and errors as in `nbest`; `seen` is the least probability of a segment that counts as likely.
        """
        check_string("word", word)
        forced, forbidden = places_of(word, cuts), places_of(word, no_cuts)
        splits = self.nbest(word, k, min_parts=min_parts, cuts=forced, no_cuts=forbidden)
        form = read_form(word, self.model.lexicon)
        own = bool(forced or forbidden)
        wanted = read_cuts(word, form, forced, forbidden) if own else self._ranker.cuts_of(form)
        least = self.model.min_parts if min_parts is None else min_parts
        scored = next(self._ranker.scored([form], [wanted], least), None)
        if scored is None:  # empty, too long, or its cuts are told
            return Explanation.of_told(splits[0])
        names, lattice = column_names(self.scorers), scored.lattice
        if scored.evidence is None:
            names, columns = list(FIRST_COLUMNS), self._ranker.stages.first_columns(form.text)
        else:
            columns = compute_columns(self.scorers, scored.evidence) * np.array(self._weights)[:, None]
        probability = marginals(lattice.lattice, scored.scores, min_parts=least).edge
        return Explanation.of_found(splits, form, lattice, names, columns, scored.added, probability, seen)

    def split_text(self, text: str, *, granularity: str = "fine", min_probability: float = 0.0) -> list[Token]:
        """Split the words of a running text.

        Args:
            text: any text.
            granularity: as for `split`.
            min_probability: as for `split`.

        Returns:
            Tokens that tile the text: words with their splits, and what stands between them.

        Raises:
            DataError: the package regex is not installed.
        """
        check_string("text", text)
        places = list(find_words(text))
        words = [text[start:end] for start, end in places]
        distinct = list(dict.fromkeys(words))
        splits = self.split_batch(distinct, granularity=granularity, min_probability=min_probability)
        of_word = dict(zip(distinct, splits, strict=True))
        return tokens(text, [of_word[word] for word in words], places)

    @property
    def most_parts(self) -> int | None:
        """The most parts that a training word had; None for models of format 1, which do not tell."""
        most = self.model.training.get("most_parts")
        return max(int(most), self.model.min_parts) if isinstance(most, int) else None

    def probabilities(self, data: Mapping[str, Sequence[int]], *, min_parts: int | None = None) -> list[float]:
        """Return the posterior probability of a given split of each word, in order.

        Args:
            data: word → 0/1 for each of its characters, 1 for the last of a part.
            min_parts: as for `split`; a split with fewer parts has probability 0.

        Raises:
            DataError: a word is empty or its labels are not as `train` wants them.
        """
        check_labelled(data)
        least = self.model.min_parts if min_parts is None else min_parts
        result: list[float] = []
        for words in batches(data, 1, least, BATCH):
            result += self._ranker.probabilities({word: data[word] for word in words}, min_parts=least)
        return result

    def score(self, evidence: Evidence) -> Reals:
        """Return (E,): the weighted sum of all columns for each edge of a lattice, in nats; the nets' word on it."""
        return weigh(compute_columns(self.scorers, evidence), self._weights)

    def _request(self, k: int, granularity: str, min_parts: int | None, min_probability: float = 0.0) -> Request:
        if not 1 <= k <= MOST_SPLITS:
            raise ValueError(f"k is {k}, should be 1 to {MOST_SPLITS:,}")
        if granularity not in GRANULARITIES:
            raise ValueError(f"granularity is {granularity!r}, should be one of {', '.join(GRANULARITIES)}")
        if granularity != "fine" and self.model.bracketing is None:
            raise ModelError(
                f"this model knows no bracketing, which granularity {granularity!r} needs; the default model does"
            )
        if not 0 <= min_probability <= 1:
            raise ValueError(f"min_probability is {min_probability}, should be 0 to 1")
        least = self.model.min_parts if min_parts is None else min_parts
        return Request(k, least, granularity, min_probability)

    def _one(self, word: str, request: Request, cuts: Iterable[int], no_cuts: Iterable[int]) -> list[Segmentation]:
        check_string("word", word)
        forced, forbidden = places_of(word, cuts), places_of(word, no_cuts)
        if not forced and not forbidden:
            return next(self._rankings([word], request, BATCH))
        if forced:  # a word that must be cut is not left whole
            request = replace(request, min_probability=0.0)
        form = read_form(word, self.model.lexicon)
        if len(form.text) > LONGEST_WORD or len(word) > LONGEST_STRING:
            raise CutError(f"{word[:40]!r}…: longer than {LONGEST_WORD:,} characters, so it is left whole")
        wanted: Cuts = read_cuts(word, form, forced, forbidden)
        next(batches([word], request.k, request.min_parts, BATCH))
        try:
            return self._ranker.rank_wanted([word], request, [wanted])[0]
        except NoPathError:
            raise NoPathError(f"{word!r}: no split is left by what is forced and forbidden") from None

    def _rankings(
        self, words: Iterable[str], request: Request, batch_size: int, *, first: bool = True
    ) -> Iterator[list[Segmentation]]:
        """Yield the words' ranked splits; `first`: words that are quickly split have not been so before."""
        refuse_one_string("words", words)
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size}, should be 1 or more")
        for batch in batches(words, request.k, request.min_parts, batch_size):
            yield from self._ranker.rank(batch, request) if first else self._ranker.rank_wanted(batch, request)


def _parts(split: Segmentation) -> Parts:
    return split.texts, split.probability
