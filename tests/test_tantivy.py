"""Tantivy, the real engine: compounds are found by their parts, and by nothing that only looks like one."""

import pickle
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import UserDictionary
from hybrid.integrations.shared import segmenter_of

tantivy = pytest.importorskip("tantivy", reason="the extra search is not installed")

from hybrid.integrations.tantivy import NAME, CompoundAnalyzer  # noqa: E402 - only where tantivy is

TEXTS = ["Die Autobahnanschlussstelle ist gesperrt.", "Das Staubecken ist voll.",
         "Grüße vom Arbeitsamt: 😀 Bücherregale", "STRASSENBAHN und Straßenbahnen", "Brücke über die Autobahn",
         "Autobahnbrücke", "", "ﬁ… 日本 \x00 Video-Call"]  # fmt: skip


class Corpus:
    """An index of some texts."""

    def __init__(self, analyzer: CompoundAnalyzer, texts: list[str]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text", stored=True, tokenizer_name=NAME)
        builder.add_unsigned_field("number", stored=True)
        self.schema = builder.build()
        self.index = tantivy.Index(self.schema)
        analyzer.register(self.index)
        writer = self.index.writer(15_000_000, 1)
        for number, text in enumerate(texts):
            document = tantivy.Document()
            document.add_unsigned("number", number)
            analyzer.add(document, "text", text)
            writer.add_document(document)
        writer.commit()
        self.index.reload()

    def ask(self, query: object) -> set[int]:
        searcher = self.index.searcher()
        hits = searcher.search(query, 1000).hits
        return {searcher.doc(address)["number"][0] for _, address in hits}

    def find(self, query: str) -> set[int]:
        return self.ask(self.index.parse_query(query, ["text"]))


@pytest.fixture(scope="module")
def plain() -> CompoundAnalyzer:
    return CompoundAnalyzer()


@pytest.fixture(scope="module")
def corpus(plain: CompoundAnalyzer) -> Corpus:
    return Corpus(plain, TEXTS)


@pytest.mark.parametrize(("query", "right"), [
    ("Anschluss", {0}), ("bahn", {0, 3, 4, 5}), ("Autobahn", {0, 4, 5}), ("Autobahnanschlussstelle", {0}),
    ("Anschlussstelle", {0}), ("Ecken", set()), ("Becken", {1}), ("Bahnanschluss", set()),
    ("Arbeit", {2}), ("Amt", {2}), ("Buch", {2}), ("Bücher", {2}), ("Straße", {3}), ("Autobahnbrücke", {5}),
    ('"die Autobahn ist"', {0}), ('"die autobahnanschlussstelle ist gesperrt"', {0}), ('"Auto Bahn"', set()),
    ('"über die Bahn"', {4}), ('"Video-Call"', {7}), ("Auto AND Brücke", {4, 5}),
])  # fmt: skip
def test_documents_are_found_by_what_their_words_are_made_of(corpus: Corpus, query: str, right: set[int]) -> None:
    assert corpus.find(query) == right


def test_the_parts_of_a_query_do_only_where_asked(corpus: Corpus, plain: CompoundAnalyzer) -> None:
    assert corpus.find("Autobahnbrücke") == {5}
    assert corpus.ask(plain.parts_query(corpus.schema, "text", "Autobahnbrücke")) == {4, 5}
    assert corpus.ask(plain.parts_query(corpus.schema, "text", "Autobahnbrücke über")) == {4}
    assert corpus.ask(plain.parts_query(corpus.schema, "text", "Beckenstau")) == {1}
    assert corpus.ask(plain.parts_query(corpus.schema, "text", "Staubecken Autobahn")) == set()
    assert corpus.ask(plain.parts_query(corpus.schema, "text", "")) == set()
    with pytest.raises(ValueError, match="nowhere"):
        plain.parts_query(corpus.schema, "nowhere", "Haus")


def test_a_part_has_its_own_place_in_the_text(plain: CompoundAnalyzer) -> None:
    text = "Grüße 😀 vom Arbeitsamt"
    tokens = plain.pre_tokenize(text).tokens
    told = [(t.text, t.position, text[t.char_offset_from : t.char_offset_to]) for t in tokens]
    assert told == [("grüße", 0, "Grüße"), ("vom", 1, "vom"), ("arbeitsamt", 2, "Arbeitsamt"),
                    ("arbeits", 2, "Arbeits"), ("arbeit", 2, "Arbeits"), ("amt", 2, "amt")]  # fmt: skip
    assert [text[a:b] for a, b in plain.highlights(text, "AMT, grüße")] == ["Grüße", "amt"]
    assert [text[a:b] for a, b in plain.highlights(text, '"Arbeit" Arbeitsamt')] == ["Arbeitsamt"]
    assert plain.highlights(text, "Ecken") == plain.highlights("", "x") == []


def test_what_is_stored_is_the_text(corpus: Corpus) -> None:
    searcher = corpus.index.searcher()
    (hit,) = searcher.search(corpus.index.parse_query("Buch", ["text"])).hits
    assert searcher.doc(hit[1])["text"] == [TEXTS[2]]
    query = corpus.index.parse_query("Arbeitsamt", ["text"])
    snippet = tantivy.SnippetGenerator.create(searcher, query, corpus.schema, "text").snippet_from_doc(
        searcher.doc(hit[1])
    )
    assert "<b>Arbeitsamt</b>" in snippet.to_html()


def test_parts_in_a_field_of_their_own(plain: CompoundAnalyzer) -> None:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name=NAME)
    builder.add_text_field("parts", tokenizer_name=NAME, index_option="freq")
    index = tantivy.Index(builder.build())
    plain.register(index)
    writer = index.writer(15_000_000, 1)
    document = tantivy.Document()
    document.add_text("text", TEXTS[0])
    plain.add_parts(document, "parts", TEXTS[0])
    writer.add_document(document)
    writer.commit()
    index.reload()
    for query, right in (
        ("Bahn", 1),
        ("Autobahn", 1),
        ("Die", 1),
        ("Bahn gesperrt", 1),
        ('"ist gesperrt"', 1),
        ('"Auto Bahn"', 0),
        ("Ecken", 0),
    ):
        found = index.searcher().search(index.parse_query(query, ["text", "parts"], conjunction_by_default=True))
        assert found.count == right, query
    assert index.searcher().doc_freq("parts", "die") == 0


