"""Connections and requests that do not end by themselves: an end to patience, and a last word.

asyncio, where no file is free for a further connection, tries and logs thousands of times a second; so there are never
as many connections as files.
"""

import asyncio
import socket

from hybrid.integrations.wanted import wanted
from hybrid.serving.limits import MOST_CONNECTIONS, PATIENCE
from hybrid.serving.problems import refusal

with wanted("serve"):
    import uvicorn
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
    from uvicorn.protocols.http.h11_impl import H11Protocol

WAITING = 2048
"""Connections that the system holds until they are taken."""

AT_ONCE = 32
"""Connections that are taken before one of them is looked at, and perhaps closed: uvicorn's and asyncio's backlog."""

RESERVED = 64 + 4 * AT_ONCE
"""Open files that are no connections to be kept: model, page, standard streams, and connections about to be closed."""


def most_connections() -> int:
    """Return how many connections there may be, after letting this process have as many open files as it may."""
    try:
        import resource
    except ImportError:  # Windows, which counts otherwise
        return MOST_CONNECTIONS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = MOST_CONNECTIONS + RESERVED
    if soft != resource.RLIM_INFINITY and soft < wished:
        soft = wished if hard == resource.RLIM_INFINITY else min(wished, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else max(1, min(MOST_CONNECTIONS, soft - RESERVED))


class Server(uvicorn.Server):
    """uvicorn's server; the system holds `WAITING` connections, of which it takes `AT_ONCE`."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(WAITING)


def protocol(most: int, patience: float = PATIENCE) -> type[H11Protocol]:
    """Return uvicorn's HTTP protocol, which also closes connections.

    Args:
        most: connections; a further one is closed at once.
        patience: seconds in which the head of the first request has to come.
    """

    class Protocol(H11Protocol):
        """HTTP over a connection."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Take a connection, or close it."""
            super().connection_made(transport)
            if len(self.connections) > most:
                transport.close()
            else:
                self.loop.call_later(patience, self._close_silent)

        def _close_silent(self) -> None:
            if self.cycle is None and not self.transport.is_closing():  # no head has come
                self.transport.close()

    return Protocol


class LastWord:
    """Answers requests that are broken off because the server stops, and ends in order when it is hurried."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        async def hurried() -> Message:
            try:
                return await receive()
            except asyncio.CancelledError:  # a second Ctrl-C: the threads are still to be ended
                return {"type": "lifespan.shutdown"}

        if scope["type"] != "http":
            await self._app(scope, hurried, send)
            return
        try:
            await self._app(scope, receive, noted)
        except asyncio.CancelledError:
            if not begun:
                right = "ask again when it is back"
                await refusal(503, "the server is being stopped", scope["path"], right, {"Connection": "close"})(
                    scope, receive, send
                )
