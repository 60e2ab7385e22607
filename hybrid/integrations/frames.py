"""Columns of data frames: words in, lists of their parts out, in pandas, polars and pyarrow alike.

All three speak Arrow, so a column is read as Arrow, without a copy where it is one already, and dictionary-encoded;
each distinct word is split once, and the lists are taken by the dictionary's indices.
"""

import sys
from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any, TypeVar

from hybrid.errors import DataError
from hybrid.integrations.frames_pandas import of_pandas
from hybrid.integrations.shared import segmenter_given
from hybrid.integrations.wanted import wanted
from hybrid.segmenter import Segmenter
from lexicon.errors import quoted

if TYPE_CHECKING:
    from hybrid.parts import Parts

ROWS = 1 << 20
"""Rows of a chunk of lists, at most."""

Column = TypeVar("Column")


def split_column(
    column: Column,
    segmenter: Segmenter | None = None,
    *,
    granularity: str = "fine",
    min_probability: float = 0.0,
    probability: bool = False,
) -> Column:
    """Return the parts of a column's words, as a column of lists of the same library; each distinct word is split once.

    Args:
        column: strings, n of them, nulls among them or nothing but nulls. A pandas Series, of objects, strings or
            categories, also Arrow's; a polars Series of String, Categorical or Enum; a polars expression, to be used in
            any context, lazy ones too; a pyarrow Array or ChunkedArray of string, large_string, string_view, or a
            dictionary of these.
        segmenter: what splits them; None: the default model.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
        probability: give a struct, `parts` and `probability`, instead of the list alone.

    Returns:
        n lists of strings, null where the word is null, and an empty list for the empty word. In pyarrow the
        strings are large ones where the words are. A pandas Series is one of Arrow's list<string> then, with the index
        and the name that it had.

    Raises:
        DataError: a string has half a surrogate pair, which Arrow can't hold, or Arrow's bytes are no UTF-8; the parts
            of one Array of dictionaries take more than it can hold.
        ImportError: pyarrow is not installed.
        ModelError: as for `Segmenter.split`.
        TypeError: it is no such column, or holds what is no string, told with its place; or the segmenter is none.
        ValueError: as for `Segmenter.split`.
    """
    choice = {"granularity": granularity, "min_probability": min_probability}
    segmenter = segmenter_given(segmenter)
    segmenter.split_parts([], **choice)  # type: ignore[arg-type] # a wrong one is told at once
    split = partial(_split_arrow, segmenter=segmenter, choice=choice, probability=probability)
    polars = sys.modules.get("polars")
    if polars is not None and isinstance(column, polars.Expr):
        return _of_expression(column, split, probability)
    return _of_library(column, split)


def _of_library(column: Any, split: Any) -> Any:
    """Return the column that `split` gives, in the library that the column is of."""
    with wanted("frames"):
        import pyarrow as pa
    pandas, polars = (sys.modules.get(name) for name in ("pandas", "polars"))  # not imported: it is none of theirs
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return split(column, "the column")
    if pandas is not None and isinstance(column, pandas.Series):
        where = _named(column.name)
        found = split(of_pandas(column, where), where, text=pa.string())
        return pandas.Series(pandas.arrays.ArrowExtensionArray(found), index=column.index, name=column.name)
    if polars is not None and isinstance(column, polars.Series):
        found = split(pa.chunked_array([column.rechunk().to_arrow()]), _named(column.name))
        return polars.Series(column.name, found)
    kind, library = type(column).__name__, type(column).__module__.split(".")[0]
    of = "" if library == "builtins" else f" of {library}"
    raise TypeError(
        f"column is a {kind}{of}; a Series of pandas or polars, a polars expression, or an Array of pyarrow is right"
    )


def _of_expression(column: Any, split: Any, probability: bool) -> Any:
    import polars

    lists = polars.List(polars.String)
    kind = polars.Struct({"parts": lists, "probability": polars.Float64}) if probability else lists
    return column.map_batches(partial(_of_library, split=split), return_dtype=kind, is_elementwise=True)


def _named(name: object) -> str:
    return "the column" if name is None or name == "" else f"column {name!r}"


