"""Files for search engines: Lucene itself reads them, and finds what is promised and nothing else."""

import io
import itertools
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.search.report import search_markdown
from hybrid.arguments import build_parser
from hybrid.cli import main
from hybrid.integrations.shared import segmenter_of
from hybrid.search.command import export_search
from hybrid.search.compound_filter import Sizes, find_subwords
from hybrid.search.lowercase import lucene_lower, units
from hybrid.search.rows import Row, Spool, rows_of
from hybrid.search.settings import INDEX, RULES, SEARCH, WORDS
from hybrid.search.subwords import subwords
from hybrid.search.synonyms import rule
from hybrid.search.vocabulary import read_vocabulary
from hybrid.search.word_list import largest_word_list
from tests.examples import run_document
from tests.lucene import Chain, Run, Token, require_lucene, run_lucene, tokens

ROOT = Path(__file__).parent.parent

ODD = ["STRASSENBAHN", "Straßenbahn", "Straßenbahnen", "Fußballweltmeisterschaft", "Staubecken", "Autor", "Autobahn",
       "Video-Call", "İstanbulreise", "Haustu\u0308r", "Σίσυφος", "ΣΑΣ", "rock'n'roll", "z.B", "3.14", "x1.y2", "a_b",
       "Auto\u00adbahn", "Hauptstraße 12b", "💡lampenschirm", "𝐀utobahn", "Ǆabahn", "Grüße,Gruß", "日本語", "ﬁlmrolle",
       "l’Autobahn", "C++", "#Autobahn", "Autobahn=>Bahn", "Ka\u200bbel", "Kabel\u200dbaum", "e:a", "٣٤", "-", "",
       "Rotes Kreuz", "Maße", "Masse", "Massenmord", "Dampfschifffahrt"]  # fmt: skip

SPECIAL = ["a,b", "c=>d", "#hash", "back\\slash", "two words", "x=y", "tab\tbed", "=>", ",", "\\,", "q#r"]

DOCUMENTS = ["Die Autobahnanschlussstelle ist gesperrt.", "Das Staubecken ist voll.",
             "Am Arbeitsamt in der Straßenbahn", "Die STRASSENBAHNEN fahren", "Der Autor schreibt."]  # fmt: skip

QUERIES = {"Anschluss": [0], "bahn": [0, 2, 3], "Autobahn": [0], "Ecken": [], "Becken": [1], "Arbeit": [2], "Amt": [2],
           "Straße": [2, 3], "Auto": [0], "Autobahnbrücke": [], '"die Autobahn ist"': [0], '"Auto Bahn"': [],
           '"am Amt in"': [2], "Autoren": [4]}  # fmt: skip


