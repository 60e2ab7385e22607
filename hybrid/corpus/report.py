"""How far a run has come, how quick it is, and how long it will still take: a bar for people, else the log."""

import logging
import sys
import time
from dataclasses import dataclass
from typing import Any

log = logging.getLogger(__name__)

BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{elapsed}<{remaining}{postfix}]"
"""tqdm's own, without its rate: rows and words say more than bytes."""

EVERY = 10.0
"""Seconds between two lines of the log."""

ENOUGH = 1.0
"""Seconds that a rate can be told of: Ray may give several blocks at once."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """What was done when."""

    at: float
    done: int
    rows: int = 0
    words: int = 0


class Report:
    """Tells of progress on stderr.

    Rates are of this run, without its first block if there are more and they took `ENOUGH`: a model is loaded and
    compiled in it, and Ray begun.

    Args:
        what: a name for what is worked on.
        total: bytes or rows of the whole input.
        done: those finished in an earlier run.
        unit: "B" or " rows".
    """

    def __init__(self, what: str, total: int, *, done: int, unit: str) -> None:
        self._what, self._total = what, total
        self._begin = self._now = _Mark(time.monotonic(), done)
        self._first: _Mark | None = None
        self._told = self._begin.at
        self._bar: Any = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total, initial=done, desc=what, unit=unit, unit_scale=True, bar_format=BAR,
                             file=sys.stderr, leave=False)  # fmt: skip

    def update(self, done: int, rows: int, words: int) -> None:
        """Tell of a finished block.

        Args:
            done: bytes or rows of the whole input up to its end.
            rows: rows of the block.
            words: words of the block.
        """
        before = self._now
        now = self._now = _Mark(time.monotonic(), done, before.rows + rows, before.words + words)
        if self._bar is not None:
            self._bar.set_postfix_str(self._rates(), refresh=False)
            self._bar.update(done - before.done)
        elif self._first is not None and now.at - self._told >= EVERY:
            self._told = now.at
            log.info("%s: %.1f %%, %s, %s left", self._what, 100 * done / max(1, self._total), self._rates(),
                     self._left())  # fmt: skip
        self._first = self._first or now

    def __enter__(self) -> "Report":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Take the bar away, and tell what was done if all was."""
        if self._bar is not None:
            self._bar.close()
        if kind is None:
            told = f"{self._what}: {self._now.rows:,} rows in this run, {self._rates()}"
            if self._bar is None:
                log.info(told)
            else:
                self._bar.write(told, file=sys.stderr)

    def _since(self) -> _Mark:
        first = self._first
        return self._begin if first is None or self._now.at - first.at < ENOUGH else first

    def _rates(self) -> str:
        since = self._since()
        seconds = max(self._now.at - since.at, 1e-3)
        rows, words = (self._now.rows - since.rows) / seconds, (self._now.words - since.words) / seconds
        return f"{rows:,.0f} rows/s, {words:,.0f} words/s"

    def _left(self) -> str:
        since = self._since()
        fraction = (self._total - self._now.done) / max(1, self._now.done - since.done)
        seconds = round((self._now.at - since.at) * fraction)
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
