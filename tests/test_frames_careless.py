"""Columns as careless users have them: odd dictionaries, categories and bytes give lists, or a word why not."""

from typing import Any

import numpy as np
import pytest

from hybrid import DataError
from hybrid.integrations import frames
from hybrid.integrations.frames import split_column
from hybrid.integrations.shared import segmenter_of

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pd = pytest.importorskip("pandas", reason="pandas is not installed")
pl = pytest.importorskip("polars", reason="polars is not installed")

NULLS = pa.array(["Ei", None])
VIEWS = pa.array(["Haustür", None, "Ei"]).cast(pa.string_view())


def encoded(indices: list[int | None], values: Any, kind: Any = None) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(indices, kind or pa.int32()), values)


PAIRS = [f"{a}{b}" for a in "bcdfghjklm" for b in "bcdfghjklm"]


def letters(first: str) -> Any:
    return encoded([*range(100)], pa.array([first + pair for pair in PAIRS]), pa.int8())


@pytest.mark.parametrize(
    ("column", "wanted"),
    [
        (encoded([0, 1, 2], VIEWS), [["Haus", "tür"], None, ["Ei"]]),
        (encoded([0, 1, None, 2], VIEWS)[2:], [None, ["Ei"]]),
        (pa.chunked_array([encoded([2], VIEWS), encoded([0], VIEWS)]), [["Ei"], ["Haus", "tür"]]),
        (pa.chunked_array([encoded([0, 1, None], pa.array(["Haustür", None])), encoded([1, 0], NULLS)]),
         [["Haus", "tür"], None, None, None, ["Ei"]]),
        (pa.chunked_array([letters(first) for first in "xq"]), [[first + pair] for first in "xq" for pair in PAIRS]),
        (pa.chunked_array([], pa.dictionary(pa.int8(), pa.string_view())), []),
    ],
    ids=["views", "slice of views", "chunks of views", "chunks with nulls", "more words than an index counts", "none"],
)  # fmt: skip
def test_any_dictionary_of_strings_is_taken(column: Any, wanted: list[list[str] | None]) -> None:
    fast = segmenter_of(mode="fast")
    lists = split_column(column, fast)
    lists.validate(full=True)
    assert lists.to_pylist() == wanted
    assert [row and row["parts"] for row in split_column(column, fast, probability=True).to_pylist()] == wanted


def arrow(words: list[str], chunks: int) -> Any:
    """Return an index of Arrow's strings in so many chunks."""
    array = pa.chunked_array(np.array_split(words, chunks) if chunks else [], pa.string())
    return pd.Index(pd.arrays.ArrowExtensionArray(array))


def test_categories_of_arrow_in_any_number_of_chunks() -> None:
    for chunks in (1, 2, 3):
        column = pd.Series(pd.Categorical.from_codes([2, -1, 0], arrow(["Haustür", "Ei", "Kindergeld"], chunks)))
        assert split_column(column).tolist() == [["Kinder", "geld"], pd.NA, ["Haus", "tür"]], chunks
    for none in (pd.Categorical.from_codes([], arrow([], 0)), pd.Categorical.from_codes([-1], arrow([], 0))):
        assert split_column(pd.Series(none)).isna().tolist() == [True] * len(none)
    assert split_column(pd.Series(arrow([], 0))).tolist() == []


def test_half_a_pair_among_categories_is_told() -> None:
    categories = pd.Index(["Ei", "Ei\ud800"], dtype=object)
    with pytest.raises(DataError, match="the column, categories, row 1, index 1: half a surrogate pair"):
        split_column(pd.Series(pd.Categorical.from_codes([0], categories)))


def test_bytes_that_are_no_text_are_told() -> None:
    places = pa.py_buffer(np.array([0, 2, 6], np.int32))
    column = pa.Array.from_buffers(pa.string(), 2, [None, places, pa.py_buffer(b"EiT\xfcr.")])
    for one in (column, pa.chunked_array([column]), pd.Series(pd.arrays.ArrowExtensionArray(column))):
        with pytest.raises(DataError, match=r"the column: 'T\ufffdr\.' is no UTF-8"):
            split_column(one)


@pytest.mark.parametrize(
    ("column", "told"),
    [
        (pd.Series(pd.arrays.SparseArray(["Ei"], dtype=pd.SparseDtype(object)), name="n"), "column 'n' is of Sparse"),
        (pd.Series([1j]), "the column is of complex128; a column of strings is right"),
        (pd.Series(["Ei", 3], dtype=object, index=np.array([7, 8])), r"row 1, index 8: int; a string is right"),
        (pd.Series(["Ei", 3], dtype=object, index=pd.MultiIndex.from_product([["a"], [1, 2]])), r"index \('a', 2\)"),
    ],
)  # fmt: skip
def test_what_arrow_can_not_hold_is_told(column: Any, told: str) -> None:
    with pytest.raises(TypeError, match=told):
        split_column(column)


@pytest.mark.parametrize("wrong", ["fast", segmenter_of, 0])
def test_what_is_no_segmenter_is_told(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"segmenter is .*a Segmenter is right"):
        split_column(pa.array(["Ei"]), wrong)


def test_odd_indexes_stay() -> None:
    several = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", None])
    for index in (several, pd.Index([1, 1, 1]), pd.CategoricalIndex(["u", None, "u"])):
        for kind in (object, "category"):
            lists = split_column(pd.Series(["Haustür", None, "Ei"], index=index, dtype=kind))
            assert lists.index.equals(index)
            assert lists.tolist() == [["Haus", "tür"], pd.NA, ["Ei"]]


def test_expressions_over_groups_windows_lists_and_nothing() -> None:
    frame = pl.DataFrame({"a": ["Haustür", None, "Ei"], "g": [1, 1, 2], "l": [["Haustür"], None, []]})
    parts = [["Haus", "tür"], None, ["Ei"]]
    assert frame.with_columns(split_column(pl.col("a")).over("g"))["a"].to_list() == parts
    assert frame.select(pl.col("l").list.eval(split_column(pl.element())))["l"].to_list() == [[parts[0]], None, []]
    first = frame.group_by("g", maintain_order=True).agg(split_column(pl.col("a").first()))
    assert first["a"].to_list() == [parts[0], parts[2]]
    for probability in (False, True):
        choice = split_column(pl.col("a"), probability=probability)
        lazy = frame.lazy().filter(pl.col("g") > 2).select(choice)
        assert lazy.collect().schema == lazy.collect_schema()
        assert frame.clear().group_by("g").agg(choice).height == 0


def test_more_than_an_array_holds_is_told_and_chunks_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes 2 GB to see it; here Arrow is made to refuse as it does then."""

    def refuse(arrays: list[Any]) -> Any:
        raise pa.ArrowInvalid("offset overflow while concatenating arrays")

    monkeypatch.setattr(pa, "concat_arrays", refuse)
    column = pa.array(["Haustür"] * 3).dictionary_encode()
    with pytest.raises(DataError, match="the column: its parts take more than 2 GB; a ChunkedArray"):
        split_column(column)
    assert split_column(pa.chunked_array([column])).to_pylist() == [["Haus", "tür"]] * 3


def test_chunks_of_long_words_have_places_of_32_bits() -> None:
    for longest in (1, 2047, 2048, 2049, 8000):
        rows = frames._rows(pa.array([None, "Ei", "q" * longest]))
        assert 0 < rows <= frames.ROWS
        assert rows * longest < 2**31 <= (rows + 1) * longest or rows == frames.ROWS
    assert frames._rows(pa.nulls(2, pa.string())) == frames.ROWS
