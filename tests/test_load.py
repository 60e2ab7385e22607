"""Some time of words through the command; `python -m benchmarks load` does the same for an hour."""

import os
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

import hybrid
from benchmarks.load import run
from benchmarks.load.report import load_table
from benchmarks.load.run import WAYS, Sample, Way, run_load, summary, watch
from benchmarks.load.stream import BLOCK, TEXT_WORDS, blocks, words
from benchmarks.results import read_result
from hybrid import describing
from hybrid.cli import SHAPES, main
from hybrid.errors import DataError

CAPACITY = "ONEDNN_PRIMITIVE_CACHE_CAPACITY"

GROWN = 100
"""Megabytes that a process may grow by in so short a time: the C library gives memory back as it likes, but in
an hour too it grows by no more."""

OBJECTS = 1_000_000
"""Bytes of objects and arrays that may be left by 2,000 words more."""


def samples(megabytes: list[float], handles: int = 0) -> Iterator[Sample]:
    """Yield a sample an hour."""
    yield from (Sample(3600.0 * i, 100 * i, mb, 4 + handles * (i == len(megabytes) - 1), 1)
                for i, mb in enumerate(megabytes))  # fmt: skip


def test_memory_is_judged_by_what_is_settled() -> None:
    told = summary(list(samples([100, 500, 500, 510, 520, 530, 540], handles=2)))
    assert (told["megabytes"], told["megabytes_grown"], told["megabytes_per_hour"]) == (540, 40, 10)
    assert (told["handles_grown"], told["threads_grown"], told["lines"]) == (2, 0, 600)


def test_the_stream_is_the_same_each_time_and_has_all_kinds() -> None:
    some = list(islice(words(1), 3000))
    assert some == list(islice(words(1), 3000)) != list(islice(words(2), 3000))
    assert not any(end in word for word in some for end in "\n\r|")
    assert max(map(len, some)) > 1000
    assert not all(word.isalpha() for word in some)
    of_text = next(blocks(1, text=True))
    assert len(of_text) == BLOCK
    assert all(line.count(" ") >= TEXT_WORDS - 1 for line in of_text)


def test_some_time_of_words_leaves_memory_and_handles_as_they_are() -> None:
    told = summary(list(watch(WAYS[0], 18, seed=1)))
    assert told["lines"] > 1_500
    assert told["megabytes_grown"] <= GROWN
    assert (told["handles_grown"], told["threads_grown"]) == (0, 0)


def test_words_leave_no_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describing, "_KEPT", 100)
    segmenter = hybrid.load(device="cpu")
    stream = blocks(2, text=False)
    for _ in range(4):
        segmenter.split_parts(next(stream))
    tracemalloc.start()
    try:
        for turn in range(5):
            segmenter.split_parts(next(stream))
            if turn == 0:
                before = tracemalloc.get_traced_memory()[0]
        assert tracemalloc.get_traced_memory()[0] - before < OBJECTS
    finally:
        tracemalloc.stop()


def test_every_way_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first has its time above."""
    monkeypatch.setattr(run, "WAYS", WAYS[1:])
    run_load(tmp_path, 0.05, seed=3)
    rows = read_result(tmp_path, "load")["rows"]
    assert [row["name"] for row in rows] == [way.name for way in WAYS[1:]]
    assert all(row["lines"] >= BLOCK and row["handles_grown"] == 0 for row in rows)


def test_a_line_that_comes_back_changed_and_a_command_that_fails_are_told() -> None:
    with pytest.raises(DataError, match=r"line \d+: .* came back as"):
        list(watch(Way("wrong", (), lambda line: line.replace("|", "").replace("a", "b")), 5, seed=1))
    with pytest.raises(DataError, match="ended with exit code 2"):
        list(watch(Way("wrong", ("--separator", ""), lambda line: line), 5, seed=1))


@pytest.mark.parametrize("callers", [None, "512"])
def test_the_command_lets_torch_keep_little_code(callers: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CAPACITY, "before")
    monkeypatch.setenv(CAPACITY, callers) if callers else monkeypatch.delenv(CAPACITY)
    assert main(["split", "Haus"]) == 0
    assert os.environ[CAPACITY] == (callers or SHAPES)


def test_the_page_shows_what_was_measured() -> None:
    root = Path(__file__).parent.parent
    result = read_result(root / "benchmarks" / "results", "load")
    assert load_table(result) in (root / "docs" / "reliability.md").read_text(encoding="utf-8")
