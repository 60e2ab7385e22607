"""Results on IndoNLU as Markdown: a row a task, and two means, which are never one."""

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from benchmarks.indonlu.tasks import MEANS, TASKS, Kind
from benchmarks.tables import footer, markdown_table

Results = Mapping[str, Any]

INDONLU = "indonlu"
"""The README's table, by the name in the marks around it."""

GOALS: Mapping[Kind, int] = {"classification": 80, "sequence": 73}
"""What the means should reach, on test, in per cent."""

PUBLISHED = (
    ("the paper's transformer, not pretrained", 66.49, 44.03, "test"),
    ("the paper's best fastText (indo4b)", 75.97, 58.28, "test"),
    ("linear features and Viterbi, TF-IDF and logistic regression (measured, untuned)", 77.4, 68.0, "valid"),
    ("mBERT, 110 M parameters, pretrained", 78.54, 76.36, "test"),
)
"""Means of others: of classification, of sequence labelling, and the split that they are of."""


def indonlu_markdown(result: Results) -> str:
    """Return benchmarks/results/indonlu.md.

    Args:
        result: `tasks`, a mapping of names to `kind`, `valid` and `test` (macro F1, 0 … 1; None where not measured),
            `valid_detail` (F1 by label), `seconds` and `rows` (by split, and `seen`, those of valid that are in train);
            `slice`, rows of train that stood for valid, 0 for none; `circumstances`; `seconds` of all.
    """
    tasks = {name: result["tasks"][name] for name in TASKS if name in result["tasks"]}
    details = {name: task["valid_detail"] for name, task in tasks.items() if task.get("valid_detail")}
    lines = [
        "# IndoNLU", "",
        f"{len(tasks)} of {len(TASKS)} Indonesian tasks (Wilie et al. 2020, [arXiv "
        "2009.05387](https://arxiv.org/abs/2009.05387)); each learnt from its train alone, nothing pretrained; word "
        "vectors are of the texts of all tasks' train splits that are there. "
        f"{result['seconds'] / 60:.1f} minutes in all. `python -m benchmarks indonlu DATA{_options(result)}`", "",
        *markdown_table(["task", "kind", "rows of train", "rows of valid", "in train too", "valid", "test", "seconds"],
                        [_row(name, task) for name, task in tasks.items()]), "",
        "Macro F1 in per cent: over labels, those of all aspects of a text together, or over types of chunks, exact "
        "and by the rules of conlleval; “–” is not measured. Weights are fitted on folds of train that nets were kept "
        "from; valid is only measured. Where rows of valid are in train, as published, its figure is not of new rows.",
        "",
        "## Means", "",
        *markdown_table(["system", *(MEANS[kind] for kind in MEANS), "split"], _means(tasks)), "",
        "Each is the mean over all tasks of its kind. Figures of different splits can't be compared to the digit.", "",
        *_details(details),
        _footer(result), "",
    ]  # fmt: skip
    return "\n".join(lines)


def indonlu_table(result: Results) -> str:
    """Return the README's rows: both means beside mBERT's and the goals, and how long all tasks took."""
    rows = []
    for kind, goal in GOALS.items():
        value, _, count = mean(result["tasks"], kind, "valid")
        met = "" if value is None else (": met on valid" if 100 * value >= goal else ": **not met**")
        mbert = next(row for row in PUBLISHED if row[0].startswith("mBERT"))[1 + list(MEANS).index(kind)]
        rows.append(
            [f"{MEANS[kind]}, mean of {count} tasks", f"**{_percent(value)}**", f"{mbert:.2f}", f"≥ {goal}{met}"]
        )
    cores = result["circumstances"]["machine"].rpartition(", ")[2]
    rows.append([f"all tasks, {cores}", f"{result['seconds'] / 60:.0f} min", "", "≤ 60 min"])
    return "\n".join(markdown_table(["IndoNLU", "figure", "mBERT", "goal"], rows))


def _options(result: Results) -> str:
    """Return the options that made a result: tasks, if not all, and rows of train that stood for valid, if any."""
    names = [name for name in TASKS if name in result["tasks"]]
    tasks = "".join(f" --task {name}" for name in names) if len(names) < len(TASKS) else ""
    return f"{tasks} --slice {result['slice']}" if result.get("slice") else tasks


def mean(tasks: Mapping[str, Results], kind: Kind, split: str) -> tuple[float | None, int, int]:
    """Return the mean of all tasks of a kind, None where one is missing; how many were measured, and of how many.

    Args:
        tasks: results by name; what is no task of the benchmark does not count.
        kind: of the tasks.
        split: valid or test.
    """
    names = [name for name, task in TASKS.items() if task.kind == kind]
    values = [tasks[name][split] for name in names if name in tasks and tasks[name].get(split) is not None]
    return fmean(values) if len(values) == len(names) else None, len(values), len(names)


def _row(name: str, task: Results) -> list[str]:
    rows = [f"{task['rows'][split]:,}" if split in task["rows"] else "–" for split in ("train", "valid", "seen")]
    return [name, MEANS[TASKS[name].kind], *rows, *(_percent(task.get(split)) for split in ("valid", "test")),
            f"{task['seconds']:.0f}"]  # fmt: skip


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"


def _means(tasks: Mapping[str, Results]) -> list[list[str]]:
    """Return the rows of both means: the published ones, ours on valid, and ours on test if any task has it."""
    rows = [[name, *(f"{value:.2f}" for value in values), split] for name, *values, split in PUBLISHED]
    for split in ("valid", "test"):
        found = [mean(tasks, kind, split) for kind in MEANS]
        if split == "valid" or any(count for _, count, _ in found):
            told = [f"– ({n} of {of} tasks)" if value is None else f"**{_percent(value)}**" for value, n, of in found]
            rows.append(["**ours, nothing pretrained**", *told, split])
    return rows


def _details(details: Mapping[str, Mapping[str, float]]) -> list[str]:
    """Return each task's F1 by label, the lowest first: there is most to win."""
    if not details:
        return []
    told = {
        name: ", ".join(f"{label or 'B/I'} {_percent(f1)}" for label, f1 in sorted(of.items(), key=lambda row: row[1]))
        for name, of in details.items()
    }
    rows = [[name, cells.replace("|", "\\|")] for name, cells in told.items()]
    return ["## By label", "", *markdown_table(["task", "F1 on valid, the lowest first"], rows), ""]


def _footer(result: Results) -> str:
    return footer({"seed": "unknown", **result, **result["circumstances"]})