@given(
    st.text(
        st.one_of(st.characters(exclude_categories=["Cs", "Cn", "Mn", "Mc", "So"]), st.sampled_from("Autobahn _-.ß")),
        max_size=40,
    )
)
@settings(max_examples=200, deadline=None)
def test_words_are_found_as_the_engine_does(text: str) -> None:
    analyzer = CompoundAnalyzer(segmenter_of(mode="fast"))
    engine = analyzer.analyzer.pre_tokenize(text).tokens
    assert analyzer._words(text) == [text[t.char_offset_from : t.char_offset_to] for t in engine]


@given(st.text(st.sampled_from("Autobahn Straßenbahn-ß.,\n"), max_size=60), st.booleans())
@settings(max_examples=100, deadline=None)
def test_parts_alone_are_the_terms_that_parts_add(text: str, stemmed: bool) -> None:
    analyzer = CompoundAnalyzer(segmenter_of(mode="fast"), stemmed=stemmed)
    plain = analyzer.analyzer.pre_tokenize(text).tokens
    added = Counter(token.text for token in analyzer.pre_tokenize(text).tokens)
    added.subtract(token.text for token in plain)
    assert Counter(analyzer.analyzer.analyze(analyzer.parts_text(text))) == +added


def test_with_the_stemmer_other_forms_are_found() -> None:
    corpus = Corpus(CompoundAnalyzer(stemmed=True), TEXTS)
    assert corpus.find("Bahnen") == {0, 3, 4, 5} and corpus.find("Autobahnen") == {0, 4, 5}
    assert corpus.find("Anschlüsse") == {0} and corpus.find("Regal") == {2} and corpus.find("Ecken") == set()


