"""What integrations remember: each string found once, never a wrong value, whatever threads do."""

import random
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid.limits import LONGEST_KEPT
from hybrid.memory import Memory


class Lengths:
    """Finds lengths, and tells what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def __call__(self, strings: list[str]) -> list[int]:
        self.asked.append(strings)
        return [len(string) for string in strings]


def test_what_is_known_is_not_found_again() -> None:
    find = Lengths()
    memory = Memory(find)
    assert memory(["bb", "a", "bb"]) == [2, 1, 2]
    assert memory(["ccc", "a"]) == [3, 1]
    assert memory([]) == memory(())
    assert find.asked == [["a", "bb"], ["ccc"]]


def test_too_many_and_too_long_are_forgotten() -> None:
    find = Lengths()
    memory = Memory(find, kept=2)
    for strings in (["a", "b"], ["c"], ["a"], ["d", "e", "f"], ["c", "a"], ["x" * (LONGEST_KEPT + 1)] * 2):
        assert memory(strings) == [len(string) for string in strings]
    memory(["x" * (LONGEST_KEPT + 1)])
    long = ["x" * (LONGEST_KEPT + 1)]
    assert find.asked == [["a", "b"], ["c"], ["a"], ["d", "e", "f"], ["a", "c"], long, long]


@given(st.lists(st.lists(st.text(alphabet="abc", max_size=3), max_size=6), max_size=8), st.integers(0, 5))
def test_any_calls_give_what_the_function_gives(calls: list[list[str]], kept: int) -> None:
    memory = Memory(Lengths(), kept=kept)
    for strings in calls:
        assert memory(strings) == [len(string) for string in strings]
        assert len(memory._known) <= kept


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that change places all the time."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty")
def test_threads_get_right_values_while_others_forget() -> None:
    memory, start = Memory(Lengths(), kept=20), threading.Barrier(8)

    def work(seed: int) -> bool:
        rng = random.Random(seed)
        start.wait()
        calls = [["x" * rng.randrange(40) for _ in range(10)] for _ in range(500)]
        return all(memory(strings) == [len(string) for string in strings] for strings in calls)

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(8))) == [True] * 8


def test_what_fails_is_not_remembered() -> None:
    def fail(strings: list[str]) -> list[int]:
        raise RuntimeError("not now")

    memory = Memory(fail)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            memory(["a"])
    assert not memory._known
