"""Standard input, line by line as it comes, in UTF-8."""

import os
import sys
from collections.abc import Iterator

from hybrid.errors import DataError


def words() -> Iterator[list[str]]:
    """Yield lines as they come, without their ends."""
    first = True
    for lines in _lines():
        chunk = [line.removesuffix("\n").removesuffix("\r") for line in lines]
        if first:
            chunk[0] = chunk[0].removeprefix("\ufeff")
            if len(lines) == 1 and lines[0] == "\ufeff":  # a mark and nothing else is no word
                return
        first = False
        yield chunk


def texts() -> Iterator[str]:
    """Yield whole lines as they come, with their ends."""
    return ("".join(lines) for lines in _lines())


def _lines() -> Iterator[list[str]]:
    """Yield lines as they come, with their ends: all there are, so that a pipe which waits for an answer gets it."""
    number, begun = 0, list[bytes]()
    while sys.stdin is not None:
        block = os.read(sys.stdin.fileno(), 1 << 20)
        if block and b"\n" not in block:  # a long line comes in many blocks, which are joined once
            begun.append(block)
            continue
        *lines, rest = b"".join([*begun, block]).split(b"\n")
        ended, begun = [line + b"\n" for line in lines], [rest]
        if not block and rest:
            ended.append(rest)
        chunk: list[str] = []
        for number, line in enumerate(ended, number + 1):  # noqa: B020 - goes on counting
            try:
                chunk.append(line.decode("utf-8"))
            except UnicodeDecodeError as error:  # noqa: PERF203 - the lines before are still answered
                if chunk:
                    yield chunk
                raise DataError(f"standard input: line {number} is not UTF-8 at byte {error.start + 1}") from None
        if chunk:
            yield chunk
        if not block:
            return
