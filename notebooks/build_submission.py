"""Write submission.ipynb from the sources: `python notebooks/build_submission.py`, or `make notebook`.

The notebook carries both packages, a cell a module, so that it runs with nothing installed but torch and numpy.
"""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "submission.ipynb"

INTRODUCTION = """\
# Compound word segmentation: train, predict, submit

Runs from top to bottom with nothing attached and no internet; torch and numpy are all it needs (numba, marisa-trie
and regex make it faster, with the same result). It looks for `val.json` and `test.json` in the folder that the
environment variable `DATA_PATH` names, and for `train.json` there, in `./data`, beside itself, or in a mounted data
set; without them it shows itself at work on a small set of its own. It leaves `submission.zip`.

The next cells write the packages `lexicon` and `hybrid` to a temporary folder, a cell a module; what runs them is at
the end.
"""

SETUP = """\
import sys
import tempfile
from pathlib import Path

SOURCES = tempfile.mkdtemp(prefix="hybrid-segmenter-")
for package in {packages!r}:
    Path(SOURCES, package).mkdir(parents=True)
sys.path.insert(0, SOURCES)"""

SILVER = """\
import json

SILVER = {{
{sets}
}}
for name, splits in SILVER.items():
    data = {{}}
    for split in splits.split():
        parts = split.split("|")
        data["".join(parts)] = [label for part in parts for label in [*[0] * (len(part) - 1), 1]]
    Path(SOURCES, "lexicon/silver", f"{{name}}.json").write_text(json.dumps(data), encoding="utf-8")"""

RUN = """\
import logging
import os

from hybrid.contest import find_contest, read_contest, solve

logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout, force=True)
words, train = find_contest(os.environ.get("DATA_PATH"), Path.cwd())
print(f"training on {train}, predicting val.json and test.json of {words}")
run = solve(read_contest(words, train=train), Path("submission.zip"))"""

REPORT = """\
from hybrid.output import score_lines

for stage, seconds in run.seconds.items():
    print(f"{stage}: {seconds:.1f} s")
for name, scores in run.scores.items():
    print(f"{name}:", *score_lines(scores), sep="\\n  ")
print(f"submission.zip: {Path('submission.zip').stat().st_size:,} bytes")"""


def sources() -> list[Path]:
    """Return the modules that the notebook carries, relative to the repository, in the order of their cells."""
    found = [path for package in ("lexicon", "hybrid") for path in sorted((ROOT / package).rglob("*.py"))]
    return [path.relative_to(ROOT) for path in found]


def silver_cell() -> str:
    """Return the cell that holds the silver set, as splits with "|" between parts."""
    import json
    import textwrap

    sets = []
    for name in ("train", "val", "test"):
        data = json.loads((ROOT / "lexicon" / "silver" / f"{name}.json").read_text(encoding="utf-8"))
        splits = (
            "".join(c + "|" * label for c, label in zip(word, labels, strict=True))[:-1]
            for word, labels in data.items()
        )
        sets.append(f'    "{name}": """\n{textwrap.fill(" ".join(splits), 118, break_long_words=False)}\n""",')
    return SILVER.format(sets="\n".join(sets))


def build() -> nbformat.NotebookNode:
    """Return the notebook, with no output in it."""
    modules = sources()
    packages = sorted({path.parent.as_posix() for path in modules})
    cells = [new_markdown_cell(INTRODUCTION.strip()), new_code_cell(SETUP.format(packages=packages))]
    for path in modules:
        text = (ROOT / path).read_text(encoding="utf-8").rstrip("\n")
        cells.append(new_code_cell(f"%%writefile $SOURCES/{path.as_posix()}\n{text}"))
    cells.append(new_code_cell(silver_cell()))
    cells += [new_markdown_cell("## Train, predict, write the zip"), new_code_cell(RUN), new_code_cell(REPORT)]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return new_notebook(cells=cells, metadata=metadata)


if __name__ == "__main__":
    nbformat.write(build(), NOTEBOOK)
