"""What surrounds a command: its words as they come from a shell, its log, its errors, the end of its output."""

import argparse
import logging
import os
import sys

from hybrid.disk_errors import NO_ROOM


def drop_output() -> None:
    """Write what is left, or drop it where that fails: else Python would try again at its end, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def told(error: Exception) -> str:
    """Return what is to be said of an error."""
    if isinstance(error, OSError):
        where = error.filename or ("standard output" if error.errno in NO_ROOM else None)  # files are told by name
        return f"{f'{where}: ' if where else ''}{error.strerror or error}"
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name} is not installed, and this needs it"
    return str(error) or "there is not enough memory"


def in_utf8(options: argparse.Namespace) -> argparse.Namespace:
    """Read words and separator as UTF-8 in any locale, as standard input is."""
    for name in ("words", "separator"):
        given = getattr(options, name, None)
        if isinstance(given, str):
            setattr(options, name, os.fsencode(given).decode("utf-8", "surrogateescape"))
        elif given is not None:
            setattr(options, name, [os.fsencode(word).decode("utf-8", "surrogateescape") for word in given])
    return options


def begin_log() -> None:
    """Show what this package has to say, and of others only warnings; a caller's own log stays as it is."""
    if not logging.getLogger().hasHandlers():
        logging.basicConfig(format="%(message)s", stream=sys.stderr)
        logging.getLogger("hybrid").setLevel(logging.WARNING if sys.stderr.isatty() else logging.INFO)
