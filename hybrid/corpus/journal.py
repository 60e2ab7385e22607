"""What a run has finished, kept beside its output, so that the next one goes on from there.

The folder `.hybrid-NAME.part` beside an output NAME holds `journal.jsonl` and the finished part of the output: a file
`output`, which grows, for lines; a file for each piece for Parquet. The first line of the journal tells its format, its
version and the job. Then, for lines, comes one for each finished block: rows, bytes of plain input and bytes of output
up to its end. A block is on the disk before its line is, so whatever is beyond the last whole line is done again.
"""

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, astuple, dataclass
from pathlib import Path
from typing import IO, Any

from hybrid.atomic import whole_file
from hybrid.corpus.job import differences
from hybrid.corpus.lock import locked
from hybrid.disk_errors import PREFIX, naming
from hybrid.errors import DataError

FORMAT = "hybrid corpus journal"
VERSION = 1
JOURNAL, OUTPUT = "journal.jsonl", "output"

_OWN = re.compile(r"journal\.jsonl$|output$|joined$|[0-9]{8}\.parquet|\.hybrid-")
"""Names in the folder that are a run's."""

Job = Mapping[str, Any]
"""All that a result depends on, as JSON has it."""


@dataclass(frozen=True, slots=True)
class Done:
    """How far a run has come: rows, bytes of plain input, bytes of output; and whether that is all."""

    rows: int = 0
    input: int = 0
    output: int = 0
    complete: bool = False


class Partial:
    """The unfinished output of one job, in a folder of its own."""

    def __init__(self, out: Path, folder: Path, done: Done) -> None:
        self.out, self.folder, self.done = out, folder, done

    @property
    def output(self) -> Path:
        """The file, or the folder, that takes the output's name at the end."""
        return self.folder / OUTPUT

    @contextmanager
    def grow(self) -> Iterator[IO[bytes]]:
        """Open the output to write on where the last finished block ends.

        Raises:
            DataError: it is shorter than that.
        """
        with naming(self.output), self.output.open("ab") as stream:
            if stream.tell() < self.done.output:
                raise DataError(f"{self.folder}: is damaged; throw it away with --restart")
            stream.truncate(self.done.output)
            yield stream

    def note(self, done: Done) -> None:
        """Write down that a block, whose output is on the disk, is finished."""
        journal = self.folder / JOURNAL
        with naming(journal), journal.open("ab") as stream:
            stream.write(json.dumps(asdict(done)).encode() + b"\n")
            sync(stream)
        self.done = done

    def finish(self) -> None:
        """Give the output its name, in one step."""
        if not self.done.complete:
            self.note(Done(self.done.rows, self.done.input, self.done.output, complete=True))
        if self.output.exists():
            if self.out.exists():
                self.output.chmod(self.out.stat().st_mode & 0o777)
            self.output.replace(self.out)
        shutil.rmtree(self.folder)


def path_of_part(out: Path) -> Path:
    """Return the folder that holds an output until it is complete."""
    return out.with_name(f"{PREFIX}{out.name}.part")


@contextmanager
def partial_output(out: Path, job: Job, *, restart: bool) -> Iterator[Partial]:
    """Give the unfinished output of a job: a new one, or what an earlier run of the same job left.

    It stays for the next run if anything fails after the first finished block; and before that it is removed.

    Args:
        out: the output's final name, absolute.
        job: all that it depends on.
        restart: throw away what an earlier run left.

    Raises:
        DataError: another run is writing the same output; an earlier run left part of another job.
    """
    folder = path_of_part(out)
    with locked(folder.with_suffix(".lock"), out):
        if os.path.lexists(folder) and (folder.is_symlink() or not folder.is_dir()):
            raise DataError(f"{folder}: is no folder, and here a run keeps what it has finished; move it away")
        if restart and folder.exists():
            shutil.rmtree(folder)
        partial = Partial(out, folder, _begin(folder, job))
        if partial.done.complete and not partial.output.exists() and not out.exists():
            raise DataError(f"{folder}: is damaged; throw it away with --restart")
        try:
            yield partial
        except BaseException:
            if folder.exists() and not _is_begun(partial):
                shutil.rmtree(folder)
            raise


def sync(stream: IO[bytes]) -> None:
    """Wait until all that was written is on the disk."""
    stream.flush()
    os.fsync(stream.fileno())


def _is_begun(partial: Partial) -> bool:
    return partial.done.rows > 0 or any(path.name not in {JOURNAL, OUTPUT} for path in partial.folder.iterdir())


def _begin(folder: Path, job: Job) -> Done:
    """Return how far the job has come; make its folder where there is none.

    Raises:
        DataError: the folder is of another job, or of a newer version.
    """
    path = folder / JOURNAL
    if path.exists() and not path.is_file():
        raise DataError(f"{folder}: is damaged; throw it away with --restart")
    header = json.dumps({"format": FORMAT, "version": VERSION, "job": job}).encode() + b"\n"
    lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
    if not lines or not lines[0].endswith(b"\n"):  # killed before the first block
        _throw_away(folder)
        folder.mkdir()
        _write(path, [header])
        return Done()
    _check_header(folder, lines[0], json.loads(header))
    whole = [line for line in lines if line.endswith(b"\n")]
    _write(path, [header, *whole[1:]])
    try:
        done = Done(**json.loads(whole[-1])) if len(whole) > 1 else Done()
    except (ValueError, TypeError):
        done = None
    if done is None or any(not isinstance(number, int) or number < 0 for number in astuple(done)):
        raise DataError(f"{path}: line {len(whole)} is damaged; throw all away with --restart")
    return done


def _write(path: Path, lines: Iterable[bytes]) -> None:
    """Write a journal, whole or not at all."""
    with whole_file(path) as temporary, naming(path), temporary.open("wb") as stream:
        stream.writelines(lines)
        sync(stream)


def _throw_away(folder: Path) -> None:
    """Remove what a run has left that was killed at its very beginning or end, and nothing else."""
    for path in folder.iterdir() if folder.exists() else []:
        if not _OWN.match(path.name):
            raise DataError(f"{path}: was left by no run; move it away, or throw all there away with --restart")
    shutil.rmtree(folder, ignore_errors=True)


def _check_header(folder: Path, line: bytes, wanted: dict[str, Any]) -> None:
    try:
        found = json.loads(line)
        known = found["format"], found["version"]
    except (ValueError, TypeError, KeyError):
        known = None, None
    if known != (FORMAT, VERSION):
        raise DataError(
            f"{folder}: is no partial result of this version of hybrid; finish it with the version that began it, or "
            "throw it away with --restart"
        )
    wanted_job, job = wanted["job"], found.get("job", {})
    changed = differences(job, wanted_job)
    if changed:
        raise DataError(
            f"{folder}: holds part of another run, which differs in {', '.join(changed)}; go on with what it had, or "
            "throw it away with --restart"
        )
