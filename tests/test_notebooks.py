"""The notebooks run from top to bottom, show pictures, and hold no logic of their own."""

import ast
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("0*.ipynb"))


LESS = """
import dataclasses
import pictures
all_words = pictures.read_silver
pictures.read_silver = lambda name: dict(list(all_words(name).items())[::16])
pictures.SMALL = dataclasses.replace(pictures.SMALL, lexicon_epochs=1, character_epochs=1, language_epochs=1)
"""
"""Few words, each once: cells and pictures need a model, not a good one."""


def test_all_four_are_there() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["01_lexicon", "02_lattice_by_hand", "03_training", "04_errors"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(LESS))
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    client = NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}})
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    assert _pictures(outputs) == _pictures(shown), "run: make notebooks"


def _pictures(outputs: list[dict]) -> int:
    """Return how many there are; text comes in pieces whose number depends on timing."""
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_has_no_logic(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            nodes = list(ast.walk(ast.parse(cell.source)))
            assert not any(isinstance(node, ast.FunctionDef | ast.ClassDef | ast.If | ast.While) for node in nodes)
