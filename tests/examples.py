"""What documents show, run: `console` blocks as commands, `pycon` and `python` blocks as Python."""

import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Block(NamedTuple):
    """A fenced block: its kind, its text, the line of the document that it begins at."""

    kind: str
    text: str
    line: int


def blocks(document: str) -> list[Block]:
    """Return the fenced blocks of a document, in order; such as begin with spaces too."""
    found = re.finditer(r"^( *)```(\w*)[^\n]*\n(.*?)^\1```$", document, re.MULTILINE | re.DOTALL)
    return [
        Block(m[2], re.sub(rf"^{m[1]}", "", m[3], flags=re.MULTILINE), document[: m.start()].count("\n") + 2)
        for m in found
    ]


def run_document(path: Path, folder: Path) -> int:
    """Run all that a document shows, in order, in a folder; return how many blocks there were.

    Commands share the folder, and Python its names. Of `python` blocks the output is in a `text` block that follows.
    """
    names: dict[str, object] = {"__name__": "__main__"}
    ran, shown = 0, blocks(path.read_text(encoding="utf-8"))
    for i, block in enumerate(shown):
        where = f"{path.name}:{block.line}"
        if block.kind == "console":
            run_commands(block.text, folder, where)
        elif block.kind == "pycon":
            run_session(block.text, names, where)
        elif block.kind == "python":
            follows = shown[i + 1] if i + 1 < len(shown) and shown[i + 1].kind == "text" else None
            done = subprocess.run(
                [sys.executable, "-c", block.text], cwd=folder, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{where}: {done.stderr}"
            assert done.stdout == (follows.text if follows else ""), where
        else:
            continue
        ran += 1
    return ran


def run_commands(text: str, folder: Path, where: str = "") -> None:
    """Run commands after `$ `, each with its output up to the next; lines of `...` stand for any lines."""
    for step in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        runnable = re.sub(r"(^|[|;(] *)hybrid ", rf"\1{sys.executable} -m hybrid ", command)
        done = subprocess.run(["bash", "-c", runnable], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{where}: {command}: {done.stderr}"
        checker = doctest.OutputChecker()
        assert checker.check_output(expected, done.stdout, doctest.ELLIPSIS), f"{where}: {command}: {done.stdout}"


def run_session(text: str, names: dict[str, object], where: str = "") -> None:
    """Run a Python session; `...` in what it shows stands for anything."""
    test = doctest.DocTestParser().get_doctest(text, names, where, where, 0)
    assert test.examples, where
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    runner.run(test, out=told.append, clear_globs=False)
    assert not told, "".join(told)
    names.update(test.globs)
