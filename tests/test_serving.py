"""The JSON API: what it answers, what it refuses and how it says so, and the command that serves it."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import Segmenter, UserDictionary
from hybrid.cli import main
from hybrid.output import record_of
from tests.examples import run_document

httpx = pytest.importorskip("httpx", reason="the server's API is asked with httpx")
pytest.importorskip("fastapi", reason="the server needs the extra serve")
pytest.importorskip("uvicorn", reason="the server needs the extra serve")
from fastapi.testclient import TestClient  # noqa: E402
from jsonschema import Draft202012Validator  # noqa: E402

from hybrid.serving import limits  # noqa: E402
from hybrid.serving.answering import Answerer  # noqa: E402
from hybrid.serving.app import create_app  # noqa: E402
from hybrid.serving.command import warm  # noqa: E402
from hybrid.serving.lanes import BusyError, Lane  # noqa: E402

BASE = "http://127.0.0.1"
JSON = {"content-type": "application/json"}
ANY = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    segmenter = hybrid.load(device="cpu", user=UserDictionary.make(always=["Wachs|tube"]))
    warm(segmenter)
    assert "known" in vars(segmenter._ranker.stages.first.splitter)  # else words wait later, when they need it
    assert "scores" in vars(segmenter._nets)
    return segmenter


@pytest.fixture(scope="module")
def client(segmenter: Segmenter) -> Iterator[TestClient]:
    with TestClient(create_app(segmenter), BASE, raise_server_exceptions=False) as client:
        yield client


def texts(split: dict[str, Any]) -> list[str]:
    return [part["text"] for part in split["parts"]]


def error_of(answer: Any, status: int) -> dict[str, str]:
    """Check that an answer is a refusal of the one shape; return it."""
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    error = answer.json()["error"]
    assert set(error) == {"what", "where", "right"}
    assert all(isinstance(said, str) and said and "\n" not in said for said in error.values()), error
    assert "Traceback" not in answer.text
    assert "Content-Security-Policy" in answer.headers
    return error


@given(ANY)
@settings(deadline=None, max_examples=25)
def test_any_word_is_split_as_the_segmenter_does(client: TestClient, segmenter: Segmenter, word: str) -> None:
    answer = client.get("/split", params={"word": word})
    assert answer.json() == {"word": word, **json.loads(json.dumps(record_of(segmenter.split(word))))}
    assert "".join(texts(answer.json())) == word
    assert client.post("/split", json={"words": [word]}).json() == {"splits": [answer.json()]}


def test_many_words_come_in_order(client: TestClient, segmenter: Segmenter) -> None:
    words = ["Autobahn", "", "Elster", "Staubecken", "Autobahn", "Quatschomatenfummelbrunx", "STRASSENBAHN"]
    splits = client.post("/split", json={"words": words, "k": 2}).json()["splits"]
    assert [split["word"] for split in splits] == words
    ranked = segmenter.nbest_batch(words, 2)
    assert [[texts(split) for split in one["nbest"]] for one in splits] == [
        [list(split.texts) for split in of_word] for of_word in ranked
    ]
    assert client.post("/split", json={"words": []}).json() == {"splits": []}


@given(st.lists(ANY | st.sampled_from(["Autobahnbrücke", "Kindergeld", "info@amt.de", "😀"]), max_size=6).map(" ".join))
@settings(deadline=None, max_examples=20)
def test_tokens_tile_the_text(client: TestClient, text: str) -> None:
    tokens = client.post("/text", json={"text": text}).json()["tokens"]
    assert "".join(token["text"] for token in tokens) == text
    assert [token["start"] for token in tokens] == [0, *(token["end"] for token in tokens[:-1])][: len(tokens)]
    for token in tokens:
        for part in token["split"]["parts"] if token["split"] else ():
            assert text[part["start"] : part["end"]] == part["text"]


def test_a_text_keeps_what_is_no_word(client: TestClient) -> None:
    text = "Die 😀 Autobahnbrücke (info@amt.de) zahlt\nKindergeld."
    tokens = client.post("/text", json={"text": text}).json()["tokens"]
    split = [token["split"] and texts(token["split"]) for token in tokens]
    assert ["Auto", "bahn", "brücke"] in split
    assert ["Kinder", "geld"] in split
    assert split.count(None) == 4


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({}, ["Auto", "bahn", "anschluss", "stelle"]),
        ({"granularity": "head"}, ["Autobahn", "anschlussstelle"]),
        ({"granularity": "contest"}, ["Auto", "bahn", "anschlussstelle"]),
        ({"min_probability": 1}, ["Autobahnanschlussstelle"]),
        ({"cuts": [2], "no_cuts": [4, 8]}, ["Au", "tobahnanschluss", "stelle"]),
        ({"never": ["Autobahnanschlussstelle"]}, ["Autobahnanschlussstelle"]),
        ({"always": ["Autobahn|anschlussstelle"]}, ["Autobahn", "anschlussstelle"]),
        ({"entries": ["Bahnanschluss"]}, ["Auto", "bahnanschluss", "stelle"]),
    ],
)
def test_options_are_those_of_the_segmenter(client: TestClient, options: dict[str, Any], parts: list[str]) -> None:
    asked = {"word": "Autobahnanschlussstelle", **options}
    found = texts(client.get("/split", params=asked).json())
    assert found == parts
    assert texts(client.get("/explain", params=asked).json()["best"]) == parts
    assert texts(client.post("/explain", json=asked).json()["best"]) == parts


def test_k_and_min_parts(client: TestClient) -> None:
    answer = client.get("/split", params={"word": "Wachtraum", "k": 4, "min_parts": 3}).json()
    assert len(answer["nbest"]) == 4
    assert min(len(split["parts"]) for split in answer["nbest"]) == 3
    assert "nbest" not in client.get("/split", params={"word": "Wachtraum"}).json()


def test_words_of_a_request_stand_beside_the_servers(client: TestClient) -> None:
    own = {"entries": ["hau|stür"], "never": ["Sonnenschein"]}
    splits = client.post("/split", json={"words": ["Wachstube", "Haustür", "Sonnenschein"], **own}).json()["splits"]
    assert [texts(split) for split in splits] == [["Wachs", "tube"], ["Hau", "stür"], ["Sonnenschein"]]
    assert texts(client.get("/split", params={"word": "Haustür"}).json()) == ["Haus", "tür"]
    assert texts(client.get("/split", params={"word": "Wachstube", "always": "Wach|stube"}).json()) == ["Wach", "stube"]


def test_a_column_can_be_switched_off(client: TestClient) -> None:
    asked = {"word": "Mietrechtsänderung", "k": 3, "entries": ["Miet|rechts"]}
    usual = client.post("/explain", json={**asked, "nets": True}).json()
    assert (usual["decided_by"], usual["columns"][-1]) == ("nets", "user")
    names = [column["name"] for column in client.get("/columns").json()["columns"] if column["can_be_off"]]
    assert usual["columns"] == names
    for name in names:
        off = client.post("/explain", json={**asked, "without": [name]}).json()
        assert [split["contributions"][names.index(name)] for split in off["finest"]] == [0, 0, 0]
        assert off["best"]["score"] != usual["best"]["score"]
    assert client.get("/explain", params={"word": "Mietrecht"}).json()["decided_by"] == "first pass"


@pytest.mark.parametrize("word", ["Mietrechtsänderung", "Video-Call", "A1", "Quatschomatenfummelbrunx", "Haustür" * 8])
@pytest.mark.parametrize("granularity", ["fine", "contest"])
def test_an_explanation_adds_up(client: TestClient, word: str, granularity: str) -> None:
    told = client.get("/explain", params={"word": word, "k": 5, "granularity": granularity}).json()
    for split in told["finest"]:
        assert sum(split["contributions"]) + split["constraint"] == pytest.approx(split["score"], abs=0.01)
    best = [arc for arc in told["arcs"] if arc["best"]]
    assert sorted((arc["start"], arc["end"]) for arc in best) == [
        (part["start"], part["end"]) for part in told["finest"][0]["parts"]
    ]
    assert all(word[arc["start"] : arc["end"]] == arc["text"] for arc in told["arcs"])
    assert told["nbest"][0]["parts"] == told["best"]["parts"]


@pytest.mark.parametrize("word", ["", "Wachstube"])
def test_what_is_told_was_not_found(client: TestClient, word: str) -> None:
    told = client.get("/explain", params={"word": word}).json()
    assert (told["decided_by"], told["columns"]) == ("told", [])


WRONG = [
    ("/split", {}, "query.word", "give it"),
    ("/split", {"word": "Haus", "kk": 1}, "query.kk", "/api.html"),
    ("/split", {"word": "Haus", "k": 0}, "query.k", "greater than or equal to 1"),
    ("/split", {"word": "Haus", "k": limits.MOST_RANKED + 1}, "query.k", "less than or equal to 20"),
    ("/split", {"word": "Haus", "k": "viele"}, "query.k", "integer"),
    ("/split", {"word": "Haus", "k": "9" * 5000}, "query.k", "integer"),
    ("/split", {"word": "Haus", "min_probability": "nan"}, "query.min_probability", "equal to"),
    ("/split", {"word": "Haus", "granularity": "grob"}, "query.granularity", "'fine', 'head' or 'contest'"),
    ("/split", {"word": "Haus", "cuts": [9]}, "cuts", "1 to 3 lies inside the word"),
    ("/split", {"word": "Haus", "cuts": [10**30]}, "cuts", "1 to 3"),
    ("/split", {"word": "Haus", "cuts": [2], "no_cuts": [2]}, "cuts", "another value"),
    ("/split", {"word": "A-B", "no_cuts": [1], "cuts": [1]}, "cuts", "another value"),
    ("/split", {"word": "x" * 1001}, "query.word", "at most 1000 characters"),
    ("/explain", {"word": "Haus", "without": "lexikon"}, "without", "count, segment, segment_lexicon, user"),
    ("/explain", {"word": "Haus", "entries": "a||b"}, "entries", "one | each"),
    ("/explain", {"word": "Haus", "always": "Ha|us", "never": "Haus"}, "entries", "another value"),
]


@pytest.mark.parametrize(("path", "asked", "where", "right"), WRONG)
def test_what_is_wrong_is_said(client: TestClient, path: str, asked: dict[str, Any], where: str, right: str) -> None:
    error = error_of(client.get(path, params=asked), 422)
    assert error["where"].startswith(where)
    assert right in error["right"]
    assert len(str(error)) < 400


TOO_MUCH = [
    ("/split", {"words": ["a"] * 1001}, "body.words", "at most 1000"),
    ("/split", {"words": ["x" * 999] * 51}, "body", "50,000 at most"),
    ("/split", {"words": ["a"] * 1000, "k": 3}, "body", "2,000 at most"),
    ("/split", {"words": ["x" * 999] * 20, "min_parts": 13}, "body", "250,000 at most"),
    ("/split", {"words": ["x" * 999] * 20, "k": 13}, "body", "250,000 at most"),
    ("/split", {"words": "Haus"}, "body.words", "list"),
    ("/split", {"words": ["Haus", None]}, "body.words.1", "string"),
    ("/split", ["Haus"], "body", "object"),
    ("/text", {"text": "x" * 50_001}, "body.text", "at most 50000"),
    ("/text", {"text": "x", "k": 2}, "body.k", "/api.html"),
    ("/explain", {"word": "x", "entries": ["a"] * 201}, "body.entries", "at most 200"),
    ("/explain", {"word": "x", "never": ["\ud800"]}, "body.never.0", "Unicode"),
    ("/explain", {"word": "\ud800"}, "body.word", "Unicode"),
    ("/split", {"words": ["a", "b\udfff"]}, "body.words.1", "Unicode"),
    ("/text", {"text": "ab\udc00"}, "body.text", "Unicode"),
    ("/text", {"\ud800": "ab"}, "body", "Unicode"),
]


@pytest.mark.parametrize(("path", "asked", "where", "right"), TOO_MUCH)
def test_a_wrong_body_is_said(client: TestClient, path: str, asked: object, where: str, right: str) -> None:
    error = error_of(client.post(path, content=json.dumps(asked), headers=JSON), 422)
    assert error["where"].startswith(where)
    assert right in error["right"]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5),
    lambda some: st.lists(some, max_size=3) | st.dictionaries(st.text(st.characters(), max_size=3), some, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(
    "word words text k min_parts cuts no_cuts granularity min_probability entries always never without nets".split()
)


@given(st.sampled_from(["/split", "/text", "/explain"]), VALUES | st.dictionaries(FIELDS, VALUES, max_size=5))
@settings(deadline=None, max_examples=80)
def test_any_body_is_answered_or_refused_in_the_one_way(client: TestClient, path: str, body: object) -> None:
    answer = client.post(path, content=json.dumps(body), headers=JSON)
    if answer.status_code != 200:
        error_of(answer, 422)


@given(
    st.text("abehnrstüß-1 |", max_size=8),
    st.lists(st.integers(-1, 9), max_size=3),
    st.lists(st.integers(-1, 9), max_size=3),
    st.lists(st.text("abehnrstüß-1 |", max_size=5), max_size=2),
    st.lists(st.text("abehnrstüß-1 |", max_size=5), max_size=2),
    st.integers(1, 32),
)
@settings(deadline=None, max_examples=50)
def test_any_wish_is_answered_or_refused_in_the_one_way(
    client: TestClient, word: str, cuts: list[int], no_cuts: list[int], entries: list[str], never: list[str], least: int
) -> None:
    asked = {"word": word, "cuts": cuts, "no_cuts": no_cuts, "entries": entries, "never": never, "min_parts": least}
    answer = client.post("/explain", json=asked)
    if answer.status_code == 200:
        assert "".join(texts(answer.json()["best"])) == word
    else:
        error_of(answer, 422)


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"", JSON, 422),
        (b"{", JSON, 422),
        (b'{"words": ["Haus\xfc"]}', JSON, 400),
        (b"[" * 100_000, JSON, 400),
        (b'{"words": ["Haus"]}', {"content-type": "text/plain"}, 422),
        (b'{"words": ["Haus"]}', {}, 422),
        (b"x" * (limits.MOST_BODY + 1), JSON, 413),
        (b"", {**JSON, "content-length": "1" * 30}, 413),
        (b"", {**JSON, "content-length": "-1"}, 413),
    ],
)
def test_bodies_that_are_none(client: TestClient, content: bytes, headers: dict[str, str], status: int) -> None:
    error_of(client.post("/split", content=content, headers=headers), status)


def test_other_paths_and_methods(client: TestClient) -> None:
    error_of(client.get("/nothing"), 404)
    error_of(client.get("/page/../app.py"), 404)
    error_of(client.get("/page/%2e%2e/app.py"), 404)
    error_of(client.get("/docs"), 404)
    assert "POST" in error_of_method(client.delete("/text"))
    assert client.head("/").status_code == 200


def error_of_method(answer: Any) -> str:
    error_of(answer, 405)
    return answer.headers["allow"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "localhost:1", "LOCALHOST", "[::1]:8000"])
def test_this_machine_is_known_by_its_names(client: TestClient, host: str) -> None:
    assert client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", "", "a b"])
def test_others_are_refused(client: TestClient, host: str) -> None:
    assert error_of(client.get("/split?word=Haus", headers={"host": host}), 400)["where"] == "header Host"


def test_every_answer_tells_browsers_to_be_strict(client: TestClient) -> None:
    for path in ("/", "/api.html", "/page/page.css", "/page/main.js", "/split?word=Haus", "/openapi.json", "/nothing"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_health_tells_model_and_limits(client: TestClient) -> None:
    health = client.get("/health").json()
    assert (health["status"], health["version"], health["mode"]) == ("ok", hybrid.__version__, "cascade")
    assert health["limits"]["most_words"] == limits.MOST_WORDS


def test_the_description_is_valid_and_answers_are_as_it_says(client: TestClient) -> None:
    described = client.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    for name, schema in described["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        for field, of in schema.get("properties", {}).items():
            for example in of.get("examples", ()):
                valid(described, of, example, f"{name}.{field}")
    body = {"post": {"/split": {"words": ["Autobahn", ""], "k": 2}, "/text": {"text": "Das Haus."},
                     "/explain": {"word": "Video-Call"}}}  # fmt: skip
    seen = set()
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            asked = {"json": body["post"][path]} if method == "post" else {"params": {"word": "Haustür"}}
            answer = client.request(method, path, **asked)
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            valid(described, schema, answer.json(), path)
            seen.add((method, path))
    assert len(seen) == 7
    refused = client.get("/split").json()
    valid(described, {"$ref": "#/components/schemas/Refusal"}, refused, "refusal")


def valid(described: dict[str, Any], schema: dict[str, Any], value: object, where: str) -> None:
    errors = list(Draft202012Validator({**described, **schema}).iter_errors(value))
    assert not errors, f"{where}: {errors[0].message}"


def test_an_error_of_the_program_is_no_traceback(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(Segmenter, "split", fail)
    assert error_of(client.get("/split?word=Haus"), 500)["right"] == "please report it"
    monkeypatch.undo()
    assert client.get("/split?word=Haus").status_code == 200


@asynccontextmanager
async def asking(app: Any) -> AsyncIterator[Any]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE) as client:
        yield client


def test_what_takes_long_holds_up_no_other(segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    usual = Answerer.split_many

    def slow(self: Answerer, asked: Any) -> Any:
        begun.set()
        assert go_on.wait(20)
        return usual(self, asked)

    monkeypatch.setattr(Answerer, "split_many", slow)

    async def run() -> tuple[Any, ...]:
        async with asking(create_app(segmenter)) as client:
            long = asyncio.create_task(client.post("/split", json={"words": ["Haustür"]}))
            await asyncio.to_thread(begun.wait, 20)
            word, health = await client.get("/split?word=Haus"), await client.get("/health")
            waited = long.done()
            go_on.set()
            return word, health, waited, await long

    word, health, waited, long = asyncio.run(run())
    assert (word.status_code, health.status_code, waited, long.status_code) == (200, 200, False, 200)
    assert texts(long.json()["splits"][0]) == ["Haus", "tür"]


def test_a_lane_that_is_full_says_so_and_goes_on_later() -> None:
    go_on = threading.Event()

    async def run() -> list[str]:
        lane = Lane("test", 2)
        first, second = (asyncio.create_task(lane.run(lambda x: x if go_on.wait(20) else "", c)) for c in "ab")
        await asyncio.sleep(0)
        with pytest.raises(BusyError):
            await lane.run(str, "c")
        go_on.set()
        found = [await first, await second, await lane.run(str, "d")]
        lane.close()
        found.append(await lane.run(str, "e"))
        lane.close()
        return found

    assert asyncio.run(run()) == ["a", "b", "d", "e"]


def test_too_many_are_told_to_come_again(segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise BusyError

    monkeypatch.setattr(Lane, "run", full)
    with TestClient(create_app(segmenter), BASE, raise_server_exceptions=False) as client:
        answer = client.get("/split?word=Haus")
    assert error_of(answer, 503)["right"] == "ask again in a second"
    assert answer.headers["retry-after"] == "1"


def test_many_at_a_time_get_what_each_alone_gets(segmenter: Segmenter) -> None:
    asked = [{"word": word, "granularity": granularity, "entries": entries, "without": off, "k": 3}
             for word in ("Autobahnbrücke", "Haustür", "Wumpfzqaibrodel", "Mietrechtsänderung")
             for granularity in ("fine", "head")
             for entries in ([], ["hau|stür"]) for off in ([], ["count"])]  # fmt: skip

    async def run() -> tuple[list[Any], list[Any]]:
        async with asking(create_app(segmenter)) as client:
            alone = [await client.post("/explain", json=one) for one in asked]
        async with asking(create_app(segmenter)) as client:
            return alone, await asyncio.gather(*(client.post("/explain", json=one) for one in asked))

    alone, together = asyncio.run(run())
    assert [answer.json() for answer in alone] == [answer.json() for answer in together]
    assert {answer.status_code for answer in alone} == {200}


def test_an_app_of_the_default_model_needs_nothing_given() -> None:
    with TestClient(create_app(hosts=["*"]), "http://anything.example") as client:
        assert texts(client.get("/split", params={"word": "Wachstube"}).json()) == ["Wach", "stube"]


@contextmanager
def served(*options: str) -> Iterator[subprocess.Popen[str]]:
    """Start the command; whatever happens, it does not outlive the block."""
    command = [sys.executable, "-m", "hybrid", "serve", "--port", "0", "--fast", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        try:
            yield server
        finally:
            server.kill()


def address_of(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    return server.stdout.readline().strip()


def read_raw(port: int, request: bytes) -> bytes:
    """Send a request as it is; return all that comes back until the server closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(request)
        received = b""
        while more := connection.recv(65536):
            received += more
        return received


