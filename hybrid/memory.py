"""A memory that several threads may ask at once: what has been found is found once, as long as it is remembered."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from hybrid.limits import LONGEST_KEPT

KEPT = 1 << 18
"""Words that are remembered: some hundred megabytes where all are compounds."""

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """Looks strings up, and finds those that it does not know, all of a call's at a time.

    Args:
        find: gives the value of each string, in order; of two threads that ask the same both may call it.
        kept: most strings that are remembered; when there would be more, all are forgotten. One of more than
            `LONGEST_KEPT` characters never is.
    """

    def __init__(self, find: Callable[[list[str]], Iterable[Value]], *, kept: int = KEPT) -> None:
        self._find, self._kept = find, kept
        self._known: dict[str, Value] = {}

    def __call__(self, strings: Sequence[str]) -> list[Value]:
        """Return the value of each string, in order."""
        known = self._known  # strings come, but none ever goes: to forget, another one takes its place
        distinct = set(strings)
        found = {string: known[string] for string in distinct if string in known}
        missing = sorted(distinct - found.keys())
        if missing:
            found.update(zip(missing, self._find(missing), strict=True))
            self._remember({string: found[string] for string in missing if len(string) <= LONGEST_KEPT})
        return list(map(found.__getitem__, strings))

    def _remember(self, new: dict[str, Value]) -> None:
        if len(self._known) + len(new) > self._kept:
            self._known = {}
        if len(new) <= self._kept:
            self._known.update(new)
