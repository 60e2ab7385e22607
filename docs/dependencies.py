"""Write docs/dependencies.md from what is installed: `python docs/dependencies.py`, or `make dependencies`.

Which packages: those of requirements.txt. What for: the comments in pyproject.toml, or the packages that need it.
"""

import re
from importlib.metadata import Distribution, distribution
from pathlib import Path

import tomllib
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "docs" / "dependencies.md"
GROUPS = (
    "run",
    "corpus",
    "ray",
    "spacy",
    "search",
    "sklearn",
    "frames",
    "tokenizers",
    "serve",
    "completion",
    "test",
    "docs",
    "lint",
)
"""What pyproject.toml asks for: to run at all, and by its extras; a package is listed under the first that needs it."""

HEAD = """\
# Dependencies

The package carries none of them inside it, and fetches, asks and sends nothing when it runs.

**Checked by checksum.** `pip install --require-hashes -r requirements.hashes.txt` installs what requirements.txt pins,
and refuses any file whose SHA-256 is not listed. Listed are all files of each version, for Linux, macOS and Windows; of
torch for Linux on x86-64 only the build for CPUs, Python 3.11: give pip the index that has it, for the build for GPUs
brings 15 more packages. It was tried on Linux. On macOS `appnope` and on Windows `colorama` are wanted besides, as
pip tells then. `make lock` writes the file anew.

**Known vulnerabilities.** `make audit` asks the Python Packaging Advisory Database by pip-audit. It fails where a
package is vulnerable, and also where one could not be looked up, as without network.

**Licences.** What requirements.txt pins, as the packages themselves tell; made by `make dependencies`. *run* is what
`pip install .` brings; *test*, *docs* and *lint* are for developers; all others are extras of those names.

| package | version | licence | for | what for |
| --- | --- | --- | --- | --- |
"""


def pinned() -> dict[str, str]:
    """Return the packages of requirements.txt, by their one spelling, and their versions."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if "==" in line]
    return {canonicalize_name(name): version for name, version in pairs}


def asked() -> dict[str, dict[str, str]]:
    """Return for each group the requirements in pyproject.toml, with their comments."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    comments = dict(re.findall(r'^ *"(.*)",? +# (.*)$', text, re.MULTILINE))
    lists = {"run": project["dependencies"], **project["optional-dependencies"]}
    return {group: {line: comments[line] for line in lists[group]}
            for group in GROUPS}  # fmt: skip


def needed(requirement: Requirement) -> list[Requirement]:
    """Return what an installed package needs here, with the extras that are asked of it."""
    extras = ["", *requirement.extras]
    found = [Requirement(line) for line in distribution(requirement.name).requires or ()]
    return [each for each in found if not each.marker or any(each.marker.evaluate({"extra": e}) for e in extras)]


def reasons() -> dict[str, tuple[str, str]]:
    """Return for each package, by its one spelling, its group and what it is for."""
    told: dict[str, tuple[str, str]] = {}
    for group, lines in asked().items():
        ahead = [(Requirement(line), what) for line, what in lines.items()]
        for requirement, what in ahead:  # grows as it is read
            name = canonicalize_name(requirement.name)
            if name not in told:
                told[name] = group, what
                ahead += [(each, f"{name} needs it") for each in needed(requirement)]
    return told


def licence(package: Distribution) -> str:
    """Return the licence that a package tells of: its expression, else its classifiers, else its text's first line."""
    about = package.metadata
    named = [text.split(" :: ")[-1] for text in about.get_all("Classifier") or () if text.startswith("License :: ")]
    told = about.get("License-Expression") or ", ".join(n for n in named if n != "OSI Approved") or about.get("License")
    return (told or "not told").splitlines()[0]


def rows() -> list[str]:
    """Return the table's rows.

    Raises:
        SystemExit: what is installed is not what requirements.txt pins.
    """
    why, lines = reasons(), []
    for name, version in sorted(pinned().items()):
        package = distribution(name)
        if package.version.split("+")[0] != version:
            raise SystemExit(f"{name}: {package.version} is installed, requirements.txt pins {version}")
        group, what = why[name]
        lines.append(f"| {name} | {version} | {licence(package)} | {group} | {what} |")
    return lines


if __name__ == "__main__":
    TABLE.write_text(HEAD + "\n".join(rows()) + "\n", encoding="utf-8")
