"""Writing that is killed, stopped, or has no room: what was there or what is new is found whole, and users are told."""

import errno
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hybrid.atomic
from hybrid import Segmenter
from hybrid.atomic import STALE, require_writable, whole_file, whole_folder
from hybrid.cli import main
from hybrid.corpus.job import job_of
from hybrid.model_store import MANIFEST
from tests.killing import SMALL

ROOT = Path(__file__).parent.parent


def python(*arguments: str, **options: object) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *arguments], text=True, check=False, cwd=ROOT, **options)


@pytest.mark.parametrize("kind", ["model", "zip", "lines"])
def test_a_kill_or_a_full_disk_at_any_moment_leaves_old_or_new(kind: str, tmp_path: Path) -> None:
    done = python("-m", "tests.killing", kind, str(tmp_path / "here"), capture_output=True)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    over, anew = counts["over old"], counts["anew"]
    assert over["old"] > 5
    assert over["new"] > 1
    assert set(over) == {"old", "new"} | ({"new beside"} if kind == "model" else set())
    assert set(anew) == {"none", "new"}
    (said,) = counts["without room"]
    assert said == f"{tmp_path}/here/target: File too large; what was there is as it was: make room and run it again"


def test_a_kill_in_the_middle_of_a_file_leaves_the_old_one(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("old")
    code = "import os, sys\nfrom hybrid.atomic import *\nfrom pathlib import Path\n"
    code += "with whole_file(Path(sys.argv[1])) as t:\n    t.write_text('half')\n    os.kill(os.getpid(), 9)"
    assert python("-c", code, str(tmp_path / "out")).returncode == -9
    assert (tmp_path / "out").read_text() == "old"
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left[0].startswith(".hybrid-out-")
    assert left[0].endswith(".tmp")
    assert left[1:] == ["out"]


def test_all_is_on_the_disk_before_it_is_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced, replace, renamed = set[int](), Path.replace, []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.add(os.fstat(handle).st_ino))

    def renaming(self: Path, other: Path) -> Path:
        renamed.append(other.name)
        assert {path.stat().st_ino for path in [self, *self.rglob("*")]} <= synced
        return replace(self, other)

    monkeypatch.setattr(Path, "replace", renaming)
    with whole_folder(tmp_path / "model") as temporary:
        (temporary / "lexicon").mkdir()
        (temporary / "lexicon" / "file").write_text("x")
    with whole_file(tmp_path / "zip") as temporary:
        temporary.write_text("x")
    assert renamed == ["model", "zip"]
    assert tmp_path.stat().st_ino in synced


def test_what_killed_runs_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    stays = [".hybrid-model-young.tmp", ".hybrid-other-old.tmp", ".hybrid-model-x.part", "model-old.tmp"]
    for name in [*stays, ".hybrid-model-old.tmp", ".hybrid-model-file.tmp"]:
        if "file" in name:
            (tmp_path / name).write_text("x")
        else:
            (tmp_path / name / "lexicon").mkdir(parents=True)
        if "young" not in name:
            os.utime(tmp_path / name, (0, (tmp_path / name).stat().st_mtime - STALE - 60))
    with whole_folder(tmp_path / "model"):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {"model", *stays}


def test_a_model_whose_save_was_killed_is_read_and_put_in_its_place(tmp_path: Path, caplog) -> None:
    shutil.copytree(SMALL, tmp_path / ".hybrid-model.new")
    (tmp_path / "link").symlink_to(tmp_path / "model")
    segmenter = Segmenter.load(tmp_path / "link")
    assert "a save was killed as it gave the model its name; it is whole, and read from" in caplog.text
    whole, beside = (_model_of_job(tmp_path, model) for model in (SMALL, tmp_path / "model"))
    assert whole == beside is not None
    with pytest.raises(ZeroDivisionError), whole_folder(tmp_path / "model"):
        raise ZeroDivisionError
    Segmenter.load(tmp_path / "model")
    segmenter.save(tmp_path / "model")
    assert {path.name for path in tmp_path.iterdir()} == {"model", "link", "words.txt"}


def _model_of_job(folder: Path, model: Path) -> str:
    from hybrid.arguments import build_parser

    (folder / "words.txt").write_text("Haus\n")
    arguments = ["split-corpus", str(folder / "words.txt"), str(folder / "out.txt"), "--model", str(model)]
    return job_of(build_parser().parse_args(arguments), [folder / "words.txt"])["model"]


def test_a_finished_folder_left_beside_a_whole_one_is_removed(tmp_path: Path) -> None:
    shutil.copytree(SMALL, tmp_path / "model")
    shutil.copytree(SMALL, tmp_path / ".hybrid-model.new")
    segmenter = Segmenter.load(tmp_path / "model")
    segmenter.save(tmp_path / "model")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert (tmp_path / "model" / MANIFEST).is_file()


def test_those_who_write_the_same_folder_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)

    def write(name: str) -> None:
        for _ in range(50):
            with whole_folder(tmp_path / "model") as temporary:
                (temporary / "file").write_text(name)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, "abcd"))
    assert (tmp_path / "model" / "file").read_text() in "abcd"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_failed_swap_names_nothing_that_is_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The old folder was moved away by someone else meanwhile."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "file").write_text("old")
    replace = Path.replace

    def taken(self: Path, other: Path) -> Path:
        if self == tmp_path / "model":
            replace(self, tmp_path / "elsewhere")
        return replace(self, other)

    monkeypatch.setattr(Path, "replace", taken)
    with pytest.raises(FileNotFoundError), whole_folder(tmp_path / "model") as temporary:
        (temporary / "file").write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["elsewhere"]


