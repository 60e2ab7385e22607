"""The server against those who send half of something, or too many of it, and against names that are none."""

import asyncio
import json
import signal
import socket
import subprocess
import sys
from typing import Any
from urllib.request import urlopen

import pytest

from hybrid.cli import main
from hybrid.errors import DataError
from hybrid.integrations.shared import segmenter_of

pytest.importorskip("httpx", reason="the server's API is asked with httpx")
pytest.importorskip("fastapi", reason="the server needs the extra serve")
pytest.importorskip("uvicorn", reason="the server needs the extra serve")
from fastapi.testclient import TestClient

from hybrid.serving.app import create_app
from hybrid.serving.connections import LastWord, protocol
from hybrid.serving.guards import ShortBodies, checked_names

HTTP: dict[str, Any] = {"type": "http", "method": "POST", "path": "/text", "headers": [(b"content-length", b"9")]}

SERVE = """
import resource, sys
import hybrid.serving.command as command
from hybrid.cli import main
command.LAST_ANSWERS = 0.1
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
sys.exit(main(["serve", "--port", "0", "--fast", "--device", "cpu"]))
"""

HALF = b"POST /text HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{"


async def never() -> dict[str, Any]:
    await asyncio.Event().wait()
    raise AssertionError


async def silent(scope: Any, receive: Any, send: Any) -> None:
    await asyncio.Event().wait()


class Sent(list[dict[str, Any]]):
    """What an application sent."""

    async def __call__(self, message: Any) -> None:
        self.append(message)

    def refusal(self) -> tuple[int, dict[str, str]]:
        head, body = self
        return head["status"], json.loads(body["body"])["error"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_a_flood_of_connections_and_half_requests_leave_no_trace() -> None:
    command = [sys.executable, "-c", SERVE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stderr is not None
        address = server.stdout.readline().strip()
        port = int(address.strip("/").rpartition(":")[2])
        flood = [socket.create_connection(("127.0.0.1", port)) for _ in range(300)]
        assert flood[-1].recv(1) == b""  # closed at once, for there are not as many files
        for one in flood:
            one.close()
        with urlopen(f"{address}split?word=Kindergeld") as answer:
            assert json.load(answer)["tree"] == ["Kinder", "geld"]
        with socket.create_connection(("127.0.0.1", port)) as half:
            half.sendall(HALF)
            with urlopen(f"{address}health") as answer:  # by then the half one has come
                assert json.load(answer)["status"] == "ok"
            server.send_signal(signal.SIGTERM)
            head, _, body = b"".join(iter(lambda: half.recv(4096), b"")).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert json.loads(body)["error"]["what"] == "the server is being stopped"
        assert server.wait(20) == 128 + signal.SIGTERM
        told = server.stderr.read()
    assert told.splitlines() == ["Cancel 1 running task(s), timeout graceful shutdown exceeded"]


def test_a_connection_on_which_nothing_comes_is_closed() -> None:
    from uvicorn import Config
    from uvicorn.server import ServerState

    closed: list[int] = []

    class Transport(asyncio.Transport):
        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

        def is_closing(self) -> bool:
            return self.number in closed

        def close(self) -> None:
            closed.append(self.number)

    async def connect() -> None:
        config = Config(silent, log_config=None)
        config.load()
        made = [protocol(2, patience=0.01)(config, ServerState(), {}) for _ in range(3)]
        for number, one in enumerate(made):
            one.connections = made[0].connections  # as of one server
            one.connection_made(Transport(number))
        assert closed == [2]
        made[1].data_received(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        while 0 not in closed:
            await asyncio.sleep(0)
        for task in made[1].tasks:
            task.cancel()

    asyncio.run(asyncio.wait_for(connect(), 20))
    assert closed[:2] == [2, 0]
    assert 1 not in closed[:2]


def test_a_request_that_is_broken_off_is_answered() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def ask(scope: dict[str, Any]) -> Sent:
        sent = Sent()
        task = asyncio.create_task(LastWord(app)(scope, never, sent))
        await asyncio.sleep(0)
        task.cancel()
        await task
        return sent

    assert asyncio.run(ask(HTTP)).refusal()[0] == 503
    assert asyncio.run(ask({"type": "lifespan"})) == []  # it goes on to end its threads


def test_a_body_that_does_not_come_is_not_waited_for() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("not before the body is there")

    sent = Sent()
    asyncio.run(ShortBodies(app, most=100, patience=0.01)(HTTP, never, sent))
    status, error = sent.refusal()
    assert (status, error["right"]) == (408, "all of it within 0.01 seconds")


@pytest.mark.parametrize(
    ("given", "asked"),
    [("MyHost", "myhost:80"), ("Müller.example", "xn--mller-kva.example"), ("*.example.org", "a.example.org"),
     ("fe80::1", "[fe80::1]:80"), ("[::2]", "[::2]"), ("192.0.2.1", "192.0.2.1"), ("*", "any.example"),
     ("under_score", "under_score")],
)  # fmt: skip
def test_a_server_is_known_by_the_names_given(given: str, asked: str) -> None:
    client = TestClient(create_app(segmenter_of(mode="fast"), hosts=[given]), "http://127.0.0.1")
    assert client.get("/health", headers={"host": asked}).status_code == 200
    assert given == "*" or client.get("/health", headers={"host": f"x{asked}x"}).status_code == 400


@pytest.mark.parametrize("name", ["a*b", "*a", "http://a", "a:80", "a/b", "", "a b", "a..b", "[a]", "x\n"])
def test_what_is_no_name_is_refused_before_anything_is_served(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DataError, match="no host's name"):
        checked_names([name])
    assert main(["serve", "--port", "0", "--allowed-host", name]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


def test_an_application_is_made_of_a_segmenter_and_a_list_of_names() -> None:
    with pytest.raises(TypeError, match="hosts is a string"):
        create_app(segmenter_of(mode="fast"), hosts="localhost")
    with pytest.raises(TypeError, match="segmenter is a str"):
        create_app("de")  # type: ignore[arg-type]


def test_no_address_is_told_where_a_package_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "hybrid.serving.connections")
    monkeypatch.setitem(sys.modules, "uvicorn.protocols.http.h11_impl", None)
    assert main(["serve", "--port", "0", "--fast"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("is not installed: pip install 'hybrid-segmenter[serve]'\n")
