"""Debian's Lucene (liblucene8-java) run on lines: its own tokenizers, filters and search, driven by a small program."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

JAVA = Path("/usr/share/java")
JARS = [jar for name in ("core", "analyzers-common") for jar in sorted(JAVA.glob(f"lucene-{name}-[0-9]*.jar"))[-1:]]
"""The newest of each."""

PROGRAM = Path(__file__).parent / "java" / "Analyze.java"

Chain = list[tuple[str, dict[str, str]]]
"""A tokenizer and filters, with their settings, by Lucene's names."""


class Token(NamedTuple):
    """What an analyzer gives: a text, how many positions after the one before, and its places in the line."""

    text: str
    step: int
    start: int
    end: int


class Run(NamedTuple):
    """A folder with the files that filters name, an analyzer, and lines: with a query analyzer, documents."""

    folder: Path
    chain: Chain
    lines: Sequence[str]
    query: Chain | None = None
    queries: Sequence[str] = ()


def require_lucene() -> None:
    """Skip the test where there is no Java, or no Lucene."""
    if not all(shutil.which(name) for name in ("java", "javac")):
        pytest.skip("java and javac are not installed")
    if len(JARS) < 2:
        pytest.skip("Lucene is not there: apt-get install liblucene8-java")


def run_lucene(runs: Sequence[Run], folder: Path) -> list[list[str]]:
    """Return the lines that each run prints; one Java process for all."""
    path = ":".join([str(folder), *map(str, JARS)])
    subprocess.run(["javac", "-d", str(folder), "-cp", path, str(PROGRAM)], check=True)
    arguments = []
    for i, run in enumerate(runs):
        described = [_described(run.chain), *(["query", _described(run.query)] if run.query else [])]
        lines = [*run.lines, *(["queries", *run.queries] if run.query else [])]
        chain, text = folder / f"chain{i}", folder / f"lines{i}"
        chain.write_text("\n".join(described) + "\n", encoding="utf-8")
        text.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        arguments += [str(run.folder), str(chain), str(text)]
    flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m"]
    done = subprocess.run(
        ["java", *flags, "-cp", path, "Analyze", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    told: list[list[str]] = [[]]
    for line in done.stdout.split("\n")[:-1]:
        if line == "end":
            told.append([])
        else:
            told[-1].append(line)
    return told[:-1]


def tokens(line: str) -> list[Token]:
    """Read a line that was printed."""
    rows = [item.rsplit(",", 3) for item in line.split("\t") if item]
    return [Token(text, int(step), int(start), int(end)) for text, step, start, end in rows]


def _described(chain: Chain) -> str:
    return "\n".join("\t".join([name, *(f"{key}={value}" for key, value in to.items())]) for name, to in chain)
