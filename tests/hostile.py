"""Attacks on what comes from strangers: seeded trials in child processes that may take only so much memory and time.

`attack_model`, `attack_headers` and `attack_data` return a line for each trial that ended in anything else than an
error of one line or a result; each can be run long by raising `trials`, and one trial alone by its number.
"""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hybrid.model_store import MANIFEST, _seal
from lexicon.checksums import file_list
from lexicon.store import HEADER
from tests.damage import WRONG, mutate, mutate_packed, places, replaced
from tests.hostile_data import try_data

MEMORY = 3 << 30
"""Bytes of address space of a child: torch and numba take half of it."""

SECONDS = 20
"""A trial may take."""

MOST_FAILURES = 5
"""After as many no further child is begun: each may have waited so long."""

Work = Callable[[int, random.Random], tuple[str, Callable[[], None]]]
"""A trial's number and randomness to what it is, and the trial itself."""

HEADERS = (MANIFEST, f"lexicon/{HEADER}")


def attack_model(folder: Path, trials: int, seed: int, *, first: int = 0) -> list[str]:
    """Flip, cut, overwrite and move bytes of a small model's files, make the checksums fit, load it and split words."""
    return _attack("model", folder, trials, seed, first)


def attack_headers(folder: Path, trials: int, seed: int, *, first: int = 0) -> list[str]:
    """Put values of wrong types and sizes into the model's JSON files, make the checksums fit, load it, split words.

    Trials beyond `header_trials` repeat the first ones.
    """
    return _attack("headers", folder, trials, seed, first)


def attack_files(folder: Path, trials: int, seed: int, *, first: int = 0) -> list[str]:
    """Put pipes, devices, folders, links and endless files in place of the model's files; all have to be refused."""
    return _attack("files", folder, trials, seed, first)


def attack_data(trials: int, seed: int, *, first: int = 0) -> list[str]:
    """Damage user dictionaries, word lists, contest files and lexicon tables, read them, and use what is read."""
    return _attack("data", Path(), trials, seed, first)


def _attack(kind: str, folder: Path, trials: int, seed: int, first: int) -> list[str]:
    failures, at = [], first
    while at < first + trials and len(failures) < MOST_FAILURES:
        command = [sys.executable, "-m", "tests.hostile", kind, str(folder), str(at), str(first + trials), str(seed)]
        child = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        lines = child.stdout.splitlines()
        failures += [f"{kind} of seed {seed}, {line}" for line in lines if ": failed: " in line]
        if child.returncode == 0:
            break
        started = [line for line in lines if line.startswith("trial ")]
        if not started:
            raise RuntimeError(f"no trial was begun: {child.stderr[-2000:]}")
        failures.append(f"{kind} of seed {seed}, {started[-1]}: died ({child.returncode}): {child.stderr[-300:]}")
        at = int(started[-1].split()[1].rstrip(":")) + 1
    return failures


def resign(folder: Path) -> None:
    """Make all checksums of a model fit what its files hold now; what is no header any more stays as it is."""
    for name in reversed(HEADERS):
        path = folder / name
        try:
            header = json.loads(path.read_bytes())
            here = [file for file in header["files"] if (path.parent / file).is_file()]
            header["files"] |= file_list(path.parent, here)
            write_header(path, header)
        except (ValueError, TypeError, KeyError, AttributeError, OSError, RecursionError):
            continue


def write_header(path: Path, header: dict[str, Any]) -> None:
    """Write a manifest, sealed anew, or a lexicon's header."""
    if path.name == MANIFEST:
        header.pop("sha256", None)
        header = {**header, "sha256": _seal(header)}
    path.write_text(json.dumps(header), encoding="utf-8")


def header_trials(folder: Path) -> list[tuple[str, tuple[Any, ...], int]]:
    """Return every place in the model's headers with the number of every wrong value."""
    headers = {name: json.loads((folder / name).read_bytes()) for name in HEADERS}
    return [(name, path, n) for name, header in headers.items() for path in places(header) for n in range(len(WRONG))]


def _model_work(folder: Path, scratch: Path) -> Work:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    good = {name: (folder / name).read_bytes() for name in names}
    copy = Path(shutil.copytree(folder, scratch / "model"))

    def work(_: int, chance: random.Random) -> tuple[str, Callable[[], None]]:
        for name, content in good.items():
            (copy / name).write_bytes(content)
        name = chance.choice(names)
        what, content = (mutate_packed if name.endswith(".npz") else mutate)(good[name], chance)
        (copy / name).write_bytes(content)
        resign(copy)
        return f"{name}: {what}", lambda: try_model(copy)

    return work


