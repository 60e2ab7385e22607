"""Small real data and one small model, made once in each test process."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings

from hybrid.segmenter import Segmenter
from hybrid.training import TrainingConfig
from lexicon.silver import FOLDER

settings.register_profile("quick", max_examples=50)  # where a test says nothing else; `make fuzz` tries more
settings.load_profile("quick")

TINY = TrainingConfig(
    lexicon_nets=2, lexicon_hidden=24, lexicon_dropout=(0.1, 0.1, 0.1), character_nets=1, character_hidden=24,
    lexicon_epochs=5, character_epochs=5, segment_batch=32, segment_rate=1e-2, tagger_hidden=24, tagger_epochs=3,
    tagger_batch=32, tagger_rate=1e-2, language_hidden=32, language_epochs=4,
)  # fmt: skip

QUICK = replace(TINY, lexicon_epochs=1, character_epochs=1, tagger_epochs=1, language_epochs=1)
"""Where a test asks what is done with a model, not how good it is."""


def silver(name: str, words: int) -> dict[str, list[int]]:
    """Return some words of the silver set, spread over the alphabet."""
    data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    step = len(data) // words
    return dict(list(data.items())[::step][:words])


@pytest.fixture(scope="session")
def tiny_data() -> dict[str, list[int]]:
    return silver("train", 600)


@pytest.fixture(scope="session")
def segmenter(tiny_data: dict[str, list[int]]) -> Segmenter:
    """A model that has seen 600 words and some that are not compounds: small, not good, but whole."""
    whole = {word: [*[0] * (len(word) - 1), 1] for word in ("Hund", "vielleicht", "Straße", "Ei", "schön")}
    return Segmenter.train({**tiny_data, **whole}, config=TINY, device="cpu")


@pytest.fixture(scope="session")
def model_folder(segmenter: Segmenter, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    segmenter.save(folder)
    return folder


BUILD = "from setuptools import build_meta as build; build.build_wheel('out'); build.build_sdist('out')"


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with wheel and source distribution, built of a copy."""
    copy = tmp_path_factory.mktemp("copy") / "source"
    root = Path(__file__).parent.parent
    left_out = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist", "demo")
    shutil.copytree(root, copy, ignore=left_out)
    subprocess.run([sys.executable, "-c", BUILD], cwd=copy, capture_output=True, check=True)
    return copy / "out"
