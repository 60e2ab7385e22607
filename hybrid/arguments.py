"""The command line's verbs and options, and their help."""

import argparse
from pathlib import Path
from typing import Any

from hybrid import __version__
from hybrid.corpus.arguments import CORPUS, add_corpus
from hybrid.limits import MOST_PARTS, MOST_SPLITS
from hybrid.option_values import probability, seed, whole
from hybrid.search.arguments import SEARCH, add_search
from hybrid.serving.arguments import SERVING, add_serving
from hybrid.utf8 import ENCODING_ERRORS, STRICT

FORMAT = """\
JSON files are objects: {"Haustür": [0,0,0,1,0,0,1], "Ei": []} - one label a character, 1 for the last of a part; an
empty list where the split is not known, as it may be in val.json and test.json."""

SPLITTING = """\
text     one line a word, parts joined by "|"; with --nbest: split, rank, probability, with tabs between
json     one object a line: parts with start, end, stem, linking element and dictionary form; tree; probabilities
labels   one object for all words, each word once, as hybrid evaluate reads it

With --text, words are found in running text and all else is left as it is:
text     the text again, the parts of its words separated; hybrid join undoes it. The separators ￭ and @@ are followed
         by a blank, as tools for translation have them; a mark in the text itself: see hybrid join --help
json     one object a line for each word and for each stretch between words, with places counted from the beginning

The user's own words, in UTF-8, with tabs between columns; empty lines and those that begin with # are passed over:
--user-dictionary   word, or word and parts (Auto|bahn), or word, parts and weight in nats (default 10)
--always            word as its parts: Auto|bahn, to be cut just so
--never             word, to be left whole
Hyphens are cut at, and nothing beside digits, whatever the dictionary says; --always goes before that.

Words of more than 1,000 letters are left whole."""

JOINING = """\
hybrid split --text | hybrid join gives every byte back, with any separator that has no letters, digits, hyphens or
blanks. Of the marks ￭ and @@ the blank that follows goes too. Where a text itself has the mark inside a word, or at a
word's end if it is ￭ or @@, split puts one more there, and join takes one away."""

TABLE = """\
columns of the table, with tabs between:
  string                        a part, word or left stretch, in lower case
  initial medial final whole    how often it was a part at that place of a word
  listed                        1 if it is a word known to exist
  seen                          how often it was all that stood before a word's last part
  cuts                          how often it was left whole or cut where: autobahn:1 auto|bahn:8
The nets read these numbers too: change those of a modifier (initial, seen) together."""

DOUBTS = """\
Each word is judged by a model that has not seen its label. Columns, with tabs between, the surest first:
  word       a word for which the model prefers another split
  labelled   its parts as labelled
  model      its parts as the model splits it
  wrong      the probability that the label is wrong
  certain    the probability of the model's split
Training takes K times as long as `hybrid train`."""

SHELLS = """\
bash         hybrid completion bash > ~/.local/share/bash-completion/completions/hybrid
zsh          hybrid completion zsh > FOLDER/_hybrid, a folder of $fpath
fish         hybrid completion fish > ~/.config/fish/completions/hybrid.fish
tcsh         hybrid completion tcsh >> ~/.tcshrc
powershell   hybrid completion powershell >> $PROFILE
It begins to work in the next shell."""

