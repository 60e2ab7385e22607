"""Fertility as Markdown: results/fertility.md."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.tables import footer, markdown_table

Row = Mapping[str, Any]

HEADER = ["vocabulary", "words cut at ends of parts", "tokens a word", "a compound", "a new compound",
          "an annotated compound", "ends of parts that tokens reach over", "of new compounds", "of annotated compounds",
          "parts that look the same", "vocabulary used", "training"]  # fmt: skip


def fertility_markdown(result: Row) -> str:
    """Return results/fertility.md."""
    lines = [
        "# Fertility", "",
        "Measured by `python -m benchmarks fertility`: byte-pair encodings trained on nine tenths of a text, measured "
        "on the words of the rest, a word as often as it comes; lines that come again count once. All cut at blanks "
        "and signs (`Whitespace`); half of them also where a part of a word ends "
        "(`hybrid.integrations.tokenizers`).", "",
    ]  # fmt: skip
    for text in result["texts"]:
        lines += [f"## Text: {text['name']}", "", _told(text), "", _in_short(text["rows"]), "",
                  *markdown_table(HEADER, [_row(row) for row in text["rows"]]), ""]  # fmt: skip
    lines += [
        "Where a part of a word in the text ends is what the default model says, so that a tokenizer with cuts there "
        "reaches over none, by construction; of annotated compounds (the test words of `lexicon/gold`, each once, with "
        "a capital) it is what people say, so that what is reached over there is where the model is wrong. New "
        "compounds are not in the text trained on, though each of their parts is, in other words. Parts look the "
        "same: of those in several compounds, each compound once, as many are the very tokens that the part most often "
        "is. Training: seconds, once, what splits the words remembering them; that took what is told above the table.",
        "",
    ]
    return "\n".join([*lines, f"tokenizers {result['tokenizers']}, {result['cpu']}; {footer(result)}", ""])


def _told(text: Row) -> str:
    train, held_out = text["lines"]
    return (
        f"{train:,} lines to train on, whose words take {text['splitting_seconds']:.0f} s to split; {held_out:,} lines "
        f"with {text['words']:,} words to measure on, {text['distinct']:,} of them distinct, {text['compounds']:,} "
        f"compounds, {text['new']:,} new ones."
    )


def _in_short(rows: Sequence[Row]) -> str:
    """Return what cuts change, over all vocabularies: each row without is followed by the one with them."""
    pairs = list(zip(rows[::2], rows[1::2], strict=True))

    def change(key: str) -> str:
        changes = sorted(with_cuts[key] / without[key] - 1 for without, with_cuts in pairs)
        return f"{changes[0]:+.1%} to {changes[-1]:+.1%}"

    crossed = sorted(without["crossed"] for without, _ in pairs)
    return (
        f"Cuts change the tokens of a word by {change('all')}, of a compound by {change('compounds')}, of a new "
        f"compound by {change('new')}, of an annotated compound by {change('gold')}. Without them tokens reach over "
        f"{crossed[0]:.1%} to {crossed[-1]:.1%} of the ends of parts."
    )


def _row(row: Row) -> list[str]:
    return [
        f"{row['vocabulary']:,}",
        "yes" if row["cut"] else "no",
        *(f"{row[key]:.3f}" for key in ("all", "compounds", "new", "gold")),
        *(f"{row[key]:.1%}" for key in ("crossed", "crossed_new", "crossed_gold", "alike", "used")),
        f"{row['seconds']:.0f} s",
    ]
