"""Other splitters of German from PyPI, as they are: none is trained here, and each is left out if not installed."""

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from benchmarks.decoders import Decoder, Labels


def installed_rivals() -> list[Decoder]:
    """Return the rivals that are installed (`pip install -e .[rivals]`)."""
    found = []
    for make in (_compound_split, _split_words, _hanta, _wordninja):
        with contextlib.suppress(ImportError), contextlib.redirect_stdout(io.StringIO()):
            found += list(make())
    return found


def labels_of(word: str, parts: Sequence[str]) -> Labels:
    """Return labels from a rival's parts, which keep the letters but not their case; whole where they don't."""
    if "".join(parts).lower() != word.lower() or len("".join(parts)) != len(word):
        return _cut(word, [])
    ends, at = [], 0
    for part in parts:
        at += len(part)
        ends.append(at)
    return _cut(word, ends)


def _cut(word: str, ends: Sequence[int]) -> Labels:
    return [int(at in ends or at == len(word)) for at in range(1, len(word) + 1)]


def _decoder(name: str, parts: Callable[[str], Sequence[str]], rank: Callable[[str], Any] | None = None) -> Decoder:
    def ranked(words: Sequence[str], k: int) -> list[list[Labels]]:
        assert rank is not None
        return [_distinct([labels_of(word, split) for split in rank(word)], k) for word in words]

    return Decoder(name, lambda words: [labels_of(word, parts(word)) for word in words], ranked if rank else None)


def _distinct(splits: list[Labels], k: int) -> list[Labels]:
    return [list(split) for split in dict.fromkeys(map(tuple, splits))][:k]


def _compound_split() -> Iterator[Decoder]:
    from compound_split import char_split, doc_split

    yield _decoder("compound-split, maximal", doc_split.maximal_split)

    def splits(word: str) -> list[tuple[str, ...]]:
        return [tuple(parts) for _, *parts in char_split.split_compound(word)]

    yield _decoder("CharSplit, best split forced", lambda word: splits(word)[0], splits)


def _split_words() -> Iterator[Decoder]:
    from split_words import Splitter

    splitter = Splitter()

    def best(word: str) -> tuple[str, ...]:
        score, *parts = splitter.split_compound(word)[0]
        return tuple(parts) if score > 0 else (word,)

    yield _decoder("CharSplit, where its score is above 0 (split-words)", best)


def _hanta() -> Iterator[Decoder]:
    from HanTa import HanoverTagger

    tagger = HanoverTagger.HanoverTagger("morphmodel_ger.pgz")
    stems = ("NN", "NE", "ADJ", "VV", "VA", "VM", "ADV", "CARD", "APPR", "ACR", "FM")

    def parts(word: str) -> list[str]:
        """Begin a part at each stem; linking elements and suffixes stay with what is before them."""
        merged: list[str] = []
        for morpheme, kind in tagger.analyze(word, taglevel=3)[1]:
            if not merged or kind.startswith(stems):
                merged.append(morpheme)
            else:
                merged[-1] += morpheme
        return merged

    yield _decoder("HanTa", parts)


def _wordninja() -> Iterator[Decoder]:
    import wordninja_enhanced

    model = wordninja_enhanced.LanguageModel(language="de")

    def split(word: str) -> list[str]:
        """Leave words whole that change their length in lower case: the package never returns from them."""
        return list(model.split(word)) if len(word.lower()) == len(word) else [word]

    def candidates(word: str) -> list[list[str]]:
        return [split(word), *(model.candidates(word, 20) if len(word.lower()) == len(word) else ())]

    yield _decoder("wordninja-enhanced", split, candidates)