def test_the_command_serves_until_it_is_stopped(capsys: pytest.CaptureFixture) -> None:
    with served() as server:
        address = address_of(server)
        port = int(address.rsplit(":", 1)[1].strip("/"))
        with urlopen(f"{address}split?word=Haust%C3%BCr", timeout=20) as answer:
            assert texts(json.load(answer)) == ["Haus", "tür"]
        head = b"POST /split HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        chunk = b"8000\r\n" + b"x" * 0x8000 + b"\r\n"
        refused = read_raw(port, head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 33)
        assert refused.startswith(b"HTTP/1.1 413")
        assert b'"what":"the body is too long"' in refused
        closing = head + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        split = read_raw(port, closing + b'13\r\n{"words": ["Haus"]}\r\n0\r\n\r\n')
        assert split.startswith(b"HTTP/1.1 200")
        assert main(["serve", "--port", str(port)]) == 2
        assert f"hybrid: --port {port}: is taken at 127.0.0.1" in capsys.readouterr().err
        server.send_signal(signal.SIGTERM)
        rest, said = server.communicate(timeout=20)
    assert (server.returncode, rest, said) == (128 + signal.SIGTERM, "", "")


def test_ctrl_c_ends_it_and_who_may_use_it_is_told() -> None:
    with served("--host", "0.0.0.0", "--allowed-host", "words.example") as server:
        address = address_of(server).replace("0.0.0.0", "127.0.0.1")
        assert httpx.get(f"{address}health", headers={"host": "words.example"}).status_code == 200
        assert httpx.get(f"{address}health", headers={"host": "other.example"}).status_code == 400
        server.send_signal(signal.SIGINT)
        rest, said = server.communicate(timeout=20)
    assert (server.returncode, rest) == (128 + signal.SIGINT, "")
    assert said == "listening at 0.0.0.0: anyone who reaches this machine there can use it\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--host", "192.0.2.1"], "hybrid: --host '192.0.2.1': is no address of this machine; "),
        (["--host", "no.such.host.invalid"], "hybrid: --host 'no.such.host.invalid': no address of that name; "),
        (["--host", ""], "hybrid: --host '': no address of that name; "),
        (["--port", "0", "--never", "nowhere.txt"], "hybrid: nowhere.txt"),
        (["--port", "0", "--model", "nowhere"], "hybrid: nowhere"),
    ],
)
def test_what_is_wrong_with_the_command_is_one_line(
    options: list[str], said: str, capsys: pytest.CaptureFixture
) -> None:
    assert main(["serve", *options]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(said)


@pytest.mark.parametrize("port", ["65536", "-1", "http", "99999999999", "٣x"])
def test_a_port_is_a_number(port: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["serve", f"--port={port}"])
    assert stop.value.code == 2
    assert "is not a whole number from 0 to 65535" in capsys.readouterr().err


@pytest.mark.parametrize("package", ["uvicorn", "fastapi"])
def test_the_missing_extra_is_named(package: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from hybrid.cli import main; sys.exit(main(['serve']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr == f"hybrid: the package {package} is not installed: pip install 'hybrid-segmenter[serve]'\n"
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl is installed, which the document asks with")
def test_the_how_to_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        assert run_document(Path(__file__).parent.parent / "docs" / "how-to" / "serve.md", tmp_path) == 2
    finally:
        with suppress(OSError, ValueError):
            os.kill(int((tmp_path / "process").read_text(encoding="utf-8")), signal.SIGTERM)


def test_no_other_verb_loads_the_server() -> None:
    code = "import sys; from hybrid.cli import main; main(['split', 'Haustür'])\n"
    code += "print(sorted({'fastapi', 'uvicorn', 'pydantic', 'starlette', 'asyncio'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "Haus|tür\n[]\n"


def test_what_is_quick_goes_before(segmenter: Segmenter) -> None:
    schemas = pytest.importorskip("hybrid.serving.schemas")
    answerer = Answerer(segmenter)
    quick: Callable[..., bool] = lambda **asked: answerer.is_quick(schemas.AskedWord(**asked))  # noqa: E731
    assert quick(word="Haustür", granularity="head", k=20)
    for asked in ({"word": "x" * 101}, {"word": "a", "nets": True}, {"word": "a", "without": ["count"]},
                  {"word": "a", "never": ["b"]}):  # fmt: skip
        assert not quick(**asked)
