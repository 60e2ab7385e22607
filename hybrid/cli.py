"""The command line: verbs and options, no logic. torch and numba are imported by the verbs that need them."""

import argparse
import codecs
import io
import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from hybrid import __version__
from hybrid.errors import DataError, HybridError
from hybrid.limits import MOST_PARTS, MOST_SPLITS
from lexicon.errors import LexiconError

FORMAT = """\
JSON files are objects: {"Haustür": [0,0,0,1,0,0,1], "Ei": []} - one label a character, 1 for the last of a part; an
empty list where the split is not known, as it may be in val.json and test.json."""

SPLITTING = """\
text     one line a word, parts joined by "|"; with --nbest: split, rank, probability, with tabs between
json     one object a line, parts with their start and end
labels   one object for all words, each word once, as hybrid evaluate reads it

Words of more than 1,000 characters are left whole."""

TABLE = """\
columns of the table, with tabs between:
  string                        a part, word or left stretch, in lower case
  initial medial final whole    how often it was a part at that place of a word
  listed                        1 if it is a word known to exist
  seen                          how often it was all that stood before a word's last part
  cuts                          how often it was left whole or cut where: autobahn:1 auto|bahn:8
The nets read these numbers too: change those of a modifier (initial, seen) together."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 2 where the user has to change something."""
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - closed by the caller
    if isinstance(sys.stdout, io.TextIOWrapper):  # words go out in the bytes they came in, on every platform
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    options = build_parser().parse_args(arguments)
    level = logging.WARNING if sys.stderr.isatty() else logging.INFO
    logging.basicConfig(level=level, format="%(message)s", stream=sys.stderr)
    try:
        options.run(options)
        sys.stdout.flush()
    except (HybridError, LexiconError) as error:
        print(f"hybrid: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on: nothing to say
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"hybrid: {where}{error.strerror or error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all verbs."""
    parser = argparse.ArgumentParser(prog="hybrid", description="Split German words into the parts they are made of.")
    parser.add_argument("--version", action="version", version=f"hybrid {__version__}")
    verbs = parser.add_subparsers(metavar="VERB", required=True)

    train = _verb(verbs, "train", "train a model on DATA_DIR/train.json", FORMAT)
    train.add_argument("data_dir", type=Path, metavar="DATA_DIR", help="folder with train.json")
    train.add_argument("--out", type=Path, required=True, metavar="MODEL",
                       help="folder to save the model in; an older model there is replaced")  # fmt: skip
    train.add_argument("--seed", type=_natural, default=0, help="for everything random (default: 0)")
    train.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    train.set_defaults(run=_train)

    split = _verb(verbs, "split", "split words given here, or one a line on standard input", SPLITTING)
    split.add_argument("words", nargs="*", metavar="WORD", help="taken as it is, spaces and hyphens too")
    split.add_argument("--model", type=Path, required=True, metavar="MODEL", help="a model folder")
    split.add_argument("--format", choices=("text", "json", "labels"), default="text",
                       help="text: parts joined by |; json: an object a line; labels: the contest's")  # fmt: skip
    split.add_argument(
        "--nbest", type=_up_to(MOST_SPLITS), default=1, metavar="K", help="the K best splits of each word"
    )
    split.add_argument("--min-parts", type=_up_to(MOST_PARTS), metavar="N",
                       help="least number of parts (default: 2 if all training words had as many)")  # fmt: skip
    split.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    split.set_defaults(run=_split)

    evaluate = _verb(verbs, "evaluate", "score predictions against gold labels", FORMAT)
    evaluate.add_argument("gold", type=Path, metavar="GOLD", help="labelled words, JSON")
    evaluate.add_argument("predicted", type=Path, metavar="PREDICTED", help="predictions in the same format")
    evaluate.set_defaults(run=_evaluate)

    submit = _verb(verbs, "submit", "train on train.json, predict val.json and test.json, write the zip", FORMAT)
    submit.add_argument("data_dir", type=Path, metavar="DATA_DIR", help="folder with the three files")
    submit.add_argument("--out", type=Path, default=Path("submission.zip"), metavar="ZIP",
                        help="default: %(default)s")  # fmt: skip
    submit.add_argument("--model", type=Path, metavar="MODEL", help="predict with this model instead of training one")
    submit.add_argument("--seed", type=_natural, default=0, help="for everything random (default: 0)")
    submit.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    submit.set_defaults(run=_submit)

    _add_lexicon_verbs(_verb(verbs, "lexicon", "a model's lexicon as a table to read and edit"))
    return parser


def _add_lexicon_verbs(lexicon: argparse.ArgumentParser) -> None:
    tables = lexicon.add_subparsers(metavar="VERB", required=True)
    export = _verb(tables, "export", "write a model's lexicon as TSV", TABLE)
    export.add_argument("model", type=Path, metavar="MODEL")
    export.add_argument("--out", type=Path, metavar="TSV", help="default: standard output")
    export.set_defaults(run=_export)
    import_ = _verb(tables, "import", "make a model with an edited lexicon", TABLE)
    import_.add_argument("table", type=Path, metavar="TSV")
    import_.add_argument("--model", type=Path, required=True, metavar="MODEL", help="whose nets and weights to take")
    import_.add_argument("--out", type=Path, required=True, metavar="NEW", help="folder to save the new model in")
    import_.set_defaults(run=_import)


def _verb(verbs: "argparse._SubParsersAction[Any]", name: str, does: str, more: str = "") -> argparse.ArgumentParser:
    description = f"{does[0].upper()}{does[1:]}."
    formatter = argparse.RawDescriptionHelpFormatter
    return verbs.add_parser(name, help=does, description=description, epilog=more, formatter_class=formatter)


def _natural(text: str) -> int:
    if not text.isdecimal() or int(text) >= 2**32:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to {2**32 - 1}")
    return int(text)


def _up_to(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most:,}")
        return int(text)

    return number


def _train(options: argparse.Namespace) -> None:
    from hybrid.datasets import read_labelled
    from hybrid.model_store import check_target

    data = read_labelled(options.data_dir / "train.json")
    check_target(options.out)
    from hybrid.segmenter import Segmenter
    from hybrid.training import TrainingConfig

    config = TrainingConfig(seed=options.seed)
    Segmenter.train(data, config=config, device=options.device).save(options.out)
    print(f"saved {options.out}", file=sys.stderr)


def _split(options: argparse.Namespace) -> None:
    from hybrid.output import FORMATS
    from hybrid.segmenter import Segmenter

    if options.format == "labels" and options.nbest > 1:
        raise DataError("--nbest goes with --format text and json; labels hold one split a word")
    segmenter = Segmenter.load(options.model, device=options.device)
    chunks = iter([options.words]) if options.words else _stdin_chunks()
    rankings = (segmenter.nbest_batch(chunk, options.nbest, min_parts=options.min_parts) for chunk in chunks)
    for text in FORMATS[options.format](rankings, ranked=options.nbest > 1):
        sys.stdout.write(text)
        sys.stdout.flush()


def _stdin_chunks() -> Iterator[list[str]]:
    """Yield lines as they come: all that are there, so that a pipe which waits for an answer gets it."""
    number, rest = 0, b""
    while sys.stdin is not None:
        block = os.read(sys.stdin.fileno(), 1 << 16)
        *lines, rest = (rest + block).split(b"\n")
        if not block and rest and (number or rest != codecs.BOM_UTF8):
            lines.append(rest)
        chunk: list[str] = []
        for number, line in enumerate(lines, number + 1):  # noqa: B020 - goes on counting
            try:
                chunk.append(line.decode("utf-8-sig" if number == 1 else "utf-8").removesuffix("\r"))
            except UnicodeDecodeError as error:  # noqa: PERF203 - the lines before are still answered
                yield chunk
                raise DataError(f"standard input: line {number} is not UTF-8 at byte {error.start + 1}") from None
        if chunk:
            yield chunk
        if not block:
            return


def _evaluate(options: argparse.Namespace) -> None:
    from hybrid.datasets import read_labelled, read_predictions
    from hybrid.metrics import evaluate
    from hybrid.output import score_lines

    gold, predicted = read_labelled(options.gold), read_predictions(options.predicted)
    print("\n".join(score_lines(evaluate(gold, predicted))))


def _submit(options: argparse.Namespace) -> None:
    from hybrid.contest import read_contest, solve
    from hybrid.output import score_lines

    _keep_out_of(options.model, options.out)
    if options.out.resolve() in [(options.data_dir / f"{name}.json").resolve() for name in ("train", "val", "test")]:
        raise DataError(f"{options.out}: is one of the files that are read; name another for the zip")
    data = read_contest(options.data_dir, labelled=options.model is None)
    from hybrid.segmenter import Segmenter
    from hybrid.training import TrainingConfig

    segmenter = Segmenter.load(options.model, device=options.device) if options.model else None
    config = TrainingConfig(seed=options.seed)
    run = solve(data, options.out, config=config, device=options.device, segmenter=segmenter)
    for stage, seconds in run.seconds.items():
        print(f"{stage}: {seconds:.1f} s")
    for name, scores in run.scores.items():
        print("\n".join(f"{name}: {line}" for line in score_lines(scores)))
    print(f"wrote {options.out}")


def _keep_out_of(model: Path | None, out: Path) -> None:
    if model is not None and model.resolve() in out.resolve().parents:
        raise DataError(f"{out}: lies in the model's folder; name a file elsewhere")


def _export(options: argparse.Namespace) -> None:
    from hybrid.model_store import load_model
    from lexicon.tsv import export_lines

    lines = (line + "\n" for line in export_lines(load_model(options.model).lexicon))
    if options.out is None:
        sys.stdout.writelines(lines)
        return
    from hybrid.atomic import whole_file

    _keep_out_of(options.model, options.out)
    with whole_file(options.out) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(lines)


def _import(options: argparse.Namespace) -> None:
    from dataclasses import replace

    from hybrid.model_store import load_model, save_model
    from lexicon.tsv import import_file

    lexicon = import_file(options.table)
    save_model(replace(load_model(options.model), lexicon=lexicon), options.out)
    print(f"saved {options.out}", file=sys.stderr)
