"""Seeded damage to bytes, to the files in a zip, and to the values in JSON."""

import io
import random
import zipfile
from collections.abc import Iterator
from typing import Any


def mutate(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return what was done to some bytes, and what they are then."""
    at = chance.randrange(min(len(content), chance.choice([64, 512, len(content)])) or 1)
    size = chance.choice([1, 2, 4, 8, 64])
    some = {
        "flip": lambda: bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :],
        "cut": lambda: b"",
        "zeros": lambda: bytes(size) + content[at + size :],
        "ones": lambda: b"\xff" * size + content[at + size :],
        "random": lambda: chance.randbytes(size) + content[at + size :],
        "insert": lambda: chance.randbytes(size) + content[at:],
        "remove": lambda: content[at + size :],
        "repeat": lambda: content[max(0, at - size) :],
    }
    how = chance.choice(["flip", *some]) if content else "insert"
    return f"{how} {size} at {at}", content[:at] + some[how]()


def mutate_packed(content: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Return what was done to a zip, mostly to one of its files, whose checksum fits again."""
    if chance.random() < 0.2:
        return mutate(content, chance)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    name = chance.choice(sorted(entries))
    head = 128 if chance.random() < 0.8 else 0  # numbers, not what numpy says of them
    before = entries[name][:head]
    what, entries[name] = mutate(entries[name][head:], chance)
    entries[name] = before + entries[name]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for entry, data in entries.items():
            archive.writestr(entry, data)
    return f"{name}: {what}", stream.getvalue()


WRONG = [None, True, -1, 0, 1e308, 10**400, 10**4000, "x", "", "\ud800\n", [], {}, [[]], {"x": {}}, [1], float("nan"),
         float("inf"), 2**31, 2**63, [0] * 1000, "../x", ["x"] * 3, "ab" * 5000]  # fmt: skip
"""Put in place of any value."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in a JSON value, the value itself included."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, under in inner:
        yield from places(under, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    """Return a JSON value with another one at a path."""
    if not path:
        return by
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(value[path[0]], path[1:], by)
    return copy