def gold(many: int) -> list[str]:
    """Return some annotated words, each with a capital."""
    rows = (ROOT / "lexicon" / "gold" / "de.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [row.split("\t")[0].capitalize() for row in random.Random(7).sample(rows, many)]


VOCABULARY = [*gold(2500), *ODD, *re.findall(r"\w+", " ".join(DOCUMENTS))]


def export(out: Path, *options: str, words: Path) -> dict[str, Any]:
    given_options = build_parser().parse_args(["export-search", str(words), "--out", str(out), *options])
    export_search(given_options, lambda _: segmenter_of(mode="fast"))
    (settings_file,) = out.glob("*.json")
    return json.loads(settings_file.read_text(encoding="utf-8"))


def solr_chain(analyzer: dict[str, Any]) -> Chain:
    """Return an analyzer of Solr's Schema API as Lucene has it."""

    def named(item: dict[str, str]) -> tuple[str, dict[str, str]]:
        name = re.sub(r"^solr\.|(Token)?(izer|Filter)Factory$", "", item["class"])
        return name.removesuffix("Token"), {key: value for key, value in item.items() if key != "class"}

    return [named(analyzer["tokenizer"]), *map(named, analyzer["filters"])]


def elastic_chain(body: dict[str, Any], name: str, folder: Path) -> Chain:
    """Return an analyzer of Elasticsearch's settings as Lucene has it; a list inside becomes a file."""
    analysis = body["settings"]["analysis"]
    analyzer = analysis["analyzer"][name]
    assert analyzer["type"] == "custom"
    names = {"lowercase": "lowercase", "german_normalization": "germanNormalization", "light_german": "germanLightStem",
             "remove_duplicates": "removeDuplicates", "standard": "standard"}  # fmt: skip
    chain: Chain = [(names[analyzer["tokenizer"]], {})]
    for item in analyzer["filter"]:
        told = analysis["filter"].get(item, {})
        if told.get("type") == "dictionary_decompounder":
            path = Path(told.get("word_list_path", "analysis/inline.txt")).name
            if "word_list" in told:
                (folder / path).write_text("\n".join(told["word_list"]), encoding="utf-8")
            sizes = {re.sub(r"_(\w)", lambda m: m[1].upper(), key): str(value).lower() for key, value in told.items()
                     if key.startswith(("min", "max", "only"))}  # fmt: skip
            chain.append(("dictionaryCompoundWord", {"dictionary": path, **sizes}))
        elif told.get("type") == "synonym":
            chain.append(("synonymGraph", {"synonyms": Path(told["synonyms_path"]).name}))
        else:
            chain.append((names[told.get("language", item)], {}))
    return chain


def filter_chain(name: str, sizes: Sizes) -> Chain:
    return [("standard", {}), ("lowercase", {}),
            ("dictionaryCompoundWord", {"dictionary": name, "minWordSize": str(sizes.min_word_size),
                                        "minSubwordSize": str(sizes.min_subword_size),
                                        "maxSubwordSize": str(sizes.max_subword_size),
                                        "onlyLongestMatch": str(sizes.only_longest_match).lower()})]  # fmt: skip


SIZES = [Sizes(5, 4, 25), Sizes(5, 4, 25, True), Sizes(2, 1, 6), Sizes(1, 2, 15, True), Sizes(9, 3, 3)]


class Answers:
    """What Lucene said, by the name of the run, and the files that it was given."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.runs = folder, dict[str, Run]()
        self.lines: dict[str, list[str]] = {}

    def tokens(self, name: str) -> Iterator[tuple[str, list[Token]]]:
        return zip(self.runs[name].lines, map(tokens, self.lines[name]), strict=True)


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("words") / "words.txt"
    path.write_text("".join(f"{word}\n" for word in VOCABULARY), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def lucene(tmp_path_factory: pytest.TempPathFactory, words: Path) -> Answers:
    """One Java process for all tests of this file."""
    require_lucene()
    folder = tmp_path_factory.mktemp("lucene")
    found = Answers(folder)
    found.runs["standard"] = Run(folder, [("standard", {}), ("lowercase", {})], VOCABULARY)
    pieces = {word[a:b].lower() for word in VOCABULARY for a in range(0, len(word), 2) for b in (a + 3, a + 5)}
    (folder / "pieces.txt").write_text("\n".join(sorted(p for p in pieces if p.strip() == p and p)), encoding="utf-8")
    for i, sizes in enumerate(SIZES):
        found.runs[f"filter {i}"] = Run(folder, filter_chain("pieces.txt", sizes), VOCABULARY)
    (folder / "special.txt").write_text("".join(rule(s, [s, f"{s} too"]) + "\n" for s in SPECIAL), encoding="utf-8")
    whole = {"synonyms": "special.txt", "tokenizerFactory": "org.apache.lucene.analysis.core.KeywordTokenizerFactory"}
    found.runs["special"] = Run(
        folder, [("keyword", {}), ("synonymGraph", whole)], [s for s in SPECIAL if "\t" not in s]
    )
    forms = {"synonyms": ["synonyms"], "list": ["word-list"], "tolerant": ["word-list", "--tolerate", "0.3"],
             "longest": ["word-list", "--only-longest-match"]}  # fmt: skip
    for name, options in forms.items():
        out = folder / name
        body = export(out, "--for", "solr", "--as", *options, words=words)["add-field-type"]
        (out / "lang").symlink_to(out)
        index, query = solr_chain(body["indexAnalyzer"]), solr_chain(body["queryAnalyzer"])
        found.runs[name] = Run(out, index[:3], VOCABULARY)
        found.runs[f"{name} whole"] = Run(out, index, VOCABULARY)
        found.runs[f"{name} search"] = Run(out, index, DOCUMENTS, query, list(QUERIES))
    for name, form in {"elastic synonyms": "synonyms", "elastic list": "word-list", "inside": "decompounder"}.items():
        out = folder / name
        body = export(out, "--for", "elasticsearch" if name != "inside" else "opensearch", "--as", form, words=words)
        found.runs[name] = Run(out, elastic_chain(body, INDEX, out), VOCABULARY)
        search = elastic_chain(body, SEARCH, out)
        assert search == [("standard", {}), ("lowercase", {}), ("germanNormalization", {}), ("germanLightStem", {})]
    lines = run_lucene(list(found.runs.values()), tmp_path_factory.mktemp("classes"))
    found.lines = dict(zip(found.runs, lines, strict=True))
    return found


def forms_in(words: list[str]) -> dict[str, set[str]]:
    """Return for each dictionary form how its parts are written in these words, whole and without what they end in."""
    result: dict[str, set[str]] = {}
    for split in segmenter_of(mode="fast").split_batch(words):
        for part in split.parts:
            if part.lemma:
                forms = {part.text, part.stem, part.stem + part.link, part.lemma}
                result.setdefault(part.lemma, set()).update(form.lower() for form in forms)
    return result


def wrong_places(word: str, taken: list[Token], forms: dict[str, set[str]]) -> list[str]:
    """Return the subwords of a word that its split doesn't explain; the word itself is none."""
    split = segmenter_of(mode="fast").split(word)
    explained = {lucene_lower(word)}
    for first in split.parts:
        for last in split.parts:
            if first.start <= last.start:
                before, text = lucene_lower(word[first.start : last.start]), lucene_lower(last.text)
                ends = {text, lucene_lower(last.stem), lucene_lower(last.stem + last.link)}
                ends |= {form for form in forms.get(last.lemma or "", ()) if text.startswith(form)}
                explained |= {before + end for end in ends}
    explained |= {text.replace("ß", "ss") for text in explained}
    return [token.text for token in taken if token.text not in explained]


def test_words_are_those_of_the_standard_tokenizer(lucene: Answers, words: Path) -> None:
    theirs = {token.text for _, found in lucene.tokens("standard") for token in found}
    ours = {entry.lower for some in read_vocabulary(words, "strict") for entry in some}
    assert {t for t in theirs ^ ours if re.search("[a-zäöüß]", t)} == set()
    assert len(ours) > 2500


@pytest.mark.parametrize("i", range(len(SIZES)))
def test_the_filter_in_python_is_lucenes(lucene: Answers, i: int) -> None:
    listed = set(map(units, (lucene.folder / "pieces.txt").read_text(encoding="utf-8").split("\n")))
    several = 0
    for (line, found), (_, plain) in zip(lucene.tokens(f"filter {i}"), lucene.tokens("standard"), strict=True):
        expected = []
        for token in plain:
            word = units(token.text)
            inside = [word[a:b] for a, b in find_subwords(word, listed, SIZES[i])]
            expected += [token._replace(text=word), *(Token(text, 0, token.start, token.end) for text in inside)]
            several += len(inside) > 1
        assert [token._replace(text=units(token.text)) for token in found] == expected, line
    assert several > 100


@pytest.mark.parametrize("name", ["list", "longest"])
def test_no_word_gets_a_subword_that_is_none_of_its_parts(lucene: Answers, name: str) -> None:
    taken, plain = lucene.tokens(name), lucene.tokens("standard")
    forms, found = forms_in([entry for entry in VOCABULARY if entry.isalpha()]), 0
    for (line, some), (_, words_of) in zip(taken, plain, strict=True):
        if len(words_of) == 1 and line.isalpha():
            assert wrong_places(line, some, forms) == [], line
            found += len(some) > 1
    assert found > 300
    assert "auto" not in (lucene.folder / name / WORDS).read_text(encoding="utf-8").split()


def test_synonyms_are_exactly_the_parts(lucene: Answers) -> None:
    compounds = 0
    respelt = {word.lower().replace("ß", "ss") for word in VOCABULARY if "ß" in word}
    for (line, found), (_, plain) in zip(lucene.tokens("synonyms"), lucene.tokens("standard"), strict=True):
        if len(plain) != 1 or not line.isalpha() or plain[0].text in respelt:
            continue
        parts = [lucene_lower(subword.text) for subword in subwords(segmenter_of(mode="fast").split(line))]
        assert {token.text for token in found} == {plain[0].text, *parts}, line
        assert [token.step for token in found] == [1] + [0] * (len(found) - 1)
        assert {token[2:] for token in found} == {plain[0][2:]}
        compounds += len(found) > 1
    assert compounds > 1000


def test_special_characters_of_rules_are_escaped(lucene: Answers) -> None:
    for line, found in lucene.tokens("special"):
        assert {token.text for token in found} == {line, f"{line} too"}


@pytest.mark.parametrize("name", ["synonyms", "tolerant"])
def test_documents_are_found_by_parts_and_not_by_nonsense(lucene: Answers, name: str) -> None:
    found = {query: json.loads(line) for query, line in zip(QUERIES, lucene.lines[f"{name} search"], strict=True)}
    if name == "synonyms":
        assert found == QUERIES
    else:
        assert found["Ecken"] == [] and found["Becken"] == [1] and found["Anschluss"] == [0]
        assert all(set(found[query]) <= set(right) for query, right in QUERIES.items())


@pytest.mark.parametrize(("elastic", "solr"), [("elastic synonyms", "synonyms"), ("elastic list", "list"),
                                               ("inside", "list")])  # fmt: skip
def test_each_engine_gets_the_same(lucene: Answers, elastic: str, solr: str) -> None:
    assert lucene.lines[elastic] == lucene.lines[f"{solr} whole"]


def test_solr_gets_the_list_in_a_file_in_either_form(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("Staubecken\nArbeitsamt\n", encoding="utf-8")
    given = []
    for form in ("word-list", "decompounder"):
        out = tmp_path / form
        assert (
            main(["export-search", str(tmp_path / "words.txt"), "--for", "solr", "--as", form, "--out", str(out)]) == 0
        )
        given.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert given[0] == given[1]
    assert set(given[0]) == {"german-compounds.txt", "field-type.json", "refused.tsv"}


def test_no_text_stands_twice_at_a_place_and_an_index_grows_little(lucene: Answers) -> None:
    for name in ("synonyms whole", "list whole"):
        total = alone = 0
        for (line, found), (_, plain) in zip(lucene.tokens(name), lucene.tokens("standard"), strict=True):
            places = [(token.text, token.start) for token in found]
            assert len(places) == len(set(places)), line
            total, alone = total + len(found), alone + len(plain)
        assert total < 4 * alone  # of nouns, most of them compounds


@st.composite
def vocabularies(draw: st.DrawFn) -> list[Row]:
    rows = []
    for word in draw(st.lists(st.text("ab", min_size=1, max_size=7), min_size=1, max_size=4, unique=True)):
        cuts = sorted(draw(st.sets(st.integers(1, max(1, len(word) - 1)), max_size=2)) & set(range(1, len(word))))
        nodes = [0, *cuts, len(word)]
        parts = tuple(zip(nodes, nodes[1:], strict=False))
        groups = tuple((i, i) for i in range(len(parts))) if cuts else ()
        rows.append(Row(word, 1, parts, ("",) * len(parts), groups))
    return rows


def finds_nothing_wrong(rows: list[Row], listed: set[str], sizes: Sizes) -> bool:
    return all(start in {part[0] for part in row.parts} and end in {part[1] for part in row.parts}
               for row in rows for start, end in find_subwords(row.word, listed, sizes))  # fmt: skip


@given(vocabularies(), st.booleans(), st.integers(1, 2))
@settings(max_examples=150, deadline=None)
def test_no_larger_list_is_right(rows: list[Row], longest: bool, least: int) -> None:
    sizes = Sizes(1, least, 5, longest)
    found = largest_word_list(rows, sizes)
    candidates = {c for row in rows for c in row.candidates() if least <= len(c) <= 5}
    assert finds_nothing_wrong(rows, found.subwords, sizes) and found.wrong.words == 0
    assert found.subwords | found.refused.keys() >= candidates
    for size in range(min(len(candidates), 7) + 1):
        for other in itertools.combinations(sorted(candidates), size):
            if finds_nothing_wrong(rows, set(other), sizes):
                assert set(other) <= found.subwords


@given(st.text("ab", max_size=12), st.sets(st.text("ab", min_size=1, max_size=4)))
def test_a_filter_that_goes_on_after_what_it_found_finds_nothing_more(word: str, listed: set[str]) -> None:
    found, at = [], 0
    while at < len(word):  # as the newest Lucene does, where it is told to ignore subwords
        end = max((end for end in range(at + 1, min(at + 4, len(word)) + 1) if word[at:end] in listed), default=0)
        found += [(at, end)] if end else []
        at = end or at + 1
    assert set(found) <= set(find_subwords(word, listed, Sizes(1, 1, 4, True)))
    assert set(found) <= set(find_subwords(word, listed, Sizes(1, 1, 4)))


def test_tolerance_weighs_words_by_how_often_they_come() -> None:
    rows = [
        Row("autobahn", 90, ((0, 4), (4, 8)), ("auto", "bahn"), ((0, 0), (1, 1))),
        Row("autor", 10, ((0, 5),), ("",)),
    ]
    sizes = Sizes(5, 4, 25)
    assert largest_word_list(rows, sizes).subwords == {"bahn"}
    assert largest_word_list(rows, sizes, 0.09).refused == {"auto": "in autor"}
    found = largest_word_list(rows, sizes, 0.1)
    assert found.subwords == {"auto", "bahn"} and (found.wrong.words, found.wrong.tokens) == (1, 10)


def test_another_form_of_the_same_part_is_no_nonsense() -> None:
    rows = [Row("plattenlaufwerken", 1, ((0, 7), (7, 11), (11, 17)), ("platte", "lauf", "werk"), ((0, 0), (1, 2))),
            Row("laufwerkname", 1, ((0, 4), (4, 8), (8, 12)), ("lauf", "werk", "name"), ((0, 1), (2, 2)))]  # fmt: skip
    assert "laufwerk" in largest_word_list(rows, Sizes(5, 4, 25)).subwords


@given(st.text(max_size=12))
@settings(max_examples=30, deadline=None)
def test_rows_come_back_from_the_spool(text: str) -> None:
    words = ["Straßenbahn", "Autobahn", "💡lampe", text or "x"]
    rows = [row for split in segmenter_of(mode="fast").split_batch(words) for row in rows_of(split, 3)]
    with Spool() as spool:
        for row in rows:
            spool.add(row)
        assert list(spool) == list(spool) == rows
    assert all(row.parts[-1][-1] == len(row.word) for row in rows)


SHORT = "Autobahnanschlussstelle\t3\nStaubecken\r\n\nStraßenbahn\n"


def test_standard_input_and_the_options_of_splitting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = tmp_path / "never.txt"
    never.write_text("Staubecken\n", encoding="utf-8")
    (tmp_path / "input").write_text("\ufeff" + SHORT, encoding="utf-8")
    with (tmp_path / "input").open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))
        options = ["--for", "opensearch", "--never", str(never), "--granularity", "head", "--fast"]
        assert main(["export-search", "-", "--out", str(tmp_path / "out"), *options]) == 0
    rules = (tmp_path / "out" / RULES).read_text(encoding="utf-8").splitlines()
    assert rules[0] == "autobahnanschlussstelle => autobahnanschlussstelle, autobahn, anschlussstelle"
    assert [line.split(" => ")[0] for line in rules[1:]] == ["straßenbahn", "strassenbahn"]


