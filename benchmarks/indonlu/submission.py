"""Predictions as the benchmark takes them: of each task a zip with pred.txt, a CSV of index and labels."""

import csv
import io
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.indonlu.files import UNFIT, string_list
from benchmarks.indonlu.tasks import SINGLE, Task
from benchmarks.results import make_folder
from hybrid.atomic import whole_file
from hybrid.chunks import iob_chunks
from hybrid.errors import DataError
from lexicon.errors import shown

NAME = "pred.txt"

INDEX = "index"
"""The column that numbers texts and sentences from 0, in the file's order."""


def write_submission(
    folder: Path, task: Task, predictions: Sequence[Sequence[str]], aspects: Sequence[str] | None = None
) -> Path:
    """Write one task's predictions: `folder`/TASK/pred.txt, and `folder`/TASK.zip with it, TASK the task's folder.

    Equal predictions give equal bytes; each file is written whole or not at all, and none if a prediction is wrong.

    Args:
        folder: for all tasks, made if it is not there.
        task: one of `TASKS`.
        predictions: (N,) of each text a label for each aspect, of each sentence an IOB label for each word.
        aspects: of a text's labels, in their order, `Documents.aspects`; None: the one label. Of no account for words.

    Returns:
        The zip.

    Raises:
        DataError: a prediction is not what it should be, `aspects` are not the task's, or the folder can't be made.
        OSError: a file can't be written.
    """
    columns = SINGLE if task.kind == "sequence" else _checked_aspects(task, SINGLE if aspects is None else aspects)
    rows = [_row(task, row, columns, f"prediction {place} (from 0)") for place, row in enumerate(predictions)]
    if not rows:
        raise DataError(f"no prediction for {task.name}; one for each of its texts is right")
    data = _csv(task, rows, columns)
    make_folder(folder / task.folder)
    with whole_file(folder / task.folder / NAME) as temporary:
        temporary.write_bytes(data)
    path = folder / f"{task.folder}.zip"
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        entry = zipfile.ZipInfo(NAME)  # of 1980, so that equal predictions give equal bytes
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, data)
    return path


def check_submission(path: Path, task: Task, lengths: Sequence[int]) -> list[tuple[str, ...]]:
    """Read a submission back, and check that it is one.

    Args:
        path: a zip that holds pred.txt and nothing else, or a pred.txt.
        task: what it is of.
        lengths: (N,) of each sentence how many words it has, of each text how many labels (1, or one an aspect).

    Returns:
        (N,) labels of each; several aspects in the file's order.

    Raises:
        DataError: the file is missing or not what `write_submission` writes for these lengths.
    """
    where = f"{path}: {NAME}"
    rows = _rows(path, where)
    header, *body = rows or [[]]
    if header[:1] != [INDEX]:
        raise DataError(f"{where}: line 1: {shown(','.join(header))}; a header that begins with {INDEX} is right")
    _checked_aspects(task, header[1:], f"{where}: line 1: ")
    if len(body) != len(lengths):
        raise DataError(f"{where}: {len(body)} rows; {len(lengths)} are right")
    read = []
    for place, (row, length) in enumerate(zip(body, lengths, strict=True)):
        if len(row) != len(header) or row[0] != str(place):
            raise DataError(f"{where}: {shown(row)}; {place} and {len(header) - 1} cells more are right there")
        labels = row[1:] if task.kind == "classification" else string_list(row[1], f"{where}: row {place}")
        _check(task, labels, length, f"{where}: row {place}")
        read.append(tuple(labels))
    return read


def _checked_aspects(task: Task, aspects: Sequence[str], where: str = "") -> tuple[str, ...]:
    """Return the columns of labels: the task's aspects in any order, `SINGLE` for a sequence."""
    right = SINGLE if task.kind == "sequence" else task.aspects
    if sorted(aspects) != sorted(right):
        raise DataError(
            f"{where}{task.name} of {', '.join(map(str, aspects)) or 'nothing'}; {', '.join(right)} is right"
        )
    return tuple(aspects)


def _row(task: Task, row: Sequence[str], columns: Sequence[str], where: str) -> list[str]:
    """Return one prediction's labels, checked; a string is the label of a text that has but one."""
    if isinstance(row, str) and task.kind == "classification":
        row = [row]
    if isinstance(row, str) or not isinstance(row, Iterable):
        raise DataError(f"{where}: {shown(row)}; a list of labels is right")
    labels = list(row)
    _check(task, labels, None if task.kind == "sequence" else len(columns), where)
    return [str(label) for label in labels]  # a string of numpy's is written as it is


def _check(task: Task, labels: Sequence[str], length: int | None, where: str) -> None:
    """Check the labels of one text or sentence, and if `length` is given, that there are so many."""
    if length is not None and len(labels) != length:
        raise DataError(f"{where}: {len(labels)} labels; {length} are right")
    for label in labels:
        if not isinstance(label, str) or not label or UNFIT.search(label):
            raise DataError(f"{where}: {shown(label)} is no label; a string on one line, not empty, is right")
    if task.kind == "sequence":
        try:
            iob_chunks(labels)
        except ValueError as error:
            raise DataError(f"{where}: {error}") from None


def _csv(task: Task, rows: Sequence[list[str]], aspects: Sequence[str]) -> bytes:
    """Return the rows as CSV; a sequence's labels are one cell, a list as Python writes it."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([INDEX, *aspects])
    for place, row in enumerate(rows):
        writer.writerow([place, *([str(row)] if task.kind == "sequence" else row)])
    return text.getvalue().encode()


def _rows(path: Path, where: str) -> list[list[str]]:
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                if archive.namelist() != [NAME]:
                    raise DataError(
                        f"{path}: holds {', '.join(archive.namelist()) or 'nothing'}; {NAME} alone is right"
                    )
                data = archive.read(NAME)
        else:
            data = path.read_bytes()
        return list(csv.reader(io.StringIO(data.decode(), newline=""), strict=True))
    except (OSError, EOFError, RuntimeError, UnicodeDecodeError, csv.Error, zipfile.BadZipFile, zlib.error) as error:
        raise DataError(f"{where}: can't be read: {error}") from None
