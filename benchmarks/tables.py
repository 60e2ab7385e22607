"""Results as Markdown: the decoders' table and the README's, both made from the JSON files and from nothing else."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.lineup import FULL

CONTEST, WORDS = "results", "words"
"""The README's two tables, by the name in the marks around them."""


MODELS = {"told": FULL, "plain": "words to segment not known", "no dictionary": "no dictionary"}


def decoders_markdown(results: Mapping[str, Any], curve: Mapping[str, Any] | None) -> str:
    """Return benchmarks/results/decoders.md."""
    header = ["decoder", "F1", "exact", "P", "R", "cuts' F1", "3 parts", "unknown", "words/s", "F1 − full [95 %]",
              "NDCG@20 list", "pool"]  # fmt: skip
    rows = [_decoder_row(row) for row in results["decoders"]]
    calibration = [
        [MODELS[name], f"{sum(b['count'] for b in kind['bins']):,} {what}", f"{kind['ece']:.4f}"]
        for name, kinds in results["calibration"].items()
        for what, kind in kinds.items()
    ]
    seconds = [f"{MODELS[name]} {seconds:.0f} s" for name, seconds in results["training_seconds"].items()]
    lines = [
        "# Decoders compared",
        "",
        f"Trained on {results['train_words']:,} words, scored on {results['scored_on']}. "
        f"Training: {', '.join(seconds)}.",
        "",
        *markdown_table(header, rows),
        "",
        "P, R, cuts' F1: inner cuts, over all words together. 3 parts: F1 on words of three parts. unknown: F1 on "
        "words with a part that no training word has. F1 − full: against the full hybrid on the same words, paired "
        "bootstrap. NDCG: grades 2 the gold split, 1 a coarsening or refinement that shares a cut, 0 others; the "
        "ideal is over the system's own list, or over the pool of all systems' lists. words/s: the whole call, one "
        "process.",
        "",
        "“without …” leaves one of the full hybrid's columns out, “with … too” adds one, both with weights fitted "
        "anew. Rivals are used as they come from PyPI; none was trained on this data.",
        "",
        "## Can the probabilities be trusted?",
        "",
        *markdown_table(["model", "probabilities", "expected calibration error"], calibration),
        "",
    ]
    if curve:
        lines += [
            "## Learning curve",
            "",
            *markdown_table(
                ["training words", "F1", "exact", "training"],
                [[f"{p['train_words']:,}", four(p["f1"]), four(p["exact"]), f"{p['seconds']:.0f} s"]
                 for p in curve["points"]],
            ),
            "",
        ]  # fmt: skip
    return "\n".join([*lines, footer(results), ""])


