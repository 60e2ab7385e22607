"""What `hybrid split-corpus` does: checks what is asked, then runs it, or goes on with what an earlier run left."""

import argparse
import errno
import functools
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hybrid.atomic import is_stream, real_path, require_writable
from hybrid.corpus.compression import require_compression
from hybrid.corpus.formats import Format, formats_of
from hybrid.corpus.job import job_of
from hybrid.corpus.journal import Partial, partial_output, path_of_part
from hybrid.corpus.line_run import run_lines
from hybrid.corpus.stopped import told_how_to_go_on
from hybrid.corpus.table_run import run_tables
from hybrid.corpus.tables import list_files, plan
from hybrid.corpus.task import PROBABILITY, Task
from hybrid.errors import DataError
from hybrid.output import check_options
from hybrid.worker import Worker

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

log = logging.getLogger(__name__)

BLOCK_BYTES = 1 << 24
"""Bytes of a block: running text in blocks of rows alone could be of any size."""


def split_corpus(options: argparse.Namespace, load: Callable[[argparse.Namespace], "Segmenter"]) -> None:
    """Split a corpus as the command line's options say.

    Args:
        options: those of `hybrid split-corpus`.
        load: makes the segmenter that they name; a function of a module, for it is sent to the workers of --ray.

    Raises:
        HybridError: an option, the input, or a partial result is not what it should be.
        OSError: reading or writing fails.
    """
    formats = _check(options)
    task = Task(options.column, options.into, options.text, options.separator, options.probability,
                options.encoding_errors)  # fmt: skip
    tables = formats[0].kind == "parquet"
    files = list_files(options.source) if tables else [options.source]
    pieces = plan(files, task, rows=options.block_rows, size=BLOCK_BYTES) if tables else []
    job = job_of(options, files)
    with told_how_to_go_on(), partial_output(real_path(options.out), job, restart=options.restart) as partial:
        if not partial.done.complete:
            _keep_other_folder(partial.out)
            check = functools.partial(_check_unchanged, options, files, job)
            make = functools.partial(_worker, _with_absolute_paths(options), load)
            if tables:
                run_tables(options, files, pieces, task, partial, make, check)
            else:
                _tell_begun(partial)
                run_lines(options.source, formats, task, partial, make(options.device), rows=options.block_rows,
                          size=BLOCK_BYTES, check=check)  # fmt: skip
        partial.finish()


def _check(options: argparse.Namespace) -> tuple[Format, Format]:
    """Return the formats of input and output; whatever doesn't fit together is told of before any work."""
    source, out = options.source, options.out
    if not source.exists():
        raise DataError(f"{source}: no such file or folder")
    for path in (source, out):
        if is_stream(path):
            raise DataError(f"{path}: is no file; what comes through a pipe is split by: hybrid split")
    formats = formats_of(source, out, options.format)
    kind = formats[0].kind
    if source.is_dir() and kind != "parquet":
        raise DataError(f"{source}: is a folder; only Parquet files are split by the folder")
    if kind == "text":
        given = {"--column": options.column, "--probability": options.probability, "--into": options.into != "parts"}
        for name in (name for name, value in given.items() if value):
            raise DataError(f"{name} goes with JSON lines and Parquet; plain text has no columns")
    elif options.column is None:
        kind = "is a folder of Parquet files, so " if source.is_dir() else ""
        raise DataError(f"{source}: {kind}--column is needed: the name of what is to be split")
    _check_names(options)
    check_options("text", options.separator, nbest=1, text=options.text)
    if options.separator != "|" and not options.text and kind != "text":
        raise DataError("--separator goes with --text and plain text; a list of parts has none")
    if options.probability and (options.text or options.into == PROBABILITY):
        raise DataError("--probability goes with words, and with a new column of another name")
    if (options.ray is None and options.workers is not None) or (options.ray is not None and kind != "parquet"):
        raise DataError("--workers goes with --ray, and --ray with Parquet")
    _check_target(options)
    for form in formats:
        require_compression(form.compression)
    return formats


def _check_names(options: argparse.Namespace) -> None:
    for name in ("separator", "column", "into"):
        value = getattr(options, name)
        try:
            (value or "").encode()
        except UnicodeEncodeError:
            raise DataError(f"--{name} {value!r}: is not UTF-8") from None
    if not options.into:
        raise DataError("--into is empty; a column needs a name")


def _check_target(options: argparse.Namespace) -> None:
    source, out = real_path(options.source), real_path(options.out)
    if out == source or source in out.parents:
        raise DataError(f"{options.out}: is what is read, or lies in it; name another")
    if options.model is not None and real_path(options.model) in (out, *out.parents):
        raise DataError(f"{options.out}: lies in the model's folder; name a file elsewhere")
    if out in [real_path(path) for path in (options.user_dictionary, options.always, options.never) if path]:
        raise DataError(f"{options.out}: is one of the files that are read; name another")
    if source.is_dir() and out.is_file():
        raise DataError(f"{options.out}: is a file; a folder of Parquet files becomes a folder")
    require_writable(options.out, folder=source.is_dir())
    _check_length(out)


def _check_length(out: Path) -> None:
    part = path_of_part(out)
    try:
        part.stat()
    except FileNotFoundError:
        pass
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise DataError(f"{out}: is too long a name, for until the end it is .hybrid-NAME.part; a shorter one is "
                            "right") from None  # fmt: skip


def _keep_other_folder(out: Path) -> None:
    if out.is_dir() and any(out.iterdir()):
        raise DataError(f"{out}: is there already and not empty; name a new folder")


def _check_unchanged(options: argparse.Namespace, files: Sequence[Path], job: dict[str, Any]) -> None:
    """Check at the end that what was read stayed as it was at the beginning."""
    now = job_of(options, files)
    for name in (name for name in job if now.get(name) != job[name]):
        raise DataError(f"{options.source}: {name} has changed meanwhile; run the command again with --restart")


def _with_absolute_paths(options: argparse.Namespace) -> argparse.Namespace:
    """Return the options for processes that are in other folders."""
    values = vars(options).items()
    return argparse.Namespace(**{
        name: value.absolute() if isinstance(value, Path) else value for name, value in values
    })  # fmt: skip


def _worker(
    options: argparse.Namespace, load: Callable[[argparse.Namespace], "Segmenter"], device: str | None
) -> Worker:
    options = argparse.Namespace(**{**vars(options), "device": device})
    return Worker(load(options), granularity=options.granularity, min_probability=options.min_probability)


def _tell_begun(partial: Partial) -> None:
    if partial.done.rows:
        log.warning("goes on after row %s, where an earlier run stopped", f"{partial.done.rows:,}")
