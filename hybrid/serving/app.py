"""The application: which question is answered where."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import hybrid
from hybrid.integrations.shared import segmenter_given
from hybrid.integrations.wanted import wanted
from hybrid.segmenter import Segmenter
from hybrid.serving.answering import Answerer
from hybrid.serving.guards import LOOPBACK, KnownHosts, ShortBodies, checked_names
from hybrid.serving.headers import AnswerHeaders
from hybrid.serving.lanes import Lane
from hybrid.serving.limits import MOST_BODY
from hybrid.serving.problems import add_problems
from hybrid.serving.schemas import (
    AskedText,
    AskedWord,
    AskedWords,
    Columns,
    Explained,
    Health,
    RankedSplit,
    Refusal,
    Splits,
    SplitText,
)

with wanted("serve"):
    from fastapi import FastAPI, Query
    from fastapi.responses import FileResponse, JSONResponse
    from fastapi.staticfiles import StaticFiles

PAGE = Path(__file__).parent / "page"

REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": Refusal, "description": "The request is wrong; it says where."},
    503: {"model": Refusal, "description": "Too many wait, or the server is being stopped."},
}
BODIES: dict[int | str, dict[str, Any]] = {
    408: {"model": Refusal, "description": "The body does not come."},
    413: {"model": Refusal, "description": "The body is too long."},
}


def create_app(segmenter: Segmenter | None = None, *, hosts: Sequence[str] = LOOPBACK) -> FastAPI:
    """Return an ASGI application: the page at /, and the API.

    Args:
        segmenter: what splits words; None: the default model.
        hosts: names that the server is reached by; "*": any, for servers that only trusted pages reach.

    Raises:
        DataError: a host's name is none.
        TypeError: `segmenter` is none, or `hosts` is a string.
    """
    names, answerer = checked_names(hosts), Answerer(segmenter_given(segmenter))
    quick, long = Lane("quick"), Lane("long")

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        quick.close()
        long.close()

    app = FastAPI(title="hybrid", version=hybrid.__version__, description="Splits German words into their parts.",
                  docs_url=None, redoc_url=None, lifespan=lifespan, redirect_slashes=False)  # fmt: skip
    _add_words(app, answerer, quick, long)
    _add_many(app, answerer, long)
    _add_state(app, answerer)
    _add_page(app)
    add_problems(app)
    app.add_middleware(ShortBodies, most=MOST_BODY)
    app.add_middleware(KnownHosts, hosts=names)
    app.add_middleware(AnswerHeaders)
    return app


def _add_words(app: FastAPI, answerer: Answerer, quick: Lane, long: Lane) -> None:
    """Add what is asked of one word: a question that many ask does not wait behind one that takes long."""

    def lane(asked: AskedWord) -> Lane:
        return quick if answerer.is_quick(asked) else long

    @app.get("/split", response_model=RankedSplit, responses=REFUSALS)
    async def split(asked: Annotated[AskedWord, Query()]) -> JSONResponse:
        """Split a word."""
        return JSONResponse(await lane(asked).run(answerer.split, asked))

    @app.get("/explain", response_model=Explained, responses=REFUSALS)
    async def explain(asked: Annotated[AskedWord, Query()]) -> JSONResponse:
        """Tell why a word is split so: its best splits, what each column gave them, and its lattice."""
        return JSONResponse(await lane(asked).run(answerer.explain, asked))

    @app.post("/explain", response_model=Explained, responses=REFUSALS | BODIES)
    async def explain_posted(asked: AskedWord) -> JSONResponse:
        """Tell the same; for more options than an address holds."""
        return JSONResponse(await lane(asked).run(answerer.explain, asked))


def _add_many(app: FastAPI, answerer: Answerer, long: Lane) -> None:
    """Add what is asked of many words."""

    @app.post("/split", response_model=Splits, responses=REFUSALS | BODIES)
    async def split_many(asked: AskedWords) -> JSONResponse:
        """Split words."""
        return JSONResponse(await long.run(answerer.split_many, asked))

    @app.post("/text", response_model=SplitText, responses=REFUSALS | BODIES)
    async def text(asked: AskedText) -> JSONResponse:
        """Split the words of a running text."""
        return JSONResponse(await long.run(answerer.text, asked))


def _add_state(app: FastAPI, answerer: Answerer) -> None:
    """Add what is asked of the server itself."""

    @app.get("/columns", response_model=Columns)
    async def columns() -> JSONResponse:
        """Tell what is weighed, and what can be switched off."""
        return JSONResponse(answerer.columns())

    @app.get("/health", response_model=Health)
    async def health() -> JSONResponse:
        """Tell that the server answers, its version, its model and its limits."""
        return JSONResponse(answerer.health())


def _add_page(app: FastAPI) -> None:
    """Add the page, and the list of all this."""

    async def page() -> FileResponse:
        return FileResponse(PAGE / "index.html")

    async def api() -> FileResponse:
        return FileResponse(PAGE / "api.html")

    app.add_api_route("/", page, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/api.html", api, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/page", StaticFiles(directory=PAGE))