MOST_DOUBTS = 10_000_000


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    parser = argparse.ArgumentParser(prog="hybrid", description="Split German words into the parts they are made of.")
    parser.add_argument("--version", action="version", version=f"hybrid {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    train = _verb(verbs, "train", "train a model on DATA_DIR/train.json", FORMAT)
    train.add_argument("data_dir", type=Path, metavar="DATA_DIR", help="folder with train.json")
    train.add_argument("--out", type=Path, required=True, metavar="MODEL",
                       help="folder to save the model in; an older model there is replaced")  # fmt: skip
    _add_dictionary(train)
    train.add_argument("--seed", type=seed, default=0, help="for everything random (default: 0)")
    train.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    train.set_defaults(verb="train")

    _add_split(verbs)
    corpus = _verb(verbs, "split-corpus", "split a file or a folder of files of any size", CORPUS)
    add_corpus(corpus)
    _add_splitting(corpus)
    _add_join(verbs)
    search = _verb(verbs, "export-search", "write what a search engine finds compounds by", SEARCH)
    add_search(search)
    _add_splitting(search)
    _add_explain(verbs)
    _add_serve(verbs)

    evaluate = _verb(verbs, "evaluate", "score predictions against gold labels", FORMAT)
    evaluate.add_argument("gold", type=Path, metavar="GOLD", help="labelled words, JSON")
    evaluate.add_argument("predicted", type=Path, metavar="PREDICTED", help="predictions in the same format")
    evaluate.set_defaults(verb="evaluate")

    submit = _verb(verbs, "submit", "train on train.json, predict val.json and test.json, write the zip", FORMAT)
    submit.add_argument("data_dir", type=Path, metavar="DATA_DIR", help="folder with the three files")
    submit.add_argument("--out", type=Path, default=Path("submission.zip"), metavar="ZIP",
                        help="default: %(default)s")  # fmt: skip
    submit.add_argument("--model", type=Path, metavar="MODEL", help="predict with this model instead of training one")
    _add_dictionary(submit)
    submit.add_argument("--seed", type=seed, default=0, help="for everything random (default: 0)")
    submit.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    submit.set_defaults(verb="submit")

    doubts = _verb(verbs, "doubts", "list labels of DATA_DIR/train.json that are probably wrong", DOUBTS)
    doubts.add_argument("data_dir", type=Path, metavar="DATA_DIR", help="folder with train.json")
    doubts.add_argument("--out", type=Path, metavar="TSV", help="default: standard output")
    doubts.add_argument("--most", type=whole(1, MOST_DOUBTS), default=100, metavar="N",
                        help="no more than N words (default: %(default)s)")  # fmt: skip
    doubts.add_argument("--folds", type=whole(1, 100), default=3, metavar="K",
                        help="models to train, each on all words but 1/K (default: %(default)s)")  # fmt: skip
    _add_dictionary(doubts)
    doubts.add_argument("--seed", type=seed, default=0, help="for everything random (default: 0)")
    doubts.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    doubts.set_defaults(verb="doubts")

    _add_lexicon_verbs(_verb(verbs, "lexicon", "a model's lexicon as a table to read and edit"))

    completion = _verb(
        verbs, "completion", "write a script by which a shell completes verbs, options and files", SHELLS
    )
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "tcsh", "powershell"), metavar="SHELL",
                            help="bash, zsh, fish, tcsh or powershell")  # fmt: skip
    completion.set_defaults(verb="completion")
    return parser


def _add_split(verbs: "argparse._SubParsersAction[Any]") -> None:
    split = _verb(verbs, "split", "split words given here, or one a line on standard input", SPLITTING)
    split.add_argument("words", nargs="*", metavar="WORD", help="a word, or with --text a text")
    split.add_argument("--text", action="store_true", help="split the words of running text, and keep all else")
    split.add_argument("--format", choices=("text", "json", "labels"), default="text",
                       help="text: parts joined by |; json: an object a line; labels: the contest's")  # fmt: skip
    split.add_argument(
        "--separator", default="|", metavar="S", help="stands between parts in text (default: %(default)s)"
    )
    split.add_argument(
        "--nbest", type=whole(1, MOST_SPLITS), default=1, metavar="K", help="the K best splits of each word"
    )
    split.add_argument("--min-parts", type=whole(1, MOST_PARTS), metavar="N", help="least number of parts "
                       "(default: the model's; 2 if all its training words had as many)")  # fmt: skip
    _add_splitting(split)
    split.set_defaults(verb="split")


def _add_join(verbs: "argparse._SubParsersAction[Any]") -> None:
    join = _verb(verbs, "join", "give back the text that hybrid split --text has split", JOINING)
    join.add_argument("words", nargs="*", metavar="TEXT", help="split text; default: standard input")
    join.add_argument("--separator", default="|", metavar="S", help="as given to split (default: %(default)s)")
    join.add_argument("--encoding-errors", choices=ENCODING_ERRORS, default=STRICT, help="as for split")
    join.set_defaults(verb="join")


