"""The page with what is odd: words that turn the writing direction, lines too short for a word, full addresses."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from tests.test_page import browser, page, pytestmark, shows

__all__ = ["browser", "page", "pytestmark"]

WORDS = ["Donaudampfschifffahrtsgesellschaftskapitänsmütze", "Rechtsschutzversicherungsgesellschaften"]

BROKEN = """() => [...document.querySelectorAll("#ranking .word bdi, #gave caption bdi")].filter((part) => {
    const pieces = [...part.getClientRects()];
    const room = part.closest(".word, caption").getBoundingClientRect().width;
    return pieces.length > 1 && pieces.reduce((sum, one) => sum + one.width, 0) < room - 20;
}).map((part) => part.textContent)"""

PLACES = """() => {
    const text = document.querySelector("#gave caption small").firstChild, range = document.createRange();
    return [...text.data].map((_, i) => {
        range.setStart(text, i);
        range.setEnd(text, i + 1);
        const box = range.getBoundingClientRect();
        return [Math.round(box.top), box.left];
    });
}"""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "hybrid", "serve", "--port", "0", "--device", "cpu", "--fast"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def test_a_word_that_turns_the_writing_direction_turns_nothing_else(page: Any, address: str) -> None:
    page.goto(f"{address}#word={quote(chr(0x202E) + 'Haus')}")
    page.wait_for_selector("#gave caption")
    places = page.evaluate(PLACES)
    assert len(places) > 5
    assert places == sorted(places)


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_lines_break_at_bars_before_they_break_in_parts(page: Any, address: str) -> None:
    lines = 0
    for word in WORDS:
        page.goto(f"{address}#word={quote(word)}")
        page.wait_for_function("word => document.title.replaceAll('|', '').startsWith(word)", arg=word)
        assert page.evaluate(BROKEN) == []
        lines += page.locator("#ranking .word").evaluate_all("all => all.filter((one) => one.offsetHeight > 40).length")
    assert lines > 6


def test_an_address_that_the_browser_refuses_keeps_no_answer_away(page: Any, address: str) -> None:
    page.add_init_script("history.replaceState = () => { throw new DOMException('too often', 'SecurityError'); };")
    page.add_init_script(
        "const asked = fetch; window.fetch = async (url, ...more) => {"
        " if (String(url).includes('columns')) await new Promise((go) => setTimeout(go, 500));"
        " return asked(url, ...more); };"
    )
    page.goto(address)
    page.fill("#word", "Kindergeld")  # before the page is complete
    page.wait_for_selector("#columns input")
    shows(page, "Kinder", "geld")
    assert page.url == address


def test_a_link_of_a_text_has_all_settings(page: Any, address: str) -> None:
    settings = "granularity=head&least=1&entries=Auto%7Cbahn&never=Hoch%20zeit&never=a%26b"
    page.goto(f"{address}#text=Das%20Kindergeld&{settings}")
    page.wait_for_selector("#running a")
    assert page.get_attribute("#running a", "href") == f"#word=Kindergeld&{settings}"
