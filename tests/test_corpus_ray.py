"""Corpora on Ray Data: the same as on one machine, also where a worker is killed."""

import argparse
import contextlib
import logging
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


def test_a_killed_worker_changes_nothing(tmp_path: Path) -> None:
    source, here, there = tmp_path / "in.parquet", tmp_path / "here.parquet", tmp_path / "there.parquet"
    table = write(source)
    arguments = ["split-corpus", str(source), "--column", "w", "--probability", "--block-rows", "5", "--device", "cpu"]
    process = subprocess.Popen(
        [sys.executable, "-m", "hybrid", *arguments, str(there), "--ray", "--workers", "2"],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    partial = tmp_path / ".hybrid-there.parquet.part"
    latest = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < latest and len(list(partial.glob("*.parquet"))) < 3:
        time.sleep(0.01)
    actor = worker_of(psutil.Process(process.pid))
    assert actor is not None
    actor.send_signal(signal.SIGKILL)
    assert len(list(partial.glob("*.parquet"))) < 120
    _, error = process.communicate(timeout=120)
    assert process.returncode == 0, error
    assert "Traceback" not in error
    assert not psutil.pid_exists(actor.pid) or actor.status() == psutil.STATUS_ZOMBIE
    assert main([*arguments, str(here)]) == 0
    assert without_probability(there).equals(without_probability(here))
    for one, other in zip(*(pq.read_table(path)["probability"].to_pylist() for path in (here, there)), strict=True):
        assert one == other or one == pytest.approx(other, abs=2e-6)
    assert pq.read_table(there).select(["n", "w"]).equals(table)
    segmenter = hybrid.load(device="cpu")
    expected = [None if w is None else list(segmenter.split_parts([w])[0][0]) for w in table["w"].to_pylist()[:60]]
    assert pq.read_table(there)["parts"].to_pylist()[:60] == expected
    assert {path.name for path in tmp_path.iterdir()} == {source.name, here.name, there.name}


@pytest.fixture(scope="module")
def ray() -> Iterator[object]:
    """A Ray that the runs of this module share, for beginning one takes seconds."""
    import ray

    ray.init(address="local", include_dashboard=False, num_cpus=2, log_to_driver=False)
    yield ray
    ray.shutdown()


def parse(*arguments: object) -> argparse.Namespace:
    return build_parser().parse_args(["split-corpus", *map(str, arguments), "--device", "cpu"])


def run(*arguments: object) -> None:
    split_corpus(parse(*arguments), _load)


class StopsAfterTwo:
    """A segmenter that is interrupted at the third piece that has new words."""

    def __init__(self) -> None:
        self.segmenter, self.calls = hybrid.load(device="cpu"), 0

    def split_parts(self, words: list[str], **options: object) -> object:
        self.calls += bool(words)
        if self.calls == 3:
            raise KeyboardInterrupt
        return self.segmenter.split_parts(words, **options)


@pytest.mark.usefixtures("ray")
def test_a_folder_and_going_on_with_what_was_begun_elsewhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "in").mkdir()
    table = write(tmp_path / "in" / "b.parquet")
    pq.write_table(table.slice(0, 50), tmp_path / "in" / "a.parquet")
    pq.write_table(table.slice(0, 0), tmp_path / "in" / "c.parquet")
    options = ["--column", "w", "--block-rows", 100]
    run(tmp_path / "in", tmp_path / "here", *options)
    with pytest.raises(KeyboardInterrupt):
        split_corpus(parse(tmp_path / "in", tmp_path / "there", *options), lambda _: StopsAfterTwo())
    assert len(list((tmp_path / ".hybrid-there.part").glob("*.parquet"))) == 2
    with caplog.at_level(logging.INFO):
        run(tmp_path / "in", tmp_path / "there", *options, "--ray=local", "--workers", 1)
    assert "goes on where an earlier run stopped: 500 of 650 rows are left" in caplog.text
    assert "in: 500 rows in this run" in caplog.text
    for name in ("a", "b", "c"):
        one, other = (pq.read_table(tmp_path / folder / f"{name}.parquet") for folder in ("here", "there"))
        assert one.equals(other)


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
