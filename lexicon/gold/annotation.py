"""The notation of the guidelines, `((krank+en haus) bett)`, and the trees it stands for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_TOKEN = re.compile(r"[()]|[^() ]+")
_LEAF = re.compile(r"(?P<stem>[^\W\d_]+)(?:-(?P<dropped>[^\W\d_]+))?(?:\+(?P<link>[^\W\d_]+))?")


_MOST = 100
"""Brackets of an annotation."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part: *arbeit+s*, *schul-e*.

    Attributes:
        stem: its letters in the word but for the linking element.
        dropped: letters of the dictionary form that the word lacks.
        link: the linking element.
    """

    stem: str
    dropped: str = ""
    link: str = ""

    @property
    def text(self) -> str:
        """The part as it stands in the word."""
        return self.stem + self.link

    @property
    def form(self) -> str:
        """The dictionary form, umlauts as in the word."""
        return self.stem + self.dropped


Node: TypeAlias = "Leaf | tuple[Node, ...]"
"""A part, or two nodes and more that belong together."""


def parse(annotation: str) -> Node:
    """Read an annotation.

    Raises:
        ValueError: brackets don't match or hold fewer than two nodes, or a part is not written as it should be.
    """
    tokens = _TOKEN.findall(annotation)
    if tokens.count("(") > _MOST:
        raise ValueError(f"{annotation[:40]!r}…: more than {_MOST} brackets")
    node, rest = _parse(tokens, annotation)
    if rest:
        raise ValueError(f"{annotation!r}: {' '.join(rest)!r} stands after the end")
    return node


def _parse(tokens: list[str], annotation: str) -> tuple[Node, list[str]]:
    if not tokens:
        raise ValueError(f"{annotation!r}: ends too early")
    token, *rest = tokens
    if token != "(":
        match = _LEAF.fullmatch(token)
        if match is None:
            raise ValueError(f"{annotation!r}: {token!r} is no part; stem-dropped+link is right")
        return Leaf(match["stem"], match["dropped"] or "", match["link"] or ""), rest
    children: list[Node] = []
    while rest and rest[0] != ")":
        child, rest = _parse(rest, annotation)
        children.append(child)
    if not rest or len(children) < 2:
        raise ValueError(f"{annotation!r}: brackets hold two parts or more and are closed")
    return tuple(children), rest[1:]


def leaves(node: Node) -> Iterator[Leaf]:
    """Yield the parts from left to right."""
    if isinstance(node, Leaf):
        yield node
        return
    for child in node:
        yield from leaves(child)


def write(node: Node) -> str:
    """Return the annotation; `parse` reads it back."""
    if isinstance(node, Leaf):
        return node.stem + (f"-{node.dropped}" if node.dropped else "") + (f"+{node.link}" if node.link else "")
    return f"({' '.join(map(write, node))})"
