r"""The lexicon as a table that a person can read and edit: UTF-8, tab-separated, one string a line.

    # hybrid-segmenter lexicon 1
    string      initial medial final whole listed seen cuts
    autobahn    1       0      3     0     1      9    autobahn:1 auto|bahn:8

`initial` … `whole`: how often the string was a part in that role. `listed`: 1 if it is a word. `seen`: how often it
was the left stretch, all before a word's last part; `cuts`: how often it was left whole, or cut at each place.
The nets read these numbers too, as they were in training: where one is changed, those that go with it (`initial` and
`seen` of a modifier) should be changed alike.
In a string, `\\` `\t` `\n` `\r` `\s` `\p` `\h` stand for backslash, tab, line feed, carriage return, space, "|"
and "#". Empty lines and lines that begin with "#" are passed over.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lexicon.errors import LexiconError, quoted
from lexicon.mining import Counts
from lexicon.normalize import normalize
from lexicon.store import Lexicon
from lexicon.textfile import read_lines

HEADER = "# hybrid-segmenter lexicon 1"
COLUMNS = ("string", "initial", "medial", "final", "whole", "listed", "seen", "cuts")

MOST = 2**31 - 1
"""The largest count that a lexicon holds."""

_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", " ": "\\s", "|": "\\p", "#": "\\h"}
_PLAIN = {escape: character for character, escape in _ESCAPES.items()}


def export_lines(lexicon: Lexicon) -> Iterator[str]:
    """Yield the table's lines, without line ends, sorted by string."""
    counts = lexicon.to_counts()
    yield HEADER
    yield "\t".join(COLUMNS)
    for key in sorted({*counts.parts, *counts.listed, *counts.seen}):
        numbers = [*counts.parts.get(key, [0, 0, 0, 0]), int(key in counts.listed), counts.seen[key]]
        cuts = [f"{_split(key, at)}:{n}" for at, n in sorted(counts.cuts.get(key, Counter()).items())]
        yield "\t".join([_escape(key), *map(str, numbers), " ".join(cuts)])


def import_file(path: Path) -> Lexicon:
    """Read a table.

    Raises:
        LexiconError: the file is missing, not UTF-8, not such a table, or a line of it is wrong; the message has the
            line's number.
    """
    lines = read_lines(path, "a table that `hybrid lexicon export` wrote", LexiconError)
    if lines[0] != HEADER:
        raise LexiconError(f"{path}: line 1 should be {HEADER!r}")
    if lines[1:2] != ["\t".join(COLUMNS)]:
        raise LexiconError(f"{path}: line 2 should name the columns {', '.join(COLUMNS)}, with tabs between")
    return Lexicon.from_counts(_read_rows(path, lines[2:]))


def _read_rows(path: Path, lines: Iterable[str]) -> Counts:
    counts, seen_at = Counts(), dict[str, int]()  # string → its line
    for number, line in enumerate(lines, 3):
        if not line or line.startswith("#"):
            continue
        try:
            key = _read_key(line)
            if key in seen_at:
                raise ValueError(f"{quoted(key)} stands on line {seen_at[key]} already")
            _read_numbers(line, key, counts)
        except ValueError as error:
            raise LexiconError(f"{path}: line {number}: {error}") from None
        seen_at[key] = number
    return counts


def _read_key(line: str) -> str:
    """Return a line's string."""
    key = _unescape(line.split("\t", maxsplit=1)[0])
    if not key:
        raise ValueError("an empty string; each line begins with a word or part")
    if unicodedata.normalize("NFC", key).lower() != key:
        raise ValueError(f"{quoted(key)} should be {quoted(normalize(key).text)}: lower case, umlauts composed (NFC)")
    return key


def _read_numbers(line: str, key: str, counts: Counts) -> None:
    """Enter a line's numbers into `counts`."""
    fields = line.split("\t")
    if len(fields) == len(COLUMNS) - 1:  # editors strip a last empty field together with its tab
        fields.append("")
    if len(fields) != len(COLUMNS):
        raise ValueError(f"{len(fields)} fields, should be {len(COLUMNS)} with tabs between")
    by_role = [_number(name, field) for name, field in zip(COLUMNS[1:5], fields[1:5], strict=True)]
    if any(by_role):
        counts.parts[key] = by_role
    if fields[5] not in ("0", "1"):
        raise ValueError(f"listed is {quoted(fields[5])}, should be 0 or 1")
    if fields[5] == "1":
        counts.listed.add(key)
    seen = _number("seen", fields[6])
    if seen:
        counts.seen[key] = seen
    for item in fields[7].split(" ") if fields[7] else ():
        cut, times = _read_cut(item, key)
        if cut in counts.cuts.get(key, {}):
            raise ValueError(f"cut {quoted(item)} stands on this line twice")
        if times > seen:
            raise ValueError(f"cut {quoted(item)} more often than the {seen} times the string was seen")
        counts.cuts[key][cut] = times


def _read_cut(item: str, key: str) -> tuple[int, int]:
    split, _, times = item.rpartition(":")
    left, bar, right = split.partition("|")
    left, right = _unescape(left), _unescape(right)
    if left + right != key or bool(bar) != bool(left and right):
        raise ValueError(
            f"cut {quoted(item)} should be {quoted(key)}, whole or with one | inside, a colon and a number"
        )
    return len(left) if bar else 0, _number("a cut's number", times)


def _split(key: str, at: int) -> str:
    return f"{_escape(key[:at])}|{_escape(key[at:])}" if at else _escape(key)


def _number(name: str, field: str) -> int:
    if not re.fullmatch("[0-9]{1,10}", field) or int(field) > MOST:
        raise ValueError(f"{name} is {quoted(field)}, should be a whole number from 0 to {MOST}")
    return int(field)


def _escape(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)


def _unescape(text: str) -> str:
    def plain(match: re.Match[str]) -> str:
        if match[0] not in _PLAIN:
            raise ValueError(f"{match[0]!r} is no escape; a backslash itself is written twice")
        return _PLAIN[match[0]]

    return re.sub(r"\\.?", plain, text)
