"""Parquet corpora: planned as pieces of row groups, each read, split and written as a file of its own, then joined."""

import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hybrid.corpus.splitting import is_string, schema_with, split_table
from hybrid.corpus.task import Task, check_columns
from hybrid.disk_errors import naming
from hybrid.errors import DataError
from hybrid.worker import Worker


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows in a row group of one of the input's files; all numbers but the piece's own count in that file."""

    number: int
    file: int
    group: int
    start: int
    rows: int


def parquet() -> Any:
    """Return the package that reads and writes Parquet.

    Raises:
        DataError: it is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise DataError("Parquet needs the package pyarrow: pip install hybrid-segmenter[corpus]") from None
    return pyarrow.parquet


def list_files(source: Path) -> list[Path]:
    """Return the input's files: itself, or those that end in .parquet in a folder, in the order of their names.

    Names that begin with a dot or "_" are passed over, as by other readers of such folders.

    Raises:
        DataError: the folder has none.
    """
    if not source.is_dir():
        return [source]
    files = sorted(path for path in source.glob("*.parquet") if path.is_file() and path.name[0] not in "._")
    if not files:
        raise DataError(f"{source}: has no file that ends in .parquet")
    return files


def plan(files: Sequence[Path], task: Task, *, rows: int, size: int) -> list[Piece]:
    """Return the pieces that the files are split in: the same ones whenever the files and arguments are.

    Args:
        files: the input.
        task: what is asked of each row; the column is checked.
        rows: most rows of a piece.
        size: most bytes of a piece, as the rows of its row group have on average.

    Raises:
        DataError: a file is no Parquet, or its column is missing or of another type than string.
    """
    pieces: list[Piece] = []
    for index, path in enumerate(files):
        with open_parquet(path) as file:
            check_columns(task, file.schema_arrow.names, path)
            kind = file.schema_arrow.field(task.column).type
            if not is_string(kind):
                raise DataError(f"{path}: column {task.column!r} is {kind}; string is right")
            _check_rows(file.metadata, path)
            for group in range(file.num_row_groups):
                told = file.metadata.row_group(group)
                step = min(rows, max(1, size * told.num_rows // max(1, told.total_byte_size)))
                for start in range(0, told.num_rows, step):
                    pieces.append(Piece(len(pieces), index, group, start, min(step, told.num_rows - start)))
    return pieces


def _check_rows(told: Any, path: Path) -> None:
    """Check that a file's row groups have as many rows as it tells: else some would be lost without a word."""
    groups = [told.row_group(group).num_rows for group in range(told.num_row_groups)]
    if sum(groups) != told.num_rows or min(groups, default=0) < 0:
        raise DataError(f"{path}: is no whole Parquet file: its row groups have {sum(groups):,} rows together, and it "
                        f"tells of {told.num_rows:,}")  # fmt: skip


@contextmanager
def open_parquet(path: Path) -> Iterator[Any]:
    """Open a file so that little of it is in memory.

    Raises:
        DataError: it is no Parquet file, or what is read in it is damaged.
    """
    package = parquet()
    import pyarrow

    with path.open("rb"):  # a file that is missing or forbidden is told of as everywhere else
        pass
    try:
        with package.ParquetFile(path, pre_buffer=False, buffer_size=1 << 20) as file:
            yield file
    except UnicodeDecodeError:
        raise DataError(f"{path}: is no whole Parquet file: a column's name is not UTF-8") from None
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(f"{path}: is no whole Parquet file: {str(error).splitlines()[0]}") from None


class PieceReader:
    """Reads pieces; those of a row group one after the other cost no more than reading it once."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = files
        self._rows: Iterator[Any] = iter(())
        self._place, self._at = (-1, -1), 0
        self._schema: Any = None
        self._rest: Any = None  # of a batch

    def read(self, piece: Piece) -> Any:
        """Return the piece's rows as a table.

        Raises:
            DataError: the file is damaged.
        """
        import pyarrow

        if self._place != (piece.file, piece.group) or self._at > piece.start:
            self._rows = self._batches(piece)
            self._place, self._at, self._rest = (piece.file, piece.group), 0, None
        self._take(piece.start - self._at, piece)
        batches = self._take(piece.rows, piece)
        return pyarrow.Table.from_batches(batches, schema=self._schema)

    def _batches(self, piece: Piece) -> Iterator[Any]:
        with open_parquet(self._files[piece.file]) as file:
            self._schema = file.schema_arrow
            yield from file.iter_batches(batch_size=piece.rows, row_groups=[piece.group], use_threads=False)

    def _take(self, rows: int, piece: Piece) -> list[Any]:
        taken = []
        self._at += rows
        while rows:
            batch = self._rest if self._rest is not None else next(self._rows, None)
            if batch is None:
                raise DataError(f"{self._files[piece.file]}: row group {piece.group + 1} has fewer rows than it tells")
            taken.append(batch.slice(0, rows))
            self._rest = batch.slice(rows) if batch.num_rows > rows else None
            rows -= taken[-1].num_rows
        return taken


class PieceSplitter:
    """Splits pieces and writes each to a file of its own, whole or not at all; doing one again does no harm.

    Args:
        files: the input.
        task: what is asked of each row.
        worker: splits.
        folder: where the pieces are written.
    """

    def __init__(self, files: Sequence[Path], task: Task, worker: Worker, folder: Path) -> None:
        self._files, self._task, self._worker, self._folder = files, task, worker, folder
        self._reader = PieceReader(files)

    def split(self, piece: Piece) -> int:
        """Split one and return the number of its words.

        Raises:
            DataError: the file is damaged, or a row is no UTF-8.
        """
        target = piece_path(self._folder, piece.number)
        where = f"{self._files[piece.file]}: row group {piece.group + 1}, row"
        table, words = split_table(self._reader.read(piece), self._task, self._worker, where, piece.start + 1)
        temporary = target.with_name(f"{target.name}.{uuid.uuid4().hex}")  # two workers may do the same piece
        try:
            with naming(target), temporary.open("wb") as stream:
                parquet().write_table(table, stream, compression="zstd")  # read once more, and then removed
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
        return words


def piece_path(folder: Path, number: int) -> Path:
    """Return the file that a finished piece is in."""
    return folder / f"{number:08}.parquet"


def pending(pieces: Sequence[Piece], files: Sequence[Path], folder: Path, output: Path) -> list[Piece]:
    """Return the pieces that are not split yet."""
    return [
        piece
        for piece in pieces
        if not piece_path(folder, piece.number).exists() and not _is_joined(files[piece.file], output)
    ]


def join(pieces: Sequence[Piece], files: Sequence[Path], task: Task, folder: Path, output: Path) -> None:
    """Join the pieces, all of them split, file by file.

    Args:
        pieces: the plan.
        files: the input.
        task: what was asked of each row.
        folder: where the pieces are.
        output: a folder if it is there, which gets a file for each of the input's; else the one file to write. What
            is there of these is finished.
    """
    for index, path in enumerate(files):
        if _is_joined(path, output):
            continue
        target = output / path.name if output.is_dir() else output
        paths = [piece_path(folder, piece.number) for piece in pieces if piece.file == index]
        temporary = folder / "joined"
        _join_file(paths, path, task, temporary)
        temporary.replace(target)
        for done in paths:
            done.unlink()


def _is_joined(source: Path, output: Path) -> bool:
    return output.is_file() or (output / source.name).exists()


def _join_file(paths: Sequence[Path], source: Path, task: Task, target: Path) -> None:
    package = parquet()
    with open_parquet(source) as file:
        schema, groups = schema_with(file.schema_arrow, task), file.num_row_groups
        codec = file.metadata.row_group(0).column(0).compression if groups else "SNAPPY"
    with naming(target), target.open("wb") as stream:
        with package.ParquetWriter(stream, schema, compression=_CODECS.get(codec, "snappy")) as writer:
            for path in paths:
                with open_parquet(path) as piece:
                    table = piece.read()
                writer.write_table(table)
        stream.flush()
        os.fsync(stream.fileno())


_CODECS = {"UNCOMPRESSED": "none", "GZIP": "gzip", "ZSTD": "zstd", "BROTLI": "brotli", "LZ4": "lz4"}
"""Names that a file's metadata has for what a writer calls so; all others are written as snappy."""
