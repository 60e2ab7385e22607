"""The command line: what each verb does. torch and numba are imported by the verbs that need them."""

import argparse
import io
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hybrid.arguments import build_parser
from hybrid.atomic import require_writable, whole_file
from hybrid.console import begin_log, drop_output, in_utf8, told
from hybrid.disk_errors import naming
from hybrid.errors import DataError, HybridError
from hybrid.stopping import Terminated, held_back, terminable
from lexicon.errors import LexiconError

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter


SHAPES = "64"
"""Kinds of batches, by number and length of words, for which torch's oneDNN keeps its code: where its usual
1,024 kinds take 300 MB more and save no time."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, or 2 where the user has to change something."""
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - closed by the caller
    if isinstance(sys.stdout, io.TextIOWrapper):  # words go out in the bytes they came in, on every platform
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    options = in_utf8(build_parser().parse_args(arguments))
    begin_log()
    try:
        with terminable():
            VERBS[options.verb](options)
            with naming("standard output"):
                sys.stdout.flush()
    except BrokenPipeError:
        drop_output()  # nobody reads on: nothing to say
        return 0
    except (HybridError, LexiconError, OSError, ImportError, MemoryError) as error:
        print(f"hybrid: {told(error)}", file=sys.stderr)
        drop_output()
        return 2
    except KeyboardInterrupt as stop:
        if options.verb in LONG:
            print("stopped; nothing half-written is left, and the same command begins anew", file=sys.stderr)
        return 128 + (signal.SIGTERM if isinstance(stop, Terminated) else signal.SIGINT)
    return 0


def _train(options: argparse.Namespace) -> None:
    from hybrid.datasets import read_labelled
    from hybrid.model_store import check_target

    data = read_labelled(options.data_dir / "train.json")
    dictionary = _dictionary(options)
    check_target(options.out)
    from hybrid.segmenter import Segmenter

    with held_back():
        from hybrid.training import TrainingConfig
    config = TrainingConfig(seed=options.seed)
    segmenter = Segmenter.train(data, dictionary=dictionary, config=config, device=options.device)
    segmenter.save(options.out)
    print(f"saved {options.out}", file=sys.stderr)


def _dictionary(options: argparse.Namespace) -> list[str] | None:
    """Return the words that the user names, none, or None for the list that ships."""
    from hybrid.datasets import read_word_list

    if options.dictionary is not None:
        return read_word_list(options.dictionary)
    return [] if options.no_dictionary else None


def _split(options: argparse.Namespace) -> None:
    from hybrid.output import FORMATS, check_lines, check_options, part_lines
    from hybrid.stdin import words

    check_options(options.format, options.separator, nbest=options.nbest, text=options.text)
    if options.format == "text" and not options.text:
        check_lines(options.words)
    segmenter = _load(options)
    if options.text:
        _split_text(options, segmenter)
        return
    chunks = iter([options.words]) if options.words else words(options.encoding_errors)
    if options.format == "text" and options.nbest == 1 and options.min_parts is None:
        choice = {"granularity": options.granularity, "min_probability": options.min_probability}
        _emit(part_lines((segmenter.split_parts(chunk, **choice) for chunk in chunks), separator=options.separator))
        return
    rankings = (
        segmenter.nbest_batch(
            chunk,
            options.nbest,
            granularity=options.granularity,
            min_parts=options.min_parts,
            min_probability=options.min_probability,
        )
        for chunk in chunks
    )
    _emit(FORMATS[options.format](rankings, ranked=options.nbest > 1, separator=options.separator))


def _split_text(options: argparse.Namespace, segmenter: "Segmenter") -> None:
    from hybrid.output import separated_text, token_lines
    from hybrid.stdin import texts
    from hybrid.worker import Worker

    if options.min_parts is not None:
        raise DataError("--min-parts goes without --text: in a text most words are no compounds")
    given = ["\n".join([*options.words, ""])] if options.words else texts(options.encoding_errors)
    choice = {"granularity": options.granularity, "min_probability": options.min_probability}
    if options.format == "text":
        _emit(separated_text(given, Worker(segmenter, **choice), separator=options.separator))
    else:
        _emit(token_lines(segmenter.split_text(text, **choice) for text in given))


def _join(options: argparse.Namespace) -> None:
    from hybrid.output import joined_text
    from hybrid.stdin import texts

    given = ["\n".join([*options.words, ""])] if options.words else texts(options.encoding_errors)
    _emit(joined_text(given, separator=options.separator))


def _split_corpus(options: argparse.Namespace) -> None:
    from hybrid.corpus.command import split_corpus

    split_corpus(options, _load)
    print(f"wrote {options.out}", file=sys.stderr)


def _export_search(options: argparse.Namespace) -> None:
    from hybrid.search.command import export_search

    print(export_search(options, _load), file=sys.stderr)


def _serve(options: argparse.Namespace) -> None:
    from hybrid.serving.command import serve

    serve(options, _load)


