"""The facade: train, load, save, and split words."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.columns import (
    column_names,
    compute_columns,
    further_scorers,
    standard_scorers,
    weigh,
    weighed_scorers,
)
from hybrid.datasets import check_labelled
from hybrid.errors import ModelError
from hybrid.evidence import Evidence
from hybrid.limits import MOST_SPLITS
from hybrid.model import Model
from hybrid.ranking import BATCH, Reals, batches, rank_splits, split_probabilities
from hybrid.segmentation import Segmentation
from lexicon import normalize
from lexicon.dictionary import dictionary_of, shipped_dictionary

if TYPE_CHECKING:
    from hybrid.training import TrainingConfig

RANKED = 8
"""Splits of a word among which one is looked for that has few enough parts."""


class Segmenter:
    """Splits words with a trained model; it holds no state that splitting changes.

    Args:
        model: what training made.
        device: a torch device name such as "cuda" or "cpu"; None: CUDA where there is one, else MPS, else the CPU.

    Raises:
        ModelError: the model has weights for columns that this release lacks, or lacks some.
    """

    def __init__(self, model: Model, *, device: str | None = None) -> None:
        from hybrid.inference import LanguageModel, SegmentNets, Tagger, pick_device

        if not isinstance(model, Model):
            raise TypeError(
                f"model is a {type(model).__name__}; Segmenter.load(folder) makes a segmenter from a folder"
            )
        place = pick_device(device)
        language_model = LanguageModel(model.language_model.to(place), model.alphabet, place)
        segments = {
            name: SegmentNets(tuple(net.to(place) for net in nets), model.alphabet, place)
            for name, nets in model.segment_nets.items()
        }
        taggers = {name: Tagger(net.to(place), model.alphabet, place) for name, net in model.taggers.items()}
        self.model, self.device = model, str(place)
        known = [*standard_scorers(language_model, segments), *further_scorers(language_model, taggers)]
        try:
            self.scorers = weighed_scorers(known, model.weights)
        except ValueError as error:
            raise ModelError(f"{error}; train the model anew") from None
        self._weights = [model.weights[name] for name in column_names(self.scorers)]

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

        for name, words in (("unlabelled", unlabelled), ("dictionary", dictionary)):
            if isinstance(words, str):
                raise TypeError(f"{name} is one string; a list of words is right")
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
    def load(cls, folder: str | Path, *, device: str | None = None) -> "Segmenter":
        """Load a model folder.

        Raises:
            ModelError: it is missing, damaged, incomplete, of another format or of a newer version.
        """
        from hybrid.model_store import load_model

        return cls(load_model(Path(folder)), device=device)

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
        return f"<Segmenter of {self.model.training.get('words')} words, on {self.device}>"

    def with_listed(self, words: Iterable[str]) -> "Segmenter":
        """Return a segmenter that also knows these words to exist; this one stays as it is."""
        if isinstance(words, str):
            raise TypeError("words is one string; a list of words is right")
        model = self.model.with_listed(normalize(word).text for word in words)
        return Segmenter(model, device=self.device)

    def split(self, word: str, *, min_parts: int | None = None) -> Segmentation:
        """Return the most probable split of a word.

        Args:
            word: any string; the empty one has no parts, one longer than `LONGEST_WORD` is left whole.
            min_parts: the least number of parts; None: the model's own, 2 where all training words were compounds. A
                shorter word takes as many as it can.
        """
        return self.split_batch([word], min_parts=min_parts)[0]

    def split_batch(
        self,
        words: Iterable[str],
        *,
        min_parts: int | None = None,
        max_parts: int | None = None,
        batch_size: int = BATCH,
    ) -> list[Segmentation]:
        """Return the most probable split of each word, in order.

        Args:
            words: any strings; the empty one has no parts, one longer than `LONGEST_WORD` is left whole.
            min_parts: the least number of parts; None: the model's own. A shorter word takes as many as it can.
            max_parts: the most parts, as long as one of a word's `RANKED` best splits has as few; None: any number.
            batch_size: most words in memory at a time; results do not depend on it beyond rounding.

        Raises:
            TypeError: `words` is a single string.
            ValueError: `min_parts` is not 1 … `MOST_PARTS`, `max_parts` is below it, or `batch_size` below 1.
        """
        if max_parts is None:
            return [ranking[0] for ranking in self._rankings(words, 1, min_parts, batch_size)]
        least = self.model.min_parts if min_parts is None else min_parts
        if max_parts < least:
            raise ValueError(f"max_parts is {max_parts}, should be {least} or more, the least number of parts")
        return [
            next((split for split in ranking if len(split.parts) <= max_parts), ranking[0])
            for ranking in self._rankings(words, RANKED, min_parts, batch_size)
        ]

    def nbest(self, word: str, k: int, *, min_parts: int | None = None) -> list[Segmentation]:
        """Return up to k splits of a word, the most probable first; see `nbest_batch`."""
        return self.nbest_batch([word], k, min_parts=min_parts)[0]

    def nbest_batch(
        self, words: Iterable[str], k: int, *, min_parts: int | None = None, batch_size: int = BATCH
    ) -> list[list[Segmentation]]:
        """Return up to k splits of each word, the most probable first; fewer where a word has fewer.

        Raises:
            ValueError: k is below 1 or above `MOST_SPLITS`.
        """
        if not 1 <= k <= MOST_SPLITS:
            raise ValueError(f"k is {k}, should be 1 to {MOST_SPLITS:,}")
        return list(self._rankings(words, k, min_parts, batch_size))

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
            result += split_probabilities(
                {word: data[word] for word in words}, self.model.lexicon, self.score, min_parts=least
            )
        return result

    def score(self, evidence: Evidence) -> Reals:
        """Return (E,): the weighted sum of all columns for each edge of a lattice, in nats."""
        return weigh(compute_columns(self.scorers, evidence), self._weights)

    def _rankings(
        self, words: Iterable[str], k: int, min_parts: int | None, batch_size: int
    ) -> Iterator[list[Segmentation]]:
        least = self.model.min_parts if min_parts is None else min_parts
        if isinstance(words, str):
            raise TypeError("words is one string; a list of words is right, or split() for one word")
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size}, should be 1 or more")
        for batch in batches(words, k, least, batch_size):
            yield from rank_splits(batch, self.model.lexicon, self.score, k, min_parts=least)
