"""Sizes and checksums of the files in a folder: written when it is saved, checked before anything in it is read."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lexicon.errors import LexiconError


def file_list(folder: Path, names: Iterable[str]) -> dict[str, dict[str, int | str]]:
    """Return, for each file of the folder that is named, its size in bytes and its SHA-256."""
    return {name: _digest(folder / name) for name in names}


def check_files(folder: Path, files: Any, required: Iterable[str]) -> None:
    """Check that files are there and are what `file_list` said of them.

    Raises:
        LexiconError: `files` is no such list, lacks a required file, names one outside the folder; or a file is missing
            or damaged.
    """
    if not isinstance(files, dict) or not all(isinstance(entry, dict) for entry in files.values()):
        raise LexiconError(f"{folder}: damaged: no list of files")
    missing = sorted({*required} - set(files))
    if missing:
        raise LexiconError(f"{folder}: damaged: {missing[0]} is not in its list of files")
    for name, expected in files.items():
        path = folder / name
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise LexiconError(f"{folder}: damaged: a file outside the folder, {name[:80]!r}")
        try:
            if path.stat().st_size != expected.get("bytes") or _digest(path) != expected:
                raise LexiconError(f"{path}: damaged, its checksum differs from the one noted")
        except FileNotFoundError:
            raise LexiconError(f"{path}: missing; the folder is incomplete") from None
        except (OSError, ValueError) as error:
            if isinstance(error, LexiconError):
                raise
            raise LexiconError(f"{str(path)[:200]}: can't be read") from None


def _digest(path: Path) -> dict[str, int | str]:
    content = path.read_bytes()
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