def _split_arrow(
    column: Any, where: str, *, segmenter: Segmenter, choice: Any, probability: bool, text: Any = None
) -> Any:
    """Return the lists of an Array or ChunkedArray; what comes in chunks is given in chunks.

    Args:
        column: the words.
        where: what it is called in errors.
        segmenter: as for `split_column`.
        choice: what is given to `split_parts`.
        probability: as for `split_column`.
        text: the type of the parts; None: that of the words.
    """
    import pyarrow as pa

    chunked = column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])
    encoded, of_words = _encoded(chunked, where)
    text = text or of_words
    distinct = encoded.chunk(0).dictionary if encoded.num_chunks else pa.nulls(0, text)
    lists = _lists(distinct, segmenter.split_parts(_strings(distinct, where), **choice), text, probability)
    most = _rows(distinct)
    taken = [lists.take(chunk.indices[at : at + most]) for chunk in encoded.chunks for at in range(0, len(chunk), most)]
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array(taken, lists.type)
    try:
        return pa.concat_arrays(taken) if taken else lists[:0]
    except pa.ArrowInvalid:
        raise DataError(f"{where}: its parts take more than 2 GB; a ChunkedArray, or large_string, is right") from None


def _strings(distinct: Any, where: str) -> list[str]:
    try:
        return distinct.drop_null().to_pylist()
    except UnicodeDecodeError as error:  # nobody looks at bytes that are read from Parquet
        raise DataError(f"{where}: {quoted(error.object.decode(errors='replace'))} is no UTF-8") from None


def _rows(distinct: Any) -> int:
    """Return how many rows make a chunk: so few that its strings are sure to have places of 32 bits."""
    from pyarrow import compute

    longest = compute.max(compute.binary_length(distinct)).as_py() or 1
    return max(1, min(ROWS, (2**31 - 1) // longest))


def _encoded(column: Any, where: str) -> tuple[Any, Any]:
    """Return the column as a ChunkedArray with one dictionary for all chunks, and the type of its parts."""
    import pyarrow as pa
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if types.is_null(kind):
        return pa.chunked_array([pa.nulls(len(column), pa.string())]).dictionary_encode(), pa.string()
    if not (types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)):
        raise TypeError(f"{where} is of {column.type}; a column of strings is right")
    text = pa.large_string() if types.is_large_string(kind) else pa.string()
    if types.is_dictionary(column.type):
        column, whole = _unified(column)
        if whole and column.num_chunks and len(column.chunk(0).dictionary) <= len(column):
            return column, text
        column = column.cast(column.type.value_type)  # of a part of a larger table, whose other words nobody asks for
    return (column.cast(pa.large_string()) if types.is_string_view(column.type) else column).dictionary_encode(), text


def _unified(column: Any) -> tuple[Any, bool]:
    """Return a ChunkedArray of dictionaries, with one for all chunks where Arrow can make one; and whether it can.

    It makes none of such as hold nulls, nor one of more words than the indices can count.
    """
    import pyarrow as pa
    from pyarrow import types

    if types.is_string_view(column.type.value_type):  # which Arrow neither unifies nor casts
        of_large = [(chunk.indices, chunk.dictionary.cast(pa.large_string())) for chunk in column.chunks]
        column = pa.chunked_array(
            [pa.DictionaryArray.from_arrays(*chunk) for chunk in of_large],
            pa.dictionary(column.type.index_type, pa.large_string()),
        )
    try:
        return column.unify_dictionaries(), True
    except pa.ArrowInvalid:
        return column, False


def _lists(distinct: Any, split: "Sequence[Parts]", text: Any, probability: bool) -> Any:
    """Return the parts of each distinct word, null where that is null.

    Args:
        distinct: Arrow strings.
        split: of those that are not null.
        text: the type of the parts.
        probability: give structs of parts and probability.
    """
    import pyarrow as pa

    rest = iter(split)
    found = [next(rest) if valid else None for valid in distinct.is_valid().to_pylist()]
    ends = [0, *accumulate(len(parts[0]) if parts else 0 for parts in found)]
    flat = pa.array([part for parts in found if parts for part in parts[0]], text)
    missing = pa.array([parts is None for parts in found], pa.bool_())
    lists = pa.ListArray.from_arrays(pa.array(ends, pa.int32()), flat, pa.list_(text), mask=missing)
    if not probability:
        return lists
    told = pa.array([parts and parts[1] for parts in found], pa.float64())
    return pa.StructArray.from_arrays([lists, told], names=["parts", "probability"], mask=missing)
