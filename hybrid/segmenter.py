"""The facade: train, load, save, and split words."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybrid.columns import column_names, compute_columns, standard_scorers, weigh
from hybrid.datasets import check_labelled
from hybrid.decoding import Path as LatticePath
from hybrid.decoding import k_best, marginals, viterbi
from hybrid.errors import ModelError
from hybrid.evidence import Evidence, gather
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.limits import LONGEST_WORD, MOST_PARTS, MOST_SPLITS
from hybrid.model import Model
from hybrid.segmentation import Segmentation
from lexicon import LookupForm, normalize

if TYPE_CHECKING:
    from hybrid.training import TrainingConfig

BATCH = 2048
"""Words, and"""

BATCH_EDGES = 400_000
"""edges, whose lattices are held in memory at a time: some 100 MB. Ordinary words have about 100 edges each."""


class Segmenter:
    """Splits words with a trained model; it holds no state that splitting changes.

    Args:
        model: what training made.
        device: a torch device name such as "cuda" or "cpu"; None: CUDA where there is one, else MPS, else the CPU.

    Raises:
        ModelError: the model has no weight for a column of this release.
    """

    def __init__(self, model: Model, *, device: str | None = None) -> None:
        from hybrid.inference import LanguageModel, Tagger, pick_device

        if not isinstance(model, Model):
            raise TypeError(
                f"model is a {type(model).__name__}; Segmenter.load(folder) makes a segmenter from a folder"
            )
        place = pick_device(device)
        language_model = LanguageModel(model.language_model.to(place), model.alphabet, place)
        taggers = {name: Tagger(net.to(place), model.alphabet, place) for name, net in model.taggers.items()}
        self.model, self.device = model, str(place)
        self.scorers = standard_scorers(language_model, dict(taggers))
        missing = set(column_names(self.scorers)) ^ set(model.weights)
        if missing:
            raise ModelError(f"the model's columns differ from this release's in {sorted(missing)}; train it anew")
        self._weights = [model.weights[name] for name in column_names(self.scorers)]

    @classmethod
    def train(
        cls,
        data: Mapping[str, Sequence[int]],
        *,
        unlabelled: Iterable[str] = (),
        min_parts: int | None = None,
        config: "TrainingConfig | None" = None,
        device: str | None = None,
    ) -> "Segmenter":
        """Train on split words.

        Args:
            data: word → 0/1 for each of its characters, 1 for the last of a part.
            unlabelled: words that are known to exist, such as those to be segmented later.
            min_parts: the least number of parts of a word; None: 2 if every word in `data` has two or more, else 1.
            config: epochs, rates, seed; None: the defaults.
            device: as for `Segmenter`.

        Raises:
            DataError: a word is empty or its labels are not one a character, 0 or 1, the last one 1; too few words; a
                word with fewer parts than `min_parts`.
            TypeError: `unlabelled` is a single string.
        """
        from hybrid.inference import pick_device
        from hybrid.training import train

        if isinstance(unlabelled, str):
            raise TypeError("unlabelled is one string; a list of words is right")
        check_labelled(data)
        forms = [normalize(word) for word in data]
        cuts = [form.to_cuts(labels) for form, labels in zip(forms, data.values(), strict=True)]
        model = train(
            [form.text for form in forms],
            cuts,
            unlabelled=sorted({normalize(word).text for word in unlabelled} - {""}),
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
        self, words: Iterable[str], *, min_parts: int | None = None, batch_size: int = BATCH
    ) -> list[Segmentation]:
        """Return the most probable split of each word, in order.

        Args:
            words: any strings; the empty one has no parts, one longer than `LONGEST_WORD` is left whole.
            min_parts: the least number of parts; None: the model's own. A shorter word takes as many as it can.
            batch_size: most words in memory at a time; results do not depend on it beyond rounding.

        Raises:
            TypeError: `words` is a single string.
            ValueError: `min_parts` is not 1 … `MOST_PARTS`, or `batch_size` is below 1.
        """
        return [ranking[0] for ranking in self._rankings(words, 1, min_parts, batch_size)]

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

    def score(self, evidence: Evidence) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """Return (E,): the weighted sum of all columns for each edge of a lattice, in nats."""
        return weigh(compute_columns(self.scorers, evidence), self._weights)

    def _rankings(
        self, words: Iterable[str], k: int, min_parts: int | None, batch_size: int
    ) -> Iterator[list[Segmentation]]:
        least = self.model.min_parts if min_parts is None else min_parts
        if isinstance(words, str):
            raise TypeError("words is one string; a list of words is right, or split() for one word")
        if not 1 <= least <= MOST_PARTS:
            raise ValueError(f"min_parts is {least}, should be 1 to {MOST_PARTS}")
        if batch_size < 1:
            raise ValueError(f"batch_size is {batch_size}, should be 1 or more")
        batch: list[str] = []
        edges = 0
        for word in words:
            layers = min(least, len(word)) if least > 2 else 1
            cost = len(word) * (min(len(word), LONGEST_SEGMENT) * layers + k)
            if batch and (len(batch) == batch_size or edges + cost > BATCH_EDGES):
                yield from self._rank_batch(batch, k, least)
                batch, edges = [], 0
            batch.append(word)
            edges += cost
        if batch:
            yield from self._rank_batch(batch, k, least)

    def _rank_batch(self, words: Sequence[str], k: int, min_parts: int) -> Iterator[list[Segmentation]]:
        """Split words whose lattices fit in memory together."""
        forms = [normalize(word) for word in words]
        decoded = [form if 0 < len(form.text) <= LONGEST_WORD else LookupForm("", (0,)) for form in forms]
        evidence = gather([form.text for form in decoded], self.model.lexicon)
        k = min(k, 2 ** min(max((len(form.text) for form in decoded), default=1), 62))  # no word has more splits
        lattice, scores = evidence.lattice.lattice, self.score(evidence)
        log_z = marginals(lattice, scores, min_parts=min_parts).log_z
        if k == 1:
            rankings = [[path] for path in viterbi(lattice, scores, min_parts=min_parts)]
        else:
            rankings = k_best(lattice, scores, k, min_parts=min_parts)
        for word, form, paths, total in zip(words, forms, rankings, log_z, strict=True):
            yield [self._read_off(word, form, path, evidence, float(total)) for path in paths]

    @staticmethod
    def _read_off(word: str, form: LookupForm, path: LatticePath, evidence: Evidence, log_z: float) -> Segmentation:
        cuts = evidence.lattice.src[list(path.edges[1:])].tolist()
        probability = min(1.0, math.exp(path.score - log_z))
        labels = form.to_labels(cuts) if word else []
        return Segmentation.from_labels(word, labels, path.score, probability)
