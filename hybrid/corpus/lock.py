"""A lock that one run holds on its output; it ends with the process, however that ends."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hybrid.errors import DataError


@contextmanager
def locked(path: Path, what: Path) -> Iterator[None]:
    """Hold the lock in a file of that name, which is there only as long.

    Args:
        path: the lock's file.
        what: what it protects, for the error.

    Raises:
        DataError: another run holds it.
    """
    while True:
        handle = _open(path)
        try:
            if not _try_lock(handle):
                raise DataError(f"{what}: another run is writing it; wait for its end, or name another file")
            if _is_still(handle, path):
                break
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)  # its holder ended, and took the file away, between the two steps
    try:
        yield
    finally:
        try:
            if sys.platform != "win32":  # where a file that is open can't be removed
                path.unlink(missing_ok=True)
        finally:
            os.close(handle)


def _open(path: Path) -> int:
    """Open the lock's file, or make it; what a link leads to is none."""
    try:
        return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        if path.is_symlink() or path.is_dir():
            kind = "link" if path.is_symlink() else "folder"
            raise DataError(f"{path}: is a {kind}, and a run needs this name for its lock; move it away") from error
        raise


def _is_still(handle: int, path: Path) -> bool:
    """Whether the open file is the one that has the name now."""
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _try_lock(handle: int) -> bool:
    """Lock an open file, unless another process has."""
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
