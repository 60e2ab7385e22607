"""How much is measured: the full run, and one that only shows that everything works."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sizes:
    """Amounts.

    Attributes:
        rounds: how often each contestant runs.
        words: distinct nouns of the first list.
        seconds: about how long a slow contestant may run in a round; it gets as many of the words as that takes.
        least: words that a slow contestant gets all the same.
        scored: labelled words of a list, from its beginning, that the F1 is from; None: all.
        tokens: of each text that is drawn.
        whole_file: a file of text is read to its end, not only to about so many tokens.
        traced: texts along which memory is recorded, from the first.
        block: lines that are given to a worker at a time, as many as `hybrid split-corpus` gives.
        corpus: numbers of distinct words.
        lengths: characters of joined words.
        joined: words of each of these lengths.
        thresholds: of the first pass.
    """

    rounds: int = 5
    words: int = 100_000
    seconds: float = 1.0
    least: int = 64
    scored: int | None = None
    tokens: int = 10_000_000
    whole_file: bool = True
    traced: int = 3
    block: int = 32_768
    corpus: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    lengths: tuple[int, ...] = (10, 20, 40, 80, 160, 320, 640)
    joined: int = 2_000
    thresholds: tuple[float, ...] = (0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


FULL = Sizes()

QUICK = Sizes(rounds=1, words=100, seconds=0.01, least=8, scored=30, tokens=1_000, whole_file=False, traced=1, block=10,
              corpus=(50, 100), lengths=(10, 40), joined=10, thresholds=(0, 0.9, 1.01))  # fmt: skip
