"""All that the result of a run depends on: what must be the same for a run to go on where another stopped."""

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hybrid import __version__
from hybrid.atomic import is_stream, whole_folder_at
from hybrid.default import FOLDER
from hybrid.errors import DataError
from hybrid.model_store import MANIFEST
from hybrid.utf8 import STRICT
from lexicon.folder import read_inside
from lexicon.headers import MOST_BYTES
from lexicon.textfile import read_whole

FREE = {"verb", "source", "out", "restart", "ray", "workers", "device"}
"""Options that may differ: they say where and on what is worked, not what comes out."""

ENCODING = "encoding_errors"

FILES = ("user_dictionary", "always", "never")

ENDS = 1 << 16
"""Bytes at both ends of an input that are compared, besides its size and time: reading all would take long."""


def job_of(options: argparse.Namespace, inputs: Sequence[Path]) -> dict[str, Any]:
    """Return the job: options, model, the user's files, and what tells the inputs from others.

    Raises:
        DataError: one of the user's files is missing, no plain file, too large, or can't be read.
        LexiconError: so is the model's manifest.
        OSError: an input is missing or can't be read.
    """
    job = {name: value for name, value in vars(options).items() if name not in FREE}
    for name in FILES:
        path = job.get(name)
        job[name] = None if path is None else hashlib.sha256(_content(path)).hexdigest()
    job["model"] = _of_model(FOLDER if options.model is None else whole_folder_at(options.model))
    job["hybrid"] = __version__
    job["input"] = [_fingerprint(path) for path in inputs]
    job["output"] = options.out.suffix  # its compression
    plain: dict[str, Any] = json.loads(json.dumps(job))
    return plain


def _content(path: Path) -> bytes:
    if is_stream(path):
        raise DataError(f"{path}: is no file, and a corpus run reads it more than once; name a file")
    return read_whole(path, "a text file", DataError)


def _of_model(folder: Path) -> str | None:
    """Return the sum of a model's manifest, which has the sums of all its other files; None where loading will tell."""
    if not (folder / MANIFEST).exists():
        return None
    return hashlib.sha256(read_inside(folder, MANIFEST, MOST_BYTES, own=folder == FOLDER)).hexdigest()


def differences(begun: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Return the names in which a job differs from one that was begun, so that it can't go on with that.

    Where bytes that are not UTF-8 were an error, none were replaced: going on with replacing them is no difference.
    """
    changed = {key for key in {*begun, *wanted} if begun.get(key) != wanted.get(key)}
    if begun.get(ENCODING) == STRICT:
        changed.discard(ENCODING)
    return sorted(changed)


def _fingerprint(path: Path) -> dict[str, Any]:
    status = path.stat()
    with path.open("rb") as stream:
        ends = stream.read(ENDS)
        stream.seek(max(0, status.st_size - ENDS))
        ends += stream.read(ENDS)
    return {"name": path.name, "bytes": status.st_size, "modified": status.st_mtime_ns,
            "ends": hashlib.sha256(ends).hexdigest()}  # fmt: skip
