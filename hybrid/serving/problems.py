"""What is said of a request that can't be answered: always what was wrong, where, and what would be right."""

from collections.abc import Mapping
from typing import Any

from hybrid.errors import CutError, DataError, HybridError, ModelError, NoPathError
from hybrid.integrations.wanted import wanted
from hybrid.serving.headers import HEADERS
from hybrid.serving.lanes import BusyError
from lexicon.errors import shown

with wanted("serve"):
    from fastapi import FastAPI, Request
    from fastapi.exceptions import RequestValidationError
    from fastapi.responses import JSONResponse
    from starlette.exceptions import HTTPException

_PLACES: dict[type[Exception], str] = {
    CutError: "cuts, no_cuts",
    NoPathError: "cuts, no_cuts",
    DataError: "entries, always, never",
    ModelError: "granularity",
}
"""What a request said that the segmenter objects to."""

_SAID = {
    404: ("there is no such page", "/ is the page, /api.html lists what can be asked"),
    405: ("this is asked another way", "see the header Allow, or /api.html"),
    400: ("the body can't be read", "a JSON object in UTF-8, with Content-Type: application/json"),
}


def refusal(status: int, what: str, where: str, right: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """Return the answer that says what was wrong, where, and what would be right."""
    texts = {"what": what, "where": where, "right": right}
    clean = {key: text.encode("utf-8", "backslashreplace").decode("utf-8") for key, text in texts.items()}
    return JSONResponse({"error": clean}, status, dict(headers or {}))


def add_problems(app: FastAPI) -> None:
    """Let an application answer all errors in this way."""
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(HybridError, _not_possible)
    app.add_exception_handler(BusyError, _busy)
    app.add_exception_handler(Exception, _own)


def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    kind, place = first["type"], list(first["loc"])
    where = ".".join(map(str, place)) or "body"
    if kind == "json_invalid":
        return refusal(422, f"no JSON: {first['ctx']['error']}", f"body, character {place[-1]}", "a JSON object")
    if kind == "missing":
        return refusal(422, "it is missing", where, "give it")
    if kind == "extra_forbidden":
        return refusal(422, "there is no such option", where, "/api.html lists all")
    if kind == "string_unicode":
        return refusal(422, "a lone surrogate, which is no character", where, "a string of Unicode characters")
    return refusal(422, _given(first), where, _wanted(first))


def _wanted(error: Mapping[str, Any]) -> str:
    """Return what would be right."""
    if error["type"] in ("model_attributes_type", "dict_type"):
        return "a JSON object, with Content-Type: application/json"
    return str(error["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")


def _given(error: Mapping[str, Any]) -> str:
    """Return what was given, short; of what is too long, only that."""
    value = error.get("input")
    if error["type"] in ("string_too_long", "too_long", "value_error"):
        return "that is too much"
    if value is None or isinstance(value, bytes | dict):
        return "that is not what is asked for" if value is not None else "it is null"
    return f"it is {shown(value)}"


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    what, right = _SAID.get(error.status_code, (str(error.detail), "/api.html lists what can be asked"))
    return refusal(error.status_code, what, f"{request.method} {request.url.path}"[:200], right, error.headers)


def _not_possible(request: Request, error: Exception) -> JSONResponse:
    what, _, right = str(error).partition("; ")
    where = "without" if "column" in what else _PLACES.get(type(error), request.url.path)
    return refusal(422, what, where, right or "another value")


def _busy(request: Request, error: Exception) -> JSONResponse:
    return refusal(503, "too many requests wait", request.url.path, "ask again in a second", {"Retry-After": "1"})


def _own(request: Request, error: Exception) -> JSONResponse:
    """Answer what passes no `AnswerHeaders`; the server logs the error."""
    return refusal(500, "an error of this program, not of the request", request.url.path, "please report it", HEADERS)
