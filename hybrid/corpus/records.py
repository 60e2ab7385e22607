"""JSON lines: one column of each object is read and split; the rest of a line is not written anew."""

import json
from collections.abc import Iterator
from typing import Any

from hybrid.corpus.task import DIGITS, Task, check_columns
from hybrid.errors import DataError
from hybrid.parts import Parts
from hybrid.worker import Worker

MARK = "\ufeff"
"""The byte order mark that some editors put before a file's first line."""

BLANK = " \t\r\n"
"""What JSON takes for blank."""

_READ = json.JSONDecoder(object_pairs_hook=tuple, parse_int=float).decode
"""Keys that come twice are seen, and whole numbers may have any length: none is read but to be passed over."""


def split_records(lines: list[str], first: int, task: Task, worker: Worker, where: str) -> tuple[list[str], list[str]]:
    """Split a column of JSON objects.

    Args:
        lines: with their ends; empty ones are no rows and stay.
        first: the number of the first of them, for errors.
        task: what is asked of each row.
        worker: splits.
        where: the file, for errors.

    Returns:
        The lines with the new columns, and the values that were split.

    Raises:
        DataError: a line is no JSON object, or its column is missing, stands twice or is no string.
    """
    values = [
        None if _is_blank(line) else _value(line, task, f"{where}: line {number}")
        for number, line in enumerate(lines, first)
    ]
    given = [value for value in values if value is not None]
    results: Iterator[str | Parts] = iter(worker.separate(given, task.separator) if task.text else worker.split(given))
    written = [
        line if _is_blank(line) else _with_columns(line, task, None if value is None else next(results))
        for line, value in zip(lines, values, strict=True)
    ]
    return written, given


def _is_blank(line: str) -> bool:
    return not line.removeprefix(MARK).strip(BLANK)


def _value(line: str, task: Task, where: str) -> str | None:
    """Return what a row has in the column."""
    row = _read(line, where)
    if not isinstance(row, tuple):
        raise DataError(f"{where} is a {_json_type(row)}; an object is right")
    check_columns(task, [key for key, _ in row], where)
    value = dict(row)[str(task.column)]
    if value is not None and not isinstance(value, str):
        raise DataError(f"{where}: column {task.column!r} is a {_json_type(value)}; a string or null is right")
    return value


def _read(line: str, where: str) -> Any:
    """Return what a line has, its objects as pairs."""
    text = line.removeprefix(MARK)
    try:
        return _READ(text.rstrip(BLANK))
    except json.JSONDecodeError as error:
        at = error.pos + 1 + len(line) - len(text)
        raise DataError(f"{where} is no JSON: {error.msg.removesuffix(' at')}, seen at character {at:,}") from None
    except RecursionError:
        raise DataError(f"{where} is nested too deeply; some hundred lists and objects in one another are the most"
                        ) from None  # fmt: skip


def _json_type(value: object) -> str:
    names = {bool: "boolean", float: "number", str: "string", list: "list", tuple: "object"}
    return names.get(type(value), "null")


def _with_columns(line: str, task: Task, result: str | Parts | None) -> str:
    """Return a JSON object with the new columns put before its last brace."""
    values: list[Any] = [result, None]
    if isinstance(result, tuple):
        values = [result[0], round(float(result[1]), DIGITS)]
    body = line.rstrip(BLANK)
    columns = "".join(f",{_json(name)}:{_json(value)}" for name, value in zip(task.new_columns, values, strict=False))
    return f"{body[:-1].rstrip(BLANK)}{columns}}}{line[len(body) :]}"


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON may have and UTF-8 not
        return json.dumps(value, separators=(",", ":"))
    return text
