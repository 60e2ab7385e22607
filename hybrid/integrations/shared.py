"""Segmenters by name: what tools name in their configuration is loaded once a process, however often it is named."""

from functools import lru_cache
from pathlib import Path

from hybrid import load
from hybrid.segmenter import Segmenter

LOADED = 8
"""Segmenters that are kept; the least recently named is dropped."""


def segmenter_of(model: str | Path | None = None, mode: str = "cascade") -> Segmenter:
    """Return the segmenter of a model folder, or of the default model; the same one each time.

    A folder whose model has been replaced since is loaded anew. Arguments and errors as for `hybrid.load`.
    """
    if model is None:
        return _loaded(None, mode, 0)
    manifest = Path(model).resolve() / "manifest.json"
    try:
        written = manifest.stat().st_mtime_ns
    except OSError:
        written = 0  # loading tells what is wrong
    return _loaded(str(manifest.parent), mode, written)


@lru_cache(LOADED)
def _loaded(folder: str | None, mode: str, written: int) -> Segmenter:
    return load(folder, mode=mode)
