"""Results as text: for people, as JSON lines, and in the contest's format."""

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from hybrid.errors import DataError
from hybrid.joining import can_be_undone, join_text
from hybrid.segmentation import Segmentation, Tree
from hybrid.text import Token
from lexicon.errors import quoted

if TYPE_CHECKING:
    from hybrid.doubts import Doubt
    from hybrid.metrics import Scores
    from hybrid.parts import Parts
    from hybrid.worker import Worker

log = logging.getLogger(__name__)

Rankings = Iterable[list[list[Segmentation]]]
"""Chunks of words; for each word its splits, the best first."""


def text_lines(rankings: Rankings, *, ranked: bool, separator: str) -> Iterator[str]:
    """Yield, chunk by chunk, parts with separators between, a line a split; with rank and probability where ranked."""
    for chunk in rankings:
        yield "".join(
            f"{joined}\t{rank}\t{split.probability:.4f}\n" if ranked else f"{joined}\n"
            for splits in chunk
            for rank, split in enumerate(splits, 1)
            for joined in (separator.join(split.texts),)
        )


def part_lines(chunks: "Iterable[list[Parts]]", *, separator: str) -> Iterator[str]:
    """Yield, chunk by chunk, each word's parts with separators between, a line a word."""
    for chunk in chunks:
        yield "".join([separator.join(parts) + "\n" for parts, _ in chunk])


def json_lines(rankings: Rankings, *, ranked: bool, separator: str) -> Iterator[str]:
    """Yield, chunk by chunk, a JSON object a word: its best split, and under "nbest" all of them where ranked."""
    for chunk in rankings:
        lines = []
        for splits in chunk:
            record = {"word": splits[0].word, **record_of(splits[0])}
            if ranked:
                record["nbest"] = [record_of(split) for split in splits]
            lines.append(_dump(record) + "\n")
        yield "".join(lines)


def label_object(rankings: Rankings, *, ranked: bool, separator: str) -> Iterator[str]:
    """Yield, chunk by chunk, one JSON object for all words: word → labels of its best split, each word once."""
    told: set[str] = set()
    for chunk in rankings:
        lines = []
        for split, *_ in chunk:
            if split.word and split.word not in told:
                lines.append(f"{',' if told else '{'}\n{_dump(split.word)}:{_dump(split.labels)}")
                told.add(split.word)
        yield "".join(lines)
    yield "\n}\n" if told else "{}\n"


def separated_text(texts: Iterable[str], worker: "Worker", *, separator: str) -> Iterator[str]:
    """Yield, chunk by chunk, running text with the parts of its words separated; `joined_text` undoes it."""
    told = can_be_undone(separator)
    for text in texts:
        if not told and separator in text:
            log.warning("the text itself holds %r; name another with --separator to tell them apart later", separator)
            told = True
        yield worker.separate([text], separator)[0]


def joined_text(texts: Iterable[str], *, separator: str) -> Iterator[str]:
    """Yield, chunk by chunk, split running text as it was.

    Raises:
        DataError: what is split with this separator can't be joined again.
    """
    join_text("", separator)  # a wrong one is told at once
    return (join_text(text, separator) for text in texts)


def token_lines(texts: Iterable[list[Token]]) -> Iterator[str]:
    """Yield, chunk by chunk, a JSON object for each token; places are counted from the beginning of all chunks."""
    at = 0
    for tokens in texts:
        lines = []
        for token in tokens:
            record: dict[str, object] = {"text": token.text, "start": at + token.start, "end": at + token.end}
            if token.split is not None:
                record |= record_of(token.split, at + token.start)
            lines.append(_dump(record) + "\n")
        at += tokens[-1].end if tokens else 0
        yield "".join(lines)


def check_options(form: str, separator: str, *, nbest: int, text: bool) -> None:
    """Check that options for splitting go together.

    Raises:
        DataError: they don't.
    """
    if form == "labels" and nbest > 1:
        raise DataError("--nbest goes with --format text and json; labels hold one split a word")
    if text and (form == "labels" or nbest > 1):
        raise DataError("--text goes with --format text and json, and without --nbest")
    if separator != "|" and form != "text":
        raise DataError(f"--separator goes with --format text; {form} has no separators")
    if not separator or "\n" in separator or "\r" in separator:
        raise DataError("--separator is empty or holds a line end; one character or more of a line is right")


def check_lines(words: Iterable[str]) -> None:
    """Check that each word's parts will stand on one line.

    Raises:
        DataError: one holds a line end.
    """
    for word in words:
        if "\n" in word or "\r" in word:
            raise DataError(f"{quoted(word)}: holds a line end, and its parts are to stand on one line; "
                            "--text takes a text, and --format json anything")  # fmt: skip


FORMATS: dict[str, Callable[..., Iterator[str]]] = {"text": text_lines, "json": json_lines, "labels": label_object}


def score_lines(scores: "Scores") -> list[str]:
    """Return measures as lines "name value", the contest's score first."""
    return [
        f"f1 {scores.f1:.4f}",
        f"exact {scores.exact:.4f}",
        f"boundary precision {scores.boundary_precision:.4f}",
        f"boundary recall {scores.boundary_recall:.4f}",
        f"words {scores.words}, missing {scores.missing}, wrong length {scores.wrong_length}",
    ]


def doubt_lines(doubts: "Iterable[Doubt]") -> Iterator[str]:
    """Yield a table of labels that may be wrong, with tabs between its columns and a header."""
    yield "word\tlabelled\tmodel\twrong\tcertain"
    for doubt in doubts:
        texts = (doubt.word, "|".join(doubt.labelled), str(doubt.split))
        plain = (text.replace("\t", " ").replace("\n", " ").replace("\r", " ") for text in texts)
        line = "\t".join([*plain, f"{doubt.probability:.4f}", f"{doubt.split.probability:.4f}"])
        yield line.encode("utf-8", "backslashreplace").decode("utf-8")


def record_of(split: Segmentation, at: int = 0) -> dict[str, object]:
    """Return a split as JSON has it, places counted from `at`."""
    parts = [{"text": part.text, "start": at + part.start, "end": at + part.end, "stem": part.stem, "link": part.link,
              "lemma": part.lemma} for part in split.parts]  # fmt: skip
    cuts = [round(probability, 6) for probability in split.cut_probabilities]
    return {"parts": parts, "probability": round(split.probability, 6), "cut_probabilities": cuts,
            "score": round(split.score, 4), "is_compound": split.is_compound,
            "compound_probability": round(split.compound_probability, 6),
            "tree": split.tree and _nested(split.tree)}  # fmt: skip


def _nested(tree: Tree) -> object:
    """Return a tree as nested lists of texts."""
    return [_nested(child) for child in tree.children] if tree.children else tree.text


def _dump(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
