"""What is installed works as it is told: from the wheel, without extras, by each way to call it; the papers agree."""

import re
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
import yaml

from docs.dependencies import reasons
from hybrid import __version__
from hybrid.arguments import build_parser
from hybrid.completion import completion_script

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def environment(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment with the wheel and what it cannot do without, and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    (packages,) = folder.glob("lib/*/site-packages")
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "--isolated"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)], check=True)
    for name, (group, _) in reasons().items():
        if group == "run":
            files = distribution(name).files or ()
            for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
                (packages / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    return folder / "bin"


def run(*command: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin"})


def test_the_wheel_alone_splits_words(environment: Path, tmp_path: Path) -> None:
    for command in ([environment / "hybrid"], [environment / "python", "-m", "hybrid"]):
        done = run(*command, "split", "Autobahnanschlussstelle", "vielleicht", cwd=tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "Auto|bahn|anschluss|stelle\nvielleicht\n", "")
    done = run(environment / "hybrid", "split", "--text", "Die Arbeitsagentur zahlt.", cwd=tmp_path)
    assert done.stdout == "Die Arbeits|agentur zahlt.\n"
    assert run(environment / "hybrid", "--version", cwd=tmp_path).stdout == f"hybrid {__version__}\n"


def test_what_an_extra_brings_is_asked_for_in_plain_words(environment: Path, tmp_path: Path) -> None:
    done = run(environment / "hybrid", "completion", "bash", cwd=tmp_path)
    told = "hybrid: the package shtab is not installed: pip install 'hybrid-segmenter[completion]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", told)


def test_the_source_distribution_builds_the_same_wheel(built: Path, tmp_path: Path) -> None:
    (archive,), (wheel,) = built.glob("*.tar.gz"), built.glob("*.whl")
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    code = "from setuptools import build_meta as build; build.build_wheel('out')"
    subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, check=True)
    (again,) = (source / "out").glob("*.whl")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert {i.filename: i.CRC for i in one.infolist() if not i.filename.endswith("RECORD")} == {
            i.filename: i.CRC for i in other.infolist() if not i.filename.endswith("RECORD")
        }


COMPLETE = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_shtab_hybrid hybrid "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2> /dev/null
echo "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["spl"], {"split", "split-corpus"}),
        (["split", "--gran"], {"--granularity"}),
        (["split", "--granularity", ""], {"fine", "head", "contest"}),
        (["lexicon", ""], {"export", "import"}),
        (["split", "--model", "mod"], {"model"}),
        (["evaluate", "gol"], {"gold.json"}),
    ],
)
def test_bash_completes(typed: list[str], offered: set[str], tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(completion_script(build_parser(), "bash"), encoding="utf-8")
    (tmp_path / "model").mkdir()
    (tmp_path / "gold.json").touch()
    command = ["bash", "-c", COMPLETE, "bash", str(script), "hybrid", *typed]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == offered


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh", "powershell"])
def test_other_shells_get_a_script_with_all_verbs(shell: str) -> None:
    script = completion_script(build_parser(), shell)
    assert all(verb in script for verb in ("split-corpus", "explain", "completion", "--granularity"))


def test_the_papers_tell_this_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    released = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$", changes, re.MULTILINE)
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert released[0] == (__version__, str(citation["date-released"]))
    assert citation["version"] == __version__
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert [version for version, _ in released] == sorted((version for version, _ in released), reverse=True)
