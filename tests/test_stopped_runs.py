"""Corpus runs stopped at any moment, or kept from writing: the old result or the new one, and how to go on."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

import pytest

from hybrid import DataError
from hybrid.cli import main
from tests.corpora import Halver, names, split_file

WORDS = [f"Haus{n}" for n in range(40)]
STEPS = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate"}

if not hasattr(os, "fork"):
    pytest.skip("processes are killed as POSIX does", allow_module_level=True)


def corpus(folder: Path, kind: str) -> tuple[Path, list[str]]:
    """Write 40 rows; return the file or folder and the options that go with it."""
    options = ["--block-rows", "10"] + ["--column", "w"] * (kind != "txt")
    path = folder / ("in" if kind == "folder" else f"in.{kind}")
    if kind == "txt":
        path.write_text("\n".join(WORDS), encoding="utf-8")
    elif kind == "jsonl.gz":
        from hybrid.corpus.compression import compress

        path.write_bytes(compress("".join(f'{{"w":"{word}"}}\n' for word in WORDS).encode(), "gzip"))
    else:
        pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
        pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
        files = [path] if kind == "parquet" else [path / "a.parquet", path / "b.parquet"]
        files[0].parent.mkdir(exist_ok=True)
        for n, file in enumerate(files):
            pq.write_table(pa.table({"w": WORDS[20 * n :]}), file, row_group_size=20)
    return path, options


def content(path: Path) -> object:
    """Return all that an output holds."""
    return {file.name: file.read_bytes() for file in path.iterdir()} if path.is_dir() else path.read_bytes()


def killed_at(step: int, work: Callable[[], None]) -> bool:
    """Do work in a process that is killed before its step-th step on the disk; return whether it came so far."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    left = [step]

    def count(event: str, arguments: tuple[object, ...]) -> None:
        if event == "fsync" or (event in STEPS and ".hybrid-" in str(arguments[0])):
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    try:
        sync = os.fsync
        os.fsync = lambda handle: (count("fsync", ()), sync(handle))[1]
        sys.addaudithook(count)
        work()
    finally:
        os._exit(0)


@pytest.mark.parametrize("kind", ["txt", "jsonl.gz", "parquet", "folder"])
def test_a_run_that_is_killed_anywhere_leaves_the_old_or_the_new(kind: str, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, kind)
    whole, out = (tmp_path / path.name.replace("in", name) for name in ("whole", "out"))
    split_file(path, whole, *options)
    for step in range(1, 1000, 2):
        if kind != "folder":
            out.write_bytes(b"old")
        killed = killed_at(step, lambda: split_file(path, out, *options))
        left = content(out) if out.exists() else None
        assert left in (content(whole), None if kind == "folder" else b"old"), step
        if not killed:
            break
        try:
            split_file(path, out, *options)
        except DataError as error:  # killed when all was done, but for an empty folder
            assert str(error) == f"{out}: is there already and not empty; name a new folder"
            assert kind == "folder"
            assert left == content(whole)
        assert content(out) == content(whole), step
        assert names(tmp_path) == {path.name, whole.name, out.name}
        if kind == "folder":
            for file in out.iterdir():
                file.unlink()
            out.rmdir()
    assert step > 15


SCRIPT = """
import os, resource, signal, sys
import hybrid.cli
from tests.corpora import Halver

class Stopping(Halver):
    calls = 0

    def split_parts(self, words, **options):
        self.calls += 1
        if self.calls == 3:
            {stop}
        return super().split_parts(words, **options)

hybrid.cli._load = lambda _: Stopping()
sys.exit(hybrid.cli.main(sys.argv[1:]))
"""


def stopped(stop: str, *arguments: object) -> tuple[int, list[str]]:
    """Run the command line and do something to it in its second block; return the exit code and what was said."""
    command = [sys.executable, "-c", SCRIPT.format(stop=stop), *map(str, arguments)]
    root = str(Path(__file__).parent.parent)
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=root)
    return done.returncode, done.stderr.splitlines()


