"""The options of `hybrid split-corpus` that `hybrid split` doesn't have, and its help."""

import argparse
from pathlib import Path

from hybrid.option_values import whole

CORPUS = """\
The name of a file tells what it is; the output has the input's format, and may be compressed otherwise:
.txt                   a line a word, parts joined by --separator; with --text running text, its words' parts separated
.jsonl .ndjson         an object a line; --column names the key that is split, and the result is added under a new one
.parquet               as JSON lines, with columns; a folder of such files becomes a folder of files of the same names
.txt.gz .jsonl.zst     text and JSON lines compressed with gzip or zstd

The new column is a list of a word's parts, or with --text the text with its words' parts separated; null stays null.
All else is kept as it is, line ends too. Each word is split once, however often it comes, as long as it is remembered.

What is finished is kept beside OUT, in .hybrid-NAME.part, and becomes OUT at the end. After a kill the same command
goes on where it stopped; --device, --workers and --ray may be others, and --encoding-errors replace may come to it. It
refuses if anything else has changed.

--ray takes an address after it, so it stands behind IN and OUT, or before them with one: --ray=local, --ray=auto.
Every machine of the cluster must have this package, and see input, output and model under the same names."""

BLOCK_ROWS = 1 << 15
"""Rows after which what is done is written down: some seconds of work where all words are new."""


COUNT = whole(1, 10_000_000)


def add_corpus(verb: argparse.ArgumentParser) -> None:
    """Add input, output and what is to become of them."""
    verb.add_argument("source", type=Path, metavar="IN", help="a file, or a folder of Parquet files")
    verb.add_argument("out", type=Path, metavar="OUT", help="a file or folder to write; a file is replaced")
    verb.add_argument("--text", action="store_true", help="the column holds running text, not words")
    verb.add_argument("--format", choices=("text", "jsonl", "parquet"), help="of both files (default: by their names)")
    verb.add_argument("--column", metavar="NAME", help="what is split; needed for all but plain text")
    verb.add_argument("--into", default="parts", metavar="NAME", help="the new column (default: %(default)s)")
    verb.add_argument("--probability", action="store_true", help="add a column with the probability of each split")
    verb.add_argument(
        "--separator", default="|", metavar="S", help="stands between parts in text (default: %(default)s)"
    )
    verb.add_argument("--restart", action="store_true", help="throw away what an earlier run has finished")
    verb.add_argument("--block-rows", type=COUNT, default=BLOCK_ROWS, metavar="N",
                      help="rows that are split and written down at a time (default: %(default)s)")  # fmt: skip
    verb.add_argument("--ray", nargs="?", const="local", metavar="ADDRESS",
                      help="split Parquet on a Ray cluster's cores or GPUs (default: this machine's)")  # fmt: skip
    verb.add_argument("--workers", type=COUNT, metavar="N", help="with --ray: how many (default: all cores or GPUs)")
    verb.set_defaults(verb="split-corpus")
