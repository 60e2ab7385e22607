"""The options of `hybrid serve`, and its help."""

import argparse

from hybrid.option_values import whole

SERVING = """\
The address is printed once the server answers there. /api.html lists what programs can ask, /openapi.json describes it:
GET  /split?word=Kindergeld   parts, tree, probability; more options as in hybrid split
POST /split  {"words": […]}   the same of many words
POST /text   {"text": "…"}    the words of a running text
GET  /explain?word=Kindergeld what speaks for a word's best splits, and its lattice
GET  /columns, /health        what is weighed; version, model and limits

It is for one machine: who else should reach it needs --host, and is asked for no password. Requests that name another
host than this machine or --host are refused, so that no page of somebody else's reaches it under a name of its own."""

HOST, PORT = "127.0.0.1", 8000


def add_serving(verb: argparse.ArgumentParser) -> None:
    """Add where to listen, and under which names."""
    verb.add_argument("--host", default=HOST, help="address of this machine to listen at (default: %(default)s)")
    verb.add_argument(
        "--port", type=whole(0, 65535, "d"), default=PORT, help="0: any that is free (default: %(default)s)"
    )
    verb.add_argument("--allowed-host", action="append", default=[], metavar="NAME",
                      help="another name or address that it is reached by; may be given several times")  # fmt: skip
    verb.add_argument("--warm", action="store_true", help="load all before the address is printed: some seconds, which "
                      "the first words that need it would wait otherwise")  # fmt: skip
