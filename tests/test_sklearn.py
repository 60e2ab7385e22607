"""Inside scikit-learn: tokenizer and transformer are what estimators must be, and split as the segmenter does."""

import json
import pickle
import shutil
import threading
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import ModelError, Segmenter
from hybrid.default import FOLDER as DEFAULT
from hybrid.integrations.shared import segmenter_of
from hybrid.worker import Worker
from lexicon.normalize import HYPHENS
from tests.examples import run_document

sklearn = pytest.importorskip("sklearn", reason="scikit-learn is not installed")

from sklearn.base import clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.utils import estimator_checks  # noqa: E402

from benchmarks.classification import read_headlines, run_classification  # noqa: E402
from hybrid.integrations.sklearn import EMITTED, FORMS, CompoundSplitter, CompoundTokenizer  # noqa: E402

ROOT = Path(__file__).parent.parent
TEXT = "Die Arbeitsagentur zahlt 12 Euro Kindergeld (info@amt.de) im Arbeits\u00adzimmer; Video-Call, Ha\u0308user. x"
TEXTS = ["Kindergeld", "Elterngeld", "Haustür", "Haustürschlüssel", "Autobahn", "Bahnhof"] * 2
TOPICS = [0, 0, 1, 1, 2, 2] * 2


def tokenizers() -> list[CompoundTokenizer]:
    return [CompoundTokenizer(emit=emit, form=form) for emit in EMITTED for form in FORMS]


@pytest.mark.parametrize(
    ("choice", "tokens"),
    [
        ({}, "die arbeits agentur zahlt 12 euro kinder geld info amt de im arbeits zimmer video call häuser"),
        ({"form": "stem"}, "die arbeit agentur zahlt 12 euro kind geld info amt de im arbeit zimmer video call häuser"),
        ({"form": "lemma"}, "die arbeit agentur zahlt 12 euro kind geld info amt de im arbeit zimmer video call haus"),
        ({"emit": "words"},
         "die arbeitsagentur zahlt 12 euro kindergeld info amt de im arbeitszimmer video-call häuser"),
        ({"emit": "both", "min_length": 6},
         "arbeitsagentur arbeits agentur kindergeld kinder arbeitszimmer arbeits zimmer video-call häuser"),
        ({"lowercase": False, "min_length": 1},
         "Die Arbeits agentur zahlt 12 Euro Kinder geld info amt de im Arbeits zimmer Video Call Häuser x"),
        ({"min_probability": 1.0, "mode": "fast"},
         "die arbeitsagentur zahlt 12 euro kindergeld info amt de im arbeitszimmer video-call häuser"),
    ],
)  # fmt: skip
def test_tokens_of_a_text(choice: dict[str, Any], tokens: str) -> None:
    assert CompoundTokenizer(**choice)(TEXT) == tokens.split()


def test_numbers_and_coarser_parts() -> None:
    assert CompoundTokenizer()("3 Haustüren A4 2025") == ["haus", "türen", "a4", "2025"]
    assert CompoundTokenizer()("2025") == ["2025"]
    assert CompoundTokenizer()("") == []
    assert CompoundTokenizer()("Autobahnbrücke") == ["auto", "bahn", "brücke"]
    assert CompoundTokenizer(granularity="head")("Autobahnbrücke") == ["autobahn", "brücke"]


WORDS = st.sampled_from(
    ["Haustür", "Gemu\u0308sesuppe", "Nord-Ost", "A4", "Arbeits\u00adzimmer", " ", "-", "e.de", "\ud800"]
)


@given(st.lists(WORDS | st.text(max_size=6), max_size=6).map("".join))
@settings(max_examples=60, deadline=None)
def test_any_text_has_tokens_and_parts_make_up_their_words(text: str) -> None:
    words, parts, both = (
        CompoundTokenizer(emit=emit, min_length=0, lowercase=False, mode="fast")(text)
        for emit in ("words", "parts", "both")
    )
    assert len(words) <= len(parts) <= len(both) <= len(words) + len(parts)
    assert letters(words) == letters(parts)


def letters(tokens: list[str]) -> str:
    return unicodedata.normalize("NFC", "".join(tokens)).translate(dict.fromkeys(map(ord, HYPHENS)))


@pytest.mark.parametrize("tokenizer", tokenizers(), ids=str)
def test_a_tokenizer_is_its_parameters(tokenizer: CompoundTokenizer) -> None:
    tokenizer(TEXT)
    again = pickle.loads(pickle.dumps(tokenizer))
    assert len(pickle.dumps(tokenizer)) < 400
    for copy in (clone(tokenizer), again, CompoundTokenizer(**tokenizer.get_params())):
        assert copy.get_params() == tokenizer.get_params()
        assert copy(TEXT) == tokenizer(TEXT)
    changed = clone(tokenizer).set_params(granularity="head")
    assert repr(changed).startswith("CompoundTokenizer(") == ("granularity='head'" in repr(changed))
    assert changed("Autobahnbrücke") != tokenizer("Autobahnbrücke") or tokenizer.emit == "words"
    with pytest.raises(ValueError, match="Invalid parameter 'x'"):
        tokenizer.set_params(x=1)


