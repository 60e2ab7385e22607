"""Columns of data frames: the same lists in pandas, polars and pyarrow, whatever the column is made of."""

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import DataError, Segmenter
from hybrid.integrations import frames
from hybrid.integrations.frames import split_column
from hybrid.integrations.shared import segmenter_of
from tests.examples import run_document

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")
pl = pytest.importorskip("polars", reason="polars is not installed")

ROOT = Path(__file__).parent.parent
WORDS = ["Kindergeld", None, "Haustür", "Kindergeld", "", "Häuserü", "Ei", None]

ARROW = {
    "string": lambda words: pa.array(words, pa.string()),
    "large_string": lambda words: pa.array(words, pa.large_string()),
    "string_view": lambda words: pa.array(words, pa.string_view()),
    "dictionary": lambda words: pa.array(words, pa.string()).dictionary_encode(),
    "dictionary of large": lambda words: pa.array(words, pa.large_string()).dictionary_encode(),
    "chunks": lambda words: pa.chunked_array([words[:2], [], words[2:]], pa.string()),
    "dictionaries": lambda words: pa.chunked_array(
        [pa.array(some, pa.string()).dictionary_encode() for some in (words[:3], words[3:])]
    ),
    "dictionary with a null": lambda words: pa.DictionaryArray.from_arrays(
        pa.array(range(len(words)), pa.int32()), pa.array(words, pa.string())
    ),
    "slice": lambda words: pa.array(["Autobahn", *words], pa.string())[1:],
    "slice of a dictionary": lambda words: pa.array(["Autobahn", *words], pa.string()).dictionary_encode()[1:],
}
PANDAS = {
    "object": lambda words: pd.Series(words, dtype=object),
    "str": lambda words: pd.Series(words, dtype="str"),
    "string": lambda words: pd.Series(words, dtype="string"),
    "string[python]": lambda words: pd.Series(words, dtype="string[python]"),
    "category": lambda words: pd.Series(words, dtype="category"),
    "arrow": lambda words: pd.Series(words, dtype=pd.ArrowDtype(pa.string())),
    "arrow dictionary": lambda words: pd.Series(words, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
}
POLARS = {
    "String": lambda words: pl.Series(words, dtype=pl.String),
    "Categorical": lambda words: pl.Series(words, dtype=pl.Categorical),
    "Enum": lambda words: pl.Series(words, dtype=pl.Enum(sorted({word for word in words if word is not None}))),
    "chunks": lambda words: pl.concat([pl.Series(words[:2], dtype=pl.String), pl.Series(words[2:], dtype=pl.String)]),
}
KINDS = {f"{library}: {name}": make for library, makers in (("pyarrow", ARROW), ("pandas", PANDAS), ("polars", POLARS))
         for name, make in makers.items()}  # fmt: skip


def plain(column: Any) -> list[Any]:
    """Return a column of any library as Python has it."""
    if isinstance(column, pd.Series):
        column = pa.Array.from_pandas(column)
    return column.to_list() if isinstance(column, pl.Series) else column.to_pylist()


def expected(words: list[str | None], segmenter: Segmenter | None = None, **choice: Any) -> list[list[str] | None]:
    segmenter = segmenter or segmenter_of()
    found = iter(segmenter.split_parts([word for word in words if word is not None], **choice))
    return [None if word is None else list(next(found)[0]) for word in words]


STRANGE = st.sampled_from(
    ["\0", "a\0b", "\u0308", "Gemu\u0308se", "Nord-Ost", "😀", "ﬁ", " ", "NaN", "None", "ß" * 300]
)


@given(st.lists(st.none() | st.sampled_from([w for w in WORDS if w]) | STRANGE | st.text("aHausTür -1", max_size=8)))
@settings(max_examples=20, deadline=None)
def test_all_libraries_give_the_same_lists(words: list[str | None]) -> None:
    fast = segmenter_of(mode="fast")
    wanted = expected(words, fast)
    for name, make in KINDS.items():
        assert plain(split_column(make(words), fast)) == wanted, name


@pytest.mark.parametrize("kind", KINDS)
def test_words_nulls_and_types(kind: str) -> None:
    column = KINDS[kind](WORDS)
    lists = split_column(column)
    assert plain(lists) == expected(WORDS)
    assert plain(lists)[:3] == [["Kinder", "geld"], None, ["Haus", "tür"]]
    if isinstance(column, pa.ChunkedArray | pa.Array):
        assert type(lists).__name__ == ("ChunkedArray" if isinstance(column, pa.ChunkedArray) else "ListArray")
        assert lists.type == pa.list_(pa.large_string() if "large" in kind else pa.string())
        lists.validate(full=True)
    elif isinstance(column, pd.Series):
        assert lists.dtype == pd.ArrowDtype(pa.list_(pa.string()))
        assert lists.list.len().fillna(-1).tolist()[:3] == [2, -1, 2]
    else:
        assert lists.dtype == pl.List(pl.String)
    assert plain(split_column(column, granularity="head")) == expected(WORDS, granularity="head")
    assert plain(split_column(column, min_probability=1.0)) == expected(WORDS, min_probability=1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_stand_beside_the_parts(kind: str) -> None:
    structs = plain(split_column(KINDS[kind](WORDS), probability=True))
    (_, sure), *_ = segmenter_of().split_parts(["Kindergeld"])
    assert structs[:2] == [{"parts": ["Kinder", "geld"], "probability": pytest.approx(sure)}, None]
    assert [row and row["parts"] for row in structs] == expected(WORDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("words", [[], [None], [None, None, None]])
def test_nothing_and_nothing_but_nulls(kind: str, words: list[None]) -> None:
    for choice in ({}, {"probability": True}):
        assert plain(split_column(KINDS[kind](words), **choice)) == words


@pytest.mark.parametrize(
    "column",
    [
        pa.nulls(2), pa.chunked_array([pa.nulls(2)]), pa.nulls(2).dictionary_encode(), pl.Series([None, None]),
        pd.Series([np.nan, np.nan]), pd.Series([None, None], dtype="category"),
        pd.Series([np.nan, pd.NA], dtype=object),
    ],
)  # fmt: skip
def test_columns_without_a_type(column: Any) -> None:
    assert plain(split_column(column)) == [None, None]


def test_the_index_and_the_name_of_a_series_stay() -> None:
    frame = pd.DataFrame({"wort": ["Haustür", "Ei"], "n": [1, 2]}, index=pd.Index(["a", "b"], name="i"))
    lists = split_column(frame["wort"])
    assert (lists.name, lists.index.tolist(), lists.index.name) == ("wort", ["a", "b"], "i")
    frame["parts"] = lists
    assert frame.explode("parts")["parts"].tolist() == ["Haus", "tür", "Ei"]
    assert split_column(frame["wort"][::-1]).index.tolist() == ["b", "a"]
    assert split_column(pl.Series("wort", ["Ei"])).name == "wort"
    assert frame["wort"].tolist() == ["Haustür", "Ei"]


@pytest.mark.parametrize("streaming", [False, True])
def test_an_expression_of_polars_in_every_context(streaming: bool) -> None:
    frame = pl.LazyFrame({"wort": WORDS, "n": [1, 1, 1, 2, 2, 2, 2, 2]})
    lazy = frame.with_columns(split_column(pl.col("wort")).alias("parts"))
    assert lazy.collect_schema()["parts"] == pl.List(pl.String)
    if streaming and tuple(map(int, pl.__version__.split(".")[:2])) < (1, 23):
        pytest.skip("this polars has no streaming engine by that name")
    found = lazy.collect(engine="streaming") if streaming else lazy.collect()
    assert found["parts"].to_list() == expected(WORDS)
    structs = frame.select(split_column(pl.col("wort"), probability=True)).collect()
    assert (
        structs.schema["wort"] == frame.select(split_column(pl.col("wort"), probability=True)).collect_schema()["wort"]
    )
    grouped = found.group_by("n", maintain_order=True).agg(split_column(pl.col("wort")))
    assert grouped["wort"].to_list() == [expected(WORDS[:3]), expected(WORDS[3:])]
    with pytest.raises(Exception, match="column 'n' is of int64; a column of strings is right"):
        found.with_columns(split_column(pl.col("n")))


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (pd.Series([1, 2], name="n"), r"column 'n' is of int64; a column of strings is right"),
        (pd.Series(["Ei", 3], index=["a", "b"], name="n"), r"column 'n', row 1, index 'b': int; a string is right"),
        (pd.Series([b"Ei"]), r"the column, row 0, index 0: bytes; a string is right"),
        (pd.Series([1.5, None], name="n"), r"column 'n' is of double"),
        (pd.Series([1, 2], dtype="category", name="n"), r"column 'n' is of dictionary<values=int64"),
        (pd.Series(["a", 2], dtype="category", name="n"), r"column 'n', categories, row \d, index \d: int"),
        (pl.Series("n", [1]), r"column 'n' is of int64"),
        (pl.Series("n", [["Ei"]]), r"column 'n' is of large_list"),
        (pa.array([b"Ei"]), r"the column is of binary"),
        (pa.array([1]).dictionary_encode(), r"the column is of dictionary<values=int64"),
        (["Ei"], r"column is a list; a Series of pandas or polars"),
        ("Ei", r"column is a str"),
        (None, r"column is a NoneType"),
        (pd.DataFrame({"a": ["Ei"]}), r"column is a DataFrame of pandas"),
        (pl.DataFrame({"a": ["Ei"]}), r"column is a DataFrame of polars"),
        (np.array(["Ei"]), r"column is a ndarray of numpy"),
    ],
)
def test_what_is_no_column_of_strings_is_told(column: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        split_column(column)


@pytest.mark.parametrize("kind", ["object", "string[python]"])
def test_half_a_surrogate_pair_is_told(kind: str) -> None:
    with pytest.raises(DataError, match=r"row 1, index 1: half a surrogate pair"):
        split_column(pd.Series(["Ei", "Ei\ud800"], dtype=kind))


def test_wrong_choices_are_told_before_anything_is_split() -> None:
    with pytest.raises(ValueError, match="granularity is 'x'"):
        split_column(pl.col("a"), granularity="x")
    with pytest.raises(ValueError, match="min_probability is 2"):
        split_column(pa.array([], pa.string()), min_probability=2)


@pytest.mark.parametrize("kind", KINDS)
def test_each_distinct_word_is_split_once_and_no_other(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()
    original = Segmenter.split_parts

    def spy(self: Segmenter, words: list[str], **choice: Any) -> Any:
        asked.extend(words)
        return original(self, words, **choice)

    monkeypatch.setattr(Segmenter, "split_parts", spy)
    split_column(KINDS[kind](["Haustür", "Ei", None] * 50))
    assert sorted(asked) == ["Ei", "Haustür"] or "slice" in kind or "a null" in kind
    asked.clear()
    split_column(pa.array(["Haustür", *map(str, range(99))]).dictionary_encode()[:3])
    assert sorted(asked) == ["0", "1", "Haustür"]


def test_a_segmenter_of_ones_own_and_many_threads() -> None:
    own = hybrid.load(user=hybrid.UserDictionary.make(never=["Haustür"]))
    assert plain(split_column(pa.array(["Haustür"]), own)) == [["Haustür"]]
    column, results = pl.Series(WORDS * 50), list[Any]()
    threads = [threading.Thread(target=lambda: results.append(split_column(column).to_list())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected(WORDS) * 50] * 4


def test_many_rows_come_in_chunks_that_hold_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames, "ROWS", 3)
    for make in (*ARROW.values(), PANDAS["object"], POLARS["String"]):
        assert plain(split_column(make(WORDS * 3))) == expected(WORDS * 3)
    assert split_column(pa.chunked_array([["Ei"] * 7])).num_chunks == 3
    assert split_column(pa.array(["Ei"] * 7)).to_pylist() == [["Ei"]] * 7


def test_the_page_for_data_frames_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(ROOT / "docs" / "how-to" / "data-frames.md", tmp_path) > 3
