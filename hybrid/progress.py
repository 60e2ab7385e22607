"""A progress bar on long work, where a person watches: only if stderr is a terminal."""

import sys
from types import TracebackType
from typing import Any, Protocol

try:
    from tqdm import tqdm
except ImportError:  # in a notebook's bare image: no bar, the log tells
    tqdm = None


class Bar(Protocol):
    """What is asked of a progress bar."""

    def update(self) -> Any:
        """Count one more step."""

    def __enter__(self) -> Any: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> Any: ...


class _NoBar:
    def update(self) -> None:
        """Draw nothing."""

    def __enter__(self) -> "_NoBar":
        return self

    def __exit__(self, *_: object) -> None:
        return None


def progress_bar(what: str, total: int) -> Bar:
    """Return a bar to be updated `total` times; it draws nothing where stderr is not a terminal."""
    if tqdm is None or not sys.stderr.isatty():
        return _NoBar()
    return tqdm(total=total, desc=what, file=sys.stderr, leave=False)
