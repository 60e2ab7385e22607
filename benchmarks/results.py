"""Results at rest: a folder of JSON files, each written whole or not at all."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hybrid.atomic import require_writable, whole_file
from hybrid.errors import DataError

RESULTS = Path(__file__).parent / "results"
"""The project's own."""


def make_folder(out: Path) -> None:
    """Make the folder for results, before long work.

    Raises:
        DataError: it can't be made or written to.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        require_writable(out / "result.json")
    except OSError as error:
        raise DataError(f"{out}: can't be a folder for results: {error.strerror or error}") from None


def write_result(out: Path, name: str, result: Mapping[str, Any]) -> None:
    """Write `out`/`name`.json.

    Raises:
        OSError: it can't be written.
    """
    with whole_file(out / f"{name}.json") as temporary:
        temporary.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read_result(out: Path, name: str) -> dict[str, Any] | None:
    """Return a result, None where it was not measured.

    Raises:
        DataError: the file is not what `write_result` wrote.
    """
    path = out / f"{name}.json"
    if not path.exists():
        return None
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{path}: can't be read: {error}") from None
    if not isinstance(result, dict):
        raise DataError(f"{path}: holds no result; remove it and measure again")
    return result
