"""The page in a real browser: what is typed is shown, by keyboard alone, on a phone, light and dark, and locally."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import pytest

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright, which drives the browser, is not installed")
pytest.importorskip("uvicorn", reason="the server needs the extra serve")

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed to look at the page with")

QUIET = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip
WAIT = 15_000
"""Milliseconds until something that should come is given up."""

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    command = [sys.executable, "-m", "hybrid", "serve", "--port", "0", "--device", "cpu"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of its own; afterwards nothing was complained of, and nobody else was asked."""
    context = browser.new_context(**getattr(request, "param", {}))
    context.set_default_timeout(WAIT)
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda one: asked.append(one.url))
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: (said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.add_init_script("""window.broken = [];
        document.addEventListener("securitypolicyviolation", (one) => window.broken.push(one.violatedDirective));""")
    page.expected = re.compile("(?!)")
    yield page
    violations = page.evaluate("window.broken")
    context.close()
    assert violations == []
    assert [line for line in said if not page.expected.search(line)] == []
    assert {urlsplit(url).netloc for url in asked} == {urlsplit(address).netloc}


def parts(page: Any) -> list[str]:
    """Return the parts shown, without their dictionary forms."""
    return page.eval_on_selector_all(
        "#parts li", "items => items.map(i => [...i.childNodes].filter(n => n.nodeName !== 'SMALL')"
        ".map(n => n.textContent).join(''))"
    )  # fmt: skip


def shows(page: Any, *texts: str) -> None:
    """Wait until these parts are shown."""
    page.wait_for_function(
        "wanted => !document.getElementById('of-word').hidden && JSON.stringify([...document.querySelectorAll("
        "'#parts li')].map(i => [...i.childNodes].filter(n => n.nodeName !== 'SMALL').map(n => n.textContent)"
        ".join(''))) === wanted",
        arg=json.dumps(list(texts), ensure_ascii=False, separators=(",", ":")),
    )


def focused(page: Any) -> str:
    return page.evaluate("document.activeElement.id || document.activeElement.className?.baseVal || "
                         "document.activeElement.parentElement.id")  # fmt: skip


def number(page: Any, selector: str) -> float:
    return float(page.inner_text(selector).replace("−", "-"))


def test_typing_shows_parts_tree_splits_and_lattice(page: Any, address: str) -> None:
    page.goto(address)
    page.type("#word", "Arbeitsamtsleiterin", delay=5)
    shows(page, "Arbeits", "amts", "leiterin")
    assert page.locator("#parts .link").all_inner_texts() == ["s", "s"]
    assert page.locator("#parts small").all_inner_texts() == ["Arbeit", "Amt", "Leiterin"]
    assert page.get_attribute("#tree", "aria-label") == "((Arbeits amts) leiterin)"
    assert page.locator("#tree .branch .branch .leaf").all_inner_texts() == ["Arbeits", "amts"]
    assert page.locator("#ranking li").count() == 8
    assert "Arbeits|amts|leiterin" in page.inner_text("#ranking li:first-child")
    assert page.locator("#lattice .arc.best.lit").count() == 3
    assert "Arbeits, amts, leiterin" in page.inner_text("#status")
    assert page.url == f"{address}#word=Arbeitsamtsleiterin"
    page.fill("#word", "Staubecken")
    shows(page, "Stau", "becken")
    page.press("#word", "Escape")
    page.wait_for_selector("#empty:visible")
    assert page.url == address


def test_the_latest_word_wins(page: Any, address: str) -> None:
    page.goto(address)
    held: list[Any] = []
    page.route(
        "**/explain", lambda route: held.append(route) if "Haus" in route.request.post_data else route.continue_()
    )
    with page.expect_request("**/explain"):
        page.fill("#word", "Haustür")
    page.fill("#word", "Kindergeld")
    shows(page, "Kinder", "geld")
    with page.expect_request("**/explain"):
        page.fill("#word", "Haustür")
    page.fill("#word", "")
    page.wait_for_selector("#empty:visible")
    assert len(held) == 2
    for late in held:
        late.continue_()
    page.wait_for_load_state("networkidle")
    assert page.is_visible("#empty")
    assert not page.is_visible("#of-word")


def test_all_can_be_reached_by_keyboard(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#columns input")
    assert focused(page) == "word"
    page.keyboard.type("Wachstube")
    shows(page, "Wach", "stube")
    page.keyboard.press("Tab")
    assert focused(page) == "ranking"
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    before = page.inner_text("#gave caption")
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#gave caption") != before
    assert page.locator("#ranking li[aria-selected=true]").count() == 1
    page.keyboard.press("Home")
    assert page.inner_text("#gave caption") == before
    page.keyboard.press("Tab")
    assert focused(page).startswith("arc")
    seen = {page.inner_text("#gave caption")}
    for _ in range(page.locator("#lattice .arc").count()):
        page.keyboard.press("ArrowRight")
        seen.add(page.inner_text("#gave caption"))
    assert len(seen) > 2
    page.keyboard.press("Escape")
    assert focused(page) == "word"
    stops = []
    while not stops or stops[-1] != "reset":
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.id || document.activeElement.name || "
                                   "document.activeElement.value || document.activeElement.tagName"))  # fmt: skip
        assert len(stops) < 30
    assert {"granularity", "least", "count", "segment_lexicon", "nets"} <= set(stops)
    page.keyboard.press("Control+Home")
    page.evaluate("document.activeElement.blur()")
    page.focus("#skip")
    page.keyboard.press("Enter")
    assert focused(page) == "results"


