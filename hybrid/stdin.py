"""Standard input, line by line as it comes, in UTF-8."""

import os
import sys
from collections.abc import Iterator

from hybrid.disk_errors import naming
from hybrid.errors import DataError
from hybrid.limits import LONGEST_LINE
from hybrid.utf8 import STRICT, LineDecoder

NAME = "standard input"


def words(errors: str = STRICT) -> Iterator[list[str]]:
    """Yield lines as they come, without their ends.

    Args:
        errors: what becomes of bytes that are not UTF-8, as for `LineDecoder`.

    Raises:
        DataError: a line is not UTF-8, or too long.
        OSError: reading fails.
    """
    first = True
    for lines in _lines(errors):
        chunk = [line.removesuffix("\n").removesuffix("\r") for line in lines]
        if first:
            chunk[0] = chunk[0].removeprefix("\ufeff")
            if len(lines) == 1 and lines[0] == "\ufeff":  # a mark and nothing else is no word
                return
        first = False
        yield chunk


def texts(errors: str = STRICT) -> Iterator[str]:
    """Yield whole lines as they come, with their ends; arguments and errors as for `words`."""
    return ("".join(lines) for lines in _lines(errors))


def _lines(errors: str) -> Iterator[list[str]]:
    """Yield lines as they come, with their ends; those before one that is not UTF-8 are still given."""
    decoder = LineDecoder(NAME, errors)
    first, start = 1, 0
    for lines in _raw_lines():
        chunk: list[str] = []
        try:
            for line in decoder.decode(lines, first=first, start=start):
                chunk.append(line)  # noqa: PERF402 - what is there when an error comes counts
        except DataError:
            if chunk:
                yield chunk
            raise
        first, start = first + len(lines), start + sum(map(len, lines))
        yield chunk


def _raw_lines() -> Iterator[list[bytes]]:
    """Yield lines as they come: all there are, so that a pipe which waits for an answer gets it."""
    number, begun, size = 1, list[bytes](), 0
    while sys.stdin is not None:
        with naming(NAME):
            block = os.read(sys.stdin.fileno(), 1 << 20)
        if block and b"\n" not in block:  # a long line comes in many blocks, which are joined once
            begun.append(block)
            size += len(block)
            if size > LONGEST_LINE:
                raise DataError(f"{NAME}: line {number} has more than {LONGEST_LINE:,} bytes, which is the most")
            continue
        *lines, rest = b"".join([*begun, block]).split(b"\n")
        ended, begun, size = [line + b"\n" for line in lines], [rest], len(rest)
        if not block and rest:
            ended.append(rest)
        if ended:
            number += len(ended)
            yield ended
        if not block:
            return
