"""What parts of compounds cost a search engine, and what word lists find, as Markdown."""

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import footer, markdown_table


def search_markdown(result: Mapping[str, Any]) -> str:
    """Return benchmarks/results/search.md."""
    lists = result["lists"]
    rules = lists["rules"]
    lines = [
        "# Search engines", "",
        f"Measured by `python -m benchmarks search {result['texts']}`: {result['documents']:,} documents, "
        f"{result['bytes'] / 1e6:.1f} MB, {result['words']:,} words, {result['distinct']:,} of them distinct.", "",
        "## Tantivy", "",
        "The index on the disk, with positions, lower-cased, written by one thread; seconds of processor time, the "
        "median of three runs. Words are split in mode “fast”; each word is split anew only where a process begins.",
        "",
        *markdown_table(["index", "MB", "× plain", "MB, text stored", "× plain", "terms", "seconds", "× plain"],
                        _indexes(result["indexes"])), "",
        "## Rules and word lists", "",
        f"**Synonyms** `--as synonyms`: {rules['compounds']:,} compounds have a rule, with {rules['outputs']:.1f} "
        f"words each, the compound too; running text gets {rules['growth']:.2f} × as many tokens before stemmer and "
        "remove_duplicates. All parts of each compound are found, and nothing else.", "",
        "**Word lists** `--as word-list`, of all these words, and what they find in them: compounds of which all "
        "parts, or some, are found, and words in which something is found that is none of their parts; in brackets "
        "each word as often as it comes.", "",
        *markdown_table(["subwords from", "longest only", "--tolerate", "subwords", "all parts", "some parts",
                         "something wrong"], [_same(row) for row in lists["same words"]]), "",
        "**Words that a list has not seen**: a list of a random half of the words, on the other half.", "",
        *markdown_table(["list", "subwords", "found", "wrong", "parts of compounds found"],
                        [_new(row) for row in lists["new words"]]), "",
        footer(result), "",
    ]  # fmt: skip
    return "\n".join(lines)


def _indexes(rows: list[dict[str, Any]]) -> list[list[str]]:
    plain = rows[0]

    def times(row: Mapping[str, Any], key: str, form: str, unit: float = 1) -> list[str]:
        return [format(row[key] / unit, form), f"{row[key] / plain[key]:.2f}"]

    return [[row["name"], *times(row, "bytes", ".2f", 1e6), *times(row, "stored_bytes", ".2f", 1e6),
             f"{row['terms']:,}", *times(row, "median", ".2f")] for row in rows]  # fmt: skip


def _same(row: Mapping[str, Any]) -> list[str]:
    shares = [f"{row[name][0]:.1%} ({row[name][1]:.1%})" for name in ("all_found", "some_found", "wrong")]
    return [f"{row['min_subword_size']} letters", "yes" if row["only_longest_match"] else "no",
            f"{row['tolerated']:g}", f"{row['subwords']:,}", *shares]  # fmt: skip


def _new(row: Mapping[str, Any]) -> list[str]:
    wrong = f"{row['wrong']:,} ({row['wrong'] / max(1, row['found']):.1%})"
    return [row["name"], f"{row['subwords']:,}", f"{row['found']:,}", wrong, f"{row['parts_found']:.1%}"]
