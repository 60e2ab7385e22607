"""The first answer of a fresh process: seconds and memory, with warm caches."""

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.speed.contestants import FirstSight
from benchmarks.speed.timing import spread
from benchmarks.words import test_words
from hybrid.errors import DataError

SURE = "Autobahnanschlussstelle"

LAUNCH = Path(__file__).parent / "launch.py"
ROOT = LAUNCH.parent.parent.parent

RIVALS = {
    "compound-split, maximal": ("compound_split", "from compound_split.doc_split import maximal_split as split"),
    "CharSplit": ("compound_split", "from compound_split.char_split import split_compound as split"),
    "CharSplit (split-words)": ("split_words", "from split_words import Splitter; split = Splitter().split_compound"),
    "HanTa": ("HanTa", "from HanTa.HanoverTagger import HanoverTagger; "
                       "split = HanoverTagger('morphmodel_ger.pgz').analyze"),
    "wordninja-enhanced": ("wordninja_enhanced", "from wordninja_enhanced import LanguageModel; "
                                                 "split = LanguageModel(language='de').split"),
}  # fmt: skip
"""The package that a rival is in, and how it is loaded."""


def measure_answers(first: FirstSight, rounds: int) -> list[dict[str, Any]]:
    """Return a row for a word that the lexicon is sure of, one for a word that needs nets, and one for each rival."""
    wanted = [("hybrid, the lexicon decides", SURE, False), ("hybrid, the nets are asked", unsure_word(first), True)]
    commands = [(name, word, nets, [sys.executable, "-m", "hybrid", "split", word]) for name, word, nets in wanted
                if word is not None]  # fmt: skip
    entrants: list[tuple[str, str, bool | None, list[str]]] = [*commands]
    for name, (package, load) in RIVALS.items():
        if importlib.util.find_spec(package):
            entrants.append((name, SURE, None, [sys.executable, "-c", f"{load}; split({SURE!r})"]))
    for _, _, _, command in entrants:
        launch(command)  # fills caches of files and of compiled code
    runs = [[launch(command) for *_, command in entrants] for _ in range(rounds)]
    return [
        {"name": name, "word": word, "nets": nets, "seconds": spread([run[i]["seconds"] for run in runs]),
         "peak_mb": spread([run[i]["peak"] / 1e6 for run in runs])}
        for i, (name, word, nets, _) in enumerate(entrants)
    ]  # fmt: skip


def unsure_word(first: FirstSight) -> str | None:
    """Return the first annotated word that the first pass is not sure of; None where there is none."""
    words = list(test_words().gold)
    sure = zip(words, first.probabilities(words), strict=True)
    return next((word for word, probability in sure if 0 <= probability < first.sure), None)


def launch(command: Sequence[str]) -> dict[str, float]:
    """Return the seconds and the largest resident set of a command.

    Raises:
        DataError: it fails.
    """
    done = subprocess.run([sys.executable, str(LAUNCH), *command], cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    if result["status"] != 0:
        raise DataError(f"{' '.join(command)}: ended with {result['status']:.0f}: {done.stderr.strip()[-500:]}")
    return result
