"""Lines in UTF-8: decoded, or told where they are not, or mended where the user allows it."""

import logging
from collections.abc import Iterator, Sequence

from hybrid.errors import DataError

STRICT, REPLACE = "strict", "replace"

ENCODING_ERRORS = (STRICT, REPLACE)
"""What may become of bytes that are not UTF-8: an error, or U+FFFD in their place."""

log = logging.getLogger(__name__)


class LineDecoder:
    """Decodes the lines of one source.

    Args:
        where: the source's name, for errors.
        errors: one of `ENCODING_ERRORS`.
    """

    def __init__(self, where: str, errors: str = STRICT) -> None:
        self.where = where
        self._errors, self._told = errors, False

    def decode(self, lines: Sequence[bytes], *, first: int, start: int) -> Iterator[str]:
        """Yield lines as text; that some were not UTF-8 is told once, at the first of them.

        Args:
            lines: with their ends.
            first: the number of the first of them, from 1.
            start: the bytes of the source before it.

        Raises:
            DataError: a line is not UTF-8, and none is to be replaced; those before it have been given.
        """
        for index, line in enumerate(lines):
            try:
                yield line.decode("utf-8")
            except UnicodeDecodeError as error:  # noqa: PERF203 - the lines before have been given
                offset = start + sum(map(len, lines[:index])) + error.start
                place = f"{self.where}: line {first + index} is not UTF-8 at byte {error.start + 1}, offset {offset:,}"
                yield self._replaced(line, place)

    def _replaced(self, line: bytes, place: str) -> str:
        if self._errors == STRICT:
            raise DataError(f"{place}; mend it, or go on with --encoding-errors {REPLACE}") from None
        if not self._told:
            log.warning("%s; U+FFFD stands in its place, and in that of whatever else is not UTF-8", place)
        self._told = True
        return line.decode("utf-8", "replace")
