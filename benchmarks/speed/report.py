"""Speed as Markdown: results/speed.md and the README's table."""

from collections.abc import Mapping
from typing import Any

from benchmarks.speed import goals
from benchmarks.tables import footer, four, markdown_table

SPEED = "speed"
"""The README's table, by the name in the marks around it."""

Row = Mapping[str, Any]


def speed_markdown(speed: Row, contest: Row | None) -> str:
    """Return results/speed.md."""
    cpu = f"{speed['cpu']}, {speed['cores']} cores"
    lines = ["# Speed", "", "Measured by `python -m benchmarks speed`. One process on one core, torch on one thread, "
             f"nothing remembered, unless it says otherwise; in a round every contestant runs once, in turn; rounds: "
             f"{speed['rounds']}, median (least – largest). {cpu}.", ""]  # fmt: skip
    if speed["quick"]:
        lines += ["**Run with `--quick`: no figure here means anything.**", ""]
    lines += [*_lists(speed), *_texts(speed), *_answers(speed), *_contest(contest), *_cost(speed), *_growth(speed)]
    return "\n".join([*lines, footer(speed), ""])


def speed_table(speed: Row | None) -> str:
    """Return the README's table, without the marks around it."""
    if speed is None:
        return "\n".join(markdown_table(["speed", "figure", "goal"], [["not measured yet", "", ""]]))
    of = next(iter(speed["lists"].values()))
    told = list(goals.of_rows(of["rows"]))
    rows = [
        [f"{row['name']}: words/s (F1)",
         f"{row['words_per_second']['median']:,.0f} ({four(row['f1']['annotated'])})", goal]
        for row, goal in zip(of["rows"], told, strict=True)
    ]  # fmt: skip
    rows += [[f"text, {row['name']}, mode cascade: tokens/s", f"{speed_of['median']:,.0f}",
              goals.TEXT.told(speed_of["median"])]
             for row in speed["texts"] if "skipped" not in row
             for speed_of in [row["tokens_per_second"]["cascade"]]]  # fmt: skip
    rows += [[f"first answer of a new process: {row['name']}",
              f"{row['seconds']['median']:.2f} s, {row['peak_mb']['median']:.0f} MB", goals.of_answer(row)]
             for row in speed["answers"] if row["nets"] is not None]  # fmt: skip
    return "\n".join(markdown_table(["speed", "figure", "goal"], rows))


def _lists(speed: Row) -> list[str]:
    scored = speed["scored"]
    lines = []
    header = ["", "words", "words/s", *(f"F1, {name} ({count:,})" for name, count in scored.items()), "to the nets",
              "goal"]  # fmt: skip
    for name, of in speed["lists"].items():
        rows = [
            [row["name"], f"{row['words']:,}", _spread(row["words_per_second"]),
             *(four(row["f1"].get(one)) for one in scored), _share(row["nets"]), goal]
            for row, goal in zip(of["rows"], goals.of_rows(of["rows"]), strict=True)
        ]  # fmt: skip
        lines += [f"## Distinct words: {name}", "",
                  f"{of['words']:,} words; slow contestants get as many of them as take about a second. F1 by the same "
                  "mode, annotated words into finest parts, others at granularity \"contest\".", "",
                  *markdown_table(header, rows), ""]  # fmt: skip
    return lines


def _texts(speed: Row) -> list[str]:
    rows = []
    for row in speed["texts"]:
        if "skipped" in row:
            rows.append([row["name"], row["skipped"], "", "", "", "", ""])
            continue
        memory = next((one for one in speed["memory"] if one["name"] == row["name"]), None)
        slope, points = (memory["kb_per_million_tokens"], memory["points"]) if memory else (None, [])
        cascade, fast = row["tokens_per_second"]["cascade"], row["tokens_per_second"]["fast"]
        rows.append([row["name"], f"{row['tokens']:,}", f"{row['distinct']:,}",
                     _spread(cascade), _spread(fast),
                     f"{max(at for _, at in points) / 1e6:,.0f}" if points else "",
                     "" if slope is None else f"{slope:,.0f}",
                     goals.TEXT.told(cascade["median"])])  # fmt: skip
    header = ["", "tokens", "distinct", "tokens/s, cascade", "tokens/s, fast", "MB at most",
              "KB more each million tokens", "goal"]  # fmt: skip
    rows = [[*row, *[""] * (len(header) - len(row))] for row in rows]
    return ["## Running text", "", "`Worker.separate` from an empty memory. Drawn by Zipf's law (p ~ 1/rank), 20 words "
            "a line. Memory is of a process of its own, its slope from the first million tokens on (of a shorter text: "
            "from a tenth of it on).", "", *markdown_table(header, rows), ""]  # fmt: skip


