"""The JSON file that heads a saved folder: it names the format and its version."""

import json
from pathlib import Path
from typing import Any

from lexicon.errors import LexiconError


def read_header(path: Path, kind: str, newest: int) -> dict[str, Any]:
    """Read a header as far as to know that what follows can be read.

    Args:
        path: the JSON file.
        kind: the format's name.
        newest: the newest version that this release reads; it reads all before.

    Raises:
        LexiconError: the file is missing, not JSON, of another format or of a newer version.
    """
    try:
        header = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise LexiconError(f"{path}: missing; the folder is incomplete") from None
    except (OSError, ValueError, RecursionError):
        raise LexiconError(f"{path}: damaged: not JSON") from None
    if not isinstance(header, dict) or header.get("format") != kind:
        raise LexiconError(f"{path}: not a {kind}")
    version = header.get("version")
    if not isinstance(version, int) or not 1 <= version <= newest:
        raise LexiconError(f"{path}: version {version!r}; this release reads versions 1 to {newest}")
    return header
