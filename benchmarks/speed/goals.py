"""What is wanted of each figure, and whether it is so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound on a figure.

    Attributes:
        limit: the bound.
        unit: what it counts.
        most: the figure is to be at most the bound; else at least.
        digits: decimal places shown.
    """

    limit: float
    unit: str
    most: bool = False
    digits: int = 0

    def met(self, figure: float) -> bool:
        """Return whether a figure is as wanted."""
        return figure <= self.limit if self.most else figure >= self.limit

    def told(self, figure: float) -> str:
        """Return the goal and whether a figure meets it, as it stands in the tables."""
        sign = "≤" if self.most else "≥"
        return f"{sign} {self.limit:,.{self.digits}f} {self.unit}: {'met' if self.met(figure) else '**not met**'}"


CASCADE = Goal(40_000, "words/s")
FAST = Goal(130_000, "words/s")
FAST_LOSS = Goal(0.003, "F1 lost", most=True, digits=3)
TEXT = Goal(1_000_000, "tokens/s")
CONTEST = Goal(360, "s", most=True)

ANSWER = {
    False: (Goal(0.6, "s", most=True, digits=1), Goal(150, "MB", most=True)),
    True: (Goal(2.0, "s", most=True, digits=1), Goal(500, "MB", most=True)),
}
"""By whether the nets are asked: seconds and memory of the first answer."""


def of_rows(rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """Yield, for each row of a list of words, its goals and whether they are met; "" where there is none."""
    nets: Mapping[str, float] = next((row["f1"] for row in rows if row["name"] == "mode nets"), {})
    for row in rows:
        speed = row["words_per_second"]["median"]
        if row["name"] == "mode cascade":
            yield CASCADE.told(speed)
        elif row["name"] == "mode fast":
            losses = [f"{FAST_LOSS.told(nets[name] - f1)} ({name})" for name, f1 in row["f1"].items() if name in nets]
            yield "; ".join([FAST.told(speed), *losses])
        else:
            yield ""


def of_answer(row: Mapping[str, Any]) -> str:
    """Return the goals of a first answer and whether they are met; "" for a rival's."""
    if row["nets"] is None:
        return ""
    seconds, memory = ANSWER[row["nets"]]
    return f"{seconds.told(row['seconds']['median'])}; {memory.told(row['peak_mb']['median'])}"
