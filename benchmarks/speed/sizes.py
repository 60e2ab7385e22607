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
        block: lines that are given to a worker at a time.
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
    block: int = 5_000
    corpus: tuple[int, ...] = (1_000, 10_000, 100_000, 1_000_000)
    lengths: tuple[int, ...] = (10, 20, 40, 80, 160, 320, 640)
    joined: int = 2_000
    thresholds: tuple[float, ...] = (0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)


FULL = Sizes()

QUICK = Sizes(rounds=1, words=300, seconds=0.02, least=16, scored=60, tokens=4_000, block=20, corpus=(100, 300),
              lengths=(10, 40), joined=20, thresholds=(0, 0.9, 1.01))  # fmt: skip