def _add_splitting(verb: argparse.ArgumentParser) -> None:
    """Add what every verb that splits many words has: how, with what model and words, on what device."""
    _add_model(verb)
    verb.add_argument("--granularity", choices=("fine", "head", "contest"), default="fine", help="all parts; "
                      "modifier and head; head, its modifier cut once more (default: %(default)s)")  # fmt: skip
    verb.add_argument("--min-probability", type=probability, default=0.0, metavar="P",
                      help="leave a word whole whose finest split is less probable (default: 0)")  # fmt: skip
    verb.add_argument("--encoding-errors", choices=ENCODING_ERRORS, default=STRICT, help="input that is not UTF-8 is "
                      "an error, or U+FFFD in its place (default: %(default)s)")  # fmt: skip
    _add_user(verb)
    verb.add_argument("--fast", action="store_true", help="a little less right, nearly three times as fast")
    verb.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")


def _add_explain(verbs: "argparse._SubParsersAction[Any]") -> None:
    explain = _verb(verbs, "explain", "show what speaks for a word's best splits, column by column")
    explain.add_argument("words", nargs="+", metavar="WORD")
    _add_model(explain)
    explain.add_argument("--nbest", type=whole(1, 100), default=3, metavar="K", help="how many (default: %(default)s)")
    explain.add_argument("--min-parts", type=whole(1, MOST_PARTS), metavar="N", help="as for split")
    explain.add_argument("--svg", type=Path, metavar="FILE", help="also draw the lattice of the one word")
    _add_user(explain)
    explain.add_argument("--fast", action="store_true", help="as for split")
    explain.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    explain.set_defaults(verb="explain")


def _add_serve(verbs: "argparse._SubParsersAction[Any]") -> None:
    serve = _verb(verbs, "serve", "show words and their splits in a browser, and answer programs in JSON", SERVING)
    add_serving(serve)
    _add_model(serve)
    _add_user(serve)
    serve.add_argument("--fast", action="store_true", help="as for split")
    serve.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    serve.set_defaults(verb="serve")


def _add_lexicon_verbs(lexicon: argparse.ArgumentParser) -> None:
    tables = lexicon.add_subparsers(metavar="VERB", required=True)
    export = _verb(tables, "export", "write a model's lexicon as TSV", TABLE)
    export.add_argument("model", type=Path, metavar="MODEL")
    export.add_argument("--out", type=Path, metavar="TSV", help="default: standard output")
    export.set_defaults(verb="export")
    import_ = _verb(tables, "import", "make a model with an edited lexicon", TABLE)
    import_.add_argument("table", type=Path, metavar="TSV")
    import_.add_argument("--model", type=Path, required=True, metavar="MODEL", help="whose nets and weights to take")
    import_.add_argument("--out", type=Path, required=True, metavar="NEW", help="folder to save the new model in")
    import_.set_defaults(verb="import")


def _add_model(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--model", type=Path, metavar="MODEL", help="a model folder (default: the model that ships)")


def _add_user(verb: argparse.ArgumentParser) -> None:
    for name, what in (("user-dictionary", "words that count as parts"), ("always", "words to be cut just so"),
                       ("never", "words to be left whole")):  # fmt: skip
        verb.add_argument(f"--{name}", type=Path, metavar="FILE", help=what)


def _add_dictionary(verb: argparse.ArgumentParser) -> None:
    which = verb.add_mutually_exclusive_group()
    which.add_argument("--dictionary", type=Path, metavar="FILE",
                       help="words of the language, one a line, instead of the list that ships")  # fmt: skip
    which.add_argument("--no-dictionary", action="store_true", help="learn from the labelled words alone")


def _verb(verbs: "argparse._SubParsersAction[Any]", name: str, does: str, more: str = "") -> argparse.ArgumentParser:
    description = f"{does[0].upper()}{does[1:]}."
    formatter = argparse.RawDescriptionHelpFormatter
    return verbs.add_parser(name, help=does, description=description, epilog=more, formatter_class=formatter)
