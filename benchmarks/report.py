"""Tables, figures and the README's results, made of what was measured."""

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.fertility.report import fertility_markdown
from benchmarks.figures import draw_all
from benchmarks.indonlu.report import INDONLU, indonlu_markdown, indonlu_table
from benchmarks.load.report import LOAD, load_table
from benchmarks.results import RESULTS, read_result
from benchmarks.search.report import search_markdown
from benchmarks.speed.panels import draw_speed
from benchmarks.speed.report import SPEED, speed_markdown, speed_table
from benchmarks.tables import (
    CONTEST,
    WORDS,
    decoders_markdown,
    put_into_readme,
    readme_table,
    words_markdown,
    words_table,
)
from hybrid.errors import DataError

ROOT = Path(__file__).parent.parent

Results = dict[str, Any]

MARKDOWN: dict[str, Callable[[Results], str]] = {
    "decoders": lambda all_: decoders_markdown(all_["decoders"], all_["curve"]),
    "words": lambda all_: words_markdown(all_["words"]),
    "speed": lambda all_: speed_markdown(all_["speed"], all_["contest"]),
    "fertility": lambda all_: fertility_markdown(all_["fertility"]),
    "search": lambda all_: search_markdown(all_["search"]),
    "indonlu": lambda all_: indonlu_markdown(all_["indonlu"]),
}
"""Of which result which page is made, as `NAME.md`."""

MEASURED = (*MARKDOWN, "curve", "contest", "load")


def write_report(out: Path) -> None:
    """Write pages and figures of what was measured into a folder; the project's own results go into its papers too.

    Raises:
        DataError: nothing was measured.
    """
    results = {name: read_result(out, name) for name in MEASURED}
    if not any(result for name, result in results.items() if name != "contest"):
        raise DataError(f"{out}: none of {', '.join(f'{name}.json' for name in MEASURED)}; measure first")
    for name, page in MARKDOWN.items():
        if results[name]:
            (out / f"{name}.md").write_text(page(results), encoding="utf-8")
    if importlib.util.find_spec("matplotlib"):
        draw_all(out, results["decoders"], results["curve"], results["words"])
        if results["speed"]:
            draw_speed(out, results["speed"])
    else:
        print("benchmarks: no figures, matplotlib is not installed: pip install -e .[bench]", file=sys.stderr)
    if out.resolve() == RESULTS:
        _put_into_papers(results)


def _put_into_papers(results: Results) -> None:
    readme, reliability = ROOT / "README.md", ROOT / "docs" / "reliability.md"
    if results["decoders"] and results["contest"] and results["words"]:
        put_into_readme(readme, readme_table(results["contest"], results["decoders"]), CONTEST)
        put_into_readme(readme, words_table(results["words"]), WORDS)
    if results["speed"] and not results["speed"]["quick"]:
        put_into_readme(readme, speed_table(results["speed"]), SPEED)
    if results["indonlu"]:
        put_into_readme(readme, indonlu_table(results["indonlu"]), INDONLU)
    if results["load"]:
        put_into_readme(reliability, load_table(results["load"]), LOAD)
