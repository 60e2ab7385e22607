"""The documentation: what it shows is what happens, its links lead somewhere, its site stands."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.hooks import help_of_verbs
from docs.pictures import FOLDER, WORDS, drawn
from tests.examples import blocks, run_document

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
RUN = ("index.md", "tutorial.md", "how-to/scripts.md", "how-to/own-words.md", "how-to/contest.md", "how-to/research.md",
       "how-to/label-words.md", "how-to/label-texts.md")  # fmt: skip
"""Pages whose examples run here; those of other tools run in the tests of these."""


@pytest.mark.parametrize("name", RUN)
def test_examples_give_what_is_shown(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(DOCS / name, tmp_path) > 0


def test_every_page_with_examples_is_run_by_a_test() -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py"))
    for page in DOCS.rglob("*.md"):
        if any(block.kind in ("console", "pycon") for block in blocks(page.read_text(encoding="utf-8"))):
            name = page.relative_to(DOCS).as_posix()
            assert name in RUN or name in tests or f'"{page.name}"' in tests, name


def test_links_lead_somewhere() -> None:
    for page in DOCS.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.relative_to(DOCS)}: {target}"


@pytest.mark.parametrize("word", WORDS)
def test_pictures_show_the_model_that_ships(word: str) -> None:
    assert (FOLDER / f"{word.lower()}.svg").read_text(encoding="utf-8") == drawn(word), "run: make pictures"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with every warning an error."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_menu(site: Path) -> None:
    home = (site / "index.html").read_text(encoding="utf-8")
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).with_suffix(".html").as_posix()
        assert f'href="{name}"' in home or name == "index.html", f"{name} is not in mkdocs.yml"


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        loaded = re.findall(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?([^\"\s>]+)", text)
        loaded += re.findall(r"<link\b[^>]*\brel=\"?(?:stylesheet|preconnect|icon)\b[^>]*\bhref=\"?([^\"\s>]+)", text)
        assert loaded
        assert not [address for address in loaded if re.match(r"(https?:)?//", address)], page


def test_the_reference_has_every_verb_and_the_facade(site: Path) -> None:
    commands = (site / "reference" / "command-line.html").read_text(encoding="utf-8")
    headings = re.findall(r"^## (hybrid .*)$", "\n".join(help_of_verbs()), re.MULTILINE)
    assert {"hybrid split", "hybrid split-corpus", "hybrid lexicon import"} <= {h.strip() for h in headings}
    assert all(f">{heading.strip()}<" in commands for heading in headings)
    python = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in ("hybrid.load", "hybrid.segmenter.Segmenter.split", "hybrid.segmentation.Segmentation.is_compound"):
        assert f'id="{name}"' in python, name


def test_results_and_changes_are_in_the_site(site: Path) -> None:
    assert (site / "results" / "decoders.html").exists()
    assert (site / "results" / "accuracy-speed.png").exists()
    assert "hybrid completion" in (site / "changes.html").read_text(encoding="utf-8")


def test_search_works_from_disk_and_examples_are_copied_without_prompts(site: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright, which drives the browser, is missing")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium is installed to look at the site with")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--headless=new", "--no-sandbox"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        page.goto((site / "tutorial.html").as_uri())
        page.click("input.md-search__input")
        page.keyboard.type("lattice")
        page.wait_for_selector(".md-search-result__item a[href*='how-it-works']")
        copied = page.evaluate("""() => { const code = document.querySelector(".highlight code");
            code.setAttribute("data-md-copying", ""); return code.innerText.trim(); }""")
        browser.close()
    assert copied == "hybrid split Autobahnanschlussstelle Wandhalterung Elster untersucht"
    assert all(url.startswith("file:") for url in asked)
