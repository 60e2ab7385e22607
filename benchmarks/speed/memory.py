"""Memory along a stream of text, in a process of its own."""

import os
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import hybrid
from benchmarks.circumstances import peak_memory
from benchmarks.speed.contestants import DEVICE, WARM, nouns
from benchmarks.speed.zipf import Text, count_tokens
from hybrid.worker import Worker

Points = list[tuple[int, int]]
"""Tokens separated so far, and the bytes resident then."""

SETTLED = 1_000_000
"""Tokens, or a tenth of a shorter text's, before which a memory may still fill up."""

_STATM = Path("/proc/self/statm")


def measure_memory(texts: Sequence[Text], block: int) -> list[dict[str, Any]]:
    """Return, for each text that can be made, memory along it and its slope; each in a fresh process."""
    rows = []
    for text in texts:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            try:
                points = pool.submit(trace, text, block).result()
            except ImportError:  # the row of its speed says so
                continue
        rows.append({"name": text.name, "points": points, "kb_per_million_tokens": slope(points)})
    return rows


def trace(text: Text, block: int) -> Points:
    """Separate a text in mode cascade; return the memory before, and after every block."""
    blocks = text.blocks(block)  # first, for it may be that the text can't be made
    segmenter = hybrid.load(device=DEVICE)
    segmenter.split_parts(nouns(text.seed)[-WARM:])
    worker, points, tokens = Worker(segmenter), Points(), 0
    for lines in blocks:
        if not points:
            points.append((0, resident()))
        worker.separate(lines, "|")
        tokens += count_tokens(lines)
        points.append((tokens, resident()))
    return points


def resident() -> int:
    """Return the bytes of this process in memory; its largest so far where the system does not tell."""
    if _STATM.exists():
        return int(_STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return peak_memory()


def slope(points: Sequence[tuple[int, int]]) -> float | None:
    """Return KB a million tokens, by least squares over what is settled; None for fewer than two points."""
    if not points:
        return None
    begin = min(SETTLED, points[-1][0] // 10)
    tokens, resident = np.array([point for point in points if point[0] >= begin], float).reshape(-1, 2).T
    if len(tokens) < 2:
        return None
    return float(np.polyfit(tokens / 1e6, resident / 1e3, 1)[0])
