"""numba, loaded when something is first compiled; where it is not installed, loops run as plain Python."""

from collections.abc import Callable
from functools import cache
from typing import Any


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
    try:
        return njit(cache=keep, nogil=True)(loop)
    except RuntimeError:  # no folder that the compiled code could be kept in
        return njit(nogil=True)(loop)
