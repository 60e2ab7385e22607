"""Segmenters by name: what tools name in their configuration is loaded once a process, however often it is named."""

from functools import lru_cache
from pathlib import Path

from hybrid import load
from hybrid.segmenter import MODES, Segmenter

LOADED = 8
"""Segmenters that are kept; the least recently named is dropped."""


def segmenter_of(model: str | Path | None = None, mode: str = "cascade") -> Segmenter:
    """Return the segmenter of a model folder, or of the default model; the same one each time.

    A folder whose model has been replaced since is loaded anew. Arguments and errors as for `hybrid.load`.
    """
    if mode not in MODES:  # before it is looked up, which only strings can be
        raise ValueError(f"mode is {mode!r}, should be one of {', '.join(MODES)}")
    if model is None:
        return _loaded(None, mode, ())
    try:
        manifest = Path(model).resolve() / "manifest.json"
        told = manifest.stat()
    except (OSError, RuntimeError):  # one of links in a circle
        return load(model, mode=mode)  # which tells what is wrong
    # all of them, for copies keep the time of what they are copied from, and archives give all files the same one
    return _loaded(str(manifest.parent), mode, (told.st_mtime_ns, told.st_ctime_ns, told.st_ino, told.st_size))


def segmenter_given(segmenter: Segmenter | None) -> Segmenter:
    """Return the segmenter that a caller gave; the default model's where none was.

    Raises:
        TypeError: it is something else, such as the name of a model folder.
    """
    if segmenter is None:
        return segmenter_of()
    if not isinstance(segmenter, Segmenter):
        raise TypeError(
            f"segmenter is a {type(segmenter).__name__}; a Segmenter is right, as hybrid.load(folder) gives"
        )
    return segmenter


@lru_cache(LOADED)
def _loaded(folder: str | None, mode: str, version: tuple[int, ...]) -> Segmenter:
    return load(folder, mode=mode)