@pytest.mark.parametrize("estimator", [CompoundTokenizer(), CompoundSplitter()], ids=lambda e: type(e).__name__)
@pytest.mark.parametrize(
    "check",
    ["check_estimator_cloneable", "check_estimator_repr", "check_get_params_invariance", "check_set_params",
     "check_parameters_default_constructible", "check_no_attributes_set_in_init", "check_valid_tag_types",
     "check_mixin_order", "check_estimator_tags_renamed"],
)  # fmt: skip
def test_the_checks_of_scikit_learn_that_need_no_numbers(check: str, estimator: Any) -> None:
    if not hasattr(estimator_checks, check):
        pytest.skip("this scikit-learn has no such check")
    getattr(estimator_checks, check)(type(estimator).__name__, estimator)


@pytest.mark.filterwarnings("ignore:Can't test estimator")
def test_check_estimator_passes() -> None:
    if not hasattr(sklearn.utils, "get_tags"):
        pytest.skip("this scikit-learn does not ask an estimator what it takes")
    results = estimator_checks.check_estimator(CompoundSplitter(), on_fail="raise")
    assert {result["status"] for result in results} == {"passed"}


@pytest.mark.parametrize("kind", [CountVectorizer, TfidfVectorizer, HashingVectorizer])
@pytest.mark.filterwarnings("error")
def test_vectorizers_take_it(kind: Any) -> None:
    vectorizer = kind(tokenizer=CompoundTokenizer(), token_pattern=None)
    columns = pickle.loads(pickle.dumps(vectorizer.fit(TEXTS))).transform(["Geldautomat", "Vogel"])
    assert columns.shape[0] == 2
    if kind is not HashingVectorizer:
        assert columns[0].nnz == 1  # geld, which no training text has as a word
        names = vectorizer.get_feature_names_out().tolist()
        assert names == sorted({token for text in TEXTS for token in CompoundTokenizer()(text)})
        stopped = kind(tokenizer=CompoundTokenizer(), token_pattern=None, stop_words=["geld"], ngram_range=(1, 2))
        assert "geld" not in stopped.fit(TEXTS).get_feature_names_out()


def pipeline() -> Pipeline:
    columns = CountVectorizer(tokenizer=CompoundTokenizer(), token_pattern=None)
    return Pipeline([("columns", columns), ("classes", LogisticRegression())])


def test_a_grid_search_reaches_the_tokenizer() -> None:
    grid = {"columns__tokenizer__emit": list(EMITTED), "columns__tokenizer__granularity": ["fine", "head"]}
    search = GridSearchCV(pipeline(), grid, cv=2, error_score="raise").fit(TEXTS, TOPICS)
    assert len(search.cv_results_["params"]) == 6
    best = search.best_estimator_.named_steps["columns"].tokenizer
    assert {
        f"columns__tokenizer__{name}": best.get_params()[name] for name in ("emit", "granularity")
    } == search.best_params_


def test_processes_of_joblib_give_the_same() -> None:
    alone = cross_val_score(pipeline(), TEXTS, TOPICS, cv=2)
    splitting = make_pipeline(CompoundSplitter(), CountVectorizer(), LogisticRegression())
    assert cross_val_score(pipeline(), TEXTS, TOPICS, cv=2, n_jobs=2).tolist() == alone.tolist()
    assert cross_val_score(splitting, TEXTS, TOPICS, cv=2, n_jobs=2).tolist() == alone.tolist()


def test_threads_may_share_a_tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybrid.integrations.sklearn.KEPT", 5)  # it forgets again and again
    words = [word for word, _ in segmenter_words()]
    texts = [" ".join(words[i : i + 4]) for i in range(len(words))] + [f"{'Haus' * 30} {words[0]}"]
    tokenizer, wanted = CompoundTokenizer(min_probability=0.01), [CompoundTokenizer()(text) for text in texts]
    found: dict[int, list[list[str]]] = {}

    def ask(i: int) -> None:
        found[i] = [tokenizer(text) for text in texts]

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(4), wanted)


