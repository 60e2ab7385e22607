"""What streaming for long showed, as Markdown."""

from collections.abc import Mapping
from typing import Any

from benchmarks.tables import markdown_table

LOAD = "load"
"""The table in docs/reliability.md, by the name in the marks around it."""


def load_table(result: Mapping[str, Any]) -> str:
    """Return the table, with what it was measured on."""
    header = ["through one process", "minutes", "lines", "most memory", "grown", "slope", "handles and threads left"]
    rows = [
        [row["name"], f"{row['samples'][-1]['seconds'] / 60:.0f}", f"{row['lines']:,}", f"{row['megabytes']:.0f} MB",
         f"{row['megabytes_grown']:+.1f} MB", f"{row['megabytes_per_hour']:+.1f} MB/h",
         str(row["handles_grown"] + row["threads_grown"])]
        for row in result["rows"]
    ]  # fmt: skip
    command = f"`python -m benchmarks load --minutes {result['minutes']:.0f}`"
    told = (
        f"{command} at {result['commit']}, {result['machine']}: known nouns, new compounds, strings of all kinds. "
        "Grown and slope are those after the first third."
    )
    return "\n".join([*markdown_table(header, rows), "", told])