def _answers(speed: Row) -> list[str]:
    rows = [[row["name"], row["word"], _spread(row["seconds"], 2), _spread(row["peak_mb"]), goals.of_answer(row)]
            for row in speed["answers"]]  # fmt: skip
    return ["## First answer", "", "A fresh process, caches warm, not kept on one core: `python -m hybrid split WORD`; "
            "of rivals, one that loads and splits one word.", "",
            *markdown_table(["", "word", "seconds", "largest resident set, MB", "goal"], rows), ""]  # fmt: skip


def _contest(contest: Row | None) -> list[str]:
    if contest is None:
        return ["## Contest", "", "Not measured here: no contest.json beside this file.", ""]
    seconds = contest["seconds"]
    total = seconds["train"] + seconds["predict"]
    return ["## Contest", "", f"From contest.json, measured by `python -m benchmarks contest` at commit "
            f"{contest['commit']}: training {seconds['train']:.0f} s, prediction {seconds['predict']:.0f} s, together "
            f"{total:.0f} s; {goals.CONTEST.told(total)}.", ""]  # fmt: skip


def _cost(speed: Row) -> list[str]:
    scored = speed["scored"]
    rows = [[f"{row['sure']:.2f}{' (default)' if row['sure'] == speed['sure'] else ''}", _share(row["nets"]),
             f"{row['words']:,}", _spread(row["words_per_second"]), *(four(row["f1"][name]) for name in scored)]
            for row in speed["cost"]]  # fmt: skip
    header = ["threshold", "to the nets", "words", "words/s", *(f"F1, {name}" for name in scored)]
    return ["## Accuracy against cost", "", "The first pass is believed where its probability reaches the threshold: "
            "0 is mode fast, above 1 mode nets.", "", *markdown_table(header, rows), "",
            "![](speed.png)", ""]  # fmt: skip


def _growth(speed: Row) -> list[str]:
    growth = speed["growth"]
    corpus = [[f"{row['words']:,}", row["mode"], _spread(row["words_per_second"]), _share(row["nets"])]
              for row in growth["corpus"]]  # fmt: skip
    threads = [[str(row["threads"]), row["mode"], _spread(row["words_per_second"])] for row in growth["threads"]]
    lengths = [[f"{row['length']:,}", row["mode"], f"{row['words']:,}", _spread(row["us_per_word"], 1),
                _spread(row["us_per_character"], 2), _share(row["nets"])] for row in growth["length"]]  # fmt: skip
    return [
        "## Growth with the number of words",
        "",
        "Words of the model's dictionary, in an order that is drawn.",
        "",
        *markdown_table(["words", "mode", "words/s", "to the nets"], corpus),
        "",
        "## Growth with the length of words",
        "",
        "Nouns that are joined until they have about so many characters.",
        "",
        *markdown_table(["characters", "mode", "words", "µs a word", "µs a character", "to the nets"], lengths),
        "",
        "## Threads",
        "",
        "On all cores; each thread has its share of the words.",
        "",
        *markdown_table(["threads", "mode", "words/s"], threads),
        "",
    ]


def _spread(figures: Mapping[str, float], digits: int = 0) -> str:
    middle, low, high = (f"{figures[key]:,.{digits}f}" for key in ("median", "min", "max"))
    return f"{middle} ({low} – {high})"


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.1%}"
