"""numpy's files from strangers, read into arrays of known kinds: no pickle, and no more memory than was allowed for."""

import math
import re
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np

from lexicon.errors import LexiconError

_SLACK = 4096
"""Bytes that an array may be larger than is right: its own header, and an error that tells of its shape."""

_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(?P<kind>[<>|]\w{1,3})', 'fortran_order': False, "
    rb"'shape': \((?P<shape>[0-9, ]{0,60})\), \} *\n",
    re.DOTALL,
)

_DAMAGED = (OSError, ValueError, EOFError, OverflowError, MemoryError, BadZipFile, KeyError, NotImplementedError,
            RuntimeError, TypeError, zlib.error)  # fmt: skip


def read_archive(content: bytes, path: Path, kinds: Mapping[str, type], most: Mapping[str, int]) -> dict[str, Any]:
    """Return the arrays of an .npz file.

    Args:
        content: the file's bytes.
        path: the file, for the message.
        kinds: the type of each array that may be there.
        most: the largest number of bytes of each.

    Raises:
        LexiconError: it is no such file; an array is of another type, too large, there twice, or not known.
    """
    try:
        with ZipFile(BytesIO(content)) as archive:
            entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
            if len(entries) < len(archive.infolist()) or not set(entries) <= set(kinds):
                raise ValueError("an array that is there twice, or is none of the lexicon's")
            for name, entry in entries.items():
                if entry.file_size > most[name] + _SLACK:
                    raise ValueError(f"{name} is larger than the lexicon's strings can need")
            return {name: _checked(_read_entry(archive, entry), name, kinds[name]) for name, entry in entries.items()}
    except _DAMAGED as error:
        raise LexiconError(f"{path}: damaged ({_line(error)})") from None


def read_array(content: bytes, path: Path, kind: type) -> Any:
    """Return the array of an .npy file.

    Raises:
        LexiconError: it is no such file, or holds another type.
    """
    try:
        return _checked(content, path.stem, kind)
    except _DAMAGED as error:
        raise LexiconError(f"{path}: damaged ({_line(error)})") from None


def _read_entry(archive: ZipFile, entry: ZipInfo) -> bytes:
    """Return an entry's content, of which no more is unpacked than the size it claims."""
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ValueError("packed in another way than a lexicon's arrays are")
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size)
        if len(content) < entry.file_size or stream.read(1):
            raise ValueError("an array of another size than it claims")
    return content


def _checked(content: bytes, name: str, kind: type) -> Any:
    """Return the array of a .npy file, whose size is held against its bytes before it is made.

    numpy's own reader evaluates the header as Python, and what damaged ones raise has no end; it writes only this form.
    """
    header = _HEADER.match(content)
    if header is None:
        raise ValueError(f"{name} is none of the arrays that numpy writes")
    shape = [int(length) for length in header["shape"].split(b",") if length.strip()]
    wanted = np.dtype(kind)
    if header["kind"].decode() != wanted.str or not shape:
        raise ValueError(f"{name} should hold an array of {wanted}")
    data = content[header.end() :]
    if math.prod(shape) * wanted.itemsize != len(data):
        raise ValueError(f"{name}: an array of another size than its bytes")
    return np.frombuffer(data, wanted).reshape(shape)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:100]