def test_what_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "words.txt"
    path.write_text(SHORT + "Autor\t7\nSchulhof\n", encoding="utf-8")
    out = str(tmp_path / "out")
    assert main(["export-search", str(path), "--for", "elasticsearch", "--as", "word-list", "--out", out]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "6 spellings of words, 5 of them compounds, which come 7 times" in told.err
    assert "something wrong in 0 (0.0%)" in told.err and "such as auto in autor" in told.err
    assert "shorter than 4, such as hof" in told.err and "config/analysis" in told.err
    refused = (tmp_path / "out" / "refused.tsv").read_text(encoding="utf-8").splitlines()
    assert "auto\tin autor" in refused and "hof\tshorter than 4" in refused


@pytest.mark.parametrize(("content", "options", "message"), [
    (None, [], "no such file"),
    (b"Haust\xfcr\n", [], "line 1 is not UTF-8"),
    (b"Autobahn\nHaus\tviele\n", [], "line 2: 'viele' is no count"),
    (b"Autobahn\t-3\n", [], "is no count"),
    (b"Haus\nund\n", [], "has no compound"),
    (b"", [], "has no compound"),
    (b"Haus\n", ["--as", "word-list"], "has no compound"),
    (b"Autobahn\n", ["--min-word-size", "5"], "go with --as word-list"),
    (b"Autobahn\n", ["--tolerate", "0.1"], "go with --as word-list"),
    (b"Autobahn\n", ["--as", "word-list", "--min-subword-size", "9", "--max-subword-size", "8"], "is above"),
])  # fmt: skip
def test_what_is_wrong_is_told_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, options: list[str], message: str
) -> None:
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content)
    before = set(tmp_path.iterdir())
    assert main(["export-search", str(path), "--for", "elasticsearch", "--out", str(tmp_path / "out"), *options]) == 2
    told = capsys.readouterr().err
    assert told.startswith("hybrid: ") and message in told and told.count("\n") == 1
    assert set(tmp_path.iterdir()) == before


def test_a_folder_of_ours_is_replaced_and_no_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "words.txt", tmp_path / "out"
    path.write_bytes(SHORT.encode())
    export(out, "--for", "solr", "--as", "word-list", words=path)
    export(out, "--for", "opensearch", "--as", "synonyms", words=path)
    assert {file.name for file in out.iterdir()} == {RULES, "index.json"}
    (out / "mine.txt").touch()
    for target in (out, tmp_path, path):
        assert main(["export-search", str(path), "--for", "solr", "--out", str(target)]) == 2
        assert "name" in capsys.readouterr().err
    assert path.read_bytes() == SHORT.encode() and (out / "mine.txt").exists()


def test_the_figures_shown_are_those_measured() -> None:
    folder = ROOT / "benchmarks" / "results"
    result = json.loads((folder / "search.json").read_text(encoding="utf-8"))
    assert (folder / "search.md").read_text(encoding="utf-8") == search_markdown(result)


def test_the_how_to_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tantivy", reason="the page shows tantivy")
    monkeypatch.chdir(tmp_path)
    assert run_document(ROOT / "docs" / "how-to" / "search.md", tmp_path) > 3
