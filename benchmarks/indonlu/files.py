"""Files of texts and labels as rows of cells, each with its line: CSV with a header, or two fields and a tab."""

import ast
import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hybrid.errors import DataError
from lexicon.errors import quoted, shown
from lexicon.textfile import MOST_BYTES, read_lines

UNFIT = re.compile("[\r\n\ud800-\udfff]")
"""What no label may have in it: ends of lines, which csv does not quote in all versions, and what is no character."""

csv.field_size_limit(MOST_BYTES)  # its own limit is less than a long text, or the labels of one, may need


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of named columns.

    Attributes:
        path: the file.
        header: the columns' names.
        lines: (N,) the line where each row begins, from 1.
        rows: (N,) cells of each row, one a column.
    """

    path: Path
    header: tuple[str, ...]
    lines: Sequence[int]
    rows: Sequence[Sequence[str]]

    def pick(self, names: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the cells of some columns, row by row.

        Raises:
            DataError: a column is not there, or there twice.
        """
        places = []
        for name in names:
            if self.header.count(name) != 1:
                told = "twice" if name in self.header else "not there"
                raise DataError(
                    f"{self.path}: line 1: the column {name!r} is {told}; the header is {quoted(','.join(self.header))}"
                )
            places.append(self.header.index(name))
        return [tuple(row[place] for place in places) for row in self.rows]


def read_csv(path: Path, wanted: str) -> Table:
    """Read a file of comma-separated values, of which the first row names the columns; empty lines are passed over.

    Args:
        path: the file.
        wanted: what it should be, for the message where it is not.

    Raises:
        DataError: the file is missing, can't be read, is not UTF-8 or no CSV, has no row, or a row has more or fewer
            cells than the first.
    """
    reader = csv.reader((line + "\n" for line in read_lines(path, wanted, DataError)), strict=True)
    lines, rows, before = [], [], 0
    try:
        for row in reader:
            if row:
                lines.append(before + 1)
                rows.append(row)
            before = reader.line_num
    except csv.Error as error:
        raise DataError(f"{path}: line {before + 1}: no CSV row begins here: {error}; {wanted} is needed") from None
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(rows[0]):
            raise DataError(f"{path}: line {line}: {len(row)} cells, the header has {len(rows[0])}")
    if len(rows) < 2:
        raise DataError(f"{path}: {'has no row' if rows else 'is empty'}; {wanted} is needed")
    return Table(path, tuple(rows[0]), lines[1:], rows[1:])


def read_tabbed(path: Path, wanted: str, *, labelled: bool | None) -> list[tuple[str, str | None]]:
    """Read lines of a text or word, a tab and a label; a quotation mark is a letter like any other.

    Args:
        path: the file.
        wanted: what it should be, for the message where it is not.
        labelled: whether each line must have a label; False: a line may have none, None: all or none have.

    Returns:
        Of each line, the empty ones too, what is before the tab and what after it, None where there is no tab.

    Raises:
        DataError: the file is missing, can't be read, is not UTF-8 or has nothing in it, or a line has too few or too
            many fields.
    """
    lines = read_lines(path, wanted, DataError)
    if not any(line.strip() for line in lines):
        raise DataError(f"{path}: is empty; {wanted} is needed")
    if labelled is None:
        labelled = any("\t" in line for line in lines)
    rows: list[tuple[str, str | None]] = []
    for number, line in enumerate(lines, 1):
        first, *rest = line.split("\t")
        if len(rest) > 1 or (labelled and not rest and line.strip()):
            raise DataError(
                f"{path}: line {number}: {len(rest)} tabs in {shown(line)}, should be 1; {wanted} is needed"
            )
        rows.append((first, rest[0] if rest else None))
    return rows


def string_list(cell: str, where: str) -> tuple[str, ...]:
    """Read a list of strings, written as Python writes it.

    Raises:
        DataError: it is none; the message begins with `where`.
    """
    try:
        value = ast.literal_eval(cell)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise DataError(f"{where}: {shown(cell)} is no list of strings; one like ['kata', '?'] is right")
    return tuple(value)
