"""Results as text: for people, as JSON lines, and in the contest's format."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from hybrid.metrics import Scores
from hybrid.segmentation import Segmentation

if TYPE_CHECKING:
    from hybrid.doubts import Doubt

Rankings = Iterable[list[list[Segmentation]]]
"""Chunks of words; for each word its splits, the best first."""


def text_lines(rankings: Rankings, *, ranked: bool) -> Iterator[str]:
    """Yield, chunk by chunk, parts joined by "|", a line a split; with a rank and a probability where ranked."""
    for chunk in rankings:
        yield "".join(
            f"{split}\t{rank}\t{split.probability:.4f}\n" if ranked else f"{split}\n"
            for splits in chunk
            for rank, split in enumerate(splits, 1)
        )


def json_lines(rankings: Rankings, *, ranked: bool) -> Iterator[str]:
    """Yield, chunk by chunk, a JSON object a word: its best split, and under "nbest" all of them where ranked."""
    for chunk in rankings:
        lines = []
        for splits in chunk:
            record = {"word": splits[0].word, **_record(splits[0])}
            if ranked:
                record["nbest"] = [_record(split) for split in splits]
            lines.append(_dump(record) + "\n")
        yield "".join(lines)


def label_object(rankings: Rankings, *, ranked: bool) -> Iterator[str]:
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


FORMATS: dict[str, Callable[..., Iterator[str]]] = {"text": text_lines, "json": json_lines, "labels": label_object}


def score_lines(scores: Scores) -> list[str]:
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


def _record(split: Segmentation) -> dict[str, object]:
    parts = [{"text": part.text, "start": part.start, "end": part.end} for part in split.parts]
    cuts = [round(probability, 6) for probability in split.cut_probabilities]
    return {"parts": parts, "probability": round(split.probability, 6), "cut_probabilities": cuts,
            "score": round(split.score, 4)}  # fmt: skip


def _dump(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
