"""The component `compound_splitter` at rest: its user's words, and its model where that is not the default one."""

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

from hybrid.atomic import whole_folder
from hybrid.errors import DataError
from hybrid.integrations.wanted import wanted
from hybrid.segmenter import Segmenter
from lexicon.errors import LexiconError
from lexicon.headers import read_header

with wanted("spacy"):
    import srsly  # type: ignore[import-untyped]

FORMAT = "hybrid-segmenter spaCy component"
VERSION = 1
HEADER, MODEL = "component.json", "model"


def save(folder: Path, words: dict[str, Any], segmenter: Segmenter | None) -> None:
    """Write a folder, or none of it.

    Args:
        folder: where to; one of that name is replaced.
        words: the user's: entries, always, never.
        segmenter: whose model is written; None: the default model, which is not.

    Raises:
        OSError: the folder above is missing or can't be written to.
    """
    header = {"format": FORMAT, "version": VERSION, "model": segmenter is not None, **words}
    with whole_folder(folder) as temporary:
        text = json.dumps(header, indent=1, ensure_ascii=False)
        (temporary / HEADER).write_text(text + "\n", encoding="utf-8")
        if segmenter is not None:
            segmenter.save(temporary / MODEL)


def load(folder: Path) -> tuple[dict[str, Any], Path | None]:
    """Return the user's words, and the folder of the model; None: the default one.

    Raises:
        DataError: the folder is not what `save` wrote.
    """
    try:
        header = read_header(folder / HEADER, FORMAT, VERSION)
    except (LexiconError, OSError) as error:
        raise DataError(f"{error}") from None
    words = {name: header.get(name, []) for name in ("entries", "always", "never")}
    if not all(isinstance(some, list | dict) for some in words.values()):
        raise DataError(f"{folder / HEADER}: damaged: entries, always and never should be lists")
    return words, folder / MODEL if header.get("model") else None


def to_bytes(write: Callable[[Path], None]) -> bytes:
    """Return the folder that `write` writes, as bytes."""
    with tempfile.TemporaryDirectory(prefix="hybrid-") as temporary:
        folder = Path(temporary) / "component"
        write(folder)
        files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        return srsly.msgpack_dumps({path.relative_to(folder).as_posix(): path.read_bytes() for path in files})


@contextmanager
def from_bytes(data: bytes) -> Iterator[Path]:
    """Lay down what `to_bytes` returned, in a folder that is there for the time being.

    Raises:
        DataError: it is something else.
    """
    try:
        files = srsly.msgpack_loads(data)
    except Exception as error:  # of several libraries, each with errors of its own
        raise DataError(f"these bytes are no compound_splitter's: {type(error).__name__}") from None
    if not isinstance(files, dict) or not all(_is_inside(name) and isinstance(files[name], bytes) for name in files):
        raise DataError("these bytes are no compound_splitter's; those that its to_bytes returned are right")
    with tempfile.TemporaryDirectory(prefix="hybrid-") as temporary:
        for name, content in files.items():
            path = Path(temporary) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        yield Path(temporary)


def _is_inside(name: object) -> bool:
    """Whether a name is one of a file in the folder: data may come from strangers."""
    if not isinstance(name, str) or not name or "\\" in name or ":" in name or "\0" in name:
        return False
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts
