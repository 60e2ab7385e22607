"""What the README shows is what happens: its commands are run and its Python too, outputs compared."""

import re
from pathlib import Path

import pytest

from tests.examples import blocks, run_document

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


TOOLS = ("spaCy", "Search engines", "scikit-learn", "Data frames", "Hugging Face tokenizers", "Machine translation",
         "A page to look at")  # fmt: skip


def test_commands_and_code_give_the_output_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lexicon").symlink_to(ROOT / "lexicon")
    monkeypatch.chdir(tmp_path)
    assert run_document(ROOT / "README.md", tmp_path) > len(TOOLS)


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_has_a_short_section_that_runs(tool: str) -> None:
    (section,) = re.findall(rf"^### {tool}\n(.*?)(?=^##)", README, re.MULTILINE | re.DOTALL)
    assert len([line for line in section.splitlines() if line.strip()]) < 10
    assert any(block.kind in ("console", "pycon") for block in blocks(section))


def test_the_two_commands_exist_and_the_map_is_complete() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in README
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
    for package in ("lexicon", "hybrid"):
        for path in sorted((ROOT / package).glob("*.py")):
            assert path.name in {"__init__.py", "__main__.py"} or f"`{path.name}`" in README, path
    for name in re.findall(r"^\| `([^`]+)`", README, re.MULTILINE):
        assert (ROOT / name).exists() or (ROOT / "hybrid" / name).exists() or (ROOT / "lexicon" / name).exists(), name


def test_every_module_in_a_link_is_there() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


def test_every_test_that_is_promised_is_there() -> None:
    named = re.findall(r"`(test_\w+\.py)::(test_\w+)`", (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8"))
    assert len(named) > 50
    for file, test in named:
        assert f"\ndef {test}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), f"{file}::{test}"
