"""The golden list: 2,000 words with their splits by the model that ships, which no release changes unawares.

The words: 200 that were chosen by hand, some 100 strange ones, and others drawn by their SHA-256 from `lexicon/gold`
and `lexicon/dictionary`, without those whose two best splits are less than 0.3 nats apart in any mode: such toss-ups
would tell of rounding alone. After a new model, `python -m tests.golden` writes the splits anew; look at what changed.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import hybrid
from hybrid.segmenter import MODES

FILE = Path(__file__).parent / "data" / "golden.jsonl"

Row = dict[str, str]


def read() -> list[Row]:
    """Return what the file says of each word."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").split("\n") if line]


def rows(words: list[str]) -> Iterator[Row]:
    """Yield what the model that ships says of each word now."""
    modes = {mode: hybrid.load(device="cpu", mode=mode) for mode in MODES}
    splits = {mode: segmenter.split_batch(words) for mode, segmenter in modes.items()}
    contest = modes["cascade"].split_batch(words, granularity="contest")
    for i, word in enumerate(words):
        others = {mode: str(splits[mode][i]) for mode in ("fast", "nets")}
        fine = splits["cascade"][i]
        yield {"word": word, "fine": str(fine), "tree": str(fine.tree), "contest": str(contest[i]), **others}


def write(words: list[str]) -> None:
    """Write the file anew."""
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows(words)]
    FILE.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write([row["word"] for row in read()])
