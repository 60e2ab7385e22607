"""What is made when it is first asked for: once, whichever of several threads asks first."""

import os
from functools import cached_property
from threading import RLock
from typing import Any, TypeVar

Value = TypeVar("Value")


class made_once(cached_property[Value]):  # noqa: N801 - a decorator
    """A cached property with a lock, which functools' own lacks since Python 3.12.

    In a process that was forked while another thread held the lock, it is free again.
    """

    def __init__(self, make: Any) -> None:
        super().__init__(make)
        self._renew()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self.lock = RLock()  # also the name of functools' own before Python 3.12

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Return the value, made if this is the first call."""
        with self.lock:
            return super().__get__(instance, owner)


def without_made(instance: Any) -> dict[str, Any]:
    """Return an object's attributes but for those that are cached: all that its pickle needs."""
    kind = type(instance)
    return {k: v for k, v in vars(instance).items() if not isinstance(getattr(kind, k, None), cached_property)}
