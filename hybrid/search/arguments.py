"""The options of `hybrid export-search` that other verbs don't have, and its help."""

import argparse
from pathlib import Path

from hybrid.option_values import share, whole

ENGINES = ("elasticsearch", "opensearch", "solr")
FORMS = ("synonyms", "word-list", "decompounder")

SEARCH = """\
VOCABULARY has a word a line, or a word, a tab and how often it comes: best all words of the index, as they are written.

synonyms       a rule for each compound: exactly its parts, and parts that belong together, of these words and no others
word-list      subwords for dictionary_decompounder, which looks for them in any word; none is on the list that it would
               find in a word of VOCABULARY where no part begins and ends (ecken in Staubecken); of more words fewer are
               left, and --tolerate gets them back
decompounder   the same with the list inside the settings, for clusters where no file can be put; Solr, which takes
               none without a file, gets what word-list gives

FOLDER gets the list, and index.json with analyzers and a field that use it (for Solr field-type.json). Compounds are
taken apart where documents are indexed; a query's words stay whole, so that Autobahn doesn't find every Bahn.
What was left out is in refused.tsv, and why; what to do next is told on standard error."""

MIN_WORD, MIN_SUBWORD, MAX_SUBWORD = 5, 4, 25
"""Letters. The engines' own defaults are 5, 2 and 15. Of subwords of two and three letters hardly one is right in all
of a large vocabulary (benchmarks/results/search.md), and a small one can't tell which. Constituents are long."""

LONGEST = 255
"""Characters of a word that Lucene's standard tokenizer leaves whole."""


def add_search(verb: argparse.ArgumentParser) -> None:
    """Add vocabulary, engine, form and the sizes of subwords."""
    verb.add_argument("vocabulary", type=Path, metavar="VOCABULARY", help="a file, or - for standard input")
    verb.add_argument("--for", dest="engine", choices=ENGINES, required=True, help="the engine whose files are written")
    verb.add_argument(
        "--as", dest="form", choices=FORMS, default="synonyms", help="what is written (default: %(default)s)"
    )
    verb.add_argument("--out", type=Path, required=True, metavar="FOLDER",
                      help="folder to write; one that an earlier run wrote is replaced")  # fmt: skip
    for name, default, what in (("min-word-size", MIN_WORD, "letters of a word that is taken apart"),
                                ("min-subword-size", MIN_SUBWORD, "letters of a subword"),
                                ("max-subword-size", MAX_SUBWORD, "letters of a subword")):  # fmt: skip
        most = "most" if name.startswith("max") else "least"
        verb.add_argument(f"--{name}", type=whole(1, LONGEST), metavar="N",
                          help=f"word-list and decompounder: {most} {what} (default: {default})")  # fmt: skip
    verb.add_argument("--only-longest-match", action="store_true",
                      help="word-list and decompounder: where several subwords begin, the longest alone")  # fmt: skip
    verb.add_argument("--tolerate", type=share, metavar="P", help="word-list and decompounder: the share of a "
                      "subword's finds that may be wrong, by how often the words come (default: 0)")  # fmt: skip
    verb.set_defaults(verb="export-search")
