"""What the README shows is what happens: its commands are run and its Python too, outputs compared."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """Return the texts of the fenced blocks of one kind, in order."""
    return [
        text for found, text in re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL) if found == kind
    ]


def test_commands_and_code_give_the_output_shown(tmp_path: Path) -> None:
    (tmp_path / "lexicon").symlink_to(ROOT / "lexicon")
    (console,) = blocks("console")
    for step in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        command = command.replace("hybrid ", f"{sys.executable} -m hybrid ")
        done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert done.stdout == expected, command
    (code,), (shown,) = blocks("python"), blocks("text")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == shown


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


def test_links_in_the_docs_lead_somewhere() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
