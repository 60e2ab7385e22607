"""How a tokenizer treats words: tokens a word, ends of parts that tokens reach over, parts that look the same."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from tokenizers import Tokenizer

from benchmarks.fertility.words import Words

Places = list[tuple[int, int]]
"""Where the tokens of a word begin and end."""


def measure(tokenizer: Tokenizer, words: Words) -> dict[str, float]:
    """Return what is told of a tokenizer; all shares are 0 … 1.

    - `all`, `compounds`, `new`: tokens a word, of all words, of compounds, of compounds not learnt from, where a word
      counts as often as it comes.
    - `crossed`, `crossed_new`: the share of inner ends of parts that a token reaches over.
    - `alike`: of parts that stand in several compounds, each counted once, the share that are exactly the tokens which
      the part most often is.
    - `used`: the share of the vocabulary that the words need.
    """
    distinct = list(words.counts)
    encoded = tokenizer.encode_batch(distinct)
    places: dict[str, Places] = {word: one.offsets for word, one in zip(distinct, encoded, strict=True)}
    compounds, new = words.compounds, words.new
    return {
        "all": _fertility(distinct, words, places),
        "compounds": _fertility(compounds, words, places),
        "new": _fertility(new, words, places),
        "crossed": _crossed(compounds, words, places),
        "crossed_new": _crossed(new, words, places),
        "alike": _alike(compounds, words, places),
        "used": len({token for one in encoded for token in one.ids}) / tokenizer.get_vocab_size(),
    }


def _fertility(some: Iterable[str], words: Words, places: dict[str, Places]) -> float:
    """Return tokens a word."""
    pairs = [(len(places[word]), words.counts[word]) for word in some]
    return _share(sum(tokens * count for tokens, count in pairs), sum(count for _, count in pairs))


def _crossed(some: Iterable[str], words: Words, places: dict[str, Places]) -> float:
    crossed = total = 0
    for word in some:
        ends = list(accumulate(map(len, words.parts[word])))[:-1]
        total += words.counts[word] * len(ends)
        crossed += words.counts[word] * sum(a < end < b for end in ends for a, b in places[word])
    return _share(crossed, total)


def _alike(some: Iterable[str], words: Words, places: dict[str, Places]) -> float:
    looks: dict[str, Counter[Any]] = defaultdict(Counter)
    for word in some:
        ends = list(accumulate(map(len, words.parts[word])))
        for part, start, end in zip(words.parts[word], [0, *ends], ends, strict=False):
            inside = tuple((a - start, b - start) for a, b in places[word] if a < end and b > start)
            looks[part][inside] += 1
    several = {part: counts for part, counts in looks.items() if counts.total() > 1}
    whole = [
        max((n for inside, n in counts.items() if inside[0][0] == 0 and inside[-1][1] == len(part)), default=0)
        for part, counts in several.items()
        if all(counts)
    ]
    return _share(sum(whole), sum(counts.total() for counts in several.values()))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else float("nan")
