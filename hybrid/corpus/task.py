"""What is asked of every row of a corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

from hybrid.errors import DataError
from hybrid.utf8 import STRICT

PROBABILITY = "probability"
"""The column that --probability adds."""

DIGITS = 6
"""Of a probability: beyond these it depends on which words were split together."""

MOST_LISTED = 40
"""Columns that an error names."""


@dataclass(frozen=True, slots=True)
class Task:
    """Which column is split, into what.

    Attributes:
        column: the column that is read; None for plain text, which has none.
        into: the new column.
        text: the column holds running text, not words.
        separator: stands between parts, where the result is text.
        probability: also write how probable each word's split is.
        encoding_errors: what becomes of text that is not UTF-8, one of `ENCODING_ERRORS`.
    """

    column: str | None = None
    into: str = "parts"
    text: bool = False
    separator: str = "|"
    probability: bool = False
    encoding_errors: str = STRICT

    @property
    def new_columns(self) -> list[str]:
        """The columns that are added to each row, in order."""
        return [self.into, PROBABILITY] if self.probability else [self.into]


def check_columns(task: Task, there: Sequence[str], where: object) -> None:
    """Check that the column to be read is there, once, and that none would be overwritten.

    Raises:
        DataError: it is not; the message lists the columns there are.
    """
    if there.count(str(task.column)) != 1:
        fault = "stands twice" if task.column in there else "is not there"
        told = f"the columns are {_listed(there)}" if there else "there are no columns"
        raise DataError(f"{where}: column {task.column!r} {fault}; {told}")
    for name in task.new_columns:
        if name in there:
            hint = "name another with --into" if name == task.into else "leave --probability out, or rename it"
            raise DataError(f"{where}: column {name!r} is there already; {hint}")


def _listed(names: Sequence[str]) -> str:
    shown = [repr(name) if len(name) <= 60 else f"{name[:50]!r}…" for name in names[:MOST_LISTED]]
    more = [f"and {len(names) - MOST_LISTED:,} more"] if len(names) > MOST_LISTED else []
    return ", ".join([*shown, *more])
