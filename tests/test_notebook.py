"""submission.ipynb: never stale, runs on its own, and gives the same zip on plain-Python stand-ins."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from hybrid import DataError
from hybrid.contest import find_contest
from lexicon.silver import FOLDER
from notebooks.build_submission import NOTEBOOK, build
from tests.conftest import silver

HIDDEN = ("numba", "marisa_trie", "regex", "safetensors", "tqdm")


WHOLE = 'run = solve(data, Path("submission.zip"), '
SHORT = (
    "from hybrid.training import TrainingConfig\n"
    "short = dict(lexicon_hidden=32, lexicon_epochs=1, character_hidden=32, character_epochs=1)\n"
    f"{WHOLE}config=TrainingConfig(**short, language_hidden=32, language_epochs=1), "
)
"""Training in a fraction of the time."""


def execute(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the notebook, copied alone into a folder, and return what it printed; but it learns less."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    (cell,) = [cell for cell in notebook.cells if WHOLE in cell.source and "%%module" not in cell.source]
    cell.source = cell.source.replace(WHOLE, SHORT)
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.get("text", "") for output in outputs)


def hide_packages(folder: Path) -> str:
    """Return a path that makes the optional packages look as if they were not installed."""
    folder.mkdir()
    for name in HIDDEN:
        (folder / f"{name}.py").write_text(f"raise ImportError('{name} is hidden')\n")
    return str(folder)


def test_the_notebook_is_what_the_sources_build() -> None:
    committed, fresh = nbformat.read(NOTEBOOK, as_version=4), build()
    assert [cell.source for cell in committed.cells] == [cell.source for cell in fresh.cells], "run: make notebook"
    nbformat.validate(committed)


def test_the_notebook_runs_alone_on_what_ships_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No repository around it: packages and data come out of the notebook itself."""
    monkeypatch.delenv("DATA_PATH", raising=False)
    printed = execute(tmp_path, monkeypatch)
    assert "No train.json found: training on the small silver set" in printed
    assert [path.name for path in tmp_path.iterdir()] == ["submission.zip"]
    with zipfile.ZipFile(tmp_path / "submission.zip") as archive:
        assert archive.namelist() == ["submissionval.json", "submissiontest.json"]
        for part in ("val", "test"):
            gold = json.loads((FOLDER / f"{part}.json").read_text(encoding="utf-8"))
            predicted = json.loads(archive.read(f"submission{part}.json"))
            assert list(predicted) == list(gold)
            assert all(len(labels) == len(word) and labels[-1] == 1 for word, labels in predicted.items())
    assert float(printed.split("val:\n  f1 ")[1].split()[0]) > 0.95
    for stage in ("train", "predict val", "predict test", "write"):
        assert f"\n{stage}: " in printed


def test_hidden_packages_change_no_byte_of_the_zip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "contest"
    data.mkdir()
    for name, words in (("train", 150), ("val", 40), ("test", 40)):
        labels = silver(name, words) if name == "train" else {word: [] for word in silver(name, words)}
        (data / f"{name}.json").write_text(json.dumps(labels, ensure_ascii=False), encoding="utf-8")
    monkeypatch.setenv("DATA_PATH", str(data))
    zips = []
    for name in ("with", "without"):
        (tmp_path / name).mkdir()
        if name == "without":
            monkeypatch.setenv("PYTHONPATH", hide_packages(tmp_path / "hidden"))
            code = f"import importlib.util as u, sys\nfor n in {HIDDEN}: __import__(n)"
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, env=os.environ)
            assert b"is hidden" in done.stderr
        printed = execute(tmp_path / name, monkeypatch)
        assert f"training on {data / 'train.json'}" in printed
        assert "f1" not in printed
        zips.append((tmp_path / name / "submission.zip").read_bytes())
    assert zips[0] == zips[1]


def test_where_the_files_are_looked_for(tmp_path: Path) -> None:
    named, here, mounted = tmp_path / "named", tmp_path / "here", tmp_path / "bohr" / "set-1" / "v2"
    for folder in (named, here / "data", mounted):
        folder.mkdir(parents=True)
    for name in ("train.json", "val.json"):
        (here / name).touch()
        with pytest.raises(DataError, match=rf"{name}: found, but val\.json and test\.json are not both in one folder"):
            find_contest(None, here, str(mounted))
        (here / name).unlink()
    pattern = str(tmp_path / "bohr" / "*" / "v*")

    def found(data_path: Path | None) -> tuple[Path, Path]:
        return find_contest(str(data_path) if data_path else None, here, pattern)

    assert found(None) == (FOLDER, FOLDER / "train.json")
    with pytest.raises(DataError, match=r"named: val\.json and test\.json should both be in the folder"):
        found(named)
    for name in ("val.json", "test.json"):
        (named / name).touch()
    assert found(named) == (named, FOLDER / "train.json")
    for folder in (mounted, here, here / "data", named):  # each later one goes before those put there first
        (folder / "train.json").touch()
        assert found(named) == (named, folder / "train.json")
    for folder in (mounted, here, here / "data"):
        for name in ("val.json", "test.json"):
            (folder / name).touch()
        assert found(None) == (folder, here / "data" / "train.json")
