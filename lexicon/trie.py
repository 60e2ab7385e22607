"""A static set of strings with a number for each: a marisa trie, or a plain dictionary where that is not installed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from lexicon.errors import LexiconError
from lexicon.marisa import read_strings

try:
    import marisa_trie
except ImportError:
    marisa_trie = None


class Trie(Protocol):
    """What the lexicon needs of a trie."""

    def get(self, key: str, default: int = -1) -> int:
        """Return the number of `key`, or `default`."""

    def restore_key(self, number: int) -> str:
        """Return the key that has the number."""

    def iter_prefixes_with_ids(self, text: str) -> Iterable[tuple[str, int]]:
        """Yield each key that `text` starts with, shortest first, with its number."""

    def items(self) -> Iterable[tuple[str, int]]:
        """Yield all keys with their numbers."""

    def __len__(self) -> int: ...

    def __contains__(self, key: object) -> bool: ...

    def __iter__(self) -> Iterator[str]: ...


class DictTrie:
    """The stand-in: a dictionary from key to number, and the longest key's length."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys = sorted(keys)
        self._ids = {key: i for i, key in enumerate(self._keys)}
        self._longest = max(map(len, self._ids), default=0)

    def get(self, key: str, default: int = -1) -> int:
        """See `Trie`."""
        return self._ids.get(key, default)

    def restore_key(self, number: int) -> str:
        """See `Trie`."""
        return self._keys[number]

    def iter_prefixes_with_ids(self, text: str) -> Iterable[tuple[str, int]]:
        """See `Trie`."""
        ids = self._ids
        prefixes = (text[:end] for end in range(1, min(len(text), self._longest) + 1))
        return [(prefix, ids[prefix]) for prefix in prefixes if prefix in ids]

    def items(self) -> Iterable[tuple[str, int]]:
        """See `Trie`."""
        return self._ids.items()

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, key: object) -> bool:
        return key in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)


def build_trie(keys: Iterable[str]) -> Trie:
    """Make a trie of distinct keys; the same keys give the same trie, in whatever order they come."""
    return DictTrie(keys) if marisa_trie is None else marisa_trie.Trie(sorted(keys))


def require_marisa() -> None:
    """Check that tries can be saved and loaded.

    Raises:
        LexiconError: marisa-trie is not installed.
    """
    if marisa_trie is None:
        raise LexiconError("saving and loading a lexicon need the package marisa-trie: pip install marisa-trie")


def save_trie(trie: Trie, path: Path) -> None:
    """Write a trie in marisa's own format.

    Raises:
        LexiconError: marisa-trie is not installed.
    """
    require_marisa()
    path.write_bytes(trie.tobytes())  # type: ignore[attr-defined]


def load_trie(content: bytes, path: Path, *, trusted: bool) -> Trie:
    """Read a trie in marisa's own format.

    marisa itself would follow a wrong number in a file out of its memory, so what comes from strangers never gets to
    it: the strings are read by `lexicon.marisa`, and the trie is built anew of them, some 2 s for a million strings.

    Args:
        content: the file's bytes.
        path: the file, for the message.
        trusted: marisa may read the bytes as they are.

    Raises:
        LexiconError: marisa-trie is not installed, or the bytes are no trie that it would make of these strings.
    """
    require_marisa()
    try:
        if trusted:
            return marisa_trie.Trie().frombytes(content)
        strings = read_strings(content)
        trie = build_trie(strings)
        if trie.tobytes() != content and [trie.get(string) for string in strings] != [*range(len(trie))]:  # type: ignore[attr-defined]
            raise ValueError("its strings are not numbered as marisa numbers them")
    except (RuntimeError, ValueError, MemoryError) as error:
        raise LexiconError(f"{path}: not a marisa trie ({error})") from None
    return trie
