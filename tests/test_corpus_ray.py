"""Corpora on Ray Data: the same as on one machine, also where a worker is killed."""

import argparse
import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import hybrid
from hybrid.arguments import build_parser
from hybrid.cli import _load, main
from hybrid.corpus.command import split_corpus
from tests.conftest import silver

pytest.importorskip("ray.data", reason="--ray needs Ray Data: pip install hybrid-segmenter[ray]")
psutil = pytest.importorskip("psutil", reason="psutil finds the worker that is killed")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(path: Path) -> pa.Table:
    """Write 600 rows, each word twice, with nulls, as row groups of 250."""
    words = [*silver("val", 300), *silver("val", 300)]
    words[5] = words[500] = None
    table = pa.table({"n": range(len(words)), "w": words})
    pq.write_table(table, path, row_group_size=250)
    return table


def without_probability(path: Path) -> pa.Table:
    return pq.read_table(path).drop_columns("probability")


def worker_of(process: "psutil.Process") -> "psutil.Process | None":
    """Return one of the actors that split, if there is one."""
    for child in process.children(recursive=True):
        with contextlib.suppress(psutil.Error):  # it ended between the two looks
            if "MapBatches(_Actor)" in " ".join(child.cmdline()):
                return child
    return None


def parse(*arguments: object) -> argparse.Namespace:
    return build_parser().parse_args(["split-corpus", *map(str, arguments)])


class StopsAfterTwo:
    """A segmenter that is interrupted at the third piece that has new words."""

    def __init__(self) -> None:
        self.segmenter, self.calls = hybrid.load(device="cpu"), 0

    def split_parts(self, words: list[str], **options: object) -> object:
        self.calls += bool(words)
        if self.calls == 3:
            raise KeyboardInterrupt
        return self.segmenter.split_parts(words, **options)


def test_a_run_that_was_begun_elsewhere_and_loses_a_worker_gives_the_same(tmp_path: Path) -> None:
    """A folder, begun without Ray and interrupted, goes on with Ray, where a worker is killed."""
    source, here, there = tmp_path / "in", tmp_path / "here", tmp_path / "there"
    source.mkdir()
    table = write(source / "b.parquet")
    pq.write_table(table.slice(0, 50), source / "a.parquet")
    pq.write_table(table.slice(0, 0), source / "c.parquet")
    options = ["--column", "w", "--probability", "--block-rows", "5", "--device", "cpu"]
    with pytest.raises(KeyboardInterrupt):
        split_corpus(parse(source, there, *options), lambda _: StopsAfterTwo())
    partial = tmp_path / ".hybrid-there.part"
    assert len(list(partial.glob("*.parquet"))) == 2
    error = run_and_kill_a_worker(["split-corpus", str(source), str(there), *options], partial)
    assert "goes on where an earlier run stopped: 640 of 650 rows are left" in error
    assert "in: 640 rows in this run" in error
    split_corpus(parse(source, here, *options), _load)
    for name in ("a", "b", "c"):
        one, other = here / f"{name}.parquet", there / f"{name}.parquet"
        assert without_probability(one).equals(without_probability(other))
        for p, q in zip(*(pq.read_table(path)["probability"].to_pylist() for path in (one, other)), strict=True):
            assert p == q or p == pytest.approx(q, abs=2e-6)
    found = pq.read_table(there / "b.parquet")
    assert found.select(["n", "w"]).equals(table)
    segmenter = hybrid.load(device="cpu")
    expected = [None if w is None else list(segmenter.split_parts([w])[0][0]) for w in table["w"].to_pylist()[:60]]
    assert found["parts"].to_pylist()[:60] == expected
    assert {path.name for path in tmp_path.iterdir()} == {source.name, here.name, there.name}


def run_and_kill_a_worker(arguments: list[str], partial: Path) -> str:
    """Run the command on a Ray of its own, kill a worker once five pieces are there; return what was told."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hybrid", *arguments, "--ray", "--workers", "2"], stderr=subprocess.PIPE, text=True
    )
    latest = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < latest and len(list(partial.glob("*.parquet"))) < 5:
        time.sleep(0.02)
    actor = worker_of(psutil.Process(process.pid))
    assert actor is not None
    actor.send_signal(signal.SIGKILL)
    assert len(list(partial.glob("*.parquet"))) < 130
    _, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    assert "Traceback" not in error
    assert not psutil.pid_exists(actor.pid) or actor.status() == psutil.STATUS_ZOMBIE
    return error


@pytest.fixture(scope="module")
def ray() -> Iterator[object]:
    """A Ray that all runs of a test share, for beginning one takes seconds."""
    import ray

    ray.init(address="local", include_dashboard=False, num_cpus=2, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.usefixtures("ray")
def test_what_is_wrong_is_told_as_on_one_machine(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    def fails(*arguments: str) -> str:
        options = [str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet"), "--column", "w", "--device", "cpu"]
        assert main(["split-corpus", *options, "--ray=local", *arguments]) == 2
        assert not (tmp_path / "out.parquet").exists()
        return capsys.readouterr().err

    pq.write_table(pa.table({"w": pa.array([b"a", b"\xfc"]).view(pa.string())}), tmp_path / "in.parquet")
    assert "row group 1, row 2 (both counted from 1): is not UTF-8" in fails()
    assert "none: no such model folder" in fails("--model", str(tmp_path / "none"))
    assert "this Ray has room for 2, one a core or GPU" in fails("--workers", "3")
    assert "this Ray has no GPU; --device cpu works on its cores" in fails("--device", "cuda")
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]
