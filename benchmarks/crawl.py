"""A job of Common Crawl's size, worked out from the figures at the top of docs/common-crawl.md and put into that page.

Run `python -m benchmarks.crawl` once they are filled in.
"""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hybrid.errors import DataError

PAGE = Path(__file__).parent.parent / "docs" / "common-crawl.md"
BEGIN, END = "<!-- job: made by `python -m benchmarks.crawl` -->", "<!-- end of job -->"

FIGURES = ("pages", "words_per_page", "bytes_per_page", "rate", "price", "busy")
CORES = (1, 16, 96, 1000)
"""How many the table has: one, machines, a cluster."""


@dataclass(frozen=True, slots=True)
class Job:
    """What a number of cores takes: hours until the end, hours that are paid for, and what these cost."""

    hours: float
    paid: float
    cost: float


def work_out(figures: Mapping[str, float], workers: int) -> Job:
    """Return what a job takes: words over rate are hours of work, which are `busy` of the hours paid for.

    Args:
        figures: those of `FIGURES`.
        workers: how many work side by side.
    """
    words = figures["pages"] * figures["words_per_page"]
    paid = words / figures["rate"] / 3600 / figures["busy"]
    return Job(paid / workers, paid, paid * figures["price"])


def read_figures(page: str) -> dict[str, float]:
    """Return the figures in a page's first table: rows that begin with a name in backquotes and then a number.

    Raises:
        DataError: one is missing, still to be filled in, or not above 0.
    """
    found = dict(re.findall(r"^\| `(\w+)` \| *([^|]*?) *\|", page, re.MULTILINE))
    figures = {}
    for name in FIGURES:
        text = found.get(name, "")
        if not re.fullmatch(r"\d[\d,]*(\.\d+)?", text) or not float(text.replace(",", "")):
            raise DataError(f"{PAGE.name}: figure `{name}` is {text!r}; a number above 0 is right")
        figures[name] = float(text.replace(",", ""))
    return figures


def job_table(figures: Mapping[str, float]) -> str:
    """Return the table of what the job takes."""
    words = figures["pages"] * figures["words_per_page"]
    size = figures["pages"] * figures["bytes_per_page"]
    rows = [["on", "hours", "hours paid for", "cost"], ["---"] * 4]
    for cores in CORES:
        job = work_out(figures, cores)
        rows.append([f"{cores:,} core{'s' if cores > 1 else ''}", f"{job.hours:,.1f}", f"{job.paid:,.0f}",
                     f"{job.cost:,.0f} $"])  # fmt: skip
    told = f"{words / 1e9:,.0f} billion words, {size / 1e9:,.0f} GB of text:"
    return "\n".join([told, "", *(f"| {' | '.join(row)} |" for row in rows)])


def put_in(page: str, table: str) -> str:
    """Return a page with the table between its marks.

    Raises:
        DataError: the marks are not there.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise DataError(f"{PAGE.name}: should have the lines {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def main() -> int:
    """Work the page out anew and return the exit code."""
    try:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(put_in(page, job_table(read_figures(page))), encoding="utf-8")
    except (DataError, OSError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
