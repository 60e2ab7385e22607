"""The page about a crawl is worked out from the figures at its top."""

import re

import pytest

from benchmarks.crawl import FIGURES, PAGE, job_table, put_in, read_figures, work_out
from hybrid import DataError

ROUND = {"pages": 36e6, "words_per_page": 100, "bytes_per_page": 1000, "rate": 1000, "price": 0.05,
         "busy": 0.5}  # fmt: skip


def test_hours_and_cost() -> None:
    core, cores = work_out(ROUND, 1), work_out(ROUND, 16)
    assert (core.hours, core.paid, core.cost) == (2000, 2000, 100)
    assert (cores.hours, cores.paid, cores.cost) == (125, 2000, 100)
    assert "4 billion words, 36 GB of text:" in job_table(ROUND)
    assert "| 16 cores | 125.0 | 2,000 | 100 $ |" in job_table(ROUND)


def test_the_page_has_all_figures_and_a_place_for_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    filled = re.sub(r"\{rate_text_\w+\}", "1,000", page)
    figures = read_figures(filled)
    assert list(figures) == list(FIGURES)
    table = job_table(figures)
    assert table in put_in(filled, table)
    assert put_in(put_in(filled, "x"), table) == put_in(filled, table)
    if filled == page:  # nothing is left to be filled in, so the table is that of the figures
        assert put_in(page, table) == page


def test_what_is_not_filled_in_is_told() -> None:
    page = PAGE.read_text(encoding="utf-8")
    with pytest.raises(DataError, match=r"figure `busy` is '\{busy\}'; a number above 0 is right"):
        read_figures(re.sub(r"(?m)^(\| `(\w+)` \|)[^|]*", r"\1 1 ", page).replace("`busy` | 1", "`busy` | {busy}"))
    with pytest.raises(DataError, match="should have the lines"):
        put_in("no marks", "table")
