"""The lexicon at rest: one trie of every string that means something, and numpy columns by its numbers."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from lexicon.checksums import check_files, file_list
from lexicon.errors import LexiconError
from lexicon.headers import read_header
from lexicon.inventory import Inventory
from lexicon.mining import Counts
from lexicon.trie import Trie, build_trie, load_trie, save_trie

FORMAT = "hybrid-segmenter lexicon"
VERSION = 2
"""1 had no dictionary; it is still read."""

_COLUMNS = {"parts": np.int32, "listed": np.int32, "shortened": np.int32, "seen": np.int32,
            "cut_ptr": np.int64, "cut_at": np.int32, "cut_count": np.int32}  # fmt: skip


HEADER, TRIE, DICTIONARY = "lexicon.json", "strings.marisa", "dictionary.marisa"

FILES = (TRIE, *(f"{name}.npy" for name in _COLUMNS))
"""All files of a saved lexicon of version 1 but its header, which notes their checksums; version 2 has a dictionary."""


@dataclass(frozen=True)
class Lexicon:
    """Counts of K strings, in arrays.

    Attributes:
        trie: string → its number, 0 … K − 1.
        parts: (K, 4) int32, how often the string was a part in each role.
        listed: (K,) int32, 1 if the string is a word known to exist.
        shortened: (K,) int32, how many listed words give it by losing an ending.
        seen: (K,) int32, how often it was a left stretch.
        cut_ptr: (K + 1,) int64; the cuts of string k are at cut_ptr[k] … cut_ptr[k + 1] of the next two.
        cut_at: (R,) int32, where left stretches were cut, ascending within a string; 0 stands for left whole.
        cut_count: (R,) int32, how often it was cut there.
        dictionary: words of a general dictionary; what is mined from split words knows nothing of them.
    """

    trie: Trie
    parts: NDArray[np.int32]
    listed: NDArray[np.int32]
    shortened: NDArray[np.int32]
    seen: NDArray[np.int32]
    cut_ptr: NDArray[np.int64]
    cut_at: NDArray[np.int32]
    cut_count: NDArray[np.int32]
    dictionary: Trie

    @classmethod
    def from_counts(cls, counts: Counts, dictionary: Trie | None = None) -> "Lexicon":
        """Lay counts out in arrays; equal counts give equal bytes."""
        shortened = counts.shortened()
        trie = build_trie({*counts.parts, *counts.listed, *counts.seen, *shortened})
        size = len(trie)
        keys = [""] * size
        for key in trie:
            keys[trie.get(key)] = key
        cuts = [sorted(counts.cuts[key].items()) if key in counts.cuts else [] for key in keys]
        flat = [pair for of_key in cuts for pair in of_key]
        return cls(
            trie=trie,
            parts=np.array([counts.parts.get(key, (0, 0, 0, 0)) for key in keys], np.int32).reshape(size, 4),
            listed=np.array([key in counts.listed for key in keys], np.int32),
            shortened=np.array([shortened[key] for key in keys], np.int32),
            seen=np.array([counts.seen[key] for key in keys], np.int32),
            cut_ptr=np.concatenate([[0], np.cumsum([len(c) for c in cuts], dtype=np.int64)]).astype(np.int64),
            cut_at=np.array([at for at, _ in flat], np.int32),
            cut_count=np.array([count for _, count in flat], np.int32),
            dictionary=build_trie(()) if dictionary is None else dictionary,
        )

    def to_counts(self) -> Counts:
        """Return the counts again; `Lexicon.from_counts(x.to_counts(), x.dictionary)` equals `x`."""
        counts = Counts()
        for key in self.trie:
            k = self.trie.get(key)
            if self.parts[k].any():
                counts.parts[key] = [int(n) for n in self.parts[k]]
            if self.listed[k]:
                counts.listed.add(key)
            if self.seen[k]:
                counts.seen[key] = int(self.seen[k])
            for r in range(self.cut_ptr[k], self.cut_ptr[k + 1]):
                counts.cuts[key][int(self.cut_at[r])] = int(self.cut_count[r])
        return counts

    def with_listed(self, words: Iterable[str]) -> "Lexicon":
        """Return a lexicon whose inventory also has these words, given in lookup form."""
        counts = self.to_counts()
        counts.listed.update(word for word in words if word)
        return Lexicon.from_counts(counts, self.dictionary)

    @cached_property
    def inventory(self) -> Inventory:
        """The listed words, sorted at the first call."""
        return Inventory(key for key in self.trie if self.listed[self.trie.get(key)])

    def __len__(self) -> int:
        return len(self.listed)

    def save(self, folder: Path) -> None:
        """Write the lexicon's files into an existing folder.

        Raises:
            LexiconError: marisa-trie is not installed.
            OSError: a file can't be written.
        """
        save_trie(self.trie, folder / TRIE)
        save_trie(self.dictionary, folder / DICTIONARY)
        for name in _COLUMNS:
            np.save(folder / f"{name}.npy", getattr(self, name), allow_pickle=False)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "strings": len(self),
            "files": file_list(folder, [*FILES, DICTIONARY]),
        }
        (folder / HEADER).write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "Lexicon":
        """Read a lexicon from the folder it was saved in.

        Raises:
            LexiconError: a file is missing or damaged, of another format or of a newer version.
        """
        header = read_header(folder / HEADER, FORMAT, VERSION)
        check_files(folder, header.get("files"), FILES if header["version"] == 1 else [*FILES, DICTIONARY])
        columns: dict[str, Any] = {name: _read_column(folder / f"{name}.npy", kind) for name, kind in _COLUMNS.items()}
        dictionary = build_trie(()) if header["version"] == 1 else load_trie(folder / DICTIONARY)
        lexicon = cls(trie=load_trie(folder / TRIE), **columns, dictionary=dictionary)
        lexicon._check(folder, header)
        return lexicon

    def _check(self, folder: Path, header: dict[str, Any]) -> None:
        size, cuts = len(self.trie), len(self.cut_at)
        shapes = {"parts": (size, 4), "listed": (size,), "shortened": (size,), "seen": (size,),
                  "cut_ptr": (size + 1,), "cut_at": (cuts,), "cut_count": (cuts,)}  # fmt: skip
        if header.get("strings") != size:
            raise LexiconError(f"{folder}: {HEADER} tells of {header.get('strings')} strings, the trie has {size}")
        for name, shape in shapes.items():
            column = getattr(self, name)
            if column.shape != shape:
                raise LexiconError(f"{folder / name}.npy: shape {column.shape}, should be {shape}")
            if (column < 0).any():
                raise LexiconError(f"{folder / name}.npy: holds a number below 0")
        if self.cut_ptr[0] != 0 or self.cut_ptr[-1] != cuts or (np.diff(self.cut_ptr) < 0).any():
            raise LexiconError(f"{folder / 'cut_ptr.npy'}: does not rise from 0 to {cuts}")
        lengths = np.zeros(size, np.int64)
        for key in self.trie:
            lengths[self.trie.get(key)] = len(key)
        if (self.cut_at >= np.repeat(lengths, np.diff(self.cut_ptr))).any():
            raise LexiconError(f"{folder / 'cut_at.npy'}: a cut beyond its string")


def _read_column(path: Path, kind: type) -> Any:
    try:
        column = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError, OverflowError, MemoryError, BadZipFile) as error:
        raise LexiconError(f"{path}: damaged ({str(error)[:80]})") from None
    if not isinstance(column, np.ndarray) or column.dtype != kind or not column.ndim:
        raise LexiconError(f"{path}: should hold an array of {np.dtype(kind)}")
    return column
