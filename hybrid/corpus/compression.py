"""Compressed streams of bytes, read from the beginning and written block by block."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, BinaryIO

from hybrid.disk_errors import naming
from hybrid.errors import DataError

CHUNK = 1 << 17
"""Compressed bytes that are read at a time."""

PIECE = 1 << 11
"""Those that zstd unpacks at a time: they may grow thirty-thousandfold, and all that comes of them is held."""

GZIP_LEVEL, ZSTD_LEVEL = 6, 3
"""The levels that the two programs take where none is given."""


def compress(data: bytes, compression: str | None) -> bytes:
    """Return data as a gzip member or a zstd frame of its own; these may be put one after the other."""
    if compression == "gzip":
        return gzip.compress(data, GZIP_LEVEL, mtime=0)
    if compression == "zstd":
        done: bytes = _zstandard().ZstdCompressor(level=ZSTD_LEVEL).compress(data)
        return done
    return data


@contextmanager
def open_input(path: Path, compression: str | None) -> Iterator[tuple[IO[bytes], BinaryIO]]:
    """Open a file; give the stream of its plain bytes, and the file itself, whose place tells how much was read.

    Raises:
        DataError: what is read inside is not compressed so, damaged or cut short.
    """
    with naming(path), path.open("rb") as file:
        try:
            yield _plain(file, path, compression), file
        except EOFError:
            raise DataError(f"{path}: is no whole gzip file: it ends inside a member") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise DataError(f"{path}: is no whole gzip file: {str(error).rstrip('.')}") from None


def skip(stream: IO[bytes], size: int, path: Path, compression: str | None) -> None:
    """Pass over the first `size` plain bytes.

    Raises:
        DataError: there are fewer.
    """
    if compression is None:
        stream.seek(size)
        return
    while size:
        passed = len(stream.read(min(size, 1 << 20)))
        if not passed:
            raise DataError(f"{path}: is shorter than it was; throw the partial result away with --restart")
        size -= passed


def require_compression(compression: str | None) -> None:
    """Check, before long work, that the package is there.

    Raises:
        DataError: it is not.
    """
    if compression == "zstd":
        _zstandard()


def _plain(file: BinaryIO, path: Path, compression: str | None) -> IO[bytes]:
    if compression == "gzip":
        return io.BufferedReader(gzip.GzipFile(fileobj=file, mode="rb"))
    if compression == "zstd":
        return io.BufferedReader(_ZstdFrames(file, path), 1 << 20)
    return file


class _ZstdFrames(io.RawIOBase):
    """Plain bytes of zstd frames; unlike the package's own reader it tells of a file that is cut short."""

    def __init__(self, file: BinaryIO, path: Path) -> None:
        self._file, self._path = file, path
        self._package = _zstandard()
        self._frame: Any = None  # None between two frames
        self._data, self._at = b"", 0  # what was read of the file, and how much of it is unpacked
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if self._at == len(self._data):
                self._data, self._at = self._file.read(CHUNK), 0
            if not self._data:
                if self._frame is not None:
                    raise DataError(f"{self._path}: is no whole zstd file: it ends inside a frame")
                return 0
            self._feed(self._data[self._at : self._at + PIECE])
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _feed(self, data: bytes) -> None:
        if self._frame is None:
            self._frame = self._package.ZstdDecompressor().decompressobj()
        try:
            self._ready = memoryview(self._frame.decompress(data))
        except self._package.ZstdError as error:
            raise DataError(f"{self._path}: is no whole zstd file: {error}") from None
        self._at += len(data)
        if self._frame.eof:
            self._at -= len(self._frame.unused_data)
            self._frame = None


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise DataError(".zst needs the package zstandard: pip install hybrid-segmenter[corpus]") from None
    return zstandard