def test_all_that_can_be_changed_has_a_name(page: Any, address: str) -> None:
    page.goto(address)
    page.wait_for_selector("#columns input")
    unnamed = page.evaluate("""[...document.querySelectorAll("input, textarea, button, summary")].filter((one) =>
        !one.labels?.length && !one.textContent.trim() && !one.ariaLabel).map((one) => one.outerHTML)""")
    assert unnamed == []
    assert page.locator("h1").count() == 1
    assert page.get_attribute("html", "lang") == "en"


def test_switching_a_column_off_changes_the_score(page: Any, address: str) -> None:
    page.goto(f"{address}#word=Mietrechts%C3%A4nderung&nets=1")
    shows(page, "Miet", "rechts", "änderung")
    before = number(page, "#score")
    with page.expect_response("**/explain"):
        page.uncheck("#columns input[value=segment]")
    page.wait_for_function("before => document.getElementById('score').textContent !== before", arg=f"+{before:.2f}")
    row = page.locator("#gave tr", has_text="segment").first
    assert row.locator(".number").inner_text() == "+0.00"
    assert "off=segment" in page.url
    with page.expect_response("**/explain"):
        page.click("#reset")
    page.wait_for_function("() => !location.hash.includes('off')")


def test_looking_at_an_arc_tells_what_columns_gave_it(page: Any, address: str) -> None:
    page.goto(f"{address}#word=Wachstube")
    shows(page, "Wach", "stube")
    usual = page.inner_text("#gave caption")
    page.dispatch_event("#lattice .arc.best", "mouseenter")
    assert page.inner_text("#gave caption") != usual
    page.dispatch_event("#lattice .arc.best", "mouseleave")
    assert page.inner_text("#gave caption") == usual
    page.hover("#ranking li:nth-child(2)")
    lit = page.locator("#lattice .arc.lit").evaluate_all("arcs => arcs.map(arc => arc.getAttribute('aria-label'))")
    second = page.inner_text("#ranking li:nth-child(2) .word").split("|")
    assert sorted(label.split(":")[0] for label in lit) == sorted(second)


