"""What callers give a tagger or a classifier, checked: sentences, labels, contexts."""

from collections.abc import Mapping, Sequence

from hybrid.errors import DataError
from hybrid.labelling.spans import Span, covering

Words = Sequence[str]


def check(sentences: Sequence[Words], labels: Sequence[Sequence[str]] | None, contexts: Sequence[Words] | None) -> None:
    """Check that there are lists, as much of each, and that words are strings.

    Raises:
        DataError: there are not, or they are not.
    """
    check_list(sentences, "sentences are", "sentences, each a list of words,")
    if contexts is not None:
        check_list(contexts, "contexts are", "contexts, each a list of words,")
    for name, others in (("lists of labels", labels), ("contexts", contexts)):
        if others is not None and len(others) != len(sentences):
            raise DataError(f"{len(sentences)} sentences and {len(others)} {name}; as many of each are right")
    for name, lists in (("sentence", sentences), ("labels of sentence", labels), ("context", contexts)):
        _check_strings(name, lists if lists is not None else ())
    for place, (words, row) in enumerate(zip(sentences, labels if labels is not None else (), strict=False)):
        if len(words) != len(row):
            raise DataError(f"sentence {place} (from 0): {len(words)} words and {len(row)} labels")


def _check_strings(name: str, lists: Sequence[Words]) -> None:
    for place, words in enumerate(lists):
        if not is_list(words):
            raise DataError(f"{name} {place} (from 0) is {words!r}; a list of strings is right")
        for at, word in enumerate(words):
            if not isinstance(word, str):
                raise DataError(f"{name} {place} (from 0), word {at} (from 0): {word!r}; a string is right")


def check_list(value: object, what: str, of: str) -> None:
    """Check that something is a list.

    Raises:
        DataError: it is not; the message begins with `what` and says what it should be a list of.
    """
    if not is_list(value):
        raise DataError(f"{what} of type {type(value).__name__}; a list of {of} is right")


def is_list(value: object) -> bool:
    """Whether a value has places, as lists, tuples and arrays have, and is no string."""
    return hasattr(value, "__getitem__") and hasattr(value, "__len__") and not isinstance(value, str | bytes | Mapping)


def covering_of(place: int, labels: Sequence[str]) -> list[Span]:
    """Return the spans that cover a sentence, as `covering` does; what is wrong is told with its place."""
    try:
        return covering(labels)
    except ValueError as error:
        raise DataError(f"sentence {place} (from 0), {error}") from None


def distinct(
    sentences: Sequence[Words], labels: Sequence[Sequence[str]], contexts: Sequence[Words] | None
) -> list[tuple[int, Words, Sequence[str], Words]]:
    """Return place, words, labels and context of different sentences; of those that are alike the first."""
    rows: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, Words, Sequence[str], Words]] = {}
    everything = zip(sentences, labels, or_none(contexts, len(sentences)), strict=True)
    for place, (words, row, context) in enumerate(everything):
        rows.setdefault((tuple(words), tuple(context)), (place, words, row, context))
    return list(rows.values())


def or_none(contexts: Sequence[Words] | None, count: int) -> Sequence[Words]:
    """Return contexts, empty ones where there are none."""
    return [()] * count if contexts is None else contexts
