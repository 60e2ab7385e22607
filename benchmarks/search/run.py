"""An index of Tantivy with and without parts, its size and time; word lists of the same words, and what they find."""

import logging
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

import regex

from benchmarks.circumstances import circumstances, processor
from benchmarks.results import make_folder, write_result
from benchmarks.search.lists import measure_lists
from hybrid.errors import DataError
from hybrid.integrations.shared import segmenter_of
from hybrid.integrations.tantivy import NAME, CompoundAnalyzer, tantivy

log = logging.getLogger(__name__)

ROUNDS = 3


def run_search(out: Path, folder: Path, seed: int) -> dict[str, Any]:
    """Measure, write search.json, and return it.

    Args:
        out: folder for the results.
        folder: of texts; each file that ends in .txt is a document.
        seed: for what is drawn.

    Raises:
        DataError: there is no text.
    """
    make_folder(out)
    paths = sorted(folder.glob("*.txt"))
    if not paths:
        raise DataError(f"{folder}: has no file that ends in .txt; a folder of German texts is right")
    texts = [" ".join(path.read_text(encoding="utf-8", errors="replace").split()) for path in paths]
    words = Counter(word for text in texts for word in regex.findall(r"\p{L}[\p{L}\p{M}]+", text))
    result = {
        **circumstances("cpu"), "processor": processor(), "seed": seed, "texts": folder.name, "documents": len(texts),
        "bytes": sum(len(text.encode()) for text in texts), "words": sum(words.values()), "distinct": len(words),
        "indexes": measure_indexes(texts), "lists": measure_lists(words, seed),
    }  # fmt: skip
    write_result(out, "search", result)
    return result


def measure_indexes(texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return size, terms and time of the index of each kind, the plain one first; times are the median of some."""
    segmenter = segmenter_of()
    segmenter.split("Autobahn")  # loads what is loaded once
    known = CompoundAnalyzer(segmenter)
    known.pre_tokenize_batch(texts)
    kinds = {
        "words alone": lambda: None,
        "with parts, each word split anew": lambda: CompoundAnalyzer(segmenter),
        "with parts, words remembered": lambda: known,
    }
    rows = []
    for stored in (False, True):
        for name, make in kinds.items():
            runs = [index(texts, make(), stored=stored) for _ in range(ROUNDS)]
            row = {"name": name, "stored": stored, "bytes": runs[0][0], "terms": runs[0][1],
                   "seconds": [seconds for _, _, seconds in runs]}  # fmt: skip
            row["median"] = median(row["seconds"])
            log.info("%s: %s", name, row)
            rows.append(row)
    return rows


def index(texts: Sequence[str], analyzer: CompoundAnalyzer | None, *, stored: bool) -> tuple[int, int, float]:
    """Index texts on the disk; return the bytes of the index, the distinct terms, and the seconds it took."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=stored, tokenizer_name=NAME)
    with tempfile.TemporaryDirectory() as folder:
        place = tantivy.Index(builder.build(), folder)
        plain = CompoundAnalyzer() if analyzer is None else analyzer
        plain.register(place)
        begun = time.perf_counter()
        writer = place.writer(128_000_000, 1)
        for text in texts:
            document = tantivy.Document()
            if analyzer is None:
                document.add_text("text", text)
            else:
                analyzer.add(document, "text", text)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        seconds = time.perf_counter() - begun
        place.reload()
        terms = len(place.searcher().terms_with_prefix("text", ""))
        return sum(path.stat().st_size for path in Path(folder).iterdir()), terms, seconds