def _emit(texts: Iterable[str]) -> None:
    for text in texts:
        with naming("standard output"):
            sys.stdout.write(text)
            sys.stdout.flush()


def _load(options: argparse.Namespace) -> "Segmenter":
    """Return the segmenter that the options name; the user's files are read first, for they are quick to check."""
    from hybrid import load
    from hybrid.user import UserDictionary

    user = UserDictionary.read(options.user_dictionary, always=options.always, never=options.never)
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", SHAPES)
    return load(options.model, device=options.device, user=user, mode="fast" if options.fast else "cascade")


def _explain(options: argparse.Namespace) -> None:
    if options.svg is not None:
        if len(options.words) > 1:
            raise DataError("--svg draws one word; give one")
        _keep_out_of(options.model, options.svg)
        read = [path for path in (options.user_dictionary, options.always, options.never) if path is not None]
        if options.svg.resolve() in [path.resolve() for path in read]:
            raise DataError(f"{options.svg}: is one of the files that are read; name another")
        require_writable(options.svg)
    segmenter = _load(options)
    told = [segmenter.explain(word, options.nbest, min_parts=options.min_parts) for word in options.words]
    print("\n\n".join(map(str, told)).encode("utf-8", "backslashreplace").decode("utf-8"))
    if options.svg is not None:
        _write_lines([told[0].to_svg()], options.svg)


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
    _keep_from_input(options, options.out)
    dictionary = _dictionary(options)
    if options.model and dictionary is not None:
        raise DataError("--model goes without --dictionary and --no-dictionary; a model has its own")
    data = read_contest(options.data_dir, labelled=options.model is None)
    from hybrid.segmenter import Segmenter

    with held_back():
        from hybrid.training import TrainingConfig
    segmenter = Segmenter.load(options.model, device=options.device) if options.model else None
    config = TrainingConfig(seed=options.seed)
    run = solve(data, options.out, dictionary=dictionary, config=config, device=options.device, segmenter=segmenter)
    for stage, seconds in run.seconds.items():
        print(f"{stage}: {seconds:.1f} s")
    for name, scores in run.scores.items():
        print("\n".join(f"{name}: {line}" for line in score_lines(scores)))
    print(f"wrote {options.out}")


def _keep_from_input(options: argparse.Namespace, out: Path) -> None:
    read = [options.data_dir / f"{name}.json" for name in ("train", "val", "test")]
    if options.dictionary is not None:
        read.append(options.dictionary)
    if out.resolve() in [path.resolve() for path in read]:
        raise DataError(f"{out}: is one of the files that are read; name another")


def _keep_out_of(model: Path | None, out: Path) -> None:
    if model is not None and model.resolve() in out.resolve().parents:
        raise DataError(f"{out}: lies in the model's folder; name a file elsewhere")


def _doubts(options: argparse.Namespace) -> None:
    from hybrid.datasets import read_labelled
    from hybrid.output import doubt_lines

    data, dictionary = read_labelled(options.data_dir / "train.json"), _dictionary(options)
    if options.out is not None:
        _keep_from_input(options, options.out)
        require_writable(options.out)
    from hybrid.doubts import find_doubts

    with held_back():
        from hybrid.training import TrainingConfig
    config = TrainingConfig(seed=options.seed)
    doubts = find_doubts(data, folds=options.folds, dictionary=dictionary, config=config, device=options.device)
    _write_lines(doubt_lines(doubts[: options.most]), options.out)


def _export(options: argparse.Namespace) -> None:
    from hybrid.model_store import load_model
    from lexicon.tsv import export_lines

    lines = export_lines(load_model(options.model).lexicon)
    if options.out is not None:
        _keep_out_of(options.model, options.out)
    _write_lines(lines, options.out)


def _write_lines(lines: Iterable[str], out: Path | None) -> None:
    """Write lines to a file, whole or not at all, or to standard output."""
    ended = (line + "\n" for line in lines)
    if out is None:
        sys.stdout.writelines(ended)
        return
    with whole_file(out) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(ended)


def _import(options: argparse.Namespace) -> None:
    from dataclasses import replace

    from hybrid.model_store import load_model, save_model
    from lexicon.tsv import import_file

    counts = import_file(options.table)
    model = load_model(options.model)
    lexicon = replace(counts, dictionary=model.lexicon.dictionary)  # which no table has
    save_model(replace(model, lexicon=lexicon), options.out)
    print(f"saved {options.out}", file=sys.stderr)


def _completion(options: argparse.Namespace) -> None:
    from hybrid.completion import completion_script

    print(completion_script(build_parser(), options.shell))


VERBS = {"train": _train, "split": _split, "explain": _explain, "evaluate": _evaluate, "submit": _submit,
         "doubts": _doubts, "export": _export, "import": _import, "split-corpus": _split_corpus,
         "join": _join, "completion": _completion, "export-search": _export_search,
         "serve": _serve}  # fmt: skip

LONG = {"train", "submit", "doubts", "export-search"}
"""Verbs that a user who stops them is told how to go on with; split-corpus tells by itself."""
