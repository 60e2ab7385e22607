"""Write whole or not at all: under a temporary name beside the target, renamed when complete."""

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = ".hybrid-"
"""Of temporary names; they lie beside the target, so that renaming is one step."""


PROBE = f"{PREFIX}probe"
"""A folder made and removed at once; its name is always the same, so that one left by a kill goes with the next."""


@contextmanager
def naming(what: Path | str) -> Iterator[None]:
    """Give an operating system's error that names no file the name of what was read or written."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(what)
        raise


def require_writable(path: Path, *, folder: bool = False) -> None:
    """Check, before long work, that `path` can be written later; nothing stays behind.

    Args:
        path: a file to be, or with `folder` a folder to be.
        folder: whether `path` may be a folder that is there already.

    Raises:
        OSError: it is not.
    """
    if is_stream(path):
        return
    path = real_path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"no such folder, so {path.name} can't be written there", path.parent)
    if path.is_dir() and not folder:
        raise IsADirectoryError(errno.EISDIR, "is a folder; a file's name is needed", path)
    if path == Path.cwd():
        raise OSError(errno.EBUSY, "is the folder you are in; name another", path)
    path.exists()  # fails where the name is too long
    probe = path.parent / PROBE
    try:
        probe.mkdir(exist_ok=True)
    except FileExistsError:
        return
    except OSError as error:  # which names what nobody has heard of
        told = f"{error.strerror}, so {path.name} can't be written there"
        raise OSError(error.errno, told, str(path.parent)) from None
    with contextlib.suppress(OSError):  # another's too, who has removed it just now
        probe.rmdir()


def is_stream(path: Path) -> bool:
    """Whether something is there that is neither file nor folder: a pipe, a terminal, /dev/stdout."""
    return path.exists() and not path.is_file() and not path.is_dir()


def real_path(path: Path) -> Path:
    """Return the absolute path with all links followed, so that a link's target is written and not the link."""
    return Path(os.path.realpath(path))


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a temporary name to write to; rename it to `path` at the end, or remove it if anything fails.

    What is no regular file, such as a pipe or a terminal, is written to directly.

    Raises:
        OSError: the folder is missing or can't be written to, or `path` is a folder.
    """
    require_writable(path)
    if is_stream(path):
        yield path
        return
    path = real_path(path)
    handle, name = tempfile.mkstemp(prefix=PREFIX, dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a temporary folder to fill; it takes the place of `path` at the end, or is removed if anything fails.

    Raises:
        OSError: the folder above is missing or can't be written to.
    """
    require_writable(path, folder=True)
    path = real_path(path)
    temporary = Path(tempfile.mkdtemp(prefix=PREFIX, dir=path.parent))
    try:
        yield temporary
        temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o777 & ~_umask())
        _swap(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _swap(new: Path, path: Path) -> None:
    """Put `new` in the place of `path`; if that is cut short, `path` is what it was."""
    if not path.exists():
        new.replace(path)
        return
    old = Path(tempfile.mkdtemp(prefix=PREFIX, dir=path.parent))
    try:
        path.replace(old)
        new.replace(path)
    except BaseException:
        if not path.exists():
            old.replace(path)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
