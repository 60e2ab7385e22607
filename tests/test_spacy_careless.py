"""The component in spaCy's pipelines, carelessly: settings of wrong kinds, folders taken away, odd batches."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import hybrid
from hybrid import DataError
from hybrid.model_store import save_model

spacy = pytest.importorskip("spacy", reason="spaCy is not installed")

from spacy.language import Language  # noqa: E402
from spacy.matcher import Matcher  # noqa: E402
from spacy.tokens import Doc  # noqa: E402

from hybrid.integrations.spacy import CompoundSplitter  # noqa: E402


def pipeline(**config: object) -> Language:
    nlp = spacy.blank("de")
    nlp.add_pipe("compound_splitter", config=config)
    return nlp


def shown(doc: Doc) -> list[str]:
    return ["|".join(token._.compound_parts) for token in doc if token._.compound_parts]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model folder to which *Kindergeld* is no compound."""
    folder = tmp_path_factory.mktemp("models") / "mine"
    model = hybrid.load(device="cpu").model
    save_model(replace(model, corrections={**model.corrections, "kindergeld": ()}), folder, half=True)
    return str(folder)


def test_a_loaded_pipeline_needs_its_folder_no_more(model: str, tmp_path: Path) -> None:
    pipeline(model=model).to_disk(tmp_path / "first")
    nlp = spacy.load(tmp_path / "first")
    shutil.rmtree(tmp_path / "first")
    nlp.to_disk(tmp_path / "second")
    again = nlp.get_pipe("compound_splitter").__getstate__()
    component = object.__new__(type(nlp.get_pipe("compound_splitter")))
    component.__setstate__(again)  # as in a process that was started afresh
    for one in (nlp, spacy.load(tmp_path / "second"), component):
        doc = one(nlp.make_doc("Kindergeld Haustür"))
        assert shown(doc) == ["Haus|tür"]


def test_a_model_named_as_a_pipeline_is_loaded_counts_where_it_has_none(model: str, tmp_path: Path) -> None:
    pipeline(never=["Autobahn"]).to_disk(tmp_path / "first")
    assert shown(spacy.load(tmp_path / "first")("Kindergeld Autobahn")) == ["Kinder|geld"]
    nlp = spacy.load(tmp_path / "first", config={"components.compound_splitter.model": model})
    assert shown(nlp("Kindergeld Autobahn Haustür")) == ["Haus|tür"]
    nlp.to_disk(tmp_path / "second")
    assert shown(spacy.load(tmp_path / "second")("Kindergeld Haustür")) == ["Haus|tür"]


@pytest.mark.parametrize("wrong", ["0.5", 1.5, -1])
def test_a_threshold_of_a_wrong_kind_is_told(wrong: object) -> None:
    with pytest.raises(DataError, match=f"compound_splitter: min_probability is {wrong!r}, should be 0 to 1"):
        CompoundSplitter(spacy.blank("de"), min_probability=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, -1, 1])
def test_no_document_is_lost_in_batches_of_any_size(size: int) -> None:
    nlp = pipeline(mode="fast")
    docs = [nlp.make_doc(text) for text in ("Haustür", "", "Ei")]
    assert [*nlp.get_pipe("compound_splitter").pipe(iter(docs), batch_size=size)] == docs
    assert shown(docs[0]) == ["Haus|tür"]


def test_a_matcher_finds_tokens_by_what_is_told_of_them() -> None:
    nlp = pipeline(mode="fast")
    matcher = Matcher(nlp.vocab)
    matcher.add("lemmas", [[{"_": {"compound_lemmas": {"INTERSECTS": ["Haus"]}}}]])
    matcher.add("tree", [[{"_": {"compound_tree": {"REGEX": "geld"}}}]])
    doc = nlp("Die Haustür, das Kindergeld, ein Häuschen")
    assert [doc[start:end].text for _, start, end in matcher(doc)] == ["Haustür", "Kindergeld"]


def test_a_component_taken_from_another_pipeline_and_renamed_is_the_same(tmp_path: Path) -> None:
    first = pipeline(mode="fast", never=["Haustür"], granularity="head")
    second = spacy.blank("de")
    second.add_pipe("compound_splitter", name="splitter", source=first)
    second.rename_pipe("splitter", "cutter")
    second.to_disk(tmp_path / "there")
    for nlp in (second, spacy.load(tmp_path / "there")):
        assert nlp.pipe_names == ["cutter"]
        assert shown(nlp("Haustür Autobahnbrücke")) == ["Autobahn|brücke"]


def test_what_is_split_and_merged_later_tells_no_old_parts() -> None:
    nlp = pipeline(mode="fast")
    doc = nlp("Die Haustürschlüssel am Arbeitsamt")
    with doc.retokenize() as retokenizer:
        retokenizer.split(doc[1], ["Haustür", "schlüssel"], heads=[(doc[1], 1), doc[0]])
    assert shown(doc) == ["Arbeits|amt"]
    assert shown(nlp.get_pipe("compound_splitter")(doc)) == ["Haus|tür", "Arbeits|amt"]
    assert shown(doc[1:].as_doc(copy_user_data=True)) == ["Haus|tür", "Arbeits|amt"]
    assert shown(Doc.from_docs([doc, doc])) == ["Haus|tür", "Arbeits|amt"] * 2
