"""The benchmark's files as texts, words and labels, checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.indonlu.files import UNFIT, Table, read_csv, read_tabbed, string_list
from benchmarks.indonlu.tasks import Task
from hybrid.chunks import RIGHT, iob_chunks
from hybrid.errors import DataError
from lexicon.errors import shown

SPLITS = ("train", "valid", "test")

MASKED = "_masked_label"
"""What ends the name of a file whose labels are kept back; what stands in their place counts for nothing."""


@dataclass(frozen=True, slots=True)
class Documents:
    """Texts of a classification task, in the file's order.

    Attributes:
        texts: (N,) of each the one text, or two where a pair has a label.
        aspects: what each has a label for, in the file's order; "label" where that is all.
        labels: (N,) of each a label for each aspect; None where they are kept back.
    """

    texts: Sequence[tuple[str, ...]]
    aspects: tuple[str, ...]
    labels: Sequence[tuple[str, ...]] | None


@dataclass(frozen=True, slots=True)
class Sentences:
    """Sentences of a sequence labelling task, in the file's order.

    Attributes:
        words: (N,) of each its words; a word may have blanks in it.
        labels: (N,) of each an IOB label for each word; None where they are kept back.
        contexts: (N,) words that are read with each sentence and not labelled, such as a question; None where there
            are none.
    """

    words: Sequence[tuple[str, ...]]
    labels: Sequence[tuple[str, ...]] | None
    contexts: Sequence[tuple[str, ...]] | None


def read_split(data: Path, task: Task, split: str) -> Documents | Sentences | None:
    """Read one split of one task.

    Args:
        data: the folder that holds the tasks' folders.
        task: one of `TASKS`.
        split: train, valid, or test, of which the file without labels will do where there is no other.

    Returns:
        Documents or sentences, after the task's kind; None where there is no test split.

    Raises:
        DataError: a file is missing or not what it should be, or `split` is none of the three.
    """
    if split not in SPLITS:
        raise DataError(f"split {split!r}; {', '.join(SPLITS)} is right")
    names = [f"{split}_preprocess{end}.{task.ending}" for end in (("", MASKED) if split == "test" else ("",))]
    paths = [data / task.folder / name for name in names]
    path = next((path for path in paths if path.exists()), paths[0])
    if split == "test" and not path.exists():
        return None
    labelled = False if path.stem.endswith(MASKED) else (True if split != "test" else None)
    if task.ending == "txt":
        return _read_words(path, task, labelled=labelled)
    table = _read_text_lines(path, task, labelled=labelled) if task.ending == "tsv" else read_csv(path, _wanted(task))
    return (_documents if task.kind == "classification" else _passages)(table, task, labelled=labelled)


def _wanted(task: Task) -> str:
    """Return what a task's file should be, in words."""
    if task.ending == "csv":
        columns = [*([task.context] if task.context else []), *task.texts, *task.aspects]
        return f"{task.name}'s CSV with columns {', '.join(columns)}"
    unit = "a text, a tab and its label" if task.kind == "classification" else "a word, a tab and its IOB label"
    return f"{task.name}'s file of lines of {unit}"


def _read_text_lines(path: Path, task: Task, *, labelled: bool | None) -> Table:
    """Read a file without a header as if it had one; empty lines are no texts."""
    rows = read_tabbed(path, _wanted(task), labelled=labelled)
    kept = [(number, row) for number, row in enumerate(rows, 1) if row != ("", None)]
    tabs = any(label is not None for _, (_, label) in kept)
    header = (*task.texts, *task.aspects) if tabs else task.texts
    cells = [(text, label or "")[: len(header)] for _, (text, label) in kept]
    return Table(path, header, [number for number, _ in kept], cells)


def _documents(table: Table, task: Task, *, labelled: bool | None) -> Documents:
    aspects = tuple(
        sorted(task.aspects, key=lambda a: table.header.index(a) if a in table.header else len(table.header))
    )
    return Documents(table.pick(task.texts), aspects, _labels(table, aspects, labelled=labelled))


def _labels(table: Table, names: Sequence[str], *, labelled: bool | None) -> list[tuple[str, ...]] | None:
    """Return the cells of the labels' columns, None where they are kept back: the columns are missing or all empty."""
    if labelled is False or (labelled is None and not set(names) & set(table.header)):
        return None
    rows = table.pick(names)
    if labelled is None and not any(any(row) for row in rows):
        return None
    for line, row in zip(table.lines, rows, strict=True):
        if not all(row):
            raise DataError(f"{table.path}: line {line}: no label in the column {names[row.index('')]!r}")
        wrong = next((cell for cell in row if UNFIT.search(cell)), "")
        if wrong:
            raise DataError(f"{table.path}: line {line}: the label {shown(wrong)} has more than one line; one is right")
    return rows


def _passages(table: Table, task: Task, *, labelled: bool | None) -> Sentences:
    """Return the sentences of a table whose cells are lists, written as Python writes them."""
    cells = _labels(table, task.aspects, labelled=labelled)
    words = _lists(table, task.texts[0], [cell for (cell,) in table.pick(task.texts)])
    contexts = _lists(table, task.context, [cell for (cell,) in table.pick([task.context])])
    if cells is None:
        return Sentences(words, None, contexts)
    name = task.aspects[0]
    labels = _lists(table, name, [cell for (cell,) in cells])
    known = set[str]()
    for line, row, of_row in zip(table.lines, words, labels, strict=True):
        if len(row) != len(of_row):
            told = f"{len(row)} words in {task.texts[0]}, {len(of_row)} labels in {name}"
            raise DataError(f"{table.path}: line {line}: {told}; as many of each are right")
        for label in of_row:
            _require_iob(label, known, f"{table.path}: line {line}, column {name}")
    return Sentences(words, labels, contexts)


def _lists(table: Table, name: str, cells: Sequence[str]) -> list[tuple[str, ...]]:
    return [string_list(cell, f"{table.path}: line {line}, column {name}")
            for line, cell in zip(table.lines, cells, strict=True)]  # fmt: skip


def _require_iob(label: str, known: set[str], where: str) -> None:
    """Check a label, if it is not among those known to be right, and put it there."""
    if label in known:
        return
    try:
        if UNFIT.search(label):
            raise ValueError(label)
        iob_chunks([label])
    except ValueError:
        raise DataError(f"{where}: {shown(label)} is no IOB label; {RIGHT}") from None
    known.add(label)


def _read_words(path: Path, task: Task, *, labelled: bool | None) -> Sentences:
    """Read a file of a word a line; one empty line or more, or lines of nothing but blanks, end a sentence."""
    rows = read_tabbed(path, _wanted(task), labelled=labelled)
    sentences: list[list[tuple[int, str, str | None]]] = [[]]
    for number, (word, label) in enumerate(rows, 1):
        if word.strip() or (label or "").strip():
            sentences[-1].append((number, word, label))
        else:
            sentences.append([])
    sentences = [sentence for sentence in sentences if sentence]
    words = [tuple(word for _, word, _ in sentence) for sentence in sentences]
    kept_back = labelled is None and not any(label for sentence in sentences for _, _, label in sentence)
    if labelled is False or kept_back:
        return Sentences(words, None, None)
    known = set[str]()
    for sentence in sentences:
        for number, _, label in sentence:
            _require_iob(label or "", known, f"{path}: line {number}")
    return Sentences(words, [tuple(label or "" for _, _, label in sentence) for sentence in sentences], None)
