"""Verbs of the benchmark harness."""

import argparse
import logging
import sys
from pathlib import Path

from benchmarks.cache import CACHE
from benchmarks.contest import run_contest
from benchmarks.curve import run_curve
from benchmarks.harness import run_decoders
from benchmarks.indonlu.tasks import TASKS
from benchmarks.load.run import run_load
from benchmarks.report import write_report
from benchmarks.results import RESULTS
from benchmarks.serving import run_serve_load
from benchmarks.speed.run import run_speed
from benchmarks.words import run_words
from hybrid.errors import DataError, HybridError
from hybrid.option_values import seed as seed_value
from hybrid.training import TrainingConfig
from lexicon.errors import LexiconError


def main() -> int:
    """Run the verb named and return the exit code."""
    options = _parser().parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    try:
        _run(options)
    except (HybridError, LexiconError, OSError, ImportError) as error:
        print(f"benchmarks: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def _run(options: argparse.Namespace) -> None:
    """Measure what the verb names; then write what is made of all results."""
    out, seed = options.out, options.seed if options.verb != "report" else 0
    config = TrainingConfig(seed=seed)
    if options.verb == "words":
        run_words(out, compounds=options.compounds, lists=options.lists, seed=seed, device=options.device)
    elif options.verb == "speed":
        if options.quick and out.resolve() == RESULTS:
            raise DataError("--quick gives no figure that is worth keeping; name another folder with --out")
        run_speed(out, words=options.words, compounds=options.compounds, text=options.text, rounds=options.rounds,
                  quick=options.quick, seed=seed)  # fmt: skip
    elif options.verb == "fertility":
        from benchmarks.fertility.run import run_fertility

        run_fertility(out, text=options.text, sizes=options.sizes, seed=seed)
    elif options.verb == "classification":
        from benchmarks.classification import run_classification

        run_classification(out, rounds=options.rounds, seed=seed)
    elif options.verb == "indonlu":
        from benchmarks.indonlu.run import run_indonlu

        run_indonlu(out, options.data, options.submissions, names=options.tasks, seed=seed, jobs=options.jobs,
                    device=options.device, kept=options.kept)  # fmt: skip
    elif options.verb == "search":
        from benchmarks.search.run import run_search

        run_search(out, options.texts, seed)
    elif options.verb == "serve-load":
        run_serve_load(out, options.rate, options.seconds, seed)
    elif options.verb == "load":
        run_load(out, options.minutes, seed)
    elif options.verb == "contest":
        run_contest(options.data_dir, out, kept=options.kept, told=not options.plain,
                    dictionary=not options.no_dictionary, config=config, device=options.device)  # fmt: skip
    elif options.verb in ("decoders", "curve"):
        run = {"decoders": run_decoders, "curve": run_curve}[options.verb]
        run(options.data_dir, out, kept=options.kept, config=config, device=options.device, cache=options.cache)
    if options.verb not in ("load", "serve-load", "contest", "classification"):
        write_report(out)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    verbs = parser.add_subparsers(metavar="VERB", required=True, dest="verb")
    tell = {"contest": "train on train.json, score on val.json or on a slice of train.json; time and memory",
            "decoders": "compare decoders, each column left out, and rivals on the same words",
            "curve": "the score after training on more and more words"}  # fmt: skip
    for name, text in tell.items():
        verb = verbs.add_parser(name, help=text)
        verb.add_argument("data_dir", type=Path, metavar="DATA_DIR")
        verb.add_argument("--slice", type=int, default=0, metavar="N", dest="kept",
                          help="score on N words of train.json, kept from training, not on val.json")  # fmt: skip
        verb.add_argument("--seed", type=seed_value, default=0, help="for everything random (default: 0)")
        verb.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
        if name == "contest":
            verb.add_argument("--plain", action="store_true", help="don't tell which words will be segmented")
            verb.add_argument("--no-dictionary", action="store_true", help="learn from the labelled words alone")
        else:
            verb.add_argument("--cache", type=Path, default=CACHE, help="folder of models trained before")
    words = verbs.add_parser("words", help="the default model, and rivals, on any words")
    words.add_argument(
        "lists", nargs="*", type=Path, metavar="TSV", help="words and their parts: Haustür, tab, Haus|tür"
    )
    words.add_argument("--compounds", type=Path, metavar="JSON", help="labelled compounds in the contest's format")
    words.add_argument("--seed", type=seed_value, default=0, help="for the intervals (default: 0)")
    words.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    _add_speed(verbs.add_parser("speed", help="words and tokens a second, first answers, memory; with the scores"))
    _add_fertility(verbs.add_parser("fertility", help="tokens a word, of tokenizers trained with and without cuts"))
    load = verbs.add_parser("load", help="words without end through one process: nothing lost, memory, open handles")
    load.add_argument("--minutes", type=float, default=60, metavar="N", help="in all (default: %(default)s)")
    load.add_argument("--seed", type=seed_value, default=0, help="for everything drawn (default: 0)")
    classes = verbs.add_parser("classification", help="what splitting is worth to a classifier of headlines")
    classes.add_argument("--rounds", type=rounds, default=20, metavar="N", help="deals of folds (default: 20)")
    classes.add_argument("--seed", type=seed_value, default=0, help="for everything drawn (default: 0)")
    _add_indonlu(verbs.add_parser("indonlu", help="train, predict and score the tasks of IndoNLU; submissions"))
    search = verbs.add_parser("search", help="what parts of compounds cost Tantivy's index; what word lists find")
    search.add_argument("texts", type=Path, metavar="FOLDER", help="of texts: files that end in .txt, each a document")
    search.add_argument("--seed", type=seed_value, default=0, help="for everything drawn (default: 0)")
    serving = verbs.add_parser("serve-load", help="hybrid serve, asked for words at a constant rate; latencies, errors")
    serving.add_argument("--rate", type=rounds, default=200, metavar="N", help="words a second (default: %(default)s)")
    serving.add_argument("--seconds", type=rounds, default=30, metavar="N", help="how long (default: %(default)s)")
    serving.add_argument("--seed", type=seed_value, default=0, help="for the words drawn (default: 0)")
    verbs.add_parser("report", help="make tables, figures and the README's results from what was measured")
    for verb in verbs.choices.values():
        verb.add_argument("--out", type=Path, default=RESULTS, help="folder for the results (default: %(default)s)")
    return parser


def _add_speed(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--words", type=Path, metavar="FILE", help="one word a line, in place of nouns that ship")
    verb.add_argument("--compounds", type=Path, metavar="JSON", help="labelled compounds in the contest's format")
    verb.add_argument("--text", type=Path, metavar="FILE", help="running text, beside what is drawn")
    verb.add_argument("--rounds", type=rounds, metavar="N", help="runs of each contestant (default: 5)")
    verb.add_argument("--quick", action="store_true", help="a little of everything, to see that it works")
    verb.add_argument("--seed", type=seed_value, default=0, help="for everything drawn (default: 0)")


def _add_fertility(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--text", type=Path, metavar="FILE", help="running text, beside what is drawn")
    verb.add_argument("--sizes", type=rounds, nargs="+", metavar="N", default=[4_000, 8_000, 16_000, 32_000],
                      help="tokens of the vocabularies (default: 4000 8000 16000 32000)")  # fmt: skip
    verb.add_argument("--seed", type=seed_value, default=0, help="for everything drawn (default: 0)")


def _add_indonlu(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("data", type=Path, metavar="DATA", help="the folder that holds the tasks' folders, as published")
    verb.add_argument("--task", action="append", choices=list(TASKS), default=[], dest="tasks",
                      help="one task, may be given again; all if not")  # fmt: skip
    verb.add_argument("--slice", type=rounds, default=0, metavar="N", dest="kept",
                      help="score on N rows of train, a quarter at most, kept from training, not on valid")  # fmt: skip
    verb.add_argument("--submissions", type=Path, metavar="FOLDER", default=Path("indonlu-submissions"),
                      help="for predictions in the benchmark's format (default: ./%(default)s)")  # fmt: skip
    verb.add_argument(
        "--jobs",
        type=rounds,
        metavar="N",
        help="tasks at a time, each on one core and up to 3 GB (default: cores, 4 at most)",
    )
    verb.add_argument("--device", help="torch device (default: cuda, else mps, else cpu)")
    verb.add_argument("--seed", type=seed_value, default=0, help="for everything random (default: 0)")


def rounds(text: str) -> int:
    """Read a number of rounds."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
