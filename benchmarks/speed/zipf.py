"""Running text as long as one likes: words drawn by Zipf's law, or a file as it is."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np

import hybrid
from hybrid.errors import DataError
from lexicon.dictionary import read_nouns
from lexicon.dictionary.lists import read_frequent

LINE = 20
"""Words of a line."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is made, or read, block by block, the same each time.

    Attributes:
        name: as it stands in the tables.
        path: the file it is in; None: it is drawn.
        tail: the words of the model's dictionary come after the frequent ones.
        tokens: about how many words; of a file, None: all.
        seed: for what is drawn.
    """

    name: str
    path: Path | None = None
    tail: bool = False
    tokens: int | None = None
    seed: int = 0

    def blocks(self, lines: int) -> Iterator[list[str]]:
        """Yield blocks of so many lines.

        Raises:
            DataError: the file can't be read, or is not UTF-8.
            ImportError: the package with the frequent words is not installed.
        """
        if self.path is not None:
            return _file_blocks(self.path, self.tokens, lines)
        assert self.tokens is not None
        return zipf_blocks(vocabulary(self.tail, self.seed), self.tokens, lines=lines, seed=self.seed)


def file_text(path: Path, tokens: int | None) -> Text:
    """Return the text in a file, which is read once to see that it can be.

    Raises:
        DataError: it can't, is not UTF-8, or holds no word.
    """
    text = Text(path.name, path, tokens=tokens)
    if not sum(map(count_tokens, text.blocks(10_000))):
        raise DataError(f"{path}: holds no word; running text is needed")
    return text


def zipf_blocks(words: Sequence[str], tokens: int, *, lines: int, seed: int) -> Iterator[list[str]]:
    """Yield blocks of lines of `LINE` words with a full stop; the word of rank r has probability ~ 1 / r.

    Args:
        words: the commonest first.
        tokens: how many words in all; the last line may be shorter.
        lines: of a block.
        seed: for the drawing.
    """
    rng = np.random.default_rng(seed)
    table = np.array(words, object)
    up_to = np.cumsum(1 / np.arange(1, len(words) + 1))
    for at in range(0, tokens, lines * LINE):
        wanted = min(lines * LINE, tokens - at)
        drawn = np.searchsorted(up_to, rng.random(wanted) * up_to[-1], side="right")
        block = table[np.minimum(drawn, len(words) - 1)].tolist()
        yield [" ".join(block[i : i + LINE]) + "." for i in range(0, wanted, LINE)]


@cache
def vocabulary(tail: bool, seed: int) -> list[str]:
    """Return frequent words by band, within a band in an order drawn by the seed; then, with `tail`, the dictionary's.

    Raises:
        ImportError: the package with the frequent words is not installed.
    """
    frequent = sorted(read_frequent().items())
    rng = random.Random(seed)
    rng.shuffle(frequent)
    found = [word for word, _ in sorted(frequent, key=lambda entry: entry[1])]
    if tail:
        known = set(found)
        rest = sorted(word for word in hybrid.load(device="cpu").model.lexicon.dictionary if word not in known)
        rng.shuffle(rest)
        found += rest
    capitals = set(read_nouns())
    return [word[:1].upper() + word[1:] if word in capitals else word for word in found]


def _file_blocks(path: Path, tokens: int | None, lines: int) -> Iterator[list[str]]:
    seen = 0
    try:
        with path.open(encoding="utf-8-sig") as file:
            while block := [line.rstrip("\n") for line in islice(file, lines)]:
                yield block
                seen += count_tokens(block)
                if tokens is not None and seen >= tokens:
                    return
    except OSError as error:
        raise DataError(f"{path}: can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8: {error.reason}; save it as UTF-8") from None


def count_tokens(lines: Sequence[str]) -> int:
    """Return the number of stretches between blanks."""
    return sum(len(line.split()) for line in lines)
