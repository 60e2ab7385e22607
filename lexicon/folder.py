"""Files of a folder that may come from strangers: read whole, once known to be plain, inside it and not too large."""

import os
import stat
from pathlib import Path

from lexicon.errors import LexiconError, quoted

MOST_BYTES = 1 << 30
"""Bytes of all files of a folder together, and of one: a file that is mostly holes takes no room on a disk."""

_FLAGS = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
"""What became a pipe since it was looked at is not waited for."""


def read_inside(folder: Path, name: str, most: int = MOST_BYTES, *, own: bool = False) -> bytes:
    """Return a file's content.

    Args:
        folder: the folder, which may itself be a symbolic link.
        name: the file's place in it.
        most: the largest size in bytes.
        own: the folder is the program's own, of which an installer may have made links.

    Raises:
        LexiconError: the file is missing, lies outside the folder, by its name or by a symbolic link, is no plain file
            (a pipe, a device, a folder), is too large, or can't be read.
    """
    path = folder / name
    try:
        if not own and not path.resolve(strict=True).is_relative_to(folder.resolve()):
            raise LexiconError(f"{folder}: damaged: a file outside the folder, {quoted(name)}")
        _require_plain(path, path.stat().st_mode)  # before it is opened, which a device may notice
        with os.fdopen(os.open(path, _FLAGS), "rb") as stream:
            status = os.fstat(stream.fileno())
            _require_plain(path, status.st_mode)
            if status.st_size > most:
                raise LexiconError(f"{path}: damaged, larger than {most:,} bytes")
            return stream.read(status.st_size)
    except FileNotFoundError:
        raise LexiconError(f"{path}: missing; the folder is incomplete") from None
    except LexiconError:
        raise
    except (OSError, ValueError, RuntimeError, MemoryError):
        raise LexiconError(f"{quoted(str(path))}: can't be read") from None


def _require_plain(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise LexiconError(f"{path}: damaged, no plain file")
