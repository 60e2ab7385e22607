"""Corpora for tests: what splits without a model, and runs of the verb with it."""

from collections.abc import Callable, Iterable
from pathlib import Path

from hybrid.arguments import build_parser
from hybrid.corpus.command import split_corpus


class Halver:
    """Stands in for a segmenter: cuts every word in the middle."""

    def split_parts(self, words: Iterable[str], **_: object) -> list[tuple[tuple[str, ...], float]]:
        return [(halves(word), 0.5) for word in words]


def halves(word: str) -> tuple[str, ...]:
    middle = len(word) // 2
    return tuple(part for part in (word[:middle], word[middle:]) if part)


def split_file(*arguments: object, load: Callable[[object], object] = lambda _: Halver()) -> None:
    split_corpus(build_parser().parse_args(["split-corpus", *map(str, arguments)]), load)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}