def test_own_words_and_granularity_are_in_the_address(page: Any, address: str) -> None:
    page.goto(address)
    page.fill("#word", "Autobahnanschlussstelle")
    page.check("input[value=head]")
    shows(page, "Autobahn", "anschlussstelle")
    page.click("#own summary")
    page.fill("#never", "Hochzeit\nAutobahnanschlussstelle")
    shows(page, "Autobahnanschlussstelle")
    page.evaluate("document.getElementById('least').value = 30; "
                  "document.getElementById('least').dispatchEvent(new Event('input', {bubbles: true}))")  # fmt: skip
    assert page.inner_text("#least-told") == "30 %"
    shared = page.url
    page.goto("about:blank")
    page.goto(shared)
    shows(page, "Autobahnanschlussstelle")
    assert page.input_value("#never") == "Hochzeit\nAutobahnanschlussstelle"
    assert page.is_checked("input[value=head]")
    assert page.input_value("#least") == "30"
    page.expected = re.compile("422")
    page.fill("#never", "a||b")
    page.wait_for_selector("#problem:visible")
    assert "has an empty part" in page.inner_text("#problem")


def test_a_text_keeps_its_lines_and_leads_to_its_words(page: Any, address: str) -> None:
    text = "Die Autobahnbrücke 😀\n(info@amt.de) ist zu."
    page.goto(f"{address}#text={quote(text)}")
    page.wait_for_selector("#running a")
    assert page.text_content("#running") == text
    assert page.locator("#running .part").all_inner_texts() == ["Auto", "bahn", "brücke"]
    page.press("#running a", "Enter")
    shows(page, "Auto", "bahn", "brücke")
    page.go_back()
    page.wait_for_selector("#running a")
    assert page.input_value("#text") == text


def test_a_text_too_long_for_an_address_stays(page: Any, address: str) -> None:
    text = "Das Kindergeld kommt. " * 200
    page.goto(address)
    page.check("input[value=text]", force=True)
    page.fill("#text", text)
    page.wait_for_selector("#running a")
    assert page.url == f"{address}#text="
    page.press("#running a:first-of-type", "Enter")
    shows(page, "Kinder", "geld")
    page.go_back()
    page.wait_for_selector("#running a:visible")
    assert page.input_value("#text") == page.text_content("#running") == text


def test_several_words_pasted_are_a_text(page: Any, address: str) -> None:
    page.goto(address)
    page.evaluate("""() => {
        const data = new DataTransfer();
        data.setData("text/plain", "Das Kindergeld kommt.");
        const paste = new ClipboardEvent("paste", {clipboardData: data, cancelable: true});
        document.getElementById("word").dispatchEvent(paste);
    }""")
    page.wait_for_selector("#running a")
    assert page.text_content("#running") == "Das Kindergeld kommt."
    assert page.evaluate("document.activeElement.id") == "text"


def test_markup_stays_text(page: Any, address: str) -> None:
    page.expected = re.compile("422")
    page.goto(f"{address}#word={quote(HOSTILE)}")
    page.wait_for_selector("#parts li:visible")
    assert "".join(parts(page)) == HOSTILE
    page.goto(f"{address}#text={quote(f'Ein {HOSTILE} Kindergeld.')}")
    page.wait_for_selector("#running a")
    assert page.text_content("#running") == f"Ein {HOSTILE} Kindergeld."
    page.goto(f"{address}#word=Haus&never={quote(HOSTILE)}&off={quote(HOSTILE)}&granularity={quote(HOSTILE)}")
    page.wait_for_selector("#problem:visible")
    assert f"there is no column '{HOSTILE}'" in page.inner_text("#problem")
    page.wait_for_load_state("networkidle")
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("page", [{"viewport": {"width": 360, "height": 740}}], indirect=True)
def test_a_phone_need_not_scroll_sideways(page: Any, address: str) -> None:
    page.expected = re.compile("422")
    for asked, shown in (
        ("", "#empty:visible"),
        ("word=Donaudampfschifffahrtsgesellschaftskapit%C3%A4n", "#parts:visible li:has-text('Donau')"),
        (f"word={'Haust%C3%BCr' * 20}", "#parts li:nth-child(40):visible"),
        (f"text={'Autobahn' * 30}", "#running a"),
        ("word=Haus&never=a%7C%7Cb", "#problem:visible"),
    ):
        page.goto(f"{address}#{asked}")
        page.wait_for_selector(shown)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, asked
    small = page.eval_on_selector_all(
        "button, .switch span, summary, #word",
        "all => all.filter((one) => one.offsetHeight && one.offsetHeight < 24).map((one) => one.outerHTML)",
    )
    assert small == []


