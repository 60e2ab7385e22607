"""A run over Parquet files: the pieces that are not there yet are split, here or by --ray, then all are joined."""

import argparse
import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from hybrid.corpus.journal import Partial
from hybrid.corpus.report import Report
from hybrid.corpus.tables import Piece, PieceSplitter, join, pending
from hybrid.corpus.task import Task
from hybrid.worker import Worker

log = logging.getLogger(__name__)


def run_tables(
    options: argparse.Namespace,
    files: Sequence[Path],
    pieces: Sequence[Piece],
    task: Task,
    partial: Partial,
    make_worker: Callable[[str | None], Worker],
    check: Callable[[], None],
) -> None:
    """Split what is not split yet, and put the output together.

    Args:
        options: where is worked: ray, workers, device; and the source's name.
        files: the input.
        pieces: the plan.
        task: what is asked of each row.
        partial: the output so far.
        make_worker: makes what splits on a device, in this process or another.
        check: raises if the input has changed.

    Raises:
        DataError: the input is damaged, a row is wrong, or Ray is not to be had.
        OSError: reading or writing fails.
    """
    if options.source.is_dir():
        partial.output.mkdir(exist_ok=True)
    todo = pending(pieces, files, partial.folder, partial.output)
    total, rows = sum(piece.rows for piece in pieces), sum(piece.rows for piece in todo)
    if rows < total:
        log.warning("goes on where an earlier run stopped: %s of %s rows are left", f"{rows:,}", f"{total:,}")
    if todo:
        if options.ray is None:
            finished = _split_here(todo, PieceSplitter(files, task, make_worker(options.device), partial.folder))
        else:
            from hybrid.corpus.ray_run import split_on_ray

            finished = split_on_ray(options, todo, files, task, make_worker, partial.folder)
        with Report(options.source.name, total, done=total - rows, unit=" rows") as report:
            for piece, words in finished:
                rows -= piece.rows
                report.update(total - rows, piece.rows, words)
    check()
    join(pieces, files, task, partial.folder, partial.output)


def _split_here(pieces: Sequence[Piece], splitter: PieceSplitter) -> Iterator[tuple[Piece, int]]:
    for piece in pieces:
        yield piece, splitter.split(piece)
