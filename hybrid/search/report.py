"""What `hybrid export-search` tells when it is done: what a list finds, what it leaves out, and what to do with it."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hybrid.search.settings import FIELD, FOLDERS, RULES, TYPE, WORDS
from hybrid.search.word_list import WordList


@dataclass(slots=True)
class Rules:
    """How many words were read, how many of them are compounds, how many rules there are, and words in them."""

    words: int = 0
    compounds: int = 0
    rules: int = 0
    outputs: int = 0


def rules_report(told: Rules) -> str:
    """Return what there is to tell of rules."""
    return (f"{told.words:,} words, compounds: {told.compounds:,}; rules: {told.rules:,}, with "
            f"{told.outputs / told.rules:.1f} words each, the compound too")  # fmt: skip


def word_list_report(found: WordList) -> str:
    """Return what there is to tell of a word list."""
    words, compounds = found.words, found.compounds
    lines = [f"{words.words:,} spellings of words, {compounds.words:,} of them compounds, which come "
             f"{compounds.tokens:,} times"]  # fmt: skip
    for what, tally, of in (("all parts", found.all_found, compounds), ("some parts", found.some_found, compounds),
                            ("something wrong in", found.wrong, words)):  # fmt: skip
        lines.append(f"the list finds {what}{' of' if of is compounds else ''} {_share(tally.words, of.words)}, "
                     f"{_share(tally.tokens, of.tokens)} as often as they come")  # fmt: skip
    lines.append(f"{len(found.subwords):,} subwords, {len(found.refused):,} refused")
    reasons = Counter("found where no part begins and ends" if fault.startswith("in ") else fault
                      for fault in found.refused.values())  # fmt: skip
    for fault, number in reasons.most_common():
        example = min(sub for sub, told in found.refused.items() if told == fault or (
            fault.startswith("found") and told.startswith("in ")))  # fmt: skip
        told = found.refused[example]
        lines.append(f"  {number:,} {fault}, such as {example}{f' {told}' if told.startswith('in ') else ''}")
    return "\n".join(lines)


def next_step(engine: str, form: str, out: Path) -> str:
    """Return what the user does with the files."""
    name = RULES if form == "synonyms" else WORDS
    if engine == "solr":
        return (f"put {name} into the folder {FOLDERS[engine]} of the collection's configuration, send field-type.json "
                f"to /schema, and give your field the type {TYPE}")  # fmt: skip
    begin = "" if form == "decompounder" else f"put {name} into config/{FOLDERS[engine]} of each node, then "
    return (f"{begin}make an index: curl -X PUT -H 'Content-Type: application/json' --data-binary "
            f"@{out}/index.json HOST:9200/NAME; its field {FIELD!r} is an example")  # fmt: skip


def _share(some: int, of: int) -> str:
    return f"{some:,} ({some / max(1, of):.1%})"
