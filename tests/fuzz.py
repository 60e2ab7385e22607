"""Long attacks with what the tests do shortly: `make fuzz`, or `python -m tests.fuzz --seconds 60 --seed 7`.

Strings, texts, files, models and data in turn, each time with another seed, until the time is up. What fails is shown
with the seed that shows it again; the exit code is then 1.
"""

import argparse
import logging
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr
from functools import cache, partial
from io import StringIO
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import hybrid
from hybrid import cli
from hybrid.describing import GRANULARITIES
from hybrid.segmenter import MODES, Segmenter
from tests import hostile, strange

EXAMPLES, TRIALS = 20, 10
"""Of a property, and of an attack, in one turn: some seconds."""

MODEL = Path(__file__).parent / "data" / "model-v4"

Target = Callable[[int], tuple[int, list[str]]]
"""A seed to how much was tried, and what failed."""

load = cache(partial(hybrid.load, device="cpu"))


def in_mode(mode: str) -> Segmenter:
    """Return the model that ships."""
    return load(mode=mode)


def holds(check: Callable[..., None], *given_: SearchStrategy[Any]) -> Target:
    """Return what tries a property; hypothesis finds a small example where it does not hold."""

    def turn(number: int) -> tuple[int, list[str]]:
        tried = settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        try:
            seed(number)(tried(given(*given_)(check)))()
        except Exception:
            return EXAMPLES, [traceback.format_exc()]
        return EXAMPLES, []

    return turn


def attacks(attack: Callable[[int, int], list[str]]) -> Target:
    """Return what tries an attack of `tests.hostile`."""
    return lambda number: (TRIALS, attack(TRIALS, number))


def check_bytes(data: bytes, text: bool) -> None:
    """Check that a file of any bytes is told of in one line or becomes one that is the same without separators."""
    with tempfile.TemporaryDirectory() as folder, unheard():
        given_, out = Path(folder, "in.txt"), Path(folder, "out.txt")
        given_.write_bytes(data)
        options = ["split-corpus", str(given_), str(out), "--model", str(MODEL), "--separator", strange.SEPARATOR]
        options += ["--text"] if text else []
        strict = cli.main(options)
        assert strict in {0, 2}
        assert (strict == 0) == out.exists() == is_utf8(data)
        assert cli.main([*options, "--encoding-errors", "replace"]) == 0
        assert out.read_bytes().decode().replace(strange.SEPARATOR, "") == data.decode(errors="replace")


@contextmanager
def unheard() -> Iterator[None]:
    """Let nobody hear what the command says."""
    logging.disable()
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        logging.disable(logging.NOTSET)


def is_utf8(data: bytes) -> bool:
    """Whether it is."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


encoded = strange.words.map(lambda word: word.encode(errors="replace"))
marks = st.sampled_from([b"\n", b"\r\n", b"\xef\xbb\xbf", b"\0"])
raw = st.lists(st.one_of(st.binary(max_size=5), encoded, marks), max_size=12).map(b"".join)

TARGETS: dict[str, Target] = {
    "words": holds(lambda words, mode, granularity: strange.check_words(in_mode(mode), words, granularity),
                   st.lists(strange.words, max_size=8), st.sampled_from(MODES), st.sampled_from(GRANULARITIES)),
    "one word": holds(lambda word, mode, k, parts: strange.check_word(in_mode(mode), word, k, parts),
                      strange.words, st.sampled_from(MODES), st.integers(1, 6), st.integers(1, 5)),
    "texts": holds(lambda text, mode: strange.check_text(in_mode(mode), text), strange.texts, st.sampled_from(MODES)),
    "letters": holds(strange.check_letters, strange.texts),
    "files": holds(check_bytes, raw, st.booleans()),
    "models": attacks(partial(hostile.attack_model, MODEL)),
    "models' headers": attacks(partial(hostile.attack_headers, MODEL)),
    "models' files": attacks(partial(hostile.attack_files, MODEL)),
    "data": attacks(hostile.attack_data),
}  # fmt: skip


def turns(targets: dict[str, Target], first: int) -> Iterator[tuple[str, int]]:
    """Yield what is tried next, with its seed."""
    while True:
        yield from ((name, first) for name in targets)
        first += 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack until the time is up."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=None, help="of the first turn (default: by the clock)")
    parser.add_argument("--only", choices=sorted(TARGETS), action="append", help="one target or several")
    options = parser.parse_args(arguments)
    targets = {name: TARGETS[name] for name in options.only or TARGETS}
    end, failed, tried = time.monotonic() + options.seconds, 0, dict.fromkeys(targets, 0)
    for name, number in turns(targets, int(time.time()) if options.seed is None else options.seed):
        if time.monotonic() >= end:
            break
        count, failures = targets[name](number)
        tried[name] += count
        failed += bool(failures)
        for failure in failures:
            print(f"{name}, --seed {number}: {failure}")
    left = ", ".join(name for name, count in tried.items() if not count)
    print(", ".join(f"{name} {count:,}" for name, count in tried.items()) + f": {failed} failed")
    if left:
        print(f"no time was left for {left}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
