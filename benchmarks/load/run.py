"""Feeds `hybrid split` for a given time, checks each line that comes back, and watches the process."""

import json
import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, Any

import numpy as np
import psutil

from benchmarks.circumstances import circumstances
from benchmarks.load.stream import blocks
from benchmarks.results import make_folder, write_result
from hybrid.errors import DataError

log = logging.getLogger(__name__)

Given = Callable[[str], str]


@dataclass(frozen=True)
class Way:
    """A way to use the command.

    Attributes:
        name: as it stands in the results.
        options: of `hybrid split`.
        given: a line of output to the line that it was given.
    """

    name: str
    options: tuple[str, ...]
    given: Given

    @property
    def text(self) -> bool:
        """Running text, not words."""
        return "--text" in self.options


WAYS = (
    Way("words", (), lambda line: line.replace("|", "")),
    Way(
        "words, all that is known of each", ("--format", "json", "--nbest", "2"), lambda line: json.loads(line)["word"]
    ),
    Way("running text", ("--text",), lambda line: line.replace("|", "")),
)

KEPT = 120
"""Samples of each way that are written down."""

SETTLED = 1 / 3
"""Of a run, after which memory should be flat."""


@dataclass(frozen=True)
class Sample:
    """The process at a time: seconds since the start, lines that came back, resident MB, open handles, threads."""

    seconds: float
    lines: int
    megabytes: float
    handles: int
    threads: int


def run_load(out: Path, minutes: float, seed: int) -> dict[str, Any]:
    """Run each way for an equal share of the time and write load.json; return the result.

    Raises:
        DataError: a line came back changed, or the command failed.
    """
    make_folder(out)
    rows = []
    for way in WAYS:
        samples = list(watch(way, 60 * minutes / len(WAYS), seed))
        some = [*samples[:: max(1, len(samples) // KEPT)], samples[-1]]
        rows.append({"name": way.name, **summary(samples), "samples": [asdict(sample) for sample in some]})
        log.info("%s: %s", way.name, ", ".join(f"{key} {value}" for key, value in rows[-1].items() if key not in
                                             {"name", "samples"}))  # fmt: skip
    result = {"minutes": minutes, "seed": seed, "rows": rows, **circumstances("cpu")}
    write_result(out, "load", result)
    return result


def summary(samples: list[Sample]) -> dict[str, Any]:
    """Return lines a second, the slope of memory over what is settled, its highest, handles and threads left."""
    settled = [sample for sample in samples if sample.seconds >= SETTLED * samples[-1].seconds]
    first, last = settled[0], settled[-1]
    hours, megabytes = [s.seconds / 3600 for s in settled], [s.megabytes for s in settled]
    slope = np.polyfit(hours, megabytes, 1)[0] if len(settled) > 2 else 0.0
    return {
        "lines": last.lines,
        "lines_per_second": round(last.lines / last.seconds),
        "megabytes": round(max(sample.megabytes for sample in samples), 1),
        "megabytes_grown": round(last.megabytes - first.megabytes, 1),
        "megabytes_per_hour": round(float(slope), 1),
        "handles_grown": last.handles - first.handles,
        "threads_grown": last.threads - first.threads,
    }


def watch(way: Way, seconds: float, seed: int) -> Iterator[Sample]:
    """Feed the command for a time; yield a sample a second.

    Raises:
        DataError: a line came back changed, or the command failed.
    """
    command = [sys.executable, "-m", "hybrid", "split", "--device", "cpu", *way.options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        sent: Queue[list[str]] = Queue(maxsize=4)
        end = time.monotonic() + seconds
        feeder = Thread(target=_feed, args=(child.stdin, sent, way, seed, end), daemon=True)
        feeder.start()
        yield from _receive(child, child.stdout, sent, way)
        feeder.join()
    if child.returncode:
        raise DataError(f"hybrid split {' '.join(way.options)}: ended with exit code {child.returncode}")


def _feed(stdin: IO[bytes], sent: "Queue[list[str]]", way: Way, seed: int, end: float) -> None:
    try:
        for lines in blocks(seed, text=way.text):
            if time.monotonic() >= end:
                break
            sent.put(lines)  # first, for the command may answer before it has read all
            stdin.write("".join(f"{line}\n" for line in lines).encode())
            stdin.flush()
        stdin.close()
    except (BrokenPipeError, ValueError):  # closed, for the reader found something: it tells what
        pass
    sent.put([])


def _receive(
    child: "subprocess.Popen[bytes]", stdout: IO[bytes], sent: "Queue[list[str]]", way: Way
) -> Iterator[Sample]:
    process, start, received = psutil.Process(child.pid), time.monotonic(), 0
    due = start
    while lines := sent.get():
        for line in lines:
            received += 1
            raw = stdout.readline()
            if not raw and child.wait():
                return
            answer = raw.decode().removesuffix("\n")
            if way.given(answer) != line:
                raise DataError(f"line {received}: {line[:80]!r} came back as {answer[:120]!r}")
        if time.monotonic() >= due:
            due += 1
            with process.oneshot():
                yield Sample(round(time.monotonic() - start, 1), received, round(process.memory_info().rss / 1e6, 1),
                             process.num_fds(), process.num_threads())  # fmt: skip
