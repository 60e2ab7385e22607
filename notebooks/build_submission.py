"""Write submission.ipynb from the sources: `python notebooks/build_submission.py`, or `make notebook`.

The notebook carries both packages, a cell a module, and the data that ships with them, so that it runs with nothing
installed but torch and numpy.
"""

from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parent.parent
NOTEBOOK = ROOT / "submission.ipynb"

ELSEWHERE = {"corpus", "integrations", "labelling", "search", "serving", "__main__.py", "arguments.py", "cli.py",
             "completion.py", "console.py", "memory.py", "ngrams.py", "option_values.py",
             "phrases.py"}  # fmt: skip
"""What the contest has no use for: the command line, spans of words, and other tools."""

INTRODUCTION = """\
# Compound word segmentation: train, predict, submit

Runs from top to bottom with nothing attached and no internet; torch and numpy are all it needs. numba and marisa-trie
make it faster, with the same result.

* **In:** `val.json` and `test.json` in the folder that the environment variable `DATA_PATH` names or, where it is not
  set, in `./data`, beside this notebook or in a mounted data set; `train.json` in any of these. Without `train.json` it
  learns from a small set that it carries, and without any of the files it works on that set: to look at, not to submit.
* **Out:** `submission.zip` with `submissionval.json` and `submissiontest.json`, beside this notebook.

## How it works

1. **Lexicon.** Training words give parts with counts by role (first, middle, last), the left stretches before a head
   with their cuts, and the inventory of words. The words to segment join the inventory; their labels are never seen.
2. **Dictionary.** A list of German nouns (CC0, from Wikidata) that the notebook carries: words known to exist, without
   splits. Where only train.json may be used, set `DICTIONARY = False` [where it runs](#run).
3. **Nets.** Bidirectional character LSTMs score every segment of a word and learn on whole lattices: one kind reads
   characters, the other also what lexicon and dictionary say, each training word's own counts taken out. A character
   LSTM language model scores segments that the lexicon does not know.
4. **Lattice.** All segments of a word are edges; each score is a column over the edges. The columns' weights are fitted
   on words kept from the nets and the counts, by the likelihood of whole splits.
5. **Viterbi** finds the best path; with two parts or more, since all training words have as many.

The next cells hold the packages `lexicon` and `hybrid`, a cell a module, and write them to a temporary folder.
[What runs them](#run) is at the end.
"""

SETUP = """\
import sys
import tempfile
from pathlib import Path

from IPython.core.magic import register_cell_magic

SOURCES = Path(tempfile.mkdtemp(prefix="hybrid-segmenter-"))
sys.path.insert(0, str(SOURCES))


@register_cell_magic
def module(name, text):
    path = SOURCES / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    for loaded in [m for m in sys.modules if m.split(".")[0] in ("lexicon", "hybrid")]:
        del sys.modules[loaded]  # so that a changed cell counts without a restart"""

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
    Path(SOURCES / "lexicon/silver", f"{{name}}.json").write_text(json.dumps(data), encoding="utf-8")"""

DICTIONARY = """\
import base64

NOUNS = \"\"\"
{text}
\"\"\"
Path(SOURCES / "lexicon/dictionary/nouns.txt.xz").write_bytes(base64.b85decode("".join(NOUNS.split())))"""

RUN = """\
import logging
import os

from hybrid.contest import find_contest, read_contest, solve

logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout, force=True)
DICTIONARY = True  # False: learn from train.json alone
words, train = find_contest(os.environ.get("DATA_PATH"), Path.cwd())
print(f"training on {train}, predicting val.json and test.json of {words}")
data = read_contest(words, train=train)
run = solve(data, Path("submission.zip"), dictionary=None if DICTIONARY else ())"""

REPORT = """\
from hybrid.output import score_lines

for stage, seconds in run.seconds.items():
    print(f"{stage}: {seconds:.1f} s")
for name, scores in run.scores.items():
    print(f"{name}:", *score_lines(scores), sep="\\n  ")
for word, labels in list(run.predictions["val"].items())[:8]:
    print("".join(c + "|" * label for c, label in zip(word, labels))[:-1])
print(f"submission.zip: {Path('submission.zip').stat().st_size:,} bytes")
if SOURCES in train.parents:
    print("Trained on the small set that comes with the notebook: NOT a submission for the contest.")"""


def sources() -> list[Path]:
    """Return the modules that the notebook carries, relative to the repository, in the order of their cells."""
    found = [path.relative_to(ROOT) for package in ("lexicon", "hybrid") for path in _in_order(ROOT / package)]
    return [path for path in found if path.parts[1] not in ELSEWHERE]


def _in_order(package: Path) -> list[Path]:
    """Return a package's modules: its own first, then those of the packages inside it."""
    return sorted(package.rglob("*.py"), key=lambda path: (path.parent, path.name))


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


def dictionary_cell() -> str:
    """Return the cell that holds the dictionary, compressed and in letters."""
    import base64
    import textwrap

    packed = (ROOT / "lexicon" / "dictionary" / "nouns.txt.xz").read_bytes()
    return DICTIONARY.format(text="\n".join(textwrap.wrap(base64.b85encode(packed).decode(), 118)))


def build() -> nbformat.NotebookNode:
    """Return the notebook, with no output in it."""
    modules = sources()
    cells = [new_markdown_cell(INTRODUCTION.strip()), new_code_cell(SETUP)]
    for path in modules:
        if path.name == "__init__.py":
            package = path.parent.as_posix()
            cells.append(new_markdown_cell(f"### `{package}`" if "/" in package else f"## Package `{package}`"))
        text = (ROOT / path).read_text(encoding="utf-8").rstrip("\n")
        cells.append(new_code_cell(f"%%module {path.as_posix()}\n{text}"))
    cells += [new_markdown_cell("### A small set of words to show it on"), new_code_cell(silver_cell())]
    cells += [new_markdown_cell("### The dictionary, compressed"), new_code_cell(dictionary_cell())]
    cells += [
        new_markdown_cell('<a id="run"></a>\n## Train, predict, write the zip'),
        new_code_cell(RUN),
        new_code_cell(REPORT),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return new_notebook(cells=cells, metadata=metadata)


if __name__ == "__main__":
    nbformat.write(build(), NOTEBOOK)
