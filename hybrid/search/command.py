"""What `hybrid export-search` does: reads a vocabulary, splits it, and writes the files, all of them or none."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hybrid import stdin
from hybrid.atomic import is_stream, real_path, require_writable, whole_folder
from hybrid.errors import DataError
from hybrid.search.arguments import MAX_SUBWORD, MIN_SUBWORD, MIN_WORD
from hybrid.search.compound_filter import Sizes
from hybrid.search.compounds import split_compounds
from hybrid.search.lowercase import whole
from hybrid.search.report import Rules, next_step, rules_report, word_list_report
from hybrid.search.rows import DOUBLE, Row, Spool, rows_of, rule_of
from hybrid.search.settings import RULES, WORDS, field_type, index_settings
from hybrid.search.synonyms import rule
from hybrid.search.vocabulary import Entry, read_vocabulary, too_long
from hybrid.search.word_list import WordList, largest_word_list

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

INDEX, FIELD_TYPE, REFUSED = "index.json", "field-type.json", "refused.tsv"
"""Names of files; all that an earlier run wrote has names of these and the two of `settings`."""


def export_search(options: argparse.Namespace, load: Callable[[argparse.Namespace], "Segmenter"]) -> str:
    """Write the folder as the command line's options say, and return what there is to tell.

    Args:
        options: those of `hybrid export-search`.
        load: makes the segmenter that they name.

    Raises:
        DataError: an option or the vocabulary is not what it should be, or the vocabulary has no compound.
        OSError: reading or writing fails; what was in the folder is there as it was.
    """
    sizes = _check(options)
    segmenter = load(options)
    if options.form == "synonyms":
        with whole_folder(options.out) as folder:
            told = rules_report(_write_rules(folder / RULES, options, segmenter))
            _write_settings(folder, options, sizes)
    else:
        with Spool() as spool:
            for row in _rows(options, segmenter):
                spool.add(row)
            found = largest_word_list(spool, sizes, options.tolerate or 0.0)
        _require(bool(found.compounds.words), options)
        _require_subwords(found, options)
        with whole_folder(options.out) as folder:
            _write_words(folder, found, options, sizes)
        told = word_list_report(found)
    return f"{told}\nwrote {options.out}\n{next_step(options.engine, options.form, options.out)}"


def _check(options: argparse.Namespace) -> Sizes:
    """Return the filter's settings; whatever doesn't fit together is told of before any work."""
    given = (options.min_word_size, options.min_subword_size, options.max_subword_size)
    if options.form == "synonyms" and any((*given, options.only_longest_match, options.tolerate)):
        raise DataError(
            "sizes of subwords, --only-longest-match and --tolerate go with --as word-list and decompounder"
        )
    sizes = Sizes(options.min_word_size or MIN_WORD, options.min_subword_size or MIN_SUBWORD,
                  options.max_subword_size or MAX_SUBWORD, options.only_longest_match)  # fmt: skip
    if sizes.min_subword_size > sizes.max_subword_size:
        raise DataError(f"--min-subword-size {sizes.min_subword_size} is above --max-subword-size "
                        f"{sizes.max_subword_size}")  # fmt: skip
    _check_target(options)
    return sizes


def _check_target(options: argparse.Namespace) -> None:
    out = real_path(options.out)
    if out.exists() and (is_stream(out) or not out.is_dir()):
        raise DataError(f"{options.out}: is no folder; name one that is not there yet")
    ours = {RULES, WORDS, INDEX, FIELD_TYPE, REFUSED}
    if out.is_dir() and (other := sorted({path.name for path in out.iterdir()} - ours)):
        raise DataError(f"{options.out}: holds {other[0]!r}, which no earlier run wrote; name a new folder")
    if options.model is not None and real_path(options.model) in (out, *out.parents):
        raise DataError(f"{options.out}: lies in the model's folder; name one elsewhere")
    read = [options.vocabulary, options.user_dictionary, options.always, options.never]
    if any(out in real_path(path).parents for path in read if path is not None and str(path) != "-"):
        raise DataError(f"{options.out}: holds a file that is read; name another folder")
    require_writable(options.out, folder=True)


def _entries(options: argparse.Namespace) -> Iterator[list[Entry]]:
    for entries in read_vocabulary(options.vocabulary, options.encoding_errors):
        yield [entry for entry in entries if not too_long(entry.word)]


def _rows(options: argparse.Namespace, segmenter: "Segmenter") -> Iterator[Row]:
    for entries in _entries(options):
        splits = segmenter.split_batch([entry.word for entry in entries], granularity=options.granularity,
                                       min_probability=options.min_probability)  # fmt: skip
        for entry, split in zip(entries, splits, strict=True):
            yield from rows_of(split, entry.count)


def _write_rules(path: Path, options: argparse.Namespace, segmenter: "Segmenter") -> Rules:
    """Write a rule for each compound, as the words come."""
    told, once = Rules(), set[str]()
    with _new(path) as stream:
        for entries in _entries(options):
            told.words += len(entries)
            splits = split_compounds(segmenter, [entry.word for entry in entries], granularity=options.granularity,
                                     min_probability=options.min_probability)  # fmt: skip
            told.compounds += len(splits)
            for word, outputs in (each for split in splits.values() for each in rule_of(split)):
                if word not in once:
                    stream.write(rule(word, outputs) + "\n")
                    told.rules, told.outputs = told.rules + 1, told.outputs + len(outputs)
                if DOUBLE in word:  # it may come again, with the same letters for ß
                    once.add(word)
    _require(bool(told.rules), options)
    return told


def _write_words(folder: Path, found: WordList, options: argparse.Namespace, sizes: Sizes) -> None:
    words = sorted(map(whole, found.subwords))
    if options.form == "word-list" or options.engine == "solr":  # which reads lists from files alone
        _write_lines(folder / WORDS, words)
    _write_lines(
        folder / REFUSED, (f"{whole(subword)}\t{whole(told)}" for subword, told in sorted(found.refused.items()))
    )
    _write_settings(folder, options, sizes, words)


def _write_settings(folder: Path, options: argparse.Namespace, sizes: Sizes, words: Iterable[str] = ()) -> None:
    if options.engine == "solr":
        name, body = FIELD_TYPE, field_type(options.form, sizes)
    else:
        name, body = INDEX, index_settings(options.engine, options.form, sizes, words)
    with _new(folder / name) as stream:
        stream.write(_json(body))


def _require(compounds: bool, options: argparse.Namespace) -> None:
    if not compounds:
        raise DataError(f"{_source(options)}: has no compound, so there is nothing to write; a list of words, a word "
                        "a line, is right")  # fmt: skip


def _require_subwords(found: WordList, options: argparse.Namespace) -> None:
    if not found.subwords:
        subword, told = min(found.refused.items())
        raise DataError(
            f"{_source(options)}: none of {len(found.refused):,} parts can be on a word list, such as "
            f"{whole(subword)}: {whole(told)}; other sizes, --tolerate or --as synonyms help"
        )


def _source(options: argparse.Namespace) -> str:
    return stdin.NAME if str(options.vocabulary) == "-" else str(options.vocabulary)


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    with _new(path) as stream:
        stream.writelines(line + "\n" for line in lines)


def _new(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="\n")


def _json(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False, indent=2) + "\n"
