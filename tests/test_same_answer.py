"""The same answer always: whatever the batches, order, threads, hash seed, compiler and number format."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

import numpy as np
import pytest
import torch

import hybrid
from hybrid import inference
from hybrid.segmentation import Segmentation
from hybrid.segmenter import MODES
from tests import golden

WORDS, FINE = ([row[of] for row in golden.read()] for of in ("word", "fine"))
SHARE = 200
"""Of the list, where all of it would take long."""

ROUNDING, HALF_PRECISION = 1e-4, 0.1
"""Nats by which a word's score may differ: where sums are made in another order, and where nets take 16 bits."""


@cache
def splits_of(mode: str, words: int) -> list[Segmentation]:
    """Return the splits of the list's first words, as they are in quiet surroundings."""
    return hybrid.load(device="cpu", mode=mode).split_batch(WORDS[:words])


def test_the_golden_list() -> None:
    """After a new model, `python -m tests.golden` writes it anew."""
    assert len(set(WORDS)) == 2000
    assert list(golden.rows(WORDS)) == golden.read()


@pytest.mark.parametrize("mode", MODES)
def test_batches_and_order(mode: str) -> None:
    segmenter = hybrid.load(device="cpu", mode=mode)
    some = WORDS[:SHARE]
    expected = dict(zip(some, splits_of(mode, SHARE), strict=True))
    shuffled = random.Random(1).sample(some, len(some))
    ways = [(shuffled, segmenter.split_batch(shuffled)), (some, segmenter.split_batch(some, batch_size=7)),
            (shuffled, [ranking[0] for ranking in segmenter.nbest_batch(shuffled, 2)]),
            (some[:60], [segmenter.split(word) for word in some[:60]])]  # fmt: skip
    for words, splits in ways:
        for word, split in zip(words, splits, strict=True):
            assert split.texts == expected[word].texts
            assert str(split.tree) == str(expected[word].tree)
            assert split.score == pytest.approx(expected[word].score, abs=ROUNDING)
            assert split.probability == pytest.approx(expected[word].probability, abs=ROUNDING)
    parts = segmenter.split_parts(shuffled)
    assert [texts for texts, _ in parts] == [expected[word].texts for word in shuffled]


@contextmanager
def autocast() -> Iterator[None]:
    with torch.autocast("cpu", torch.bfloat16):
        yield


@contextmanager
def nets_in_half_precision() -> Iterator[None]:
    """What `inference` never does: nets in 16 bits."""

    @contextmanager
    def disturbed(_: torch.device) -> Iterator[None]:
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inference, "_undisturbed", disturbed)
        yield


@contextmanager
def torch_set(name: str, value: object, before: object) -> Iterator[None]:
    setting = getattr(torch, name)
    setting(value)
    try:
        yield
    finally:
        setting(before)


@contextmanager
def other_kernels() -> Iterator[None]:
    with torch.backends.mkldnn.flags(enabled=False):
        yield


@pytest.mark.parametrize(
    ("surroundings", "tolerance"),
    [
        pytest.param([autocast], 0.0, id="autocast"),
        pytest.param([lambda: torch_set("set_default_dtype", torch.float64, torch.float32)], 0.0, id="float64"),
        pytest.param([lambda: torch_set("set_default_device", "meta", None)], 0.0, id="device"),
        pytest.param([lambda: torch_set("set_num_threads", 3, torch.get_num_threads())], 0.0, id="threads"),
        pytest.param([lambda: np.errstate(all="raise")], 0.0, id="numpy raises"),
        pytest.param([lambda: torch_set("set_float32_matmul_precision", "medium", "highest"), other_kernels], ROUNDING,
                     id="other kernels"),
        pytest.param([nets_in_half_precision], HALF_PRECISION, id="bfloat16"),
    ],
)  # fmt: skip
def test_what_a_caller_sets_changes_nothing(surroundings: list, tolerance: float) -> None:
    words = WORDS if nets_in_half_precision in surroundings else WORDS[:SHARE]
    expected = splits_of("nets", len(words))
    with ExitStack() as stack:
        for make in surroundings:
            stack.enter_context(make())
        segmenter = hybrid.load(device="cpu", mode="nets")
        found = segmenter.split_batch(words)
        if words is WORDS:
            assert [str(split) for split in hybrid.load(device="cpu").split_batch(words)] == FINE
    differences = [abs(one.score - other.score) for one, other in zip(expected, found, strict=True)]
    assert [split.texts for split in found] == [split.texts for split in expected]
    assert max(differences) <= tolerance
    assert tolerance < HALF_PRECISION or max(differences) > ROUNDING, "the nets were not run in 16 bits"


SPLIT = """
import json, sys
import hybrid
from tests import golden
words = [row["word"] for row in golden.read()][: int(sys.argv[1])]
splits = [hybrid.load(device="cpu", mode=mode).split_batch(words) for mode in ("cascade", "nets")]
print(json.dumps([[(str(split), split.score) for split in of_mode] for of_mode in splits]))
"""


@pytest.mark.parametrize(
    ("environment", "hidden", "words"),
    [
        ({"PYTHONHASHSEED": "7", "OMP_NUM_THREADS": "4", "LC_ALL": "C", "PYTHONUTF8": "0"}, "", SHARE),
        ({"NUMBA_DISABLE_JIT": "1"}, "", 50),
        ({}, "import sys; sys.modules['numba'] = sys.modules['regex'] = None", SHARE),
    ],
    ids=["environment", "jit", "packages"],
)
def test_another_process_gives_the_same(environment: dict[str, str], hidden: str, words: int) -> None:
    child = subprocess.run(
        [sys.executable, "-c", hidden + SPLIT, str(words)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
        capture_output=True, check=True, timeout=300,
    )  # fmt: skip
    cascade, nets = json.loads(child.stdout)
    assert [split for split, _ in cascade] == FINE[:words]
    for found, mode in ((cascade, "cascade"), (nets, "nets")):
        for (text, score), expected in zip(found, splits_of(mode, words), strict=True):
            assert text == str(expected)
            assert score == pytest.approx(expected.score, abs=ROUNDING)


@pytest.mark.parametrize("environment", [{"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "C.UTF-8"}], ids=["C", "UTF-8"])
def test_words_are_read_alike_in_any_locale(environment: dict[str, str]) -> None:
    """As arguments, which Python decodes by the locale, and on standard input."""
    words = ["Haustür", "Küchenschränke", "Straßenbahn", "Haustu\u0308r"]
    command, given = [sys.executable, "-m", "hybrid", "split", "--separator", "·"], "\n".join(words)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    told = [
        subprocess.run([*command, *more], input=stdin.encode(), env=environment, capture_output=True, check=True).stdout
        for more, stdin in ((words, ""), ([], given))
    ]
    expected = "".join("·".join(split.texts) + "\n" for split in hybrid.load().split_batch(words))
    assert told == [expected.encode()] * 2