def test_an_analyzer_a_segmenter_and_a_granularity_of_ones_own() -> None:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).filter(tantivy.Filter.lowercase())
    own = builder.filter(tantivy.Filter.custom_stopword(["bahn"])).build()
    terms = [t.text for t in CompoundAnalyzer(analyzer=own).pre_tokenize("(Autobahn) Video-Call").tokens]
    assert terms == ["(autobahn)", "auto", "video-call", "video", "call"]
    user = hybrid.load(user=UserDictionary.make(never=["Autobahn"]))
    assert [t.text for t in CompoundAnalyzer(user).pre_tokenize("Autobahn").tokens] == ["autobahn"]
    head = CompoundAnalyzer(granularity="head")
    assert [t.text for t in head.pre_tokenize("Autobahnanschlussstelle").tokens][1:] == ["autobahn", "anschlussstelle"]
    with pytest.raises(ValueError, match="granularity is 'coarse'"):
        CompoundAnalyzer(granularity="coarse")
    with pytest.raises(ValueError, match="stemmed goes without analyzer"):
        CompoundAnalyzer(analyzer=own, stemmed=True)
    with pytest.raises(TypeError, match="can't be pickled"):
        pickle.dumps(CompoundAnalyzer(analyzer=own))


def test_what_is_no_text_is_refused(plain: CompoundAnalyzer) -> None:
    for call in (plain.pre_tokenize, lambda text: plain.highlights("x", text)):
        with pytest.raises(TypeError, match="is a NoneType; a string is right"):
            call(None)
    with pytest.raises(TypeError, match=r"texts\[1\] is a int"):
        plain.pre_tokenize_batch(["x", 3])
    with pytest.raises(TypeError, match="texts is one string"):
        plain.pre_tokenize_batch("Autobahn")


def test_threads_and_copies_give_the_same(plain: CompoundAnalyzer) -> None:
    def told(analyzer: CompoundAnalyzer, text: str) -> list[tuple[str, int, int]]:
        return [(t.text, t.char_offset_from, t.char_offset_to) for t in analyzer.pre_tokenize(text).tokens]

    right = [told(plain, text) for text in TEXTS]
    fresh = CompoundAnalyzer()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: told(fresh, text), TEXTS * 5)) == right * 5
    copy = pickle.loads(pickle.dumps(fresh))
    assert [told(copy, text) for text in TEXTS] == right
    assert copy.parts_text(TEXTS[1]) == fresh.parts_text(TEXTS[1]) == "Stau becken"


@given(st.text(st.sampled_from("Autobahn Straßenbahn-😀ßäİ.,\u0308"), max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_words_are_the_analyzers_and_every_part_lies_in_its_word(text: str) -> None:
    analyzer = CompoundAnalyzer(segmenter_of(mode="fast"))
    own, every = analyzer.analyzer.pre_tokenize(text).tokens, analyzer.pre_tokenize(text).tokens
    first = {}
    for token in every:
        first.setdefault(token.position, token)
    assert [(t.text, t.position, t.char_offset_from) for t in first.values()] == [
        (t.text, t.position, t.char_offset_from) for t in own
    ]
    for token in every:
        word = first[token.position]
        assert word.char_offset_from <= token.char_offset_from < token.char_offset_to <= word.char_offset_to
    assert len({(t.text, t.position) for t in every}) == len(every)


def test_without_tantivy_the_extra_is_named() -> None:
    code = "import sys; sys.modules['tantivy'] = None; import hybrid.integrations.tantivy"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'hybrid-segmenter[search]'" in done.stderr
