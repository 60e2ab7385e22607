"""At run time nothing is fetched, asked or sent, no program is started and no pickle of ours is read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NUMBA = "numba.core.caching"
"""Keeps compiled loops beside the modules they are of, pickled; it reads what it wrote."""


def test_nothing_asks_the_network_or_another_program(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.offline", str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    asked = json.loads((tmp_path / "asked.json").read_text(encoding="utf-8"))
    assert [(event, what, *modules) for event, what, *modules in asked if not allowed(event, modules)] == []
    assert len(list(tmp_path.glob("*.zip"))) == len(list(tmp_path.glob("*.svg"))) == 1


def allowed(event: str, modules: list[str]) -> bool:
    """Whether a library does what no user would mind."""
    return event == "pickle.find_class" and modules[0] == NUMBA


FORBIDDEN = {"socket.connect", "socket.getaddrinfo", "urllib.Request", "subprocess.Popen", "os.system", "os.fork"}
ATTEMPTS = [
    "import socket; socket.create_connection(('127.0.0.1', 9))",
    "import socket; socket.getaddrinfo('localhost', 80)",
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')",
    "import subprocess; subprocess.run(['true'])",
    "import os; os.system('true')",
    "import os; os.fork()",
]


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_the_watch_sees_and_forbids(attempt: str) -> None:
    code = f"from tests.offline import asked\ntry:\n    {attempt}\nexcept PermissionError: print(asked[0][0])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() in FORBIDDEN


def test_the_watch_sees_pickles() -> None:
    code = "from tests.offline import asked\nimport pickle, decimal\n"
    code += "pickle.loads(pickle.dumps(decimal.Decimal(1)))\nprint(asked[0][0], asked[0][2])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    event, module = done.stdout.split()
    assert not allowed(event, [module])