CONTRASTS = """() => {
    const read = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
    const behind = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const colour = read(getComputedStyle(at).backgroundColor);
            if (colour[3] !== 0) return colour;
        }
        throw new Error("nothing is behind it");
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const one = node.parentElement, box = one.getBoundingClientRect();
        if (!node.textContent.trim() || box.width < 2 || one.closest(".unseen, script, style, title")) continue;
        const style = getComputedStyle(one);
        if (style.visibility === "hidden") continue;
        const pair = [light(read(one.closest("svg") ? style.fill : style.color)), light(behind(one))];
        found.push([(Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05), node.textContent.trim()]);
    }
    return found;
}"""


@pytest.mark.parametrize("page", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True,
                         ids=["light", "dark"])  # fmt: skip
def test_contrast_in_light_and_dark(page: Any, address: str, request: pytest.FixtureRequest) -> None:
    page.expected = re.compile("422")
    page.goto(f"{address}#word=Mietrechts%C3%A4nderung&off=segment_lexicon")
    page.wait_for_selector("#columns input")
    shows(page, "Miet", "rechts", "änderung")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.wait_for_function("() => document.getAnimations().length === 0")
    paper = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    assert dark == request.node.name.endswith("[dark]")
    assert (sum(map(int, re.findall(r"\d+", paper))) < 200) == dark
    seen = page.evaluate(CONTRASTS)
    page.fill("#never", "a||b")
    page.wait_for_selector("#problem:visible")
    seen += page.evaluate(CONTRASTS)
    page.goto(f"{address}#text=Das%20Kindergeld")
    page.wait_for_selector("#running a")
    seen += page.evaluate(CONTRASTS)
    assert len(seen) > 150
    assert [text for contrast, text in seen if contrast < 4.5] == []


@pytest.mark.parametrize("page", [{"reduced_motion": "reduce"}], indirect=True)
def test_nothing_moves_for_who_wants_no_motion(page: Any, address: str) -> None:
    page.goto(f"{address}#word=Wachstube")
    shows(page, "Wach", "stube")
    moving = page.evaluate("[...document.querySelectorAll('*')].filter((one) => "
                           "parseFloat(getComputedStyle(one).transitionDuration) > 0).length")  # fmt: skip
    assert moving == 0


@pytest.mark.parametrize("network", [True, False], ids=["server", "network"])
def test_what_is_away_is_asked_again(page: Any, address: str, network: bool) -> None:
    page.expected = re.compile("ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED")
    page.goto(f"{address}#word=Wachstube")
    shows(page, "Wach", "stube")
    if network:
        page.route("**/explain", lambda route: route.abort("connectionrefused"))
    else:
        page.context.set_offline(True)
    page.fill("#word", "Haustür")
    page.wait_for_selector("#problem:visible")
    assert "The server does not answer" in page.inner_text("#problem")
    assert parts(page) == ["Wach", "stube"]
    if network:
        page.unroute("**/explain")
    else:
        page.context.set_offline(False)
    shows(page, "Haus", "tür")
    assert page.is_hidden("#problem")


def test_what_programs_can_ask_is_listed(page: Any, address: str) -> None:
    page.goto(f"{address}api.html")
    page.wait_for_selector("#list section")
    heads = page.locator("#list h2").all_inner_texts()
    assert {"GET /split", "POST /text", "GET /health"} <= set(heads)
    assert page.locator("#list summary").count() == 5


def test_the_page_needs_nothing_from_elsewhere() -> None:
    import hybrid.serving

    files = sorted((Path(hybrid.serving.__file__).parent / "page").iterdir())
    assert len(files) > 10
    for file in files:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, file
        assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b", text), file
        assert file.suffix != ".html" or not re.search(r"<script(?![^>]*src=)|\son\w+=|\sstyle=|<style", text), file
    assert sum(file.stat().st_size for file in files) < 100_000
