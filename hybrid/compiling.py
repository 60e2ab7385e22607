"""numba, loaded when something is first compiled; where it is not installed, loops run as plain Python."""

import logging
from collections.abc import Callable
from functools import cache
from typing import Any

log = logging.getLogger(__name__)


@cache
def compiled(
    loop: Callable[..., Any], called: tuple[Callable[..., Any], ...] = (), *, keep: bool = True
) -> Callable[..., Any]:
    """Return a function compiled, its code kept on disk where there is a folder for that.

    Args:
        loop: the function; numba keeps its code until the file that it stands in changes, so all that it calls should
            stand there too.
        called: plain functions that it calls; they stay plain Python elsewhere.
        keep: whether the compiled code is kept.
    """
    try:
        from numba import njit
    except ImportError:
        return loop
    from numba.extending import register_jitable

    for function in called:
        register_jitable(function)
    if not keep:
        return njit(nogil=True)(loop)
    try:
        return _Kept(njit(cache=True, nogil=True)(loop), loop)
    except RuntimeError:  # no folder that the compiled code could be kept in
        return njit(nogil=True)(loop)


class _Kept:
    """A loop whose compiled code is read from the disk or written there; where that fails, it is compiled all the same.

    A loop fills arrays that it does not read, so it may be begun again.
    """

    def __init__(self, compiled_loop: Callable[..., Any], loop: Callable[..., Any]) -> None:
        self._compiled, self._loop, self._works = compiled_loop, loop, False

    def __call__(self, *arguments: Any) -> Any:
        if not self._works:
            try:
                result = self._compiled(*arguments)
            except Exception as error:  # damaged files raise errors of many kinds
                from numba import njit

                log.warning("compiled code can't be kept (%s: %s), so it is made anew", type(error).__name__, error)
                self._compiled = njit(nogil=True)(self._loop)
                result = self._compiled(*arguments)
            self._works = True
            return result
        return self._compiled(*arguments)