def readme_table(contest: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    """Return the README's table of results, without the marks around it; rivals are in that of `words_table`."""
    told, row = results["calibration"]["told"], {row["name"]: row for row in results["decoders"]}
    shown = [f"{FULL}, words to segment not known", f"{FULL}, no dictionary", "lexicon alone, Viterbi",
             "boundary net, Viterbi"]  # fmt: skip
    seconds = contest["seconds"]
    rows = [
        ["mean F1 (the committee's best: 0.95)", f"**{four(contest['scores']['f1'])}**",
         "`python -m benchmarks contest DATA`"],
        ["exact splits", four(contest["scores"]["exact"]), "same run"],
        ["training / prediction", f"{seconds['train']:.0f} s / {seconds['predict']:.0f} s", "same run"],
        ["peak memory", f"{contest['peak_memory_mb'] / 1000:.1f} GB", "same run"],
        ["calibration error of splits / cuts", f"{told['splits']['ece']:.4f} / {told['cuts']['ece']:.4f}",
         "`python -m benchmarks decoders DATA`"],
        *([f"mean F1: {name}", four(row[name]["f1"]), "same run"] for name in shown if name in row),
    ]  # fmt: skip
    return "\n".join(markdown_table(["measure", "figure", "command"], rows))


def words_table(words: Mapping[str, Any]) -> str:
    """Return the README's table of splitters on any words, without the marks around it: mean F1 on each list."""
    names = dict.fromkeys(row["name"] for of in words["lists"].values() for row in of["decoders"])
    f1 = {name: {row["name"]: row["f1"] for row in of["decoders"]} for name, of in words["lists"].items()}
    header = ["mean F1", *(f"{name} ({of['words']:,})" for name, of in words["lists"].items())]
    rows = [[name, *(four(f1[of].get(name)) for of in words["lists"])] for name in names]
    return "\n".join(markdown_table(header, rows))


def words_markdown(words: Mapping[str, Any]) -> str:
    """Return benchmarks/results/words.md."""
    header = ["splitter", "F1", "exact", "F1, unseen", "whole words left whole", "words/s", "F1 − default [95 %]"]
    lines = ["# Any words", "",
             "Measured by `python -m benchmarks words`; the default model as it ships. Unseen: words that "
             "are not among those annotated for its training. Rivals get every word with a capital.", ""]  # fmt: skip
    for name, of in words["lists"].items():
        told = (f"{of['words']:,} words, {of['compounds']:,} of them compounds, {of['unseen']:,} unseen; "
                f"granularity {of['granularity']}.")  # fmt: skip
        lines += [f"## {name}", "", told, "", *markdown_table(header, [_words_row(row) for row in of["decoders"]]), ""]
    calibration = [[what, f"{kind['ece']:.4f}"] for what, kind in words["calibration"].items()]
    lines += ["## Can the probabilities be trusted?", "", "Of the default model on the annotated words:", "",
              *markdown_table(["probabilities of", "expected calibration error"], calibration), ""]  # fmt: skip
    return "\n".join([*lines, footer(words), ""])


def _words_row(row: Mapping[str, Any]) -> list[str]:
    difference, low, high = row["against_default"]
    same, shown = difference == low == high == 0, f"{difference:+.4f} [{low:+.4f}, {high:+.4f}]"
    return [row["name"], four(row["f1"]), four(row["exact"]), four(row["f1_unseen"]), four(row["whole_left_whole"]),
            f"{row['words_per_second']:,.0f}", "" if same else shown]  # fmt: skip


def put_into_readme(readme: Path, table: str, name: str) -> None:
    """Replace what stands between the two marks of that name.

    Raises:
        ValueError: the marks are not there.
    """
    begin, end = f"<!-- {name}: made by `python -m benchmarks report` -->", f"<!-- end of {name} -->"
    text = readme.read_text(encoding="utf-8")
    if text.count(begin) != 1 or text.count(end) != 1:
        raise ValueError(f"{readme}: should have the lines {begin!r} and {end!r} once each")
    before, rest = text.split(begin)
    readme.write_text(f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}", encoding="utf-8")


def _decoder_row(row: Mapping[str, Any]) -> list[str]:
    difference, low, high = row["against_full"]
    speed = row.get("words_per_second")
    return [
        f"**{row['name']}**" if row["name"] == FULL else row["name"],
        *(four(row[key]) for key in ("f1", "exact", "boundary_precision", "boundary_recall", "boundary_f1",
                                      "f1_three_parts", "f1_unknown_part")),
        f"{speed:,.0f}" if speed else "",
        "" if row["name"] == FULL else f"{difference:+.4f} [{low:+.4f}, {high:+.4f}]",
        four(row.get("ndcg20_list")),
        four(row.get("ndcg20_pool")),
    ]  # fmt: skip


def four(value: float | None) -> str:
    """Return a number with four decimals, "" for none."""
    return "" if value is None else f"{value:.4f}"


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table."""
    return [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]


def footer(results: Mapping[str, Any]) -> str:
    """Return the circumstances of a run."""
    told = [f"{key} {results[key]}" for key in ("commit", "hybrid", "python", "torch", "numpy", "numba", "marisa-trie")]
    return f"{', '.join(told)}; {results['machine']}, {results['device']}; seed {results['seed']}."
