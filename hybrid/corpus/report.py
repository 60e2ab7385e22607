"""How far a run has come, how quick it is, and how long it will still take: a bar for people, else the log."""

import logging
import sys
import time
from typing import Any

log = logging.getLogger(__name__)

EVERY = 10.0
"""Seconds between two lines of the log."""


class Report:
    """Tells of progress on stderr.

    Args:
        what: a name for what is worked on.
        total: bytes or rows of the whole input.
        done: those finished in an earlier run; rates are of this one.
        unit: "B" or " rows".
    """

    def __init__(self, what: str, total: int, *, done: int, unit: str) -> None:
        self._what, self._total, self._begun_at, self._done = what, total, done, done
        self._rows = self._words = 0
        self._start = self._told = time.monotonic()
        self._bar: Any = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=total, initial=done, desc=what, unit=unit, unit_scale=True, file=sys.stderr, leave=False
            )

    def update(self, done: int, rows: int, words: int) -> None:
        """Tell of a finished block.

        Args:
            done: bytes or rows of the whole input up to its end.
            rows: rows of the block.
            words: words of the block.
        """
        self._rows, self._words = self._rows + rows, self._words + words
        step, self._done = done - self._done, done
        now = time.monotonic()
        if self._bar is not None:
            self._bar.set_postfix_str(self._rates(now), refresh=False)
            self._bar.update(step)
        elif now - self._told >= EVERY:
            self._told = now
            log.info("%s: %.1f %%, %s, %s left", self._what, 100 * done / max(1, self._total), self._rates(now),
                     self._left(now))  # fmt: skip

    def __enter__(self) -> "Report":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Take the bar away, and tell what was done if all was."""
        if self._bar is not None:
            self._bar.close()
        if kind is not None:
            return
        log.info("%s: %s rows in this run, %s", self._what, f"{self._rows:,}", self._rates(time.monotonic()))

    def _rates(self, now: float) -> str:
        seconds = max(now - self._start, 1e-3)
        return f"{self._rows / seconds:,.0f} rows/s, {self._words / seconds:,.0f} words/s"

    def _left(self, now: float) -> str:
        fraction = (self._total - self._done) / max(1, self._done - self._begun_at)
        seconds = round((now - self._start) * fraction)
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
