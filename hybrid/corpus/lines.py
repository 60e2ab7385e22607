"""Corpora of lines: plain text and JSON lines, read in blocks; all but what is split stays as it is, byte for byte."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from hybrid.corpus.task import DIGITS, Task, check_columns
from hybrid.errors import DataError
from hybrid.parts import Parts
from hybrid.worker import Worker

MARK = "\ufeff"
"""The byte order mark that some editors put before a file's first line."""

BLANK = " \t\r\n"
"""What JSON takes for blank."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines with their ends; the number of the first, from 1; and the bytes of the input up to the block's end."""

    first: int
    lines: list[bytes]
    end: int


def read_blocks(stream: IO[bytes], *, first: int, start: int, rows: int, size: int) -> Iterator[Block]:
    """Yield the rest of a stream as blocks of at most `rows` lines, which end once they have `size` bytes."""
    lines: list[bytes] = []
    block_start, at = start, start
    for line in stream:
        lines.append(line)
        at += len(line)
        if len(lines) == rows or at - block_start >= size:
            yield Block(first, lines, at)
            first, lines, block_start = first + len(lines), [], at
    if lines:
        yield Block(first, lines, at)


def split_block(block: Block, kind: str, task: Task, worker: Worker, path: Path) -> tuple[bytes, int]:
    """Return a block's lines split, and the number of words that were.

    Args:
        block: some lines.
        kind: text or jsonl.
        task: what is asked of them.
        worker: splits.
        path: the file they are from, for errors.

    Raises:
        DataError: a line is not UTF-8, no JSON object, or its column is missing or no string.
    """
    lines = _decode(block, path)
    if kind == "jsonl":
        return _split_records(block, lines, task, worker, path)
    if task.text:
        return "".join(worker.separate(lines, task.separator)).encode(), _count(lines)
    mark = MARK if block.first == 1 and lines[0].startswith(MARK) else ""
    lines[0] = lines[0].removeprefix(mark)
    words = [line.removesuffix("\n").removesuffix("\r") for line in lines]
    splits = worker.split(words)
    ended = (
        task.separator.join(parts) + line[len(word) :]
        for line, word, (parts, _) in zip(lines, words, splits, strict=True)
    )
    return (mark + "".join(ended)).encode(), len(words)


def _decode(block: Block, path: Path) -> list[str]:
    lines = []
    number = block.first
    try:
        for number, line in enumerate(block.lines, block.first):  # noqa: B007 - told in the error
            lines.append(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: line {number} is not UTF-8 at byte {error.start + 1}") from None
    return lines


def _count(texts: list[str]) -> int:
    """Return about how many words there are: enough for a rate, and quick."""
    return sum(len(text.split()) for text in texts)


def _split_records(block: Block, lines: list[str], task: Task, worker: Worker, path: Path) -> tuple[bytes, int]:
    """Split a column of JSON objects. Empty lines are no rows and stay."""
    values = [
        _value(line, task, f"{path}: line {number}") if line.strip(BLANK) else None
        for number, line in enumerate(lines, block.first)
    ]
    given = [value for value in values if value is not None]
    results: Iterator[str | Parts] = iter(worker.separate(given, task.separator) if task.text else worker.split(given))
    written = (
        _with_columns(line, task, None if value is None else next(results)) if line.strip(BLANK) else line
        for line, value in zip(lines, values, strict=True)
    )
    return "".join(written).encode(), _count(given) if task.text else len(given)


def _value(line: str, task: Task, where: str) -> str | None:
    """Return what a row has in the column."""
    try:
        row = json.loads(line.removeprefix(MARK))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where} is no JSON: {error}") from None
    if not isinstance(row, dict):
        raise DataError(f"{where} is a {_json_type(row)}; an object is right")
    check_columns(task, list(row), where)
    value = row[str(task.column)]
    if value is not None and not isinstance(value, str):
        raise DataError(f"{where}: column {task.column!r} is a {_json_type(value)}; a string or null is right")
    return value


def _json_type(value: object) -> str:
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "list", dict: "object"}
    return names.get(type(value), "null")


def _with_columns(line: str, task: Task, result: str | Parts | None) -> str:
    """Return a JSON object with the new columns put before its last brace: the rest is not written anew."""
    values: list[Any] = [result, None]
    if isinstance(result, tuple):
        values = [result[0], round(float(result[1]), DIGITS)]
    body = line.rstrip()
    columns = "".join(f",{_json(name)}:{_json(value)}" for name, value in zip(task.new_columns, values, strict=False))
    return f"{body[:-1].rstrip()}{columns}}}{line[len(body) :]}"


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON may have and UTF-8 not
        return json.dumps(value, separators=(",", ":"))
    return text
