"""Pieces of Parquet files split on Ray Data: an actor for each core or GPU, which loads the model once.

What goes through the dataset is not the rows but where they are: each actor reads its pieces of the files itself, and
writes each result, whole or not at all, under the piece's number. So the order of the output is the plan's, whoever was
done first; a piece that is split twice, as after an actor was lost, takes the place of itself; and a run may go on
where another stopped, on Ray or not. Ray Data's own reader and writer of Parquet give none of these: their blocks
depend on the cluster, and a task that is retried may leave a second file.
"""

import argparse
import contextlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from hybrid.corpus.tables import Piece, PieceSplitter
from hybrid.corpus.task import Task
from hybrid.errors import DataError, HybridError
from hybrid.worker import Worker
from lexicon.errors import LexiconError

LOCAL = "local"
"""The address that begins a Ray of its own on this machine, for this run."""

MOST_TASKS = 10_000
"""A plan of more pieces gives several to a task: Ray keeps an entry for each."""


def split_on_ray(
    options: argparse.Namespace,
    pieces: Sequence[Piece],
    files: Sequence[Path],
    task: Task,
    make_worker: Callable[[str | None], Worker],
    folder: Path,
) -> Iterator[tuple[Piece, int]]:
    """Split pieces; yield each once it is on the disk, in any order, with the number of its words.

    Args:
        options: ray, the address; workers, how many; device.
        pieces: what is to be split.
        files: the input, under names that are good on every machine.
        task: what is asked of each row.
        make_worker: makes what splits on a device; it is sent to the actors.
        folder: where the pieces are written, seen by every machine.

    Raises:
        DataError: Ray is not installed or can't be reached; an actor can't work, or found a row wrong.
    """
    with _connected(options) as ray:
        device, workers = _place(options, ray.cluster_resources())
        rows = ray.data.from_items([asdict(piece) for piece in pieces],
                                   override_num_blocks=min(len(pieces), MOST_TASKS))  # fmt: skip
        # An actor that is lost is begun anew, and what it was working on is given to one again: Ray Data does so for
        # actors without being asked, as often as it takes.
        finished = rows.map_batches(
            _Actor,
            fn_constructor_args=(make_worker, device, [path.absolute() for path in files], task, folder),
            batch_size=1,
            batch_format="numpy",
            compute=ray.data.ActorPoolStrategy(size=min(workers, len(pieces))),
            **({"num_gpus": 1} if device == "cuda" else {"num_cpus": 1}),
        )
        of_number = {piece.number: piece for piece in pieces}
        for row in finished.iter_rows():
            if row["error"]:
                raise DataError(row["error"])
            yield of_number[row["number"]], row["words"]


class _Actor:
    """Splits the pieces that it is told; errors of data are told back, for a raised one would be taken for Ray's."""

    def __init__(
        self,
        make_worker: Callable[[str | None], Worker],
        device: str | None,
        files: Sequence[Path],
        task: Task,
        folder: Path,
    ) -> None:
        self._splitter: PieceSplitter | None = None
        self._error = ""
        try:
            self._splitter = PieceSplitter(files, task, make_worker(device), folder)
        except (HybridError, LexiconError, OSError) as error:
            self._error = str(error)

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[Any]]:
        (piece,) = (Piece(*map(int, values)) for values in zip(*(batch[name] for name in _FIELDS), strict=True))
        words, error = 0, self._error
        if self._splitter is not None:
            try:
                words = self._splitter.split(piece)
            except (HybridError, LexiconError, OSError) as failure:
                error = str(failure)
        return {"number": [piece.number], "words": [words], "error": [error]}


_FIELDS = tuple(Piece.__dataclass_fields__)


def _place(options: argparse.Namespace, resources: Mapping[str, float]) -> tuple[str, int]:
    """Return the device that each actor works on, and how many actors there are: one a GPU, or one a core."""
    gpus = int(resources.get("GPU", 0))
    device = options.device or ("cuda" if gpus else "cpu")
    if device.startswith("cuda:"):  # an actor sees but the one GPU that it is given
        device = "cuda"
    there = gpus if device == "cuda" else int(resources.get("CPU", 1))
    if not there:
        raise DataError(f"--device {device}: this Ray has no GPU; --device cpu works on its cores")
    if options.workers is not None and options.workers > there:
        raise DataError(f"--workers {options.workers}: this Ray has room for {there}, one a core or GPU")
    return device, options.workers or there


@contextlib.contextmanager
def _connected(options: argparse.Namespace) -> Iterator[Any]:
    """Join the Ray at an address, or begin one here; what was begun is ended."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise DataError(f"--ray needs Ray Data: pip install hybrid-segmenter[ray] ({error})") from None
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    begun = not ray.is_initialized()
    if begun and options.ray == LOCAL:
        ray.init(address=LOCAL, include_dashboard=False, num_cpus=options.workers, **quiet)
    elif begun:
        try:
            ray.init(address=options.ray, **quiet)
        except (OSError, ValueError, RuntimeError) as error:
            raise DataError(f"--ray {options.ray}: can't be reached: {str(error).splitlines()[0]}") from None
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    ray.data.DataContext.get_current().enable_progress_bars = False  # the run has its own
    try:
        yield ray
    finally:
        if begun:
            ray.shutdown()
