"""Damaged user dictionaries, word lists, contest files and lexicon tables for `tests.hostile`."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from hybrid import DataError, Segmenter, UserDictionary
from hybrid.datasets import read_labelled, read_predictions, read_word_list, read_words
from hybrid.metrics import evaluate
from hybrid.submission import to_json
from lexicon import Lexicon, LexiconError
from lexicon.tsv import COLUMNS, HEADER, export_lines, import_file

ENTRIES = """\ufeff# own words\r\nHaus\tHaus\t5\r\nSteuerID\tSteuer|ID\nOst-see\tOst|see\t-2.5\n\n  Ei \t\t1e1\n
Straßen|bahn\nStrasse\nHaustu\u0308r\tHaus|tu\u0308r\t1000\nAuto|bahn|an|schluss\n"""

WORDS = "Haus|tür\nWachs|tube\n# so\nOst\r\n\u00adEi\nStrassenbahn\nE\u0301|mail-Adresse\n"

LABELS = '{"Haustür":[0,0,0,1,0,0,1],"Ei": [0,1],\n"u\u0308ber":[0,0,0,0,1],"Strasse":[],"\\u00e4b\\ud800":[1,0,1]}'

ROWS = ["auto\t1\t0\t0\t0\t1\t2\tau|to:2", "# x", "bahn\t0\t2147483647\t1\t0\t1\t0\t",
        "auto\\sbahn\t1\t0\t3\t0\t1\t9\tauto\\sbahn:1 auto\\s|bahn:8", ""]  # fmt: skip

TABLE = "\n".join([HEADER, "\t".join(COLUMNS), *ROWS])

CHARACTERS = ["\0", "\ufeff", "\r", "\n", "\r\n", "\t", "|", "||", "|\t|", "#", " ", "\\", "\\n", "\\ud800", "\\u0000",
              "\\udc00\\ud800", "\u0308", "\u00ad", "-", "\u2028", "\x1b[31m", "\x85", "1e400", "NaN", "-Infinity",
              "9" * 5000, "9" * 30, "[" * 3000,
              '{"x":' * 3000, "]", "}", "{}", "[[1]]", "null", "true", "0.5", "-0", '"',
              "PK", "x" * 1500, "ab|" * 700, "a\u0308" * 2000, "nan", "inf", "1_0", "\uff11", "\u017f", "\u0130",
              "\U0001f468\u200d\U0001f469", "\u0600"]  # fmt: skip

TOKENS = [*(text.encode() for text in CHARACTERS), b"\xff", b"\xed\xa0\x80", b"\xc2", b"\xf4\x90\x80\x80", b"\xc0\x80"]
"""Put into a file anywhere."""


def damage(content: bytes, chance: random.Random) -> bytes:
    """Return a file with a byte flipped, cut short, or with tokens put in, some of them in place of others."""
    how = chance.choice(["flip", "cut", "tokens", "tokens", "lines"])
    at = chance.randrange(len(content))
    if how == "flip":
        return content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]
    if how == "cut":
        return content[:at]
    if how == "lines":
        lines = content.split(b"\n")
        return b"\n".join(chance.choices(lines, k=chance.choice([1, 3, 300])))
    for _ in range(chance.choice([1, 1, 2, 5])):
        at, gone = chance.randrange(len(content) + 1), chance.choice([0, 0, 1, 3])
        content = content[:at] + chance.choice(TOKENS) + content[at + gone :]
    return content


@cache
def default() -> Segmenter:
    """Return the default model's segmenter."""
    return Segmenter.load(device="cpu")


def use(user: UserDictionary) -> None:
    """Split words with a user's own."""
    segmenter = default().with_user(user)
    for word in [*list(user.entries)[:2], *list(user.always)[:2], *list(user.never)[:1], "Haustürschlüssel"]:
        segmenter.split(word)
    segmenter.split_parts(["Straßenbahn", "Autobahnanschluss", "Ei"])


def _table(path: Path) -> None:
    lexicon = import_file(path)
    lines = [*export_lines(lexicon)]
    path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
    if [*export_lines(import_file(path))] != lines:
        raise AssertionError("a table that does not come back")
    folder = path.with_suffix(".lexicon")
    folder.mkdir(exist_ok=True)
    lexicon.save(folder)
    Lexicon.load(folder)


def _scored(path: Path) -> None:
    gold = read_labelled(path)
    to_json(gold)
    if evaluate(gold, gold).f1 != 1:
        raise AssertionError("labels that are not right against themselves")
    default().probabilities({word: labels for word, labels in gold.items() if len(word) < 50})


READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "entries": (ENTRIES, lambda path: use(UserDictionary.read(path))),
    "always": (WORDS, lambda path: use(UserDictionary.read(always=path))),
    "never": (WORDS.replace("|", ""), lambda path: use(UserDictionary.read(never=path))),
    "both": (WORDS, lambda path: use(UserDictionary.read(path, always=path))),
    "list": (WORDS, read_word_list),
    "labelled": (LABELS.replace('"Strasse":[],', ""), _scored),
    "words": (LABELS, read_words),
    "predictions": (LABELS, lambda path: to_json(read_predictions(path))),
    "table": (TABLE, _table),
}


def make_user(words: list[str]) -> None:
    """Make a dictionary of any strings and use it."""
    use(UserDictionary.make(words, always=words[:1], never=words[2:]))


def _try(run: Callable[[], object], where: str) -> None:
    """Read and use; an error of one line that names the file is as good."""
    from tests.hostile import require_line

    try:
        run()
    except (DataError, LexiconError) as error:
        require_line(error)
        if not str(error).startswith(where) and "another way" not in str(error) and "is read as" not in str(error):
            raise AssertionError(f"no file in {error}") from error


def try_data(scratch: Path) -> Callable[[int, random.Random], tuple[str, Callable[[], None]]]:
    """Return what makes the trials, in a folder for files."""

    def work(number: int, chance: random.Random) -> tuple[str, Callable[[], None]]:
        name = [*READERS][number % len(READERS)]
        content, read = READERS[name]
        path = scratch / f"{name}.txt"
        damaged = damage(content.encode(), chance)
        path.write_bytes(damaged)
        words = [text.decode("utf-8", "surrogateescape") for text in chance.choices([*TOKENS, *damaged.split()], k=3)]

        def trial() -> None:
            for run, where in ((lambda: read(path), str(path)), (lambda: make_user(words), "")):
                _try(run, where)

        return f"{name} {damaged[:60]!r}", trial

    return work