GOES_ON = "the same command goes on after the last finished block"


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGINT", 130)])
def test_one_who_ends_a_run_is_told_how_to_go_on(name: str, code: int, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, "txt")
    split_file(path, tmp_path / "whole.txt", *options)
    stop = f"import logging; logging.getLogger('torch').info('noise'); os.kill(os.getpid(), signal.{name})"
    assert stopped(stop, "split-corpus", path, tmp_path / "out.txt", *options) == (code, [f"stopped; {GOES_ON}"])
    assert names(tmp_path) == {"in.txt", "whole.txt", ".hybrid-out.txt.part"}
    split_file(path, tmp_path / "out.txt", *options)
    assert content(tmp_path / "out.txt") == content(tmp_path / "whole.txt")


def test_a_polite_kill_leaves_no_temporary_file(tmp_path: Path) -> None:
    code = (
        "import os, signal\nfrom pathlib import Path\nfrom hybrid.atomic import whole_file\nimport hybrid.cli\n"
        "def evaluate(options):\n    with whole_file(options.gold):\n        os.kill(os.getpid(), signal.SIGTERM)\n"
        "hybrid.cli.VERBS['evaluate'] = evaluate\nraise SystemExit(hybrid.cli.main(['evaluate', 'a', 'b']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stderr, names(tmp_path)) == (143, b"", set())


@pytest.mark.parametrize("kind", ["txt", "jsonl.gz", "parquet"])
def test_a_full_disk_is_told_with_the_file_and_gone_on_from(kind: str, tmp_path: Path) -> None:
    """The limit on a file's size stands in for the disk's."""
    path, options = corpus(tmp_path, kind)
    out = tmp_path / f"out.{kind}"
    split_file(path, tmp_path / f"whole.{kind}", *options)
    limit = "size = 10; resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))"
    code, said = stopped(limit, "split-corpus", path, out, *options)
    written = "output" if kind != "parquet" else "00000001.parquet"
    assert (code, len(said)) == (2, 1)
    assert said[0].startswith(f"hybrid: {tmp_path}/.hybrid-out.{kind}.part/{written}: ")
    assert said[0].endswith(f"; once there is room, {GOES_ON}")
    assert not list(tmp_path.glob(".hybrid-*/*.parquet.*"))
    split_file(path, out, *options)
    assert content(out) == content(tmp_path / f"whole.{kind}")


@pytest.mark.parametrize("kind", ["txt", "parquet"])
def test_an_input_that_is_gone_meanwhile(kind: str, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, kind)

    class Removing(Halver):
        def split_parts(self, words: Iterable[str], **_: object) -> list[tuple[tuple[str, ...], float]]:
            path.unlink(missing_ok=True)
            return super().split_parts(words)

    with pytest.raises(OSError, match=GOES_ON) as caught:
        split_file(path, tmp_path / f"out.{kind}", *options, load=lambda _: Removing())
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(path))
    assert not (tmp_path / f"out.{kind}").exists()


IN_THE_WAY = {
    "part is a file": (".part", "file", [], "is no folder, and here a run keeps what it has finished; move it away"),
    "part is a file, restart": (".part", "file", ["--restart"], "is no folder, and here a run keeps what it has fin"),
    "part is a link": (".part", "link", ["--restart"], "is no folder, and here a run keeps what it has finished"),
    "part is another's folder": (".part", "folder", [], "mine: was left by no run; move it away, or throw all there"),
    "lock is a folder": (".lock", "folder", [], "is a folder, and a run needs this name for its lock; move it away"),
    "lock is a link": (".lock", "link", [], "is a link, and a run needs this name for its lock; move it away"),
}


@pytest.mark.parametrize("name", IN_THE_WAY)
def test_what_lies_in_the_way_is_told_and_kept(name: str, tmp_path: Path) -> None:
    suffix, kind, options, message = IN_THE_WAY[name]
    path, more = corpus(tmp_path, "txt")
    there = tmp_path / f".hybrid-out.txt{suffix}"
    if kind == "file":
        there.write_text("mine", encoding="utf-8")
    elif kind == "link":
        there.symlink_to(tmp_path / "nowhere")
    else:
        there.mkdir()
        (there / "mine").touch()
    with pytest.raises(DataError) as caught:
        split_file(path, tmp_path / "out.txt", *options, *more)
    assert str(caught.value).startswith(str(there))
    assert message in str(caught.value)
    assert names(tmp_path) == {"in.txt", there.name}
    assert kind != "folder" or names(there) == {"mine"}


