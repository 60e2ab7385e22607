"""The JSON file that heads a saved folder: it names the format and its version."""

import json
from pathlib import Path
from typing import Any

from lexicon.errors import LexiconError, shown
from lexicon.folder import read_inside

MOST_BYTES = 1 << 23
"""A header's largest size: in memory JSON takes up to thirty times its size."""


def read_header(path: Path, kind: str, newest: int, *, own: bool = False) -> dict[str, Any]:
    """Read a header as far as to know that what follows can be read.

    Args:
        path: the JSON file.
        kind: the format's name.
        newest: the newest version that this release reads; it reads all before.
        own: as for `read_inside`.

    Raises:
        LexiconError: the file is missing, no plain file, too large, not JSON, of another format or of a newer version.
    """
    content = read_inside(path.parent, path.name, MOST_BYTES, own=own)
    try:
        header = json.loads(content)
    except (ValueError, RecursionError):
        raise LexiconError(f"{path}: damaged: not JSON") from None
    if not isinstance(header, dict) or header.get("format") != kind:
        raise LexiconError(f"{path}: not a {kind}")
    version = header.get("version")
    if type(version) is not int or not 1 <= version <= newest:
        raise LexiconError(f"{path}: version {shown(version)}; this release reads versions 1 to {newest}")
    return header