def segmenter_words() -> list[tuple[str, list[int]]]:
    data = json.loads((ROOT / "lexicon" / "silver" / "test.json").read_text(encoding="utf-8"))
    return list(data.items())[::60]


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        ({"emit": "x"}, "emit is 'x', should be one of parts, both, words"),
        ({"form": "x"}, "form is 'x', should be one of surface, stem, lemma"),
        ({"granularity": "x"}, "granularity is 'x'"),
        ({"min_probability": 2}, "min_probability is 2"),
        ({"mode": "x"}, "mode is 'x'"),
        ({"model": "no-such-folder"}, "no-such-folder"),
    ],
)
def test_wrong_parameters_are_told_when_used(choice: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        CompoundTokenizer(**choice)("Haustür")
    if choice.keys() & {"granularity", "min_probability", "mode", "model"}:
        with pytest.raises(ValueError, match=told):
            CompoundSplitter(**choice).fit(["Haustür"])


def test_what_is_no_text_is_told() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    with pytest.raises(TypeError, match="text is a NoneType"):
        CompoundTokenizer()(None)
    wrong = [("Haustür", "X is one string"), (["a", None], r"X\[1\] is a NoneType"), ([b"a"], r"X\[0\] is a bytes"),
             (np.array([1.5]), r"X\[0\] is a float"), (pd.Series(["a", np.nan]), r"X\[1\] is a float")]  # fmt: skip
    for texts, told in wrong:
        for ask in (CompoundSplitter().fit, CompoundSplitter().transform):
            with pytest.raises(TypeError, match=told):
                ask(texts)
    for texts in (np.array([["a"]]), pd.DataFrame({"title": ["a"]})):
        with pytest.raises(ValueError, match=r"X has shape \(1, 1\); one column of texts is right"):
            CompoundSplitter().fit(texts)


def test_the_transformer_separates_as_a_worker_does() -> None:
    pd, pl = (pytest.importorskip(name, reason=f"{name} is not installed") for name in ("pandas", "polars"))
    texts = [TEXT, "", "Autobahnbrücke\nHaustür  "]
    wanted = Worker(segmenter_of()).separate(texts, " ")
    splitter = CompoundSplitter()
    for given_ in (texts, tuple(texts), iter(texts), np.array(texts), np.array(texts, dtype=object), pd.Series(texts),
                   pd.Series(texts, dtype="category"), pl.Series(texts)):  # fmt: skip
        found = splitter.transform(given_)
        assert (found.shape, found.dtype, found.tolist()) == ((3,), object, wanted)
    assert splitter.fit_transform(texts).tolist() == wanted
    assert splitter.transform([]).tolist() == []
    assert CompoundSplitter(separator="·", granularity="head").transform(["Autobahnbrücke"]) == ["Autobahn·brücke"]
    assert len(pickle.dumps(splitter.fit(texts))) < 400
    assert vars(splitter) == splitter.get_params()
    assert splitter.get_feature_names_out().tolist() == ["text"]
    assert splitter.get_feature_names_out(["title"]).tolist() == ["title"]


def test_in_pipelines_and_beside_other_columns() -> None:
    pd = pytest.importorskip("pandas", reason="pandas is not installed")
    counts = make_pipeline(CompoundSplitter(), CountVectorizer()).fit(TEXTS)
    assert counts.get_feature_names_out().tolist() == CountVectorizer().fit(CompoundSplitter().transform(TEXTS)) \
        .get_feature_names_out().tolist()  # fmt: skip
    frame = pd.DataFrame({"title": TEXTS, "n": range(len(TEXTS))})
    both = ColumnTransformer([("title", counts, "title"), ("n", "passthrough", ["n"])]).fit(frame)
    assert both.transform(frame).shape == (len(TEXTS), 1 + len(counts.get_feature_names_out()))
    assert "title__geld" in both.get_feature_names_out()
    with sklearn.config_context(transform_output="pandas"):
        assert CompoundSplitter().fit_transform(frame["title"]).tolist() == CompoundSplitter().transform(TEXTS).tolist()


def test_a_model_of_ones_own_is_named_and_its_successor_found(tmp_path: Path) -> None:
    folder = tmp_path / "own"
    tokenizer, splitter = CompoundTokenizer(model=folder), CompoundSplitter(model=folder)
    with pytest.raises(ModelError, match="own"):
        tokenizer("Haustür")
    shutil.copytree(DEFAULT, folder)
    assert pickle.loads(pickle.dumps(tokenizer))("Haustür") == ["haus", "tür"]
    model = hybrid.load(folder).model
    Segmenter(replace(model, corrections={**model.corrections, "haustür": ()})).save(folder)
    assert clone(tokenizer)("Haustür") == ["haustür"]
    assert splitter.transform(["Haustür"]).tolist() == ["Haustür"]
    assert len(pickle.dumps(tokenizer)) < 1000


def test_the_measurement_runs_and_writes_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, topics = read_headlines()
    assert len(set(texts)) == len(texts) == 300
    assert len(set(topics)) == 5
    monkeypatch.setattr("benchmarks.classification.read_headlines", lambda: (texts[::6], topics[::6]))
    result = run_classification(tmp_path, rounds=1, seed=0)
    assert json.loads((tmp_path / "classification.json").read_text(encoding="utf-8")) == json.loads(json.dumps(result))
    told = (tmp_path / "classification.md").read_text(encoding="utf-8")
    for rows in result["trained_on"].values():
        assert rows[0]["against_words"] == (0, 0, 0)
        for row in rows:
            assert f"| {row['name']} | {row['columns']:,} | {row['accuracy']:.3f} |" in told


def test_splitting_helps_on_the_headlines_as_the_results_say() -> None:
    found = json.loads((ROOT / "benchmarks" / "results" / "classification.json").read_text(encoding="utf-8"))
    for rows in found["trained_on"].values():
        of = {row["name"]: row for row in rows}
        assert of["parts, dictionary forms"]["against_words"][1] > 0  # the interval's lower end


def test_the_page_for_scikit_learn_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(ROOT / "docs" / "how-to" / "sklearn.md", tmp_path) > 3