def _header_work(folder: Path, scratch: Path, seed: int) -> Work:
    trials = header_trials(folder)
    random.Random(seed).shuffle(trials)
    good = {name: json.loads((folder / name).read_bytes()) for name in HEADERS}
    copy = Path(shutil.copytree(folder, scratch / "model"))

    def work(number: int, _: random.Random) -> tuple[str, Callable[[], None]]:
        name, path, n = trials[number % len(trials)]
        for other in HEADERS:
            (copy / other).write_bytes((folder / other).read_bytes())
        header = replaced(good[name], path, WRONG[n])
        if isinstance(header, dict):
            write_header(copy / name, header)
        else:
            (copy / name).write_text(json.dumps(header), encoding="utf-8")
        if name != MANIFEST:
            manifest = dict(good[MANIFEST])
            manifest["files"] = manifest["files"] | file_list(copy, [name])
            write_header(copy / MANIFEST, manifest)
        return f"{name}: {path} = {repr(WRONG[n])[:20]}", lambda: try_model(copy)

    return work


HOLES = 1 << 33
"""Bytes of a file that takes no room on a disk."""


def _instead(scratch: Path) -> dict[str, Callable[[Path], object]]:
    """Return what may stand in a file's place; each is put there once the file is gone."""

    def sparse(path: Path) -> None:
        with path.open("wb") as stream:
            stream.truncate(HOLES)

    return {
        "a pipe": os.mkfifo,
        "a folder": Path.mkdir,
        "a link to a device": lambda path: path.symlink_to("/dev/zero"),
        "a link to itself": lambda path: path.symlink_to(path.name),
        "a link to nothing": lambda path: path.symlink_to("nothing"),
        "a link outside": lambda path: path.symlink_to(scratch / "outside" / path.name),
        "a link to a pipe inside": lambda path: (os.mkfifo(path.parent / "pipe"), path.symlink_to("pipe")),
        "a file of holes": sparse,
    }


def _file_work(folder: Path, scratch: Path) -> Work:
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    instead = _instead(scratch)
    trials = [(name, what) for name in names for what in instead]
    shutil.copytree(folder, scratch / "outside")
    for path in (scratch / "outside" / "lexicon").iterdir():
        shutil.copy(path, scratch / "outside")

    def work(number: int, _: random.Random) -> tuple[str, Callable[[], None]]:
        name, what = trials[number % len(trials)]
        copy = scratch / "model"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(folder, copy)
        for header in HEADERS:
            content = json.loads((copy / header).read_bytes())
            for file in content["files"]:
                if (copy / header).parent / file == copy / name and what == "a file of holes":
                    content["files"][file]["bytes"] = HOLES
            write_header(copy / header, content)
        (copy / name).unlink()
        instead[what](copy / name)
        return f"{name}: {what}", lambda: try_refused(copy)

    return work


def try_refused(folder: Path) -> None:
    """Load a model that is none."""
    from hybrid import ModelError, Segmenter

    try:
        Segmenter.load(folder, device="cpu")
    except ModelError as error:
        require_line(error)
        return
    raise AssertionError("it was loaded")


def try_model(folder: Path) -> None:
    """Load a model and do with it what can be done; a `HybridError` of one line is as good as a result."""
    from hybrid import HybridError, Segmenter

    try:
        segmenter = Segmenter.load(folder, device="cpu")
        for some in (segmenter, Segmenter(segmenter.model, device="cpu", mode="nets")):
            some.split("Haustürschlüssel")
            some.nbest("Straßenbahn", 3)
            str(some.explain("Haustürschlüssel"))
            some.split_parts(["Arbeitszimmer", "vielleicht", "", "x" * 50, "Video-Call", "Straßenbahnhaltestelle"])
        repr(segmenter), segmenter.most_parts
    except HybridError as error:
        require_line(error)


def require_line(error: Exception) -> None:
    """Check that an error can be shown on one line."""
    text = str(error)
    if not text or len(text.splitlines()) != 1 or len(text) > 2000 or "\0" in text or "\x1b" in text:
        raise AssertionError(f"not one line: {text[:300]!r}")
    text.encode()


def _say(line: str) -> None:
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")
    sys.stdout.flush()


def main() -> None:
    """Run trials in this process, which was made for them: the limits stay."""
    kind, folder, first, last, seed = sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        work = {"model": lambda: _model_work(folder, scratch), "headers": lambda: _header_work(folder, scratch, seed),
                "files": lambda: _file_work(folder, scratch), "data": lambda: try_data(scratch)}[kind]()  # fmt: skip
        for number in range(first, last):
            what, trial = work(number, random.Random(f"{seed} {number}"))
            _say(f"trial {number}: {what}")
            signal.alarm(SECONDS)
            try:
                trial()
            except BaseException as error:
                _say(f"trial {number}: {what}: failed: {type(error).__name__}: {str(error)[:300]!r}")
            signal.alarm(0)


if __name__ == "__main__":
    main()
