"""Write whole or not at all: under a temporary name beside the target, renamed when complete and on the disk.

After a kill there may lie beside a target NAME: `.hybrid-NAME-….tmp`, unfinished, which the next writing of NAME
removes once it is a day old; and of a folder `.hybrid-NAME.new`, finished. Two names cannot change places in one step,
so that is the name of the new folder while the old one is taken away: where NAME is missing, `whole_folder_at` finds
the new one there, and the next writing puts it in place.
"""

import errno
import glob
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from hybrid.disk_errors import FORBIDDEN, PREFIX, told_of

FINISHED, UNFINISHED = ".new", ".tmp"
"""Ends of temporary names."""

STALE = 24 * 3600
"""Seconds after which nobody is still writing under a temporary name: a model takes less than one."""

LONGEST = 200
"""Bytes of a target's name that temporary names repeat; file systems allow 255 in all."""

UNABLE = {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EBADF}
"""Errors of file systems that can't wait for a folder's names."""

PROBE = f"{PREFIX}probe"
"""A folder made and removed at once; its name is always the same, so that one left by a kill goes with the next."""


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
        advice = "; name a place where you may write" if error.errno in FORBIDDEN else ""
        told = f"{error.strerror}, so {path.name} can't be written there{advice}"
        raise OSError(error.errno, told, str(path.parent)) from None
    with suppress(OSError):  # another's too, who has removed it just now
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
        OSError: the folder is missing or can't be written to, `path` is a folder, or the disk is full.
    """
    require_writable(path)
    if is_stream(path):
        with told_of(path, on_full="make room and run it again"):
            yield path
        return
    path = real_path(path)
    with told_of(path):
        handle, name = tempfile.mkstemp(prefix=_prefix(path), suffix=UNFINISHED, dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            _sync_file(temporary)
            temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())
            temporary.replace(path)
            sync_folder(path.parent)
        finally:
            temporary.unlink(missing_ok=True)
    _remove_stale(path)


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a temporary folder to fill; it takes the place of `path` at the end, or is removed if anything fails.

    Raises:
        OSError: the folder above is missing or can't be written to, or the disk is full.
    """
    require_writable(path, folder=True)
    path = real_path(path)
    with told_of(path):
        temporary = _temporary_folder(path)
        try:
            yield temporary
            for inside in sorted(temporary.rglob("*")):
                (sync_folder if inside.is_dir() else _sync_file)(inside)
            sync_folder(temporary)
            _swap(temporary, path)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    _remove_stale(path)


def whole_folder_at(path: Path) -> Path:
    """Return where the folder `path` is: there, or beside it where a kill kept it from its name."""
    finished = _beside(real_path(path), FINISHED)
    return finished if not path.exists() and finished.is_dir() else path


def _swap(new: Path, path: Path) -> None:
    """Put `new` in the place of `path`; if that fails, `path` is what it was; after a kill `whole_folder_at` is."""
    finished = _beside(path, FINISHED)
    with _alone_in(path.parent):
        new.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o777 & ~_umask())
        if finished.exists() and path.exists():  # of a run that was killed, as below
            _put_aside(finished, path)
        elif finished.exists():
            finished.replace(path)
        if path.exists():
            _take_place(new, finished, path)
        else:
            new.replace(path)
        sync_folder(path.parent)


def _take_place(new: Path, finished: Path, path: Path) -> None:
    """Put `new` in the place of `path`, which is there; `finished` is free, and its name meanwhile."""
    new.replace(finished)
    sync_folder(path.parent)
    old = _temporary_folder(path)
    try:
        path.replace(old)
        finished.replace(path)
    except BaseException:
        if not path.exists() and any(old.iterdir()):
            old.replace(path)
        _put_aside(finished, path)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Let others who write there wait, where the system has such locks; they end with the process."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems have none
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _put_aside(folder: Path, path: Path) -> None:
    """Remove what is temporary of `path`, if it is there, so that no half of it is found under its name."""
    aside = _temporary_folder(path)
    if folder.exists():
        folder.replace(aside)
    shutil.rmtree(aside, ignore_errors=True)


def _remove_stale(path: Path) -> None:
    """Remove what killed runs left unfinished of `path`, of which at worst some stays."""
    for left in path.parent.glob(f"{glob.escape(_prefix(path))}*{UNFINISHED}"):
        with suppress(OSError):
            if time.time() - left.lstat().st_mtime < STALE:
                continue
            left.unlink() if not left.is_dir() else shutil.rmtree(left)


def _temporary_folder(path: Path) -> Path:
    return Path(tempfile.mkdtemp(prefix=_prefix(path), suffix=UNFINISHED, dir=path.parent))


def _prefix(path: Path) -> str:
    return _beside(path, "-").name


def _beside(path: Path, end: str) -> Path:
    """Return the name of something temporary beside `path`; a long one is told by its checksum."""
    raw = os.fsencode(path.name)
    name = path.name if len(raw) <= LONGEST else hashlib.sha256(raw).hexdigest()
    return path.with_name(f"{PREFIX}{name}{end}")


def _sync_file(path: Path) -> None:
    """Wait until a file is on the disk: else a power cut could leave its name with nothing behind it."""
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def sync_folder(path: Path) -> None:
    """Wait until a folder's names are on the disk, where the system can tell."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in UNABLE:
            raise
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
