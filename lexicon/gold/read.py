"""The files of the data set: tab-separated, a word a line."""

from dataclasses import dataclass
from pathlib import Path

from lexicon.errors import LexiconError
from lexicon.gold.annotation import Node, leaves, parse
from lexicon.textfile import entries, read_lines

FOLDER = Path(__file__).parent

COLUMNS = ("word", "annotation", "doubtful", "drawn", "part")


@dataclass(frozen=True, slots=True)
class GoldWord:
    """An annotated word.

    Attributes:
        word: in lower case.
        tree: its parts, bracketed.
        doubtful: two readings, or a rule that hardly fits.
        drawn: what it was drawn from, see the data set's README.
        part: "train" or "test".
    """

    word: str
    tree: Node
    doubtful: bool
    drawn: str
    part: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The parts as they stand in the word."""
        return tuple(leaf.text for leaf in leaves(self.tree))

    @property
    def cuts(self) -> tuple[int, ...]:
        """The inner cuts."""
        texts = self.texts
        return tuple(sum(map(len, texts[:i])) for i in range(1, len(texts)))

    @property
    def labels(self) -> list[int]:
        """0/1 for each character of the word: 1 for the last of a part (the contest's format)."""
        ends = {*self.cuts, len(self.word)}
        return [int(end in ends) for end in range(1, len(self.word) + 1)]


def read_gold(path: Path = FOLDER / "de.tsv") -> list[GoldWord]:
    """Read a file of the data set.

    Raises:
        LexiconError: it is missing or not UTF-8, or a line is wrong; the message has its number.
    """
    rows = list(entries(read_lines(path, "a table of annotated words", LexiconError)))
    if not rows or rows[0][1].split("\t") != list(COLUMNS):
        raise LexiconError(f"{path}: the first line should name the columns {', '.join(COLUMNS)}, with tabs between")
    words = []
    for number, line in rows[1:]:
        fields = line.split("\t")
        try:
            if len(fields) != len(COLUMNS):
                raise ValueError(f"{len(fields)} fields, should be {len(COLUMNS)}")
            word = GoldWord(fields[0], parse(fields[1]), fields[2] == "1", fields[3], fields[4])
            if "".join(word.texts) != word.word:
                raise ValueError(f"the parts {fields[1]} do not make up {word.word!r}")
            if word.part not in ("train", "test") or fields[2] not in ("0", "1"):
                raise ValueError("part is train or test, doubtful 0 or 1")
        except ValueError as error:
            raise LexiconError(f"{path}: line {number}: {error}") from None
        words.append(word)
    return words
