"""What `hybrid serve` does: takes its port, loads the model, tells its address, and answers until it is stopped."""

import argparse
import errno
import ipaddress
import logging
import socket
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from hybrid.errors import DataError
from hybrid.integrations.wanted import wanted

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

log = logging.getLogger(__name__)

KEPT_ALIVE = 30
"""Seconds after which a connection that is not used is closed."""

LAST_ANSWERS = 5
"""Seconds that answers under way have when the server is stopped."""


def serve(options: argparse.Namespace, load: "Callable[[argparse.Namespace], Segmenter]") -> None:
    """Answer until the process is stopped.

    Raises:
        DataError: it can't listen there, or a name it is to be reached by is none.
        ImportError: the extra "serve" is not installed.
        KeyboardInterrupt: it was stopped.
    """
    with wanted("serve"):
        import uvicorn

        from hybrid.serving.app import create_app
        from hybrid.serving.connections import AT_ONCE, LastWord, Server, most_connections, protocol
        from hybrid.serving.guards import LOOPBACK, checked_names

    checked_names(options.allowed_host)  # before any work
    with listen(options.host, options.port) as listener:
        segmenter = load(options)
        if options.warm:
            warm(segmenter)
        address, port = listener.getsockname()[:2]
        if not ipaddress.ip_address(address).is_loopback:
            log.warning("listening at %s: anyone who reaches this machine there can use it", options.host)
        names = [*LOOPBACK, options.host, address, *options.allowed_host]
        if ipaddress.ip_address(address).is_unspecified:
            names.append(socket.gethostname())
        app = create_app(segmenter, hosts=names)
        config = uvicorn.Config(
            LastWord(app), loop="asyncio", http=protocol(most_connections()), ws="none", lifespan="on",
            log_config=None, log_level="warning", access_log=False, proxy_headers=False, server_header=False,
            backlog=AT_ONCE, timeout_keep_alive=KEPT_ALIVE, timeout_graceful_shutdown=LAST_ANSWERS,
        )  # fmt: skip
        sys.stdout.write(f"http://{f'[{options.host}]' if ':' in options.host else options.host}:{port}/\n")
        sys.stdout.flush()
        Server(config).run(sockets=[listener])


def warm(segmenter: "Segmenter") -> None:
    """Load and compile what is otherwise loaded when a word first needs it, which then waits for it for seconds.

    The tables that the first pass reads many words with are laid out, and the nets are asked once.
    """
    from hybrid.firstpass.splitter import FEW

    segmenter.split_parts(["Haustür"] * (FEW + 1))
    segmenter.explain("Haustür", 2)
    if segmenter.mode != "fast":
        segmenter.without_columns(()).explain("Haustür", 2, cuts=[4])  # a cut, lest the word's split be told


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Raises:
        DataError: the host is no address of this machine, or the port is taken or not to be had.
    """
    try:
        if not host:
            raise socket.gaierror
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise DataError(
            f"--host {host!r}: no address of that name; 127.0.0.1 is right for this machine alone"
        ) from None
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":  # there it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise DataError(
                f"--port {port}: is taken at {host}; another, or 0 for any that is free, is right"
            ) from None
        if error.errno == errno.EADDRNOTAVAIL:
            raise DataError(
                f"--host {host!r}: is no address of this machine; 127.0.0.1 is right for it alone"
            ) from None
        raise DataError(f"--port {port}: {error.strerror or error}; one from 1024 on, or 0, may be right") from None
    return listener
