"""Inside scikit-learn, carelessly: texts that come one by one, Arrow's columns, parameters of the wrong kind."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import hybrid
from hybrid.default import FOLDER as DEFAULT
from hybrid.integrations.shared import segmenter_of

pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline

from hybrid.integrations import sklearn as ours
from hybrid.integrations.sklearn import CompoundSplitter, CompoundTokenizer
from hybrid.integrations.wanted import wanted

TEXTS = ["Die Haustür klemmt", "", "Kindergeld"]
SEPARATED = ["Die Haus tür klemmt", "", "Kinder geld"]


def test_texts_that_come_one_by_one_are_read_once() -> None:
    assert CompoundSplitter().fit_transform(text for text in TEXTS).tolist() == SEPARATED
    assert CompoundSplitter().transform(iter(TEXTS)).tolist() == SEPARATED
    counts = make_pipeline(CompoundSplitter(), CountVectorizer()).fit_transform(text for text in TEXTS)
    assert counts.toarray().sum(axis=1).tolist() == [4, 0, 2]


def test_columns_of_arrow_are_texts() -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    for column in (pa.array(TEXTS), pa.chunked_array([TEXTS[:1], TEXTS[1:]]), pa.array(TEXTS).dictionary_encode()):
        assert CompoundSplitter().fit_transform(column).tolist() == SEPARATED
    with pytest.raises(TypeError, match=r"X\[1\] is a NoneType; a string is right"):
        CompoundSplitter().transform(pa.array(["Ei", None]))


@pytest.mark.parametrize("wrong", [3, None])
def test_what_is_not_several_texts_is_told(wrong: Any) -> None:
    for ask in (CompoundSplitter().fit, CompoundSplitter().transform, CompoundSplitter().fit_transform):
        with pytest.raises(TypeError, match=r"X is a \w+; a list of texts is right"):
            ask(wrong)


def test_a_frame_without_a_shape_is_told() -> None:
    pl = pytest.importorskip("polars", reason="polars is not installed")
    with pytest.raises(ValueError, match="one column of texts is right"):
        CompoundSplitter().transform(pl.LazyFrame({"a": TEXTS}))


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"granularity": ["fine"]}, r"granularity is \['fine'\], should be one of fine"),
        ({"mode": ["fast"]}, r"mode is \['fast'\], should be one of cascade"),
        ({"emit": ["parts"]}, r"emit is \['parts'\]"),
        ({"min_length": None}, "min_length is None, should be a whole number"),
        ({"min_length": "2"}, "min_length is '2'"),
        ({"min_probability": None}, "min_probability is None, should be a number"),
        ({"min_probability": "0.5"}, "min_probability is '0.5'"),
    ],
)
def test_parameters_of_a_wrong_kind_are_told(choice: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CompoundTokenizer(**choice)("Haustür")
    if {"granularity", "mode", "min_probability"}.intersection(choice):
        with pytest.raises(ValueError, match=told):
            CompoundSplitter(**choice).fit(TEXTS)


@pytest.mark.parametrize("separator", [3, None, b" "])
def test_a_separator_that_is_no_string_is_told(separator: Any) -> None:
    for ask in (CompoundSplitter(separator=separator).fit, CompoundSplitter(separator=separator).transform):
        with pytest.raises(ValueError, match=r"separator is .*; a string is right"):
            ask(TEXTS)


def test_no_token_is_empty() -> None:
    for emit in ours.EMITTED:
        for text in ("\u200d-Geld", "\u200d\u2010\u017f", "\u00ad-\u00adGeld-"):
            assert "" not in CompoundTokenizer(emit=emit, min_length=0, mode="fast")(text), (emit, text)
    assert CompoundTokenizer(min_length=-1)("\u200d-Geld") == ["geld"]


def test_settings_do_not_share_what_they_remember() -> None:
    """Many tokenizers at once, by turns: each has its own answers."""
    choices = [{"form": "lemma"}, {"granularity": "head"}, {"min_probability": 1.0}, {}, {"mode": "fast"}]
    wanted = [["haus", "tür"], ["haus", "tür"], ["haustür"], ["haus", "tür"], ["haus", "tür"]]
    for _ in range(2):
        assert [CompoundTokenizer(**choice)("Haustür") for choice in choices] == wanted
        assert clone(CompoundTokenizer(granularity="head"))("Autobahnbrücke") == ["autobahn", "brücke"]
        assert CompoundTokenizer()("Autobahnbrücke") == ["auto", "bahn", "brücke"]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "KEPT", 3)
    memory = ours._memory.__wrapped__(segmenter_of(mode="fast"), "fine", 0.0, "surface")
    for words in (["Haus", "tür"], ["Ei", "Ort"], ["Haustür"] * 9, [f"Ei{i}" for i in range(9)], ["q" * 999]):
        assert memory(words) == [("Haus", "tür") if word == "Haustür" else (word,) for word in words]
        assert len(memory._known) <= 3


@pytest.mark.filterwarnings("error")
def test_a_model_with_the_same_time_in_place_of_another_is_found(tmp_path: Path) -> None:
    """Archives and copies keep times, so that time alone tells nothing."""
    folder = tmp_path / "model"
    shutil.copytree(DEFAULT, folder)
    first, time = segmenter_of(folder, "fast"), (folder / "manifest.json").stat().st_mtime_ns
    assert segmenter_of(str(folder), "fast") is first
    folder.rename(tmp_path / "old")
    shutil.copytree(DEFAULT, folder)
    assert (folder / "manifest.json").stat().st_mtime_ns == time
    assert segmenter_of(folder, "fast") is not first


def test_links_in_a_circle_are_no_model(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(hybrid.ModelError, match="no such model folder"):
        segmenter_of(tmp_path / "a")


def test_a_package_without_a_name_is_told_by_its_extra() -> None:
    with (
        pytest.raises(ImportError, match=r"the package frames is not installed: pip install .*\[frames\]"),
        wanted("frames"),
    ):
        raise ModuleNotFoundError
