"""What stands before the application: who may ask, and how much a body may hold."""

import asyncio
import ipaddress
import re
from collections.abc import Sequence
from typing import Any

from hybrid.errors import DataError
from hybrid.integrations.wanted import wanted
from hybrid.serving.limits import PATIENCE
from hybrid.serving.problems import refusal

with wanted("serve"):
    from starlette.datastructures import Headers
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "::1", "[::1]")
"""Names of this machine; Starlette gives an IPv6 address with or without its brackets."""


_NAME = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*\.?|\*", re.ASCII)


def checked_names(hosts: Sequence[str]) -> list[str]:
    """Return names of hosts as requests have them: in ASCII, IPv6 addresses with and without brackets.

    Raises:
        DataError: one is no name.
        TypeError: `hosts` is a string.
    """
    if isinstance(hosts, str):
        raise TypeError(f"hosts is a string; a list of names is right: [{hosts!r}]")
    return [form for host in hosts for form in _forms_of(host)]


def _forms_of(host: str) -> list[str]:
    bare = host.removeprefix("[").removesuffix("]")
    try:
        return [bare, f"[{bare}]"] if ipaddress.ip_address(bare).version == 6 else [bare]
    except ValueError:
        pass
    try:
        name = host.encode("idna").decode()
    except UnicodeError:
        name = ""
    if not _NAME.fullmatch(name):
        raise DataError(f"{host!r} is no host's name; such as example.org, *.example.org and 192.0.2.1 are right, "
                        "without http:// and without a port")  # fmt: skip
    return [name]


class KnownHosts:
    """Refuses requests that name another host than this one, such as a page's whose name is led to this address.

    Starlette's TrustedHostMiddleware decides; the refusal is said as all others are.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str]) -> None:
        self._app, self._hosts = app, list(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        known = False

        async def go_on(scope: Scope, receive: Receive, _: Send) -> None:
            nonlocal known
            known = True
            await self._app(scope, receive, send)

        async def unsaid(_: Message) -> None:
            return

        await TrustedHostMiddleware(go_on, self._hosts, www_redirect=False)(scope, receive, unsaid)
        if not known and scope["type"] == "http":
            right = "the address that hybrid serve prints, or a name given with --allowed-host"
            await refusal(400, "this server is not known by that name", "header Host", right)(scope, receive, send)


class ShortBodies:
    """Reads a request's whole body before the application does, and refuses what is too long, chunked or not.

    Args:
        app: what answers.
        most: bytes.
        patience: seconds in which the whole body has to come.
    """

    def __init__(self, app: ASGIApp, most: int, patience: float = PATIENCE) -> None:
        self._app, self._most, self._patience = app, most, patience

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        length = headers.get("content-length", "0")
        if scope["type"] != "http" or (length == "0" and "transfer-encoding" not in headers):
            await self._app(scope, receive, send)
            return
        body: bytearray | None = None
        if length.isdecimal() and len(length) < 20 and int(length) <= self._most:
            try:
                body = await asyncio.wait_for(self._read(receive), self._patience)
            except asyncio.TimeoutError:  # not the built-in one in Python 3.10
                right = f"all of it within {self._patience:g} seconds"
                slow = refusal(408, "the body does not come", "body", right, {"Connection": "close"})
                await slow(scope, receive, send)
                return
        if body is None:
            right = f"{self._most:,} bytes at most; ask several times"
            await refusal(413, "the body is too long", "body", right, {"Connection": "close"})(scope, receive, send)
            return
        read: list[dict[str, Any]] = [{"type": "http.request", "body": bytes(body), "more_body": False}]

        async def again() -> Message:
            return read.pop() if read else await receive()

        await self._app(scope, again, send)

    async def _read(self, receive: Receive) -> bytearray | None:
        """Return a body, as far as its sender sent it; None if it is too long."""
        body, more = bytearray(), True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._most:
                return None
        return body
