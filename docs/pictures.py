"""Draw the lattices that the documentation shows: `python docs/pictures.py`, or `make pictures`."""

from pathlib import Path

import hybrid

FOLDER = Path(__file__).parent / "pictures"
WORDS = ("Staubecken", "Autobahnanschlussstelle")
INK = "svg{color:#1f2937;background:#fff}"
"""On white in both colour schemes, for an image does not know its page's."""


def drawn(word: str) -> str:
    """Return the lattice of a word as the model that ships sees it, as a file of SVG."""
    svg = hybrid.load().explain(word).to_svg()
    return svg.replace("<title>", f"<style>{INK}</style>\n<title>", 1) + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for word in WORDS:
        (FOLDER / f"{word.lower()}.svg").write_text(drawn(word), encoding="utf-8")
