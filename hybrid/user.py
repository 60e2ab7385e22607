"""A user's own words: a dictionary that adds a column to the lattice, words always cut so, words never cut."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np

from hybrid.errors import DataError
from hybrid.given import list_of_strings
from hybrid.limits import LONGEST_WORD
from lexicon import LookupForm, normalize
from lexicon.errors import quoted, shown
from lexicon.once import made_once
from lexicon.respelling import respell
from lexicon.textfile import entries, read_lines
from lexicon.trie import Trie, build_trie

WEIGHT = 10.0
"""Nats that an entry is worth where none are given: more than the model is ever sure by, short of certainty."""

LARGEST_WEIGHT = 1000.0

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the user's: its inner cuts (none: it stays whole) and the nats that its parts are worth together."""

    cuts: tuple[int, ...] = ()
    weight: float = WEIGHT


@dataclass(frozen=True)
class UserDictionary:
    """What a user knows better; keys are lookup forms. Make it with `make` or `read`.

    Attributes:
        entries: words that count as parts wherever they stand, or as the parts given.
        always: whole words with their cuts.
        never: whole words that are left whole.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    always: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    never: frozenset[str] = frozenset()

    @classmethod
    def make(
        cls,
        entries: Mapping[str, float] | Iterable[str] = (),
        *,
        always: Iterable[str] = (),
        never: Iterable[str] = (),
    ) -> "UserDictionary":
        """Make one of words with their parts written out: `Anschluss|stelle`; a word without "|" is one part.

        Args:
            entries: words, or words with their weights in nats.
            always: words that are cut just so.
            never: words that are left whole.

        Raises:
            DataError: a word is empty, has an empty part, or is given twice in different ways; a weight is no number
                from −1000 to 1000.
            TypeError: a list is a single string, or holds what is no string.
        """
        weights = (
            entries if isinstance(entries, Mapping) else dict.fromkeys(list_of_strings("entries", entries), WEIGHT)
        )
        rows = [(word, *_parse(word), weight) for word, weight in weights.items()]
        checked = _unique([(quoted(word), text, Entry(cuts, _weight(weight))) for word, text, cuts, weight in rows])
        fixed = _unique([(quoted(word), *_parse(word)) for word in list_of_strings("always", always)])
        whole = {_parse(word)[0]: quoted(word) for word in list_of_strings("never", never)}
        return cls._checked(checked, fixed, whole)

    @classmethod
    def read(
        cls, entries: Path | str | None = None, *, always: Path | str | None = None, never: Path | str | None = None
    ) -> "UserDictionary":
        """Read files in UTF-8; empty lines and those that begin with "#" are passed over.

        Args:
            entries: TSV, a line `word`, `word TAB parts` or `word TAB parts TAB weight`; parts are joined by "|", and
                where they are empty the word is one part.
            always: a line a word, its parts joined by "|"; or `word TAB parts`.
            never: a line a word.

        Raises:
            DataError: a file is missing or not UTF-8, or a line is wrong; the message has its number.
        """
        rows = _read_entries(Path(always), 2) if always else []
        return cls._checked(
            _unique(_read_entries(Path(entries), 3)) if entries else {},
            _unique([(where, text, entry.cuts) for where, text, entry in rows]),
            {text: where for where, text, _ in (_read_entries(Path(never), 1) if never else ())},
        )

    @classmethod
    def _checked(
        cls, entries: Mapping[str, Entry], always: Mapping[str, tuple[int, ...]], never: Mapping[str, str]
    ) -> "UserDictionary":
        """Return the dictionary; `never` says where each word stands.

        Raises:
            DataError: a word is both to be cut always and never.
        """
        if both := sorted(always.keys() & never.keys()):
            raise DataError(f"{never[both[0]]}: {quoted(both[0])} is never to be cut, and always too")
        return cls(entries, always, frozenset(never))

    def updated(self, other: "UserDictionary") -> "UserDictionary":
        """Return this dictionary with another one's words beside its own, or in place of what is here of the same."""
        told = other.never.union(other.always)
        always = {word: cuts for word, cuts in self.always.items() if word not in told}
        return UserDictionary(
            {**self.entries, **other.entries}, {**always, **other.always}, (self.never - told) | other.never
        )

    def cuts_of(self, form: LookupForm, corrections: Mapping[str, tuple[int, ...]]) -> tuple[int, ...] | None:
        """Return the cuts that `always` and `never`, or else a model's corrections, give a word; None: nothing is told.

        An entry sets its word's correction aside.
        """
        if form.text in self.never:
            return ()
        cuts = self.always.get(form.text)
        if cuts is None and form.text not in self.entries:
            cuts = corrections.get(form.text)
        return cuts

    def touches(self, text: str) -> bool:
        """Return whether an entry stands in a word."""
        return bool(self.entries) and any(
            True for start in range(len(text)) for _ in self._trie.iter_prefixes_with_ids(text[start:])
        )

    @made_once
    def _trie(self) -> Trie:
        return build_trie(self.entries)

    def respelt(self, words: Trie) -> "UserDictionary":
        """Return the dictionary in the spelling that the known words have, as words to be split are looked up.

        Raises:
            DataError: two words that differ only in spelling contradict one another; a cut would part two letters that
                are read as one.
        """
        entries = [
            (quoted(text), _respelt(text, entry.cuts, words), entry.weight) for text, entry in self.entries.items()
        ]
        always = [(quoted(text), *_respelt(text, cuts, words)) for text, cuts in self.always.items()]
        return self._checked(
            _unique([(where, text, Entry(cuts, weight)) for where, (text, cuts), weight in entries]),
            _unique(always),
            {_respelt(text, (), words)[0]: quoted(text) for text in self.never},
        )


