"""Sizes and checksums of the files in a folder: written when it is saved, checked before anything in it is used."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lexicon.errors import LexiconError, quoted
from lexicon.folder import MOST_BYTES, read_inside


def file_list(folder: Path, names: Iterable[str]) -> dict[str, dict[str, int | str]]:
    """Return, for each file of the folder that is named, its size in bytes and its SHA-256."""
    return {name: _digest((folder / name).read_bytes()) for name in names}


def read_files(folder: Path, files: Any, required: Iterable[str], *, own: bool = False) -> dict[str, bytes]:
    """Return the content of the required files, once all files are what `file_list` said of them.

    Args:
        folder: where they are.
        files: what `file_list` returned.
        required: names.
        own: as for `read_inside`.

    Raises:
        LexiconError: `files` is no such list, lacks a required file, names one outside the folder; or a file is
            missing, damaged or no plain file; or they are larger than `MOST_BYTES` together.
    """
    if not isinstance(files, dict) or not all(isinstance(entry, dict) for entry in files.values()):
        raise LexiconError(f"{folder}: damaged: no list of files")
    wanted = {*required}
    if missing := sorted(wanted - set(files)):
        raise LexiconError(f"{folder}: damaged: {quoted(missing[0])} is not in its list of files")
    contents, room = dict[str, bytes](), MOST_BYTES
    for name, expected in files.items():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise LexiconError(f"{folder}: damaged: a file outside the folder, {quoted(name)}")
        content = read_inside(folder, name, room, own=own)
        room -= len(content)
        if _digest(content) != expected:
            raise LexiconError(f"{folder / name}: damaged, its checksum differs from the one noted")
        if name in wanted:
            contents[name] = content
    return contents


def _digest(content: bytes) -> dict[str, int | str]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
