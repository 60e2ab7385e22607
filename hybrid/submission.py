"""The zip that the contest takes."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from hybrid.atomic import whole_file

VAL_NAME, TEST_NAME = "submissionval.json", "submissiontest.json"


def write_submission(path: Path, val: Mapping[str, Sequence[int]], test: Mapping[str, Sequence[int]]) -> None:
    """Write both predictions, in the training format, into one zip; equal predictions give equal bytes.

    Raises:
        OSError: the folder is missing or can't be written to.
    """
    with whole_file(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, predictions in ((VAL_NAME, val), (TEST_NAME, test)):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, to_json(predictions))


def to_json(labels: Mapping[str, Sequence[int]]) -> bytes:
    """Return labels as the contest writes them: UTF-8, no spaces, words as they are."""
    text = json.dumps(
        {word: list(values) for word, values in labels.items()}, ensure_ascii=False, separators=(",", ":")
    )
    return text.encode("utf-8", "backslashreplace")  # a lone surrogate becomes its JSON escape
