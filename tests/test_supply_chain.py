"""What is installed with this package, and what is built of it, is told in full and checked."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

from docs.dependencies import HEAD, TABLE, pinned, rows

ROOT = Path(__file__).parent.parent
LOCK = (ROOT / "requirements.hashes.txt").read_text(encoding="utf-8")


def test_every_pinned_package_has_checksums() -> None:
    entries = re.split(r"\n(?=\S)", LOCK.strip())
    versions = {}
    for entry in entries:
        first, *sums = entry.split("\\\n")
        name, version = first.split(";")[0].strip().split("==")
        assert sums, first
        assert all(re.fullmatch(r"    --hash=sha256:[0-9a-f]{64} ?", line) for line in sums), first
        assert versions.setdefault(name, version) == version
    assert versions == pinned()
    assert len(entries) == len(pinned()) + 1
    assert [";" in entry for entry in entries if entry.startswith("torch==")] == [True, True]


def test_pip_takes_the_checksums(tmp_path: Path) -> None:
    """Parsed, and all refused: no file is there that they could be held against."""
    small = tmp_path / "one.txt"
    small.write_text(next(e for e in re.split(r"\n(?=\S)", LOCK) if e.startswith("tqdm==")) + "\n", encoding="utf-8")
    wheel = tmp_path / f"tqdm-{pinned()['tqdm']}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(f"tqdm-{pinned()['tqdm']}.dist-info/METADATA", f"Name: tqdm\nVersion: {pinned()['tqdm']}\n")
        archive.writestr(f"tqdm-{pinned()['tqdm']}.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    command = ["-m", "pip", "install", "--isolated", "--no-index", "--find-links", str(tmp_path), "--no-deps"]
    command += ["--target", str(tmp_path / "there"), "--require-hashes", "-r", str(small)]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not (tmp_path / "there").exists()


def test_the_list_of_dependencies_is_what_is_installed() -> None:
    table = TABLE.read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| (\S+) \| (\d\S*) \|", table, re.MULTILINE))
    assert told == pinned()
    assert table == HEAD + "\n".join(rows()) + "\n", "run: make dependencies"


def test_licences_are_known_and_ask_nothing_of_users() -> None:
    for row in rows():
        name, _, licence, group, _ = row.strip("| ").split(" | ", maxsplit=4)
        assert licence not in ("", "not told", "UNKNOWN"), name
        assert group in ("test", "docs", "lint") or not is_strong(licence), name


def is_strong(licence: str) -> bool:
    """Whether a licence, or one of several that hold together, is a strong copyleft."""
    free = [part for part in re.split(r"\bAND\b|, ", licence) if not re.search(r"\bOR\b", part)]
    return any(re.search(r"(?<!L)GPL|(?<!Lesser )General Public|Affero", part) for part in free)


def test_strong_licences_are_told_from_others() -> None:
    for licence in ("GPL-3.0-or-later", "MIT AND AGPL-3.0-only", "GNU General Public License v3 (GPLv3)"):
        assert is_strong(licence)
    for licence in ("MIT AND (BSD-2-Clause OR LGPL-2.1-or-later)", "GNU Lesser General Public License v3 (LGPLv3)"):
        assert not is_strong(licence)


def sources() -> set[str]:
    """Return all files of the two packages."""
    files = [path for package in ("hybrid", "lexicon") for path in (ROOT / package).rglob("*") if path.is_file()]
    return {path.relative_to(ROOT).as_posix() for path in files if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_packages_and_nothing_else(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
        about = {name.split(".dist-info/")[1] for name in archive.namelist() if ".dist-info/" in name}
    assert names == sources()
    assert about == {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt"}


def test_the_source_distribution_holds_what_the_wheel_is_built_of(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {member.name.split("/", 1)[1] for member in tar if member.isfile()}
    made = {name for name in names if name.startswith("hybrid_segmenter.egg-info/")} | {"PKG-INFO", "setup.cfg"}
    assert names - made == sources() | {"LICENSE", "MANIFEST.in", "README.md", "pyproject.toml"}


def test_no_address_of_an_index_is_committed() -> None:
    for path in (ROOT / "requirements.txt", ROOT / "requirements.hashes.txt", TABLE, ROOT / "Makefile"):
        assert not re.search(r"://|--(extra-)?index|--find-links|/simple\b", path.read_text(encoding="utf-8")), path
