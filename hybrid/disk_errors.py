"""Errors of the operating system in reading and writing, told to users: what file, and how to go on."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = ".hybrid-"
"""Of temporary names; they lie beside the target, so that renaming is one step."""

NO_ROOM, FORBIDDEN = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}, {errno.EACCES, errno.EPERM, errno.EROFS}
"""Errors that a user can do something about."""


@contextmanager
def naming(what: Path | str) -> Iterator[None]:
    """Give an operating system's error that names no file the name of what was read or written."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(what)
        raise


@contextmanager
def told_of(path: Path, *, on_full: str = "what was there is as it was: make room and run it again") -> Iterator[None]:
    """Let an error in writing name what was to be written, and say how to go on where the disk is full.

    Raises:
        OSError: the same, with another text.
    """
    try:
        yield
    except OSError as error:
        inside = str(error.filename or path).startswith((str(path), str(path.parent / PREFIX)))
        if not inside or isinstance(error, BrokenPipeError):
            raise
        text = error.strerror or str(error)
        if error.errno in NO_ROOM:
            text += f"; {on_full}"
        elif error.errno in FORBIDDEN:
            text += "; name a place where you may write"
        raise OSError(error.errno, text, path) from error