def _parse(written: str, word: str | None = None) -> tuple[str, tuple[int, ...]]:
    """Return the lookup form and the inner cuts of a word written as parts.

    Raises:
        DataError: a part is empty, or the parts are not those of `word`.
    """
    parts = [normalize(part).text for part in written.split("|")]
    if not all(parts):
        raise DataError(f"{quoted(written)} has an empty part; parts are joined by one | each")
    text = "".join(parts)
    if word is not None and normalize(word).text != text:
        raise DataError(f"the parts {quoted(written)} do not make up {quoted(word)}")
    ends = np.cumsum([len(part) for part in parts]).tolist()
    return text, tuple(ends[:-1])


def _respelt(text: str, cuts: tuple[int, ...], words: Trie) -> tuple[str, tuple[int, ...]]:
    if len(text) > LONGEST_WORD:
        return text, cuts
    form = respell(LookupForm(text, tuple(range(len(text) + 1))), words)
    nodes = tuple(node for cut in cuts if (node := form.node(cut)) is not None)
    if len(nodes) < len(cuts):
        raise DataError(f"{quoted(text)} is read as {quoted(form.text)}; a cut would fall inside a letter of that")
    return form.text, nodes


def _weight(weight: object) -> float:
    try:
        value = float(weight)  # type: ignore[arg-type]
    except (ValueError, TypeError, OverflowError):
        value = math.nan
    if not abs(value) <= LARGEST_WEIGHT:
        raise DataError(
            f"weight {shown(weight)}; a number of nats from -{LARGEST_WEIGHT:.0f} to {LARGEST_WEIGHT:.0f} is right"
        )
    return value


def _read_entries(path: Path, columns: int) -> list[tuple[str, str, Entry]]:
    """Return (file and line, lookup form, entry) of each line, which has so many columns at most."""
    rows = []
    for number, line in entries(read_lines(path, "a text file with a word a line", DataError)):
        fields = [field.strip() for field in line.split("\t")]
        try:
            while fields[1:] and not fields[-1]:
                del fields[-1]
            if len(fields) > columns:
                right = ("a word", "a word and parts", "word, parts and weight")[columns - 1]
                raise DataError(f"{len(fields)} fields with tabs between; {right}, and no more, is right")
            if not fields[0]:
                raise DataError("no word; each line begins with one")
            parts = fields[1] if len(fields) > 1 and fields[1] else None
            text, cuts = _parse(parts or fields[0], fields[0].replace("|", "") if parts else None)
            rows.append((f"{path}: line {number}", text, Entry(cuts, _weight(fields[2]) if fields[2:] else WEIGHT)))
        except DataError as error:
            raise DataError(f"{path}: line {number}: {error}") from None
    return rows


def _unique(rows: Iterable[tuple[str, str, Value]]) -> dict[str, Value]:
    """Return lookup form → value.

    Raises:
        DataError: a word is given twice in different ways.
    """
    first: dict[str, tuple[str, Value]] = {}
    for where, text, value in rows:
        if text in first and first[text][1] != value:
            raise DataError(f"{where}: {quoted(text)} is given another way than in {first[text][0]}")
        first.setdefault(text, (where, value))
    return {text: value for text, (_, value) in first.items()}
