"""Kill, or deny the disk to, what writes models and files, at each moment: `python -m tests.killing WHAT FOLDER`.

Each moment is tried in a fork of this process, so that models and packages are loaded once. A moment is just before an
operation on files that Python tells its audit hooks of: opening, renaming, making, removing, changing modes.
"""

import dataclasses
import json
import os
import resource
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hybrid.atomic import PROBE
from hybrid.cli import _write_lines
from hybrid.model_store import load_model, save_model
from hybrid.submission import write_submission

SMALL = Path(__file__).parent / "data" / "model-v4"
MOMENTS = ("open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.chmod")

Write = Callable[[str], None]
"""Writes a version, "old" or "new"."""


def killed(work: Callable[[], None], moment: int) -> bool:
    """Do the work in a fork that kills itself at a moment; return whether there was such a one."""
    child = os.fork()
    if child == 0:
        left = moment

        def hook(event: str, _: object) -> None:
            nonlocal left
            if event in MOMENTS:
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        work()
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), status
    return status != 0


def at_each_moment(folder: Path, write: Write, found: Callable[[], str], old: bool) -> Counter[str]:
    """Kill a writer of "new" at each moment, and count what is found then; "none" where nothing is.

    After each, only temporary names lie beside the target, and writing again gives what is new.
    """
    counts: Counter[str] = Counter()
    target = folder / "target"
    moment, more = 0, True
    while more:
        shutil.rmtree(folder)
        folder.mkdir()
        if old:
            write("old")
        more = killed(lambda: write("new"), moment)
        state = found()
        counts[state if target.exists() or state == "none" else f"{state} beside"] += 1
        assert all(path == target or path.name.startswith((".hybrid-target", PROBE)) for path in folder.iterdir())
        left = {path.name for path in folder.iterdir() if path.suffix == ".tmp"}
        write("new")
        assert found() == "new"
        assert {path.name for path in folder.iterdir()} == {"target", *left}
        moment += 1
    return counts


def without_room(folder: Path, write: Write, found: Callable[[], str]) -> Counter[str]:
    """Deny a writer all bytes of a file beyond a size; count what it says."""
    target, said = folder / "target", Counter[str]()
    write("new")
    largest = max(path.stat().st_size for path in [target, *target.rglob("*")] if path.is_file())
    write("old")
    for size in (0, 1, largest // 100, largest // 3, largest - 1):
        read, told = os.pipe()
        if os.fork() == 0:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
            try:
                write("new")
            except OSError as error:
                os.write(told, f"{error.filename}: {error.strerror}".encode())
            os._exit(0)
        os.close(told)
        with os.fdopen(read) as stream:
            said[stream.read()] += 1
        os.wait()
        assert found() == "old", size
        assert list(folder.iterdir()) == [target]
    return said


def model_writer(folder: Path) -> tuple[Write, Callable[[], str]]:
    target, model = folder / "target", load_model(SMALL)
    models = {name: dataclasses.replace(model, card={"name": name}) for name in ("old", "new")}

    def found() -> str:
        finished = folder / ".hybrid-target.new"
        return str(load_model(target).card["name"]) if target.exists() or finished.exists() else "none"

    return lambda name: save_model(models[name], target), found


def file_writer(folder: Path, write: Write, whole: dict[bytes, str]) -> tuple[Write, Callable[[], str]]:
    target = folder / "target"
    return write, lambda: whole[target.read_bytes()] if target.exists() else "none"


def whole_contents(target: Path, write: Write) -> dict[bytes, str]:
    contents = {}
    for name in ("old", "new"):
        write(name)
        contents[target.read_bytes()] = name
    return contents


def writer(kind: str, folder: Path) -> tuple[Write, Callable[[], str]]:
    """Return what writes "old" or "new" into FOLDER/target, and what tells which of them is there, whole."""
    target = folder / "target"
    if kind == "model":
        return model_writer(folder)
    words = {"old": {"Haus": [0, 0, 0, 1]}, "new": {"x" * n: [0] * n for n in range(1, 400)}}

    def submission(name: str) -> None:
        write_submission(target, words[name], words[name])

    def lines(name: str) -> None:
        _write_lines(iter(words[name]), target)

    write = {"zip": submission, "lines": lines}[kind]
    return file_writer(folder, write, whole_contents(target, write))


def main(kind: str, folder: Path) -> None:
    os.fsync = lambda _: None  # takes long, and a kill alone loses nothing that was written
    folder.mkdir()
    write, found = writer(kind, folder)
    write("new")  # imports all that it needs
    result = {
        "over old": at_each_moment(folder, write, found, old=True),
        "anew": at_each_moment(folder, write, found, old=False),
    }
    result["without room"] = without_room(folder, write, found)
    sys.stdout.write(json.dumps(result))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
