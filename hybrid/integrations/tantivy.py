"""Tantivy: text is tokenized with the parts of its compounds, which stand where the compound stands.

The engine's tokenizers are of its own language, so text is given to it with its tokens (`PreTokenizedString`), and
queries go through the same `TextAnalyzer` without parts: *Bahn* finds *Autobahn*, and *Autobahn* finds no other *Bahn*.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from hybrid.given import check_string, list_of_strings
from hybrid.integrations.shared import segmenter_given
from hybrid.integrations.wanted import wanted
from hybrid.memory import Memory
from hybrid.search.inside import Insides, leaves

with wanted("search"):
    import tantivy

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

NAME = "german_compounds"
"""The tokenizer that a field has to name."""

LONGEST = 255
"""Bytes of a word that is indexed; tantivy's own default, 40, drops long compounds."""

_WORD = re.compile(r"[^\W_]+")
"""What tantivy's simple tokenizer takes for a word, but for vowel signs of scripts such as Devanagari. It is much
quicker than to get words out of the engine."""


class CompoundAnalyzer:
    """Tokenizes text with the parts of its compounds; several threads may use it at once.

    Args:
        segmenter: what splits; None: the model that ships.
        analyzer: tantivy's tokenizer and filters for words, parts and queries; None: letters and digits, in lower case.
        stemmed: without `analyzer`: also tantivy's German stemmer, so that *Bahnen* finds *Autobahn*.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.

    Raises:
        ImportError: tantivy is not installed.
        ModelError: as for `Segmenter.split`.
        TypeError: the segmenter is none.
        ValueError: both `analyzer` and `stemmed` are given; as for `Segmenter.split`.
    """

    def __init__(
        self,
        segmenter: "Segmenter | None" = None,
        *,
        analyzer: "tantivy.TextAnalyzer | None" = None,
        stemmed: bool = False,
        granularity: str = "fine",
        min_probability: float = 0.0,
    ) -> None:
        if analyzer is not None and stemmed:
            raise ValueError("stemmed goes without analyzer; give that one Filter.stemmer('german')")
        self._segmenter = segmenter_given(segmenter)
        self._choice: dict[str, Any] = {"granularity": granularity, "min_probability": min_probability}
        self._segmenter.split_parts([], **self._choice)  # a wrong one is told at once
        self._stemmed, self._own = stemmed, analyzer
        self._begin()

    def _begin(self) -> None:
        self.analyzer = _analyzer(self._stemmed) if self._own is None else self._own
        self._insides = Insides(self._segmenter, self.analyzer.analyze, **self._choice)
        self._parts_between_blanks = Memory(self._find_parts)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is remembered, and tantivy's analyzer, which is made anew.

        Raises:
            TypeError: it is the caller's.
        """
        if self._own is not None:
            raise TypeError("tantivy's analyzers can't be pickled; make a CompoundAnalyzer in each process")
        return {**vars(self), "analyzer": None, "_insides": None, "_parts_between_blanks": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._begin()

    def register(self, index: "tantivy.Index", name: str = NAME) -> None:
        """Let an index read queries as documents are read; to be done each time that one is opened.

        Args:
            index: with a field made by `add_text_field(…, tokenizer_name=name)`.
            name: the tokenizer's.
        """
        index.register_tokenizer(name, self.analyzer)

    def add(self, document: "tantivy.Document", field: str, text: str) -> None:
        """Add a text to a document, with the parts of its compounds; arguments as for tantivy's `add_text`."""
        document.add_pre_tokenized_text(field, self.pre_tokenize(text))

    def add_parts(self, document: "tantivy.Document", field: str, text: str) -> None:
        """Add the parts of a text's compounds alone, to a field of their own; the text goes into another by `add_text`.

        Several times as quick as `add`, for the engine itself reads all words (benchmarks/results/search.md).

        Args:
            document: gets them.
            field: of the same tokenizer as the text's, not stored, and with `index_option="freq"`: queries name both
                fields, and phrases are then looked for in the text alone.
            text: the document's.

        Raises:
            TypeError: the text is no string.
        """
        document.add_text(field, self.parts_text(text))

    def parts_text(self, text: str) -> str:
        """Return what the compounds of a text are to be found by beside themselves, in order, with blanks between.

        For a field of its own, of this engine or of any other that makes words of text.

        Raises:
            TypeError: it is no string.
        """
        check_string("text", text)
        return " ".join(filter(None, self._parts_between_blanks(text.split())))

    def _find_parts(self, stretches: list[str]) -> Iterator[str]:
        """Yield what `parts_text` has of each stretch between blanks."""
        words = [self._words(stretch) for stretch in stretches]
        inside = self._insides.look_up({word for some in words for word in some})
        yield from (" ".join(found.text for word in some for found in inside[word]) for some in words)

    def pre_tokenize(self, text: str) -> "tantivy.PreTokenizedString":
        """Return a text with its tokens, in order: each word's, then those of its subwords, at the same position.

        Raises:
            TypeError: it is no string.
        """
        check_string("text", text)
        return self.pre_tokenize_batch([text])[0]

    def pre_tokenize_batch(self, texts: Iterable[str]) -> "list[tantivy.PreTokenizedString]":
        """Return texts with their tokens, as `pre_tokenize` does; many short ones at a time are quicker.

        Raises:
            TypeError: `texts` is a single string, or holds what is no string.
        """
        texts = list_of_strings("texts", texts)
        plain = [self.analyzer.pre_tokenize(text).tokens for text in texts]
        written = [[text[t.char_offset_from : t.char_offset_to] for t in tokens]
                   for text, tokens in zip(texts, plain, strict=True)]  # fmt: skip
        inside = self._insides.look_up({word for words in written for word in words})
        result = []
        for text, tokens, words in zip(texts, plain, written, strict=True):
            every = []
            for token, word in zip(tokens, words, strict=True):
                every.append(token)
                at = token.char_offset_from
                every += [tantivy.Token(found.term, token.position, at + found.start, at + found.end)
                          for found in inside[word] if found.term != token.text]  # fmt: skip
            result.append(tantivy.PreTokenizedString(text, every))
        return result

    def parts_query(self, schema: "tantivy.Schema", field: str, text: str) -> "tantivy.Query":
        """Return a query for all words of a text, where for a compound all its parts will do, wherever they stand.

        *Autobahnbrücke* then finds “Brücke über die Autobahn” too; `Index.parse_query` finds compounds as they are.

        Args:
            schema: the index's.
            field: a text field's name.
            text: words, no query language.

        Raises:
            TypeError: the text is no string.
            ValueError: there is no such field.
        """
        check_string("text", text)
        tokens = self.analyzer.pre_tokenize(text).tokens
        words = [text[token.char_offset_from : token.char_offset_to] for token in tokens]
        inside = self._insides.look_up(set(words))
        wanted_terms = [(token.text, leaves(inside[word])) for token, word in zip(tokens, words, strict=True)]

        def term(text: str) -> "tantivy.Query":
            return tantivy.Query.term_query(schema, field, text)

        def all_of(queries: "Sequence[tantivy.Query]") -> "tantivy.Query":
            return tantivy.Query.boolean_query([(tantivy.Occur.Must, query) for query in queries])

        def any_of(queries: "Sequence[tantivy.Query]") -> "tantivy.Query":
            return tantivy.Query.boolean_query([(tantivy.Occur.Should, query) for query in queries])

        return all_of([
            any_of([term(whole), all_of([any_of([term(form) for form in forms]) for forms in parts])])
            if parts else term(whole)
            for whole, parts in wanted_terms
        ])  # fmt: skip

    def highlights(self, text: str, query: str) -> list[tuple[int, int]]:
        """Return where a text has what a query's words find in it: characters of the text, in order, none twice.

        tantivy's own snippets know nothing of parts: they mark a word that is asked for, and not *bahn* in *Autobahn*.

        Args:
            text: of a document.
            query: words; of the query language no more than what lies between words, such as quotes.

        Raises:
            TypeError: one of them is no string.
        """
        check_string("query", query)
        terms = set(self.analyzer.analyze(query))
        tokens = self.pre_tokenize(text).tokens
        places = {(token.char_offset_from, token.char_offset_to) for token in tokens if token.text in terms}
        result: list[tuple[int, int]] = []
        for start, end in sorted(places):
            if result and start < result[-1][1]:
                result[-1] = (result[-1][0], max(end, result[-1][1]))
            else:
                result.append((start, end))
        return result

    def _words(self, text: str) -> list[str]:
        """Return a text's words in order."""
        if self._own is None:
            return _WORD.findall(text)
        return [text[t.char_offset_from : t.char_offset_to] for t in self._own.pre_tokenize(text).tokens]


def _analyzer(stemmed: bool) -> "tantivy.TextAnalyzer":
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    builder = builder.filter(tantivy.Filter.remove_long(LONGEST)).filter(tantivy.Filter.lowercase())
    return (builder.filter(tantivy.Filter.stemmer("german")) if stemmed else builder).build()
