"""Analyzers that use a word list or synonyms, as each engine's API takes them.

Documents are taken apart, queries are not: else a search for *Autobahn* would find every *Bahn*. The order is that of
the engines' own German analyzers, with compounds between lower case and normalization, for that makes *a* of *ä* and
*ss* of *ß*, and the lists are spelt as people write. After the stemmer *straßen* and *straße* are one, and one of the
two is dropped, which stands at the same place.
"""

from collections.abc import Iterable
from typing import Any

from hybrid.search.compound_filter import Sizes

WORDS, RULES = "german-compounds.txt", "german-compound-rules.txt"
"""Names of the files; unlike those that engines ship."""

FOLDERS = {"elasticsearch": "analysis", "opensearch": "analysis", "solr": "lang"}
"""Where the engine looks for them: in its folder config, or in that of a Solr collection's configuration."""

INDEX, SEARCH, TYPE, FIELD = "german_compounds", "german_compounds_search", "text_de_compounds", "text"
"""Names of the two analyzers, of Solr's field type, and of the field in the example."""

_FILTER = "german_compound_parts"


def index_settings(engine: str, form: str, sizes: Sizes, words: Iterable[str] = ()) -> dict[str, Any]:
    """Return the body of a request that makes an index: two analyzers, and a field that uses both.

    Args:
        engine: elasticsearch or opensearch, which take the same.
        form: synonyms, word-list or decompounder.
        sizes: the decompounder's settings.
        words: its list, for the form decompounder.
    """
    folder = FOLDERS[engine]
    if form == "synonyms":
        taking_apart: dict[str, Any] = {"type": "synonym", "synonyms_path": f"{folder}/{RULES}"}
    else:
        where = {"word_list": list(words)} if form == "decompounder" else {"word_list_path": f"{folder}/{WORDS}"}
        taking_apart = {
            "type": "dictionary_decompounder", "min_word_size": sizes.min_word_size,
            "min_subword_size": sizes.min_subword_size, "max_subword_size": sizes.max_subword_size,
            "only_longest_match": sizes.only_longest_match, **where,
        }  # fmt: skip
    after = ["german_normalization", "german_light_stemmer"]
    custom = {"type": "custom", "tokenizer": "standard"}
    analyzers = {
        INDEX: {**custom, "filter": ["lowercase", _FILTER, *after, "remove_duplicates"]},
        SEARCH: {**custom, "filter": ["lowercase", *after]},
    }
    filters = {_FILTER: taking_apart, "german_light_stemmer": {"type": "stemmer", "language": "light_german"}}
    field = {"type": "text", "analyzer": INDEX, "search_analyzer": SEARCH}
    return {
        "settings": {"analysis": {"filter": filters, "analyzer": analyzers}},
        "mappings": {"properties": {FIELD: field}},
    }


def field_type(form: str, sizes: Sizes) -> dict[str, Any]:
    """Return the body of a request to Solr's Schema API that adds a field type; arguments as for `index_settings`."""
    if form == "synonyms":
        taking_apart = [
            _solr("SynonymGraph", synonyms=f"{FOLDERS['solr']}/{RULES}", expand="true", ignoreCase="false"),
            _solr("FlattenGraph"),
        ]
    else:
        name = "DictionaryCompoundWordToken"
        taking_apart = [
            _solr(name, dictionary=f"{FOLDERS['solr']}/{WORDS}", minWordSize=str(sizes.min_word_size),
                  minSubwordSize=str(sizes.min_subword_size), maxSubwordSize=str(sizes.max_subword_size),
                  onlyLongestMatch=str(sizes.only_longest_match).lower())
        ]  # fmt: skip
    lower, after = [_solr("LowerCase")], [_solr("GermanNormalization"), _solr("GermanLightStem")]
    tokenizer = {"class": "solr.StandardTokenizerFactory"}
    index = {"tokenizer": tokenizer, "filters": [*lower, *taking_apart, *after, _solr("RemoveDuplicatesToken")]}
    query = {"tokenizer": tokenizer, "filters": [*lower, *after]}
    kind = {"name": TYPE, "class": "solr.TextField", "positionIncrementGap": "100"}
    return {"add-field-type": {**kind, "indexAnalyzer": index, "queryAnalyzer": query}}


def _solr(name: str, **settings: str) -> dict[str, str]:
    return {"class": f"solr.{name}FilterFactory", **settings}
