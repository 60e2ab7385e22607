"""Write whole or not at all: under a temporary name beside the target, renamed when complete."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def require_folder(path: Path) -> None:
    """Check, before long work, that `path` can be written to later: the folder above it is there and writable.

    Raises:
        OSError: it is not.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"no such folder, so {path.name} can't be written there", path.parent)
    if not os.access(path.parent, os.W_OK):
        raise PermissionError(errno.EACCES, f"not writable, so {path.name} can't be written there", path.parent)


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary name to write to; rename it to `path` at the end, or remove it if anything fails.

    Raises:
        OSError: the folder is missing or can't be written to.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a temporary folder to fill; it takes the place of `path` at the end, or is removed if anything fails.

    Raises:
        OSError: the folder above is missing or can't be written to.
    """
    temporary = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        yield temporary
        temporary.chmod(0o777 & ~_umask())
        if path.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
            path.replace(old)
            temporary.replace(path)
            shutil.rmtree(old)
        else:
            temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
