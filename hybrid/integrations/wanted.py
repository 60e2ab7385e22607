"""Packages that come with an extra: said in plain words where one is missing."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def wanted(extra: str) -> Iterator[None]:
    """Say which extra brings a package, where one that is imported in the block is not installed.

    Raises:
        ImportError: with the command that installs it.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ImportError(
            f"the package {error.name or extra} is not installed: pip install 'hybrid-segmenter[{extra}]'",
            name=error.name,
        ) from None
