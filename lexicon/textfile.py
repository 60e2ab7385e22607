"""Text files that people write: read as UTF-8, whole, with errors that name file and place."""

from collections.abc import Callable, Iterator
from pathlib import Path

MOST_BYTES = 1 << 29
"""A file's largest size; a device may have no end."""


def read_whole(path: Path, wanted: str, error: Callable[[str], Exception]) -> bytes:
    """Return what is in a file, or comes through a pipe.

    Args:
        path: the file.
        wanted: what it should be, for the message where it is missing.
        error: makes the exception from a message.

    Raises:
        Exception: what `error` makes, where the file is missing, can't be read or is larger than `MOST_BYTES`.
    """
    blocks, size = list[bytes](), 0
    try:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                blocks.append(block)
                size += len(block)
                if size > MOST_BYTES:
                    raise error(f"{path}: larger than {MOST_BYTES:,} bytes; split it")
    except FileNotFoundError:
        raise error(f"{path}: no such file; {wanted} is needed") from None
    except OSError as problem:
        raise error(f"{path}: can't be read: {problem.strerror}") from None
    return b"".join(blocks)


def read_lines(path: Path, wanted: str, error: Callable[[str], Exception]) -> list[str]:
    """Return a file's lines without their ends; a byte order mark at its head is dropped.

    Args:
        path: the file.
        wanted: what it should be, for the message where it is missing.
        error: makes the exception from a message.

    Raises:
        Exception: what `error` makes, where the file is missing, can't be read, is too large or is not UTF-8.
    """
    try:
        data = read_whole(path, wanted, error)
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as problem:
        raise error(f"{path}: {not_utf8(data, problem)}; save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def not_utf8(data: bytes, problem: UnicodeDecodeError) -> str:
    """Return where bytes are not UTF-8, in words."""
    line = data.count(b"\n", 0, problem.start) + 1
    byte = problem.start - data.rfind(b"\n", 0, problem.start)
    return f"line {line} is not UTF-8 at byte {byte}, offset {problem.start:,}"


def entries(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor begin with "#", stripped of blanks around, with their numbers."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip(" \r")