def test_a_journal_that_is_a_folder_is_told(tmp_path: Path) -> None:
    path, options = corpus(tmp_path, "txt")
    (tmp_path / ".hybrid-out.txt.part" / "journal.jsonl").mkdir(parents=True)
    with pytest.raises(DataError, match="is damaged; throw it away with --restart"):
        split_file(path, tmp_path / "out.txt", *options)
    split_file(path, tmp_path / "out.txt", *options, "--restart")
    assert names(tmp_path) == {"in.txt", "out.txt"}


@pytest.mark.parametrize("line", ['{"rows":null}', '{"rows":-1}', '{"output":"x"}', "[]", '{"more":1}', "{"])
def test_a_journal_with_a_damaged_line_is_told(line: str, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, "txt")
    assert killed_at(18, lambda: split_file(path, tmp_path / "out.txt", *options))
    journal = tmp_path / ".hybrid-out.txt.part" / "journal.jsonl"
    with journal.open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")
    told = f"journal.jsonl: line {len(journal.read_bytes().splitlines())} is damaged; throw all away with --restart"
    with pytest.raises(DataError, match=told):
        split_file(path, tmp_path / "out.txt", *options)


def test_a_name_too_long_for_what_is_kept_beside_it(tmp_path: Path) -> None:
    path, options = corpus(tmp_path, "txt")
    split_file(path, tmp_path / f"{'x' * 238}.txt", *options)
    with pytest.raises(DataError, match=r"x\.txt: is too long a name, for until the end it is .* a shorter one is"):
        split_file(path, tmp_path / f"{'x' * 239}.txt", *options)
    assert len(names(tmp_path)) == 2


def test_a_folder_that_can_not_be_written_in_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Root may write everywhere, so the system's answer is feigned."""
    path, options = corpus(tmp_path, "txt")

    def forbidden(*_: object, **__: object) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path / ".hybrid-x7"))

    monkeypatch.setattr(Path, "mkdir", forbidden)
    assert main(["split-corpus", str(path), str(tmp_path / "out.txt"), *options]) == 2
    expected = (
        f"hybrid: {tmp_path}: Permission denied, so out.txt can't be written there; name a place where you may write\n"
    )
    assert capsys.readouterr().err == expected
    assert names(tmp_path) == {"in.txt"}


def test_an_input_that_may_not_be_read(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path, options = corpus(tmp_path, "txt")
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root may read everything")
    assert main(["split-corpus", str(path), str(tmp_path / "out.txt"), *options]) == 2
    assert f"hybrid: {path}: Permission denied" in capsys.readouterr().err


def test_a_folder_named_as_a_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "in.txt").mkdir()
    with pytest.raises(DataError, match=r"in.txt: is a folder of Parquet files, so --column is needed"):
        split_file(tmp_path / "in.txt", tmp_path / "out")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_output_that_can_not_be_written_is_told(tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"echo Ei | {sys.executable} -m hybrid split > /dev/full"], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith(b"hybrid: standard output: ")
    assert done.stderr.count(b"\n") == 1


def test_words_from_a_terminal_are_answered() -> None:
    person, terminal = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hybrid", "split"], stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    os.write(person, b"Haust\xc3\xbcr\n")
    assert process.stdout.readline() == "Haus|tür\n".encode()
    os.write(person, b"\x04")
    assert process.communicate(timeout=60) == (b"", b"")
    assert process.returncode == 0
    os.close(person)
    os.close(terminal)


def test_the_reader_who_has_enough_ends_it_quietly(tmp_path: Path) -> None:
    given = tmp_path / "words"
    given.write_text("Haus\n" * 300_000, encoding="utf-8")
    pipe = f"{sys.executable} -m hybrid split --text < {given} | head -n 1; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", pipe], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"Haus\n0\n", b"")
