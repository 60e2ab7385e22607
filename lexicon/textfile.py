"""Text files that people write: read as UTF-8, whole, with errors that name file and place."""

from collections.abc import Callable, Iterator
from pathlib import Path


def read_lines(path: Path, wanted: str, error: Callable[[str], Exception]) -> list[str]:
    """Return a file's lines without their ends; a byte order mark at its head is dropped.

    Args:
        path: the file.
        wanted: what it should be, for the message where it is missing.
        error: makes the exception from a message.

    Raises:
        Exception: what `error` makes, where the file is missing, can't be read or is not UTF-8.
    """
    try:
        data = path.read_bytes()
        text = data.decode().removeprefix("\ufeff")
    except FileNotFoundError:
        raise error(f"{path}: no such file; {wanted} is needed") from None
    except OSError as problem:
        raise error(f"{path}: can't be read: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(f"{path}: not UTF-8 at byte {problem.start} (line {line}); save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def entries(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor begin with "#", stripped of blanks around, with their numbers."""
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip(" \r")
