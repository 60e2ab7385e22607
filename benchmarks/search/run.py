"""An index of Tantivy with and without parts, its size and time; word lists of the same words, and what they find."""

import logging
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import regex
import tantivy

from benchmarks.circumstances import circumstances, processor
from benchmarks.results import make_folder, write_result
from benchmarks.search.lists import measure_lists
from hybrid.errors import DataError
from hybrid.integrations.shared import segmenter_of
from hybrid.integrations.tantivy import NAME, CompoundAnalyzer

log = logging.getLogger(__name__)

ROUNDS = 3

Way = tuple[Callable[[], CompoundAnalyzer], bool, bool]


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
    segmenter = segmenter_of(mode="fast")
    known = CompoundAnalyzer(segmenter)
    known.pre_tokenize_batch(texts)  # loads what is loaded once, too
    for text in texts:
        known.parts_text(text)
    kinds: dict[str, Way] = {
        "words alone": (lambda: known, False, False),
        "parts at their words' places, words remembered": (lambda: known, True, False),
        "parts in a field of their own, words remembered": (lambda: known, True, True),
        "parts at their words' places, each word split anew": (lambda: CompoundAnalyzer(segmenter), True, False),
        "parts in a field of their own, each word split anew": (lambda: CompoundAnalyzer(segmenter), True, True),
    }
    rows: list[dict[str, Any]] = []
    for name, way in kinds.items():
        runs = [index(texts, way, stored=False) for _ in range(ROUNDS)]
        size, terms, _ = index(texts, way, stored=True)
        seconds = [run[2] for run in runs]
        rows.append({"name": name, "bytes": runs[0][0], "stored_bytes": size, "terms": terms, "seconds": seconds,
                     "median": median(seconds)})  # fmt: skip
        log.info("%s: %.2f s", name, median(seconds))
    return rows


def index(texts: Sequence[str], way: Way, *, stored: bool) -> tuple[int, int, float]:
    """Index texts on the disk; return the bytes of the index, the terms, and the seconds of processor time it took.

    Args:
        texts: documents.
        way: what makes the analyzer, whether parts are indexed, and whether in a field of their own.
        stored: the text too.
    """
    make, parts, apart = way
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", stored=stored, tokenizer_name=NAME)
    builder.add_text_field("parts", tokenizer_name=NAME, index_option="freq")
    with tempfile.TemporaryDirectory() as folder:
        place = tantivy.Index(builder.build(), folder)
        analyzer = make()
        analyzer.register(place)
        begun = time.process_time()
        writer = place.writer(128_000_000, 1)
        for text in texts:
            document = tantivy.Document()
            if parts and not apart:
                analyzer.add(document, "text", text)
            else:
                document.add_text("text", text)
            if apart:
                analyzer.add_parts(document, "parts", text)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()
        seconds = time.process_time() - begun
        place.reload()
        terms = sum(len(place.searcher().terms_with_prefix(field, "")) for field in ("text", "parts"))
        return sum(path.stat().st_size for path in Path(folder).iterdir()), terms, seconds
