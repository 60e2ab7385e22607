"""The component `compound_splitter` in spaCy's pipelines: what it tells, where it goes, how it is kept."""

import json
import pickle
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import DataError, ModelError
from hybrid.model_store import save_model
from tests.examples import run_document

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

from spacy.language import Language  # noqa: E402
from spacy.tokens import Doc, DocBin, Token  # noqa: E402

TEXT = "Die Autobahnbrücke und der Fußball: Kindergeld vom Video-Call (info@amt.de, www.haustür.de), 3,5 Haustüren."
SPLIT = {"Autobahnbrücke": "Auto|bahn|brücke", "Fußball": "Fuß|ball", "Kindergeld": "Kinder|geld",
         "Video-Call": "Video-|Call", "Haustüren": "Haus|türen"}  # fmt: skip


def pipeline(**config: object) -> Language:
    nlp = spacy.blank("de")
    nlp.add_pipe("compound_splitter", config=config)
    return nlp


def shown(doc: Doc, prefix: str = "compound") -> dict[str, str]:
    return {t.text: "|".join(t._.get(f"{prefix}_parts")) for t in doc if t._.get(f"{prefix}_parts")}


@pytest.fixture(scope="module")
def nlp() -> Language:
    return pipeline()


@pytest.fixture(scope="module")
def german_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder that differs from the default one by one word."""
    folder = tmp_path_factory.mktemp("models") / "mine"
    model = hybrid.load(device="cpu").model
    save_model(replace(model, corrections={**model.corrections, "kindergeld": ()}), folder, half=True)
    return folder


def test_it_is_there_without_an_import_and_tells_compounds(nlp: Language) -> None:
    doc = nlp(TEXT)
    assert shown(doc) == SPLIT
    assert [token.text for token in doc._.compounds] == list(SPLIT)
    assert [token.text for token in doc[:3]._.compounds] == ["Autobahnbrücke"]


def test_stems_lemmas_tree_and_probability_are_those_of_the_segmenter(nlp: Language) -> None:
    token = nlp("Arbeitsamtsleiterin")[0]
    split = hybrid.load(device="cpu").split("Arbeitsamtsleiterin")
    assert token._.compound_stems == tuple(part.stem for part in split.parts) == ("Arbeit", "amt", "leiterin")
    assert token._.compound_lemmas == ("Arbeit", "Amt", "Leiterin")
    assert token._.compound_tree == str(split.tree)
    assert token._.compound_probability == pytest.approx(split.compound_probability)


def test_what_is_no_compound_tells_nothing(nlp: Language) -> None:
    for text in ("vielleicht", "info@amt.de", "www.haustür.de", "3,5", " ", "(", "haustür.pdf", "Hand-", "b2b_haustür"):
        for token in nlp(text):
            told = [token._.get(f"compound_{name}") for name in ("parts", "stems", "lemmas", "tree", "probability")]
            assert told == [(), (), (), "", None], text
    assert nlp("")._.compounds == []


PIECES = ["Haus", "tür", "-", "u\u0308", "ß", "SS", "e", "😀", "\u00ad", "\n", " ", ".", "9", "ç", "Ж", "ﬁ", "İ"]


def test_what_looks_like_a_number_or_an_address_to_spacy_is_left_alone() -> None:
    nlp = pipeline()
    for word, flag in (("Haustür", "like_num"), ("Kindergeld", "like_url"), ("Kellertür", "like_email")):
        setattr(nlp.vocab[word], flag, True)
    assert shown(nlp("Haustür Kindergeld Kellertür Fußball")) == {"Fußball": "Fuß|ball"}


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=60, deadline=None)
def test_of_any_text_parts_are_the_token(text: str) -> None:
    doc = ANY(text)
    assert doc.text == text
    for token in doc:
        parts = token._.compound_parts
        assert not parts or ("".join(parts) == token.text and len(parts) > 1 and all(parts))


ANY = pipeline(mode="fast")


def test_batches_give_what_single_texts_give_and_context_stays(nlp: Language) -> None:
    texts = [TEXT, "", "Haustür", "Die Wandhalterung\n\nhält."] * 3
    singly = [shown(nlp(text)) for text in texts]
    for size in (1, 5, 100):
        assert [shown(doc) for doc in nlp.pipe(texts, batch_size=size)] == singly
    pairs = list(nlp.pipe(zip(texts, range(len(texts)), strict=True), as_tuples=True))
    assert [shown(doc) for doc, _ in pairs] == singly
    assert [number for _, number in pairs] == list(range(len(texts)))


def test_a_batch_is_split_at_once_and_no_word_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    original = hybrid.Segmenter.split_batch

    def spy(self: hybrid.Segmenter, words: list[str], **options: object) -> list[hybrid.Segmentation]:
        asked.append(list(words))
        return original(self, words, **options)

    nlp = pipeline()
    monkeypatch.setattr(hybrid.Segmenter, "split_batch", spy)
    list(nlp.pipe(["Haustür Wandhalterung", "Haustür", "Kindergeld Haustür"], batch_size=10))
    list(nlp.pipe(["Haustür", "Kindergeld"]))
    assert asked == [["Haustür", "Kindergeld", "Wandhalterung"]]


def test_processes_give_the_same(nlp: Language) -> None:
    docs = list(nlp.pipe([TEXT, "Haustür", ""], n_process=2, batch_size=1))
    assert [shown(doc) for doc in docs] == [SPLIT, {"Haustür": "Haus|tür"}, {}]


def test_threads_share_a_pipeline() -> None:
    nlp, start = pipeline(mode="fast"), threading.Barrier(4)

    def work(_: int) -> list[dict[str, str]]:
        start.wait()
        return [shown(nlp(TEXT)) for _ in range(20)]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(4))) == [[SPLIT] * 20] * 4


@Language.component("capitals_are_nouns")
def capitals_are_nouns(doc: Doc) -> Doc:
    for token in doc:
        token.pos_ = "NOUN" if token.text[0].isupper() else "ADJ"
    return doc


def test_only_words_of_the_parts_of_speech_named_are_split() -> None:
    nlp = pipeline(pos=["NOUN", "PROPN"])
    nlp.add_pipe("capitals_are_nouns", first=True)
    text = "Die wasserdichte Haustür"
    assert shown(nlp(text)) == {"Haustür": "Haus|tür"}
    assert shown(pipeline()(text)) == {"wasserdichte": "wasser|dichte", "Haustür": "Haus|tür"}
    words = ["Haustür", "Kindergeld", "Wandhalterung"]
    given_pos = Doc(nlp.vocab, words=words, pos=["PROPN", "VERB", ""])
    assert shown(nlp.get_pipe("compound_splitter")(given_pos)) == {"Haustür": "Haus|tür"}


def test_a_filter_without_parts_of_speech_warns_once() -> None:
    nlp = pipeline(pos=["NOUN"])
    with pytest.warns(UserWarning, match="no token of a document has a part of speech"):
        assert shown(nlp(TEXT)) == {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nlp(TEXT)
        pipeline(pos=["NOUN"])("")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"pos": ["NN"]}, "pos has 'NN', which is no token.pos_; one of ADJ, .* NOUN"),
        ({"pos": []}, "pos is empty"),
        ({"min_probability": 2.0}, "min_probability is 2.0, should be 0 to 1"),
        ({"always": ["Haus||tür"]}, "'Haus||tür' has an empty part"),
        ({"always": ["Haus|tür"], "never": ["Haustür"]}, "'haustür' is never to be cut, and always too"),
        ({"prefix": "my word"}, "prefix is 'my word'"),
        ({"mode": "quick"}, "mode"),
        ({"granularity": "coarse"}, "granularity"),
        ({"pos": "NOUN"}, "pos"),
        ({"treshold": 1}, "treshold"),
    ],
)
def test_wrong_settings_are_told_when_the_pipeline_is_made(config: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("|", r"\|")) as caught:
        pipeline(**config)
    assert isinstance(caught.value, DataError) or "Config" in str(caught.value)


def test_a_model_that_is_not_there_is_told_at_the_first_text(tmp_path: Path) -> None:
    nlp = pipeline(model=str(tmp_path / "none"))
    with pytest.raises(ModelError, match="no such model folder"):
        nlp("Haustür")
    failed: list[Exception] = []
    nlp.set_error_handler(lambda name, component, docs, error: failed.append(error))
    assert list(nlp.pipe(["Haustür", "Kindergeld"])) == []
    assert [type(error) for error in failed] == [ModelError]


def test_the_users_words_and_thresholds_count() -> None:
    nlp = pipeline(always=["Fußb|all"], never=["Kindergeld"], entries={"Quarz|hupe": 20.0})
    assert shown(nlp("Fußball Kindergeld Quarzhupe Haustür")) == {
        "Fußball": "Fußb|all", "Quarzhupe": "Quarz|hupe", "Haustür": "Haus|tür"}  # fmt: skip
    assert shown(pipeline(min_probability=1.0)("Fußball")) == {}
    assert shown(pipeline(granularity="head")("Autobahnbrücke")) == {"Autobahnbrücke": "Autobahn|brücke"}


def test_documents_keep_it_wherever_they_go(nlp: Language) -> None:
    doc = nlp(TEXT)
    bins = DocBin(store_user_data=True, docs=[doc]).to_bytes()
    written = json.loads(json.dumps(doc.to_json(underscore=["compound_parts"])))
    for again in (
        Doc(nlp.vocab).from_bytes(doc.to_bytes()),
        next(DocBin().from_bytes(bins).get_docs(nlp.vocab)),
        Doc(nlp.vocab).from_json(written),
        doc.copy(),
    ):
        assert shown(again) == SPLIT
        assert again[1]._.compound_parts == ("Auto", "bahn", "brücke")
    assert shown(doc[2:].as_doc(copy_user_data=True)) == {k: v for k, v in SPLIT.items() if k != "Autobahnbrücke"}
    assert [token.text for token in Doc.from_docs([doc, doc])._.compounds] == [*SPLIT, *SPLIT]


def test_a_merged_token_is_no_compound_any_more(nlp: Language) -> None:
    doc = nlp("Haustür und Kindergeld")
    with doc.retokenize() as retokenizer:
        retokenizer.merge(doc[:2])
    assert shown(doc) == {"Kindergeld": "Kinder|geld"}


def test_two_splitters_with_two_prefixes() -> None:
    nlp = pipeline()
    nlp.add_pipe("compound_splitter", "heads", config={"granularity": "head", "prefix": "headed"})
    doc = nlp("Autobahnbrücke")
    assert (shown(doc), shown(doc, "headed")) == (
        {"Autobahnbrücke": "Auto|bahn|brücke"}, {"Autobahnbrücke": "Autobahn|brücke"})  # fmt: skip
    assert len(doc._.headeds) == 1


def test_of_two_with_one_prefix_the_later_counts() -> None:
    nlp = pipeline()
    nlp.add_pipe("compound_splitter", "second", config={"never": ["Haustür"], "granularity": "head"})
    assert shown(nlp("Haustür Autobahnbrücke")) == {"Autobahnbrücke": "Autobahn|brücke"}


def test_another_components_attribute_is_left_alone() -> None:
    Token.set_extension("taken_parts", default=1)
    try:
        with pytest.raises(DataError, match=r'token\._\.taken_parts is another .* prefix = "taken_word"'):
            pipeline(prefix="taken")
        assert Token.get_extension("taken_parts")[0] == 1
    finally:
        Token.remove_extension("taken_parts")


def test_a_saved_pipeline_is_the_same_and_its_settings_can_be_changed(tmp_path: Path) -> None:
    nlp = pipeline(always=["Fußb|all"], never=["Kindergeld"], pos=None)
    nlp.to_disk(tmp_path / "saved")
    assert not (tmp_path / "saved" / "compound_splitter" / "model").exists()
    again = spacy.load(tmp_path / "saved")
    assert shown(again(TEXT)) == shown(nlp(TEXT)) != SPLIT
    changed = spacy.load(tmp_path / "saved", config={"components.compound_splitter.granularity": "head"})
    assert shown(changed("Autobahnbrücke")) == {"Autobahnbrücke": "Autobahn|brücke"}
    words = spacy.load(tmp_path / "saved", config={"components.compound_splitter.always": ["Hausf|rau"]})
    assert shown(words("Hausfrau Fußball")) == {"Hausfrau": "Hausf|rau", "Fußball": "Fuß|ball"}


def test_words_and_model_travel_as_bytes(german_model: Path) -> None:
    nlp = pipeline(model=str(german_model), always=["Fußb|all"])
    expected = {"Fußball": "Fußb|all", "Haustür": "Haus|tür"}
    assert shown(nlp("Fußball Kindergeld Haustür")) == expected
    other = pipeline()
    other.get_pipe("compound_splitter").from_bytes(nlp.get_pipe("compound_splitter").to_bytes())
    assert shown(other("Fußball Kindergeld Haustür")) == expected
    component = pickle.loads(pickle.dumps(other.get_pipe("compound_splitter")))
    assert shown(component(other.make_doc("Fußball Kindergeld Haustür"))) == expected


def test_a_saved_pipeline_brings_its_own_model(german_model: Path, tmp_path: Path) -> None:
    moved = german_model.rename(tmp_path / "model")
    nlp = pipeline(model=str(moved))
    nlp.to_disk(tmp_path / "first")
    moved.rename(german_model)
    nlp = spacy.load(tmp_path / "first")
    assert shown(nlp("Kindergeld Haustür")) == {"Haustür": "Haus|tür"}
    nlp.to_disk(tmp_path / "first")  # over what it was read from
    (tmp_path / "first").rename(tmp_path / "second")
    assert shown(spacy.load(tmp_path / "second")("Kindergeld Haustür")) == {"Haustür": "Haus|tür"}


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[Path]:
    pipeline().to_disk(tmp_path)
    yield tmp_path


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not JSON"),
        ('{"format": "hybrid-segmenter spaCy component", "version": 2}', "version 2; this release reads"),
        ('{"format": "hybrid-segmenter spaCy component", "version": 1, "always": 5}', "should be lists"),
        ('{"format": "hybrid-segmenter spaCy component", "version": 1, "always": [5]}', "a string is right"),
        (None, "component.json"),
    ],
)
def test_a_damaged_component_is_told(saved: Path, content: str | None, message: str) -> None:
    header = saved / "compound_splitter" / "component.json"
    header.write_text(content, encoding="utf-8") if content is not None else header.unlink()
    with pytest.raises(DataError, match=message) as caught:
        spacy.load(saved)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("data", [b"", b"\xff\xff", b"\x93\x01\x02\x03", b"\x81\xa7../evil\xc4\x01x", b"\x80"])
def test_bytes_of_something_else_are_refused(nlp: Language, data: bytes) -> None:
    with pytest.raises(DataError, match="compound_splitter's" if data != b"\x80" else "component.json"):
        pipeline().get_pipe("compound_splitter").from_bytes(data)


def test_what_it_assigns_is_declared(nlp: Language) -> None:
    told = nlp.analyze_pipes()["summary"]["compound_splitter"]["assigns"]
    for name in told:
        kind, _, attribute = name.partition("._.")
        assert {"token": Token, "doc": Doc, "span": spacy.tokens.Span}[kind].has_extension(attribute)
    assert len(told) == 7


def test_making_a_pipeline_without_it_loads_no_model() -> None:
    code = "import sys, spacy; spacy.blank('de'); print('hybrid.integrations.spacy' in sys.modules, "
    code += "[m for m in ('hybrid.segmenter', 'numba') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True []"


def test_the_page_shows_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(Path(__file__).parent.parent / "docs" / "how-to" / "spacy.md", tmp_path) > 3
