"""One segmenter in many threads and processes; several in one; and nothing of theirs in what all share."""

import locale
import logging
import multiprocessing
import os
import pickle
import random
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

import hybrid
from hybrid import UserDictionary
from hybrid.firstpass.splitter import FirstSplitter
from hybrid.inference import _THREADS, one_thread
from hybrid.lazy import NetsOnDevice
from hybrid.segmenter import Segmenter
from lexicon.once import made_once
from tests import golden

ROWS = golden.read()[:300]
WORDS, FINE = ([row[of] for row in ROWS] for of in ("word", "fine"))
NEEDS_NETS = "Wumpfzqaibrodel"


@pytest.fixture
def used() -> Segmenter:
    """A segmenter that has laid its tries flat and made its nets."""
    segmenter = hybrid.load(device="cpu")
    assert [str(split) for split in segmenter.split_batch(WORDS)] == FINE
    segmenter.split(NEEDS_NETS)
    assert "known" in vars(segmenter._ranker.stages.first.splitter)
    assert "scores" in vars(segmenter._nets)
    return segmenter


def texts_of(segmenter: Segmenter) -> list[str]:
    """For processes, which want functions of a module."""
    return [str(split) for split in segmenter.split_batch(WORDS)]


def test_eight_threads_share_a_new_segmenter() -> None:
    segmenter, start = hybrid.load(device="cpu"), threading.Barrier(8)

    def work(number: int) -> bool:
        order = random.Random(number).sample(range(len(WORDS)), len(WORDS))
        start.wait()
        splits = segmenter.split_batch(WORDS[i] for i in order)
        parts = segmenter.split_parts(WORDS[i] for i in order)
        same = segmenter.nbest(NEEDS_NETS, 3)[0].texts == segmenter.split(NEEDS_NETS).texts
        return (
            same
            and [str(split) for split in splits] == [FINE[i] for i in order]
            and ["|".join(texts) for texts, _ in parts] == [FINE[i] for i in order]
        )

    before = torch.get_num_threads()
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(8))) == [True] * 8
    assert torch.get_num_threads() == before


def test_threads_that_overlap_leave_torch_its_own() -> None:
    torch.set_num_threads(2)
    one, other = one_thread(), one_thread()
    one.__enter__()
    other.__enter__()
    assert torch.get_num_threads() == 1
    one.__exit__(None, None, None)
    other.__exit__(None, None, None)
    assert torch.get_num_threads() == 2


def test_what_is_made_once_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where functools' own property has no lock, as since Python 3.12."""
    start, made = threading.Barrier(8), []

    def unlocked(self: made_once, instance: object, owner: object = None) -> object:
        if "value" not in vars(instance):
            made.append(1)
            threading.Event().wait(0.05)  # long enough for all others to come here too
            vars(instance)["value"] = len(made)
        return vars(instance)["value"]

    monkeypatch.setattr(made_once.__base__, "__get__", unlocked)

    class Thing:
        value = made_once(lambda self: 0)

    thing = Thing()

    def ask(_: int) -> object:
        start.wait()
        return thing.value

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(ask, range(8))) == {1}
    assert made == [1]


def test_a_pickle_holds_the_model_once(used: Segmenter) -> None:
    again = pickle.loads(pickle.dumps(used))
    assert texts_of(again) == FINE
    assert (again.device, again.split("Haustür")) == (used.device, used.split("Haustür"))
    assert "scores" not in vars(pickle.loads(pickle.dumps(used._nets)))
    assert "made" not in vars(pickle.loads(pickle.dumps(used.model.nets)))
    assert set(vars(pickle.loads(pickle.dumps(used.model.lexicon)))) == set(used.model.lexicon.__dataclass_fields__)
    user = used.with_user(UserDictionary.make(["wumpf"], always=["Staub|ecken"], never=["Haustür"]))
    again = pickle.loads(pickle.dumps(user))
    assert [str(again.split(word)) for word in ("Staubecken", "Haustür")] == ["Staub|ecken", "Haustür"]
    assert again.split("Wumpfhaus") == user.split("Wumpfhaus")


@pytest.mark.parametrize("start", [m for m in ("fork", "spawn") if m in multiprocessing.get_all_start_methods()])
def test_processes_that_are_forked_and_spawned(used: Segmenter, start: str) -> None:
    """After nets were used here, which in a forked process must not wait for threads that are not there."""
    with multiprocessing.get_context(start).Pool(2) as pool:
        assert pool.map_async(texts_of, [used, used]).get(timeout=240) == [FINE, FINE]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't be forked here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")
def test_a_fork_in_the_midst_of_other_threads_work() -> None:
    """Locks that other threads hold when a process is forked are never released there."""
    segmenter = hybrid.load(device="cpu")
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with FirstSplitter.known.lock, NetsOnDevice.scores.lock, _THREADS.lock:
            _THREADS.callers += 1
            held.set()
            done.wait()
            _THREADS.callers -= 1

    other = threading.Thread(target=hold)
    other.start()
    held.wait()
    child = os.fork()
    if not child:
        signal.alarm(120)
        os._exit(0 if texts_of(segmenter) == FINE and segmenter.split(NEEDS_NETS).word == NEEDS_NETS else 1)
    done.set()
    other.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_two_segmenters_have_nothing_in_common() -> None:
    one = hybrid.load(device="cpu")
    other = hybrid.load(device="cpu", user=UserDictionary.make(never=["Haustür"]))
    told = one.with_listed(["Quarzzaun"])
    assert str(other.split("Haustür")) == "Haustür"
    assert str(one.split("Haustür")) == str(told.split("Haustür")) == "Haus|tür"
    assert one.model.lexicon.trie.get("quarzzaun", -1) == -1
    assert other.model.lexicon is not one.model.lexicon


def shared_state() -> Iterator[tuple[str, object]]:
    """Yield what a process has once, and a library should leave alone."""
    yield "torch's random numbers", torch.get_rng_state().tolist()
    yield "torch's threads", torch.get_num_threads()
    yield "torch's defaults", (torch.get_default_dtype(), torch.is_grad_enabled(), torch.get_float32_matmul_precision())
    yield "numpy's random numbers", str(np.random.get_state())
    yield "numpy's errors", np.geterr()
    yield "numpy's output", np.get_printoptions()
    yield "random numbers", random.getstate()
    yield "environment", dict(os.environ)
    yield "folder", Path.cwd()
    yield "signals", [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGPIPE)]
    yield "locale", locale.setlocale(locale.LC_ALL)
    yield "logging", (logging.root.level, list(logging.root.handlers))
    yield "limits", (sys.getrecursionlimit(), sys.getswitchinterval(), sys.path[:])
    yield "threads", {thread.name for thread in threading.enumerate()}
    yield "warnings", list(warnings.filters)


def test_shared_state_is_left_alone(tmp_path: Path) -> None:
    hybrid.load(device="cpu").split(NEEDS_NETS)  # imports torch and numba, whose own doings are not ours
    before = dict(shared_state())
    segmenter = hybrid.load(device="cpu", mode="nets")
    segmenter.split_batch(WORDS[:20])
    segmenter.nbest("Haustür", 2)
    segmenter.explain("Haustür")
    segmenter.split_text("Die Haustür, das Wumpfhaus.")
    segmenter.save(tmp_path / "model")
    after = dict(shared_state())
    assert {name: state for name, state in after.items() if state != before[name]} == {}
