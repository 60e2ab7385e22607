"""Models trained once for all decoders, kept by what they depend on: data, configuration, and the sources."""

import dataclasses
import hashlib
import json
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from threading import Event

import numpy as np
import torch

from benchmarks.results import make_folder
from hybrid.atomic import whole_file
from hybrid.datasets import Labels
from hybrid.errors import ModelError
from hybrid.inference import one_thread
from hybrid.segmenter import Segmenter
from hybrid.training import TrainingConfig
from hybrid.training.nets import train_tagger
from hybrid.training.words import SplitWords
from lexicon.dictionary import FOLDER as DICTIONARY

ROOT = Path(__file__).parent.parent
CACHE = Path(__file__).parent / "cache"

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True, slots=True)
class Trained:
    """A model, and how many seconds its training took (when it was trained, not now)."""

    segmenter: Segmenter
    seconds: float


def trained(
    data: Labels,
    told: Iterable[str],
    config: TrainingConfig,
    *,
    dictionary: Sequence[str] | None = None,
    device: str | None,
    folder: Path,
) -> Trained:
    """Return the model of these words, trained now or before; `dictionary` as in `Segmenter.train`."""
    told = list(told)

    def train() -> Segmenter:
        return Segmenter.train(data, unlabelled=told, dictionary=dictionary, config=config, device=device)

    return _kept(folder / _key([data, told, dictionary, dataclasses.asdict(config)]), train, device)


def with_boundary_net(
    full: Segmenter, rest: SplitWords, config: TrainingConfig, *, device: str | None, folder: Path
) -> Segmenter:
    """Return the model with a boundary net beside its others, trained on the words that they were trained on."""

    def train() -> Segmenter:
        nothing = np.zeros((sum(map(len, rest.words)), 0), np.float32)
        with one_thread():
            net = train_tagger("boundary net", rest.words, rest.cuts, nothing, full.model.alphabet, config, config.seed,
                               torch.device(full.device), Event())  # fmt: skip
        return Segmenter(
            dataclasses.replace(full.model, nets=dataclasses.replace(full.model.nets.made, taggers={"boundary": net})),
            device=device,
        )

    made_of = ["boundary", rest.words, rest.cuts, full.model.weights, dataclasses.asdict(config)]
    return _kept(folder / _key(made_of), train, device).segmenter


def _kept(place: Path, train: Callable[[], Segmenter], device: str | None) -> Trained:
    seconds = place.with_suffix(".json")
    if place.is_dir() and seconds.is_file():
        log.info("model from %s", place)
        try:
            return Trained(Segmenter.load(place, device=device), float(seconds.read_text(encoding="utf-8")))
        except (ModelError, ValueError) as error:
            log.warning("%s is damaged (%s) and made anew", place, error)
    make_folder(place.parent)
    begin = time.perf_counter()
    segmenter = train()
    elapsed = time.perf_counter() - begin
    segmenter.save(place)
    with whole_file(seconds) as temporary:
        temporary.write_text(str(elapsed), encoding="utf-8")
    return Trained(segmenter, elapsed)


def _key(made_of: Sequence[object]) -> str:
    """Return a name that no other model has."""
    sources = sorted(path for package in ("hybrid", "lexicon") for path in (ROOT / package).rglob("*.py"))
    code = [path.read_text(encoding="utf-8") for path in sources]
    nouns = hashlib.sha256((DICTIONARY / "nouns.txt.xz").read_bytes()).hexdigest()
    return hashlib.sha256(json.dumps([made_of, code, nouns]).encode()).hexdigest()[:16]
