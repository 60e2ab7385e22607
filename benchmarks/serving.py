"""`hybrid serve` under load: words at a constant rate, whether or not earlier ones are answered, from another process.

Latency counts from the moment when a question was due, not when it went out: a server that stalls is charged for all
questions that it makes late (Gil Tene calls leaving them out "coordinated omission").
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, urlsplit

import numpy as np
import psutil

from benchmarks.circumstances import circumstances, processor
from benchmarks.results import make_folder, write_result
from hybrid.atomic import whole_file
from hybrid.errors import DataError
from lexicon.dictionary import read_nouns

GIVEN_UP = 30.0
"""Seconds after which a question counts as not answered."""


@dataclass
class Connections:
    """Connections to a server, kept and used again; each carries one question at a time.

    Attributes:
        host: where it listens.
        port: where it listens.
        idle: connections that carry no question.
        opened: how many there have been.
    """

    host: str
    port: int
    idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = field(default_factory=list)
    opened: int = 0

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return status and body of what a path answers."""
        if self.idle:
            reader, writer = self.idle.pop()
        else:
            self.opened += 1
            reader, writer = await asyncio.open_connection(self.host, self.port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n\r\n".encode("ascii"))
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        body = await reader.readexactly(length)
        self.idle.append((reader, writer))
        return int(head.split()[1]), body

    async def close(self) -> None:
        """Close all that carry no question."""
        for _, writer in self.idle:
            writer.close()


@dataclass
class Asked:
    """What came of the questions: seconds from due to answered, seconds from due to sent, what went wrong."""

    seconds: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    connections: int = 0


async def ask(address: str, words: list[str], rate: float) -> Asked:
    """Ask for the words' splits, `rate` a second."""
    host, port = urlsplit(address).hostname or "", urlsplit(address).port or 80
    connections, asked = Connections(host, port), Asked()

    async def one(word: str, due: float) -> None:
        asked.late.append(time.perf_counter() - due)
        try:
            status, body = await asyncio.wait_for(connections.get(f"/split?word={quote(word)}"), GIVEN_UP)
            parts = "".join(part["text"] for part in json.loads(body)["parts"]) if status == 200 else ""
            if parts != word:
                asked.errors.append(f"{word}: {status} {parts}")
        except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
            asked.errors.append(f"{word}: {type(error).__name__} {error}")
        asked.seconds.append(time.perf_counter() - due)

    start = time.perf_counter() + 0.1
    tasks = []
    for i, word in enumerate(words):
        due = start + i / rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(one(word, due)))
    await asyncio.gather(*tasks)
    asked.connections = connections.opened
    await connections.close()
    return asked


def run_serve_load(out: Path, rate: int, seconds: int, seed: int) -> None:
    """Measure, print, and write `serving.json` and `serving.md`.

    Raises:
        DataError: the server ended or did not begin.
    """
    make_folder(out)
    nouns = [noun.capitalize() for noun in read_nouns()]
    words = random.Random(seed).choices(nouns, k=rate * seconds)
    load_before = os.getloadavg()[0]
    command = [sys.executable, "-m", "hybrid", "serve", "--port", "0", "--device", "cpu", "--warm"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        if not address:
            raise DataError(f"{' '.join(command[1:])}: ended before it served; see what it said above")
        process = psutil.Process(server.pid)
        busy = sum(process.cpu_times()[:2])
        begun = time.perf_counter()
        asked = asyncio.run(ask(address, words, rate))
        took = time.perf_counter() - begun
        busy = sum(process.cpu_times()[:2]) - busy
        megabytes = process.memory_info().rss / 1e6
        server.terminate()
    p50, p95, p99 = (1000 * float(q) for q in np.quantile(asked.seconds, [0.5, 0.95, 0.99]))
    result = {
        "rate": rate, "seconds": seconds, "seed": seed, "asked": len(words), "errors": len(asked.errors),
        "first_errors": asked.errors[:5], "answered_per_second": round(len(asked.seconds) / took, 1),
        "p50_ms": round(p50, 2), "p95_ms": round(p95, 2), "p99_ms": round(p99, 2),
        "max_ms": round(1000 * max(asked.seconds), 2),
        "sent_late_p99_ms": round(1000 * float(np.quantile(asked.late, 0.99)), 2),
        "connections": asked.connections, "server_cpu_share": round(busy / took, 3),
        "server_megabytes": round(megabytes),
        "load_before": round(load_before, 2), "load_after": round(os.getloadavg()[0], 2), "cores": os.cpu_count(),
        "processor": processor(), "circumstances": circumstances("cpu"),
    }  # fmt: skip
    write_result(out, "serving", result)
    with whole_file(out / "serving.md") as temporary:
        temporary.write_text(serving_markdown(result), encoding="utf-8")
    print(serving_markdown(result))


def serving_markdown(result: dict[str, object]) -> str:
    """Return the result as a page."""
    of, command = result, f"python -m benchmarks serve-load --rate {result['rate']} --seconds {result['seconds']}"
    about = of["circumstances"]
    assert isinstance(about, dict)
    return f"""# The server under load

`{command}`: single nouns, drawn at random (seed {of["seed"]}),
asked of `hybrid serve --warm` by another process at a constant rate, whether or not earlier ones are answered.
Times count from the moment when a question was due until its answer had come and was found to be that word's parts.

| measure | figure |
| --- | --- |
| questions, not answered right | {of["asked"]:,}, {of["errors"]} |
| answered a second | {of["answered_per_second"]} |
| p50 | {of["p50_ms"]} ms |
| p95 | {of["p95_ms"]} ms |
| p99 | {of["p99_ms"]} ms |
| longest | {of["max_ms"]} ms |
| of that, the asking process was late (p99) | {of["sent_late_p99_ms"]} ms |
| connections | {of["connections"]} |
| the server's use of one core | {100 * float(str(of["server_cpu_share"])):.0f} % |
| its memory | {of["server_megabytes"]} MB |
| load average before and after | {of["load_before"]}, {of["load_after"]} |

{of["processor"]}, {of["cores"]} cores, shared with the asking process; hybrid {about["hybrid"]} at {about["commit"]},
Python {about["python"]}, torch {about["torch"]}.
"""
