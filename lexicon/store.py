"""The lexicon at rest: one trie of every string that means something, and numpy columns by its numbers."""

import json
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lexicon.arrays import read_archive, read_array
from lexicon.checksums import file_list, read_files
from lexicon.errors import LexiconError, shown
from lexicon.headers import read_header
from lexicon.inventory import Inventory
from lexicon.mining import Counts
from lexicon.once import made_once, without_made
from lexicon.trie import Trie, build_trie, load_trie, save_trie

FORMAT = "hybrid-segmenter lexicon"
VERSION = 3
"""1 had no dictionary, 2 a file of its own for each column; both are still read."""

_COLUMNS = {"parts": np.int32, "listed": np.int32, "shortened": np.int32, "seen": np.int32,
            "cut_ptr": np.int64, "cut_at": np.int32, "cut_count": np.int32}  # fmt: skip


HEADER, TRIE, DICTIONARY, COLUMNS = "lexicon.json", "strings.marisa", "dictionary.marisa", "columns.npz"

_NOUN = "noun"
"""Among the columns: the dictionary's nouns, as bits."""

_MOST_CUTS = 4
"""Cuts for each string and a thousand more, on average: no lexicon comes near, and a crafted one can't ask for more
memory. The shipped one has 0.08."""


def required_files(version: int) -> tuple[str, ...]:
    """Return the files of a saved lexicon but for its header, which notes their checksums."""
    if version >= 3:
        return (TRIE, DICTIONARY, COLUMNS)
    columns = [f"{name}.npy" for name in _COLUMNS]
    return (TRIE, *columns) if version == 1 else (TRIE, *columns, DICTIONARY)


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
        noun: (D,) bool, by the dictionary's numbers, the word is a noun's dictionary form; None: all are.
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
    noun: NDArray[np.bool_] | None = None

    @classmethod
    def from_counts(
        cls, counts: Counts, dictionary: Trie | None = None, noun: NDArray[np.bool_] | None = None
    ) -> "Lexicon":
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
            noun=noun,
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
        return Lexicon.from_counts(counts, self.dictionary, self.noun)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made anew."""
        return without_made(self)

    @made_once
    def nouns(self) -> "Nouns":
        """The dictionary's nouns."""
        return Nouns(self)

    @made_once
    def inventory(self) -> Inventory:
        """The listed words, sorted at the first call."""
        listed = self.listed.tolist()
        return Inventory([key for key, number in self.trie.items() if listed[number]])

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
        columns = {name: getattr(self, name) for name in _COLUMNS}
        if self.noun is not None:
            columns[_NOUN] = np.packbits(self.noun)
        np.savez_compressed(folder / COLUMNS, **columns)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "strings": len(self),
            "files": file_list(folder, required_files(VERSION)),
        }
        (folder / HEADER).write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, *, trusted: Container[str] = (), own: bool = False) -> "Lexicon":
        """Read a lexicon from the folder it was saved in, which may come from strangers.

        Args:
            folder: the folder.
            trusted: SHA-256 of tries that need no checks, and load at once; see `saved_tries`.
            own: the folder is the program's own, whose files may be links.

        Raises:
            LexiconError: a file is missing or damaged, of another format or of a newer version.
        """
        header = read_header(folder / HEADER, FORMAT, VERSION, own=own)
        version = header["version"]
        files: Any = header.get("files")
        contents = read_files(folder, files, required_files(version), own=own)
        trie, dictionary = (
            load_trie(contents[name], folder / name, trusted=files[name]["sha256"] in trusted)
            if name in contents
            else build_trie(())
            for name in (TRIE, DICTIONARY)
        )
        columns: dict[str, Any] = {_NOUN: None}
        if version < 3:
            columns |= {name: read_array(contents[f"{name}.npy"], folder / f"{name}.npy", kind)
                        for name, kind in _COLUMNS.items()}  # fmt: skip
        else:
            columns |= _read_columns(contents[COLUMNS], folder / COLUMNS, len(trie), len(dictionary))
        lexicon = cls(trie=trie, **columns, dictionary=dictionary)
        lexicon._check(folder, header)
        return lexicon

    def _check(self, folder: Path, header: dict[str, Any]) -> None:
        size, cuts = len(self.trie), len(self.cut_at)
        shapes = {"parts": (size, 4), "listed": (size,), "shortened": (size,), "seen": (size,),
                  "cut_ptr": (size + 1,), "cut_at": (cuts,), "cut_count": (cuts,)}  # fmt: skip
        if header.get("strings") != size:
            raise LexiconError(
                f"{folder}: {HEADER} tells of {shown(header.get('strings'))} strings, the trie has {size}"
            )
        for name, shape in shapes.items():
            column = getattr(self, name)
            if column.shape != shape:
                raise LexiconError(f"{folder}: column {name}: shape {column.shape}, should be {shape}")
            if (column < 0).any():
                raise LexiconError(f"{folder}: column {name}: holds a number below 0")
        if self.cut_ptr[0] != 0 or self.cut_ptr[-1] != cuts or (np.diff(self.cut_ptr) < 0).any():
            raise LexiconError(f"{folder}: column cut_ptr: does not rise from 0 to {cuts}")
        cuts_of = np.diff(self.cut_ptr)
        stretches = np.flatnonzero(cuts_of)
        lengths = np.array([len(self.trie.restore_key(k)) for k in stretches.tolist()], np.int64)
        if (self.cut_at >= np.repeat(lengths, cuts_of[stretches])).any():
            raise LexiconError(f"{folder}: column cut_at: a cut beyond its string")


class Nouns:
    """The nouns of a lexicon's dictionary: `word in nouns`.

    Args:
        lexicon: whose dictionary is asked.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._dictionary, self._noun = lexicon.dictionary, lexicon.noun

    def __contains__(self, word: object) -> bool:
        number = self._dictionary.get(word, -1) if isinstance(word, str) else -1
        return number >= 0 and (self._noun is None or bool(self._noun[number]))


def _read_columns(content: bytes, path: Path, strings: int, words: int) -> dict[str, Any]:
    """Return the columns; what they take in memory is bounded by the tries' sizes before anything is unpacked."""
    cuts = 4 * _MOST_CUTS * (strings + 1024)
    most = {"parts": 16 * strings, "listed": 4 * strings, "shortened": 4 * strings, "seen": 4 * strings,
            "cut_ptr": 8 * (strings + 1), "cut_at": cuts, "cut_count": cuts, _NOUN: (words + 7) // 8}  # fmt: skip
    columns = read_archive(content, path, {**_COLUMNS, _NOUN: np.uint8}, most)
    if missing := sorted(set(_COLUMNS) - set(columns)):
        raise LexiconError(f"{path}: damaged: there is no column {missing[0]}")
    if _NOUN in columns:
        if columns[_NOUN].shape != ((words + 7) // 8,):
            raise LexiconError(f"{path}: nouns of {columns[_NOUN].shape} bytes, should be {(words + 7) // 8}")
        columns[_NOUN] = np.unpackbits(columns[_NOUN], count=words).astype(bool)
    return columns


def saved_tries(folder: Path) -> frozenset[str]:
    """Return the SHA-256 of the tries in a folder of the program's own; none where there is no lexicon."""
    try:
        files = read_header(folder / HEADER, FORMAT, VERSION, own=True)["files"]
    except LexiconError:
        return frozenset()
    return frozenset(files[name]["sha256"] for name in (TRIE, DICTIONARY))
