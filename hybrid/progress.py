"""A progress bar on long work, where a person watches: only if stderr is a terminal."""

import sys

from tqdm import tqdm


def progress_bar(what: str, total: int) -> "tqdm[None]":
    """Return a bar to be updated `total` times; it draws nothing where stderr is not a terminal."""
    return tqdm(total=total, desc=what, file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)