def test_long_names_have_temporary_ones(tmp_path: Path) -> None:
    for name in ("x" * 255, "ä" * 127):
        for _ in range(2):
            with whole_folder(tmp_path / name):
                pass
    assert {path.name for path in tmp_path.iterdir()} == {"x" * 255, "ä" * 127}


def test_a_full_disk_is_told_with_the_files_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(hybrid.atomic.os, "fsync", full)
    table, drawing = tmp_path / "table.tsv", tmp_path / "word.svg"
    where = "No space left on device; what was there is as it was: make room and run it again\n"
    assert main(["lexicon", "export", str(SMALL), "--out", str(table)]) == 2
    assert capsys.readouterr().err == f"hybrid: {table}: {where}"
    assert main(["explain", "Haustür", "--model", str(SMALL), "--svg", str(drawing)]) == 2
    assert capsys.readouterr().err == f"hybrid: {drawing}: {where}"
    assert list(tmp_path.iterdir()) == []
    words, out = tmp_path / "words.txt", tmp_path / "out.txt"
    words.write_text("Haustür\n")
    assert main(["split-corpus", str(words), str(out), "--model", str(SMALL)]) == 2
    journal = tmp_path / ".hybrid-out.txt.part" / "journal.jsonl"
    told = "No space left on device; once there is room, the same command goes on after the last finished block"
    assert capsys.readouterr().err.endswith(f"hybrid: {journal}: {told}\n")
    assert not out.exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_a_full_disk_behind_standard_output_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = python("-m", "hybrid", "split", "Haus", stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, "hybrid: standard output: No space left on device\n")
    done = python("-m", "hybrid", "lexicon", "export", str(SMALL), "--out", "/dev/full", capture_output=True)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("hybrid: /dev/full: No space left on device")


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS])
def test_a_folder_that_may_not_be_written_is_told_before_work(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def forbidden(path: str, *_: object) -> None:
        raise OSError(number, os.strerror(number), path)

    monkeypatch.setattr(os, "mkdir", forbidden)
    with pytest.raises(OSError, match="name a place where you may write") as caught:
        require_writable(tmp_path / "zip")
    assert caught.value.filename == str(tmp_path)
    assert main(["lexicon", "import", str(_table(tmp_path)), "--model", str(SMALL), "--out", str(tmp_path / "m")]) == 2
    assert (
        capsys.readouterr().err
        == f"hybrid: {tmp_path}: {os.strerror(number)}, so m can't be written there; name a place where you may write\n"
    )


def _table(folder: Path) -> Path:
    from lexicon.tsv import COLUMNS, HEADER

    path = folder / "table.tsv"
    path.write_text(f"{HEADER}\n" + "\t".join(COLUMNS) + "\nhaus\t0\t0\t0\t1\t1\t0\t\n", encoding="utf-8")
    return path


STOPPED = """
import atexit, os, runpy, signal, sys
atexit.register(lambda: print("hybrid.inference" in sys.modules))
def hook(event, what):
    if event == "import" and what[0] == os.environ["STOP_AT"]:
        os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(hook)
runpy.run_module("hybrid", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize("module", ["hybrid.cli", "hybrid.arguments", "numpy", "marisa_trie", "hybrid.segmenter"])
def test_an_interrupt_while_importing_ends_quietly(module: str) -> None:
    done = python("-c", STOPPED, "split", "Haus", capture_output=True, env={**os.environ, "STOP_AT": module})
    assert (done.returncode, done.stdout, done.stderr) == (130, "False\n", "")


def test_nothing_is_imported_before_an_interrupt_is_waited_for() -> None:
    """The package is imported before its `__main__` runs."""
    code = "import sys, typing\nbefore = set(sys.modules)\nimport hybrid\nprint(*sorted(set(sys.modules) - before))"
    done = python("-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}", capture_output=True)
    assert done.stdout.split() == ["hybrid", "hybrid.errors"], done.stderr
    import tomllib

    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert scripts == {"hybrid": "hybrid.__main__:main"}


def test_only_our_own_talk_is_heard() -> None:
    """torch, stopped while it is imported, else tells of its caches."""
    code = "from hybrid.cli import main\nmain(['evaluate', 'none', 'none'])\nimport logging\n"
    code += "print([logging.getLogger(name).isEnabledFor(logging.INFO) for name in ('hybrid.training', 'torch')])"
    assert python("-c", code, capture_output=True).stdout == "[True, False]\n"


@pytest.mark.parametrize("arguments", [["train", "lexicon/silver", "--out", "none"], ["split", "Quxblorfzaun"]])
def test_an_interrupt_waits_until_torch_is_imported(arguments: list[str]) -> None:
    """Else torch aborts the process when its C++ part is stopped."""
    done = python("-c", STOPPED, *arguments, capture_output=True, env={**os.environ, "STOP_AT": "torch.nn"})
    assert (done.returncode, done.stdout) == (130, "True\n")
    told = "stopped; nothing half-written is left, and the same command begins anew\n"
    assert done.stderr == (told if arguments[0] == "train" else "")
