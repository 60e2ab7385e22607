"""Ctrl-C and polite kills: both end work alike, with its last words, but not at moments where that would do harm."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Terminated(KeyboardInterrupt):
    """The process was asked to end, by SIGTERM."""


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM raise `Terminated`, unless it does something else already or this is not the main thread."""
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _raise)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _raise(*_: object) -> NoReturn:
    raise Terminated


@contextmanager
def held_back() -> Iterator[None]:
    """Hold an interrupt back until the end of what is inside.

    Around the import of torch: interrupted while its C++ part begins, it aborts the process.

    Raises:
        KeyboardInterrupt: at the end, if one came.
    """
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield
        return
    came = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: came.set())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if came.is_set():
        raise KeyboardInterrupt
