"""A run over a file of lines: block by block, each finished on the disk before the next."""

from collections.abc import Callable
from pathlib import Path

from hybrid.corpus.compression import compress, open_input, skip
from hybrid.corpus.formats import Format
from hybrid.corpus.journal import Done, Partial, sync
from hybrid.corpus.lines import read_blocks, split_block
from hybrid.corpus.report import Report
from hybrid.corpus.task import Task
from hybrid.disk_errors import naming
from hybrid.utf8 import LineDecoder
from hybrid.worker import Worker


def run_lines(
    source: Path,
    formats: tuple[Format, Format],
    task: Task,
    partial: Partial,
    worker: Worker,
    *,
    rows: int,
    size: int,
    check: Callable[[], None],
) -> None:
    """Split what is not split yet.

    Args:
        source: the input.
        formats: its format, and the output's.
        task: what is asked of each row.
        partial: the output so far, which grows.
        worker: splits.
        rows: most rows of a block.
        size: bytes of plain input at which a block ends.
        check: raises if the input has changed.

    Raises:
        DataError: the input is damaged, or a row is wrong.
        OSError: reading or writing fails.
    """
    read, written = formats
    done = partial.done
    with partial.grow() as output, open_input(source, read.compression) as (stream, file):
        skip(stream, done.input, source, read.compression)
        blocks = read_blocks(stream, first=done.rows + 1, start=done.input, rows=rows, size=size, where=source)
        decoder = LineDecoder(str(source), task.encoding_errors)
        with Report(source.name, source.stat().st_size, done=file.tell(), unit="B") as report:
            for block in blocks:
                split, words = split_block(block, read.kind, task, worker, decoder)
                with naming(partial.output):
                    output.write(compress(split, written.compression))
                    sync(output)
                partial.note(Done(partial.done.rows + len(block.lines), block.end, output.tell()))
                report.update(file.tell(), len(block.lines), words)
        if not output.tell():
            with naming(partial.output):
                output.write(compress(b"", written.compression))  # an empty file is no gzip file
                sync(output)
    check()
