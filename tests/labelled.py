"""Sentences with labelled spans to try taggers on, written for it, and sizes that learn them in a second."""

import random
from dataclasses import replace

from hybrid.labelling.config import TaggerConfig

TINY = TaggerConfig(
    nets=2, folds=4, epochs=6, batch=8, rate=2e-2, embedding=12, letter_embedding=8, letter_hidden=8, hidden=12,
    dropout=(0.1, 0.1, 0.1),
)  # fmt: skip
NAMES = [
    a + b for a in ("An", "Bu", "Cit", "De", "Fa", "Gi", "Ha", "Jo") for b in ("di", "ra", "wi", "na", "lang", "ko")
]
SEEN, UNSEEN = NAMES[::2], NAMES[1::2]
PLAIN = "besok hujan turun lalu kami makan nasi dan pulang sore".split()
LOWERED = ["mawar", "melati"]
"""Names without a capital: a person's after "pak", else flowers."""

Labelled = tuple[list[list[str]], list[list[str]]]


def sentences(count: int, names: list[str], seed: int) -> Labelled:
    """Return sentences with persons after "pak", places after "ke", both of one name or two, and other words."""
    draw = random.Random(seed)
    words, labels = [], []
    for number in range(count):
        row = [(draw.choice(PLAIN), "O") for _ in range(draw.randint(0, 3))]
        for trigger, kind in (("pak", "PER"), ("ke", "LOC"))[:: draw.choice((1, -1))][: 1 + number % 2]:
            name = draw.sample(LOWERED if kind == "PER" and number % 5 == 0 else names, draw.randint(1, 2))
            row += [(trigger, "O"), *((n, f"{'I' if i else 'B'}-{kind}") for i, n in enumerate(name))]
            row.append((draw.choice([*PLAIN, *LOWERED]), "O"))
        words.append([word for word, _ in row])
        labels.append([label for _, label in row])
    return words, labels


TRAIN = sentences(60, SEEN, 1)

SMALL = replace(TINY, nets=1, folds=3, epochs=2)
FEW = (TRAIN[0][:12], TRAIN[1][:12])

ODD = [
    [],
    ["pak"],
    ["pak", "Nür", "ke", "", " ", "\t", "a\tb", "a b"],
    ["\ud800", "\0", "👩‍👩‍👧", "ẞ", "İ", "é", "٣", "\u200d"],
    ["x" * 5000],
    [],
    [*PLAIN * 30, "pak", "Kirana"],
]
