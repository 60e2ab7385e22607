"""Scripts that teach a shell the command's verbs, options and files; shtab writes them from the parser."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from hybrid.integrations.wanted import wanted

FOLDERS = {"MODEL", "DATA_DIR", "NEW", "FOLDER"}
"""What the help calls arguments that are folders; other paths are files."""


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell: one of those that `hybrid completion --help` lists.

    Raises:
        ImportError: shtab is not installed.
    """
    with wanted("completion"):
        import shtab
    for action in _actions(parser):
        if action.type is Path:
            action.complete = shtab.DIRECTORY if action.metavar in FOLDERS else shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell))


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments of a parser and of its verbs."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from _actions(verb)
