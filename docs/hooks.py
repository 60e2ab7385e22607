"""What the site takes from beside its folder, when mkdocs builds it: results, the list of changes, the verbs' help."""

import argparse
import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
WIDTH = "100"
"""Characters of a line of help."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the benchmarks' tables and pictures as `results/`."""
    for path in sorted([*RESULTS.glob("*.md"), *RESULTS.glob("*.png")]):
        files.append(File.generated(config, f"results/{path.name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let links to results lead into the site, and put in what other files tell."""
    markdown = re.sub(
        r"\]\((?:\.\./)+benchmarks/results/", f"]({'../' * page.file.src_uri.count('/')}results/", markdown
    )
    markdown = markdown.replace("<!-- changes -->", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    return markdown.replace("<!-- help -->", "\n".join(help_of_verbs()))


def help_of_verbs() -> list[str]:
    """Return a heading and the help of each verb, as Markdown."""
    from hybrid.arguments import build_parser

    os.environ["COLUMNS"] = WIDTH
    return list(_help("hybrid", build_parser()))


def _help(name: str, parser: argparse.ArgumentParser) -> list[str]:
    """Return the help of a verb and of those below it."""
    lines = [f"## {name}\n", f"```text\n{parser.format_help().rstrip()}\n```\n"]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb, below in action.choices.items():
                lines += _help(f"{name} {verb}", below)
    return lines
