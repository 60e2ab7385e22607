"""Where splitting happens: beside the event loop, which goes on answering; long work in a lane of its own."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from hybrid.serving.limits import MOST_WAITING

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


class BusyError(Exception):
    """More wait already than are let wait."""


class Lane:
    """A thread that does one thing after the other.

    Args:
        name: of the thread.
        most: how many may be under way and wait.
    """

    def __init__(self, name: str, most: int = MOST_WAITING) -> None:
        self._name, self._most, self._waiting = name, most, 0
        self._executor = self._new()

    def _new(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix=f"hybrid-{self._name}")

    async def run(self, answer: Callable[[Asked], Answer], asked: Asked) -> Answer:
        """Return what a function says, when its turn has come.

        Raises:
            BusyError: too many wait.
        """
        if self._waiting >= self._most:
            raise BusyError
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._executor, answer, asked)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """End the thread after what it is at; who still waits is not answered. A later `run` starts another."""
        old, self._executor = self._executor, self._new()
        old.shutdown(wait=True, cancel_futures=True)
