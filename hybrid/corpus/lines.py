"""Corpora of lines, read in blocks and split; all but what is split stays as it is, byte for byte."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import IO

from hybrid.corpus.records import MARK, split_records
from hybrid.corpus.task import Task
from hybrid.errors import DataError
from hybrid.limits import LONGEST_LINE
from hybrid.utf8 import LineDecoder
from hybrid.worker import LONG, Worker


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines with their ends; the number of the first, from 1; and the bytes of the input up to the block's end."""

    first: int
    lines: list[bytes]
    end: int


def read_blocks(
    stream: IO[bytes], *, first: int, start: int, rows: int, size: int, where: object = "input"
) -> Iterator[Block]:
    """Yield the rest of a stream as blocks of at most `rows` lines, which end once they have `size` bytes.

    Args:
        stream: at the beginning of a line.
        first: the number of that line, from 1.
        start: the bytes before it.
        rows: most lines of a block.
        size: bytes at which a block ends.
        where: the file, for errors.

    Raises:
        DataError: a line is too long to be held in memory.
    """
    lines: list[bytes] = []
    block_start, at = start, start
    for line in iter(partial(stream.readline, LONGEST_LINE + 1), b""):
        if len(line) > LONGEST_LINE:
            told = f"line {first + len(lines)} has more than {LONGEST_LINE:,} bytes, which is the most"
            raise DataError(f"{where}: {told}")
        lines.append(line)
        at += len(line)
        if len(lines) == rows or at - block_start >= size:
            yield Block(first, lines, at)
            first, lines, block_start = first + len(lines), [], at
    if lines:
        yield Block(first, lines, at)


def split_block(block: Block, kind: str, task: Task, worker: Worker, decoder: LineDecoder) -> tuple[bytes, int]:
    """Return a block's lines split, and the number of words that were.

    Args:
        block: some lines.
        kind: text or jsonl.
        task: what is asked of them.
        worker: splits.
        decoder: of the file they are from, whose name it has for errors.

    Raises:
        DataError: a line is not UTF-8, no JSON object, or its column is missing or no string.
    """
    start = block.end - sum(map(len, block.lines))
    lines = list(decoder.decode(block.lines, first=block.first, start=start))
    if kind == "jsonl":
        written, given = split_records(lines, block.first, task, worker, decoder.where)
        return "".join(written).encode(), _count(given) if task.text else len(given)
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


def _count(texts: list[str]) -> int:
    """Return about how many words there are: enough for a rate, and quick."""
    return sum(len(text.split()) if len(text) < LONG else text.count(" ") + 1 for text in texts)
