"""Columns of pandas as Arrow."""

from typing import Any

from hybrid.errors import DataError


def of_pandas(column: Any, where: str) -> Any:
    """Return a pandas column as a ChunkedArray of Arrow.

    Raises:
        DataError, TypeError: as for `split_column`.
    """
    import pandas
    import pyarrow as pa

    if hasattr(column, "cat"):
        codes, categories = column.cat.codes.to_numpy(), column.cat.categories
        of_categories = pandas.Series(categories, dtype=categories.dtype)  # which would be guessed otherwise
        values = of_pandas(of_categories, f"{where}, categories").combine_chunks()
        return pa.chunked_array([pa.DictionaryArray.from_arrays(pa.array(codes, mask=codes < 0), values)])
    if column.dtype.kind == "f" and column.isna().all():  # what pandas makes of a column where nothing stands
        return pa.chunked_array([pa.nulls(len(column), pa.string())])
    if column.dtype == object:
        return pa.chunked_array([_of_objects(column, where)])
    try:
        found = pa.Array.from_pandas(column)
    except UnicodeEncodeError as error:
        raise _half(where, column, error) from None
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):  # complex numbers, sparse columns
        raise TypeError(f"{where} is of {column.dtype}; a column of strings is right") from None
    return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])


def _of_objects(column: Any, where: str) -> Any:
    """Return a pandas column of objects as Arrow strings; each is looked at, for Arrow would take bytes too."""
    import pyarrow as pa

    values, missing = column.to_numpy(), column.isna().to_numpy()
    for kind in set(map(type, values[~missing])):
        if not issubclass(kind, str):
            at = next(i for i, value in enumerate(values) if not missing[i] and type(value) is kind)
            raise TypeError(f"{_place(where, column, at)}: {kind.__name__}; a string is right")
    try:
        return pa.array(values, type=pa.large_string(), mask=missing).cast(pa.string())
    except UnicodeEncodeError as error:
        raise _half(where, column, error) from None


def _half(where: str, column: Any, error: UnicodeEncodeError) -> DataError:
    at = next(i for i, value in enumerate(column) if isinstance(value, str) and value == error.object)
    return DataError(f"{_place(where, column, at)}: half a surrogate pair; Unicode text is right")


def _place(where: str, column: Any, at: int) -> str:
    """Tell a row of a pandas column; what is NumPy's in its index is shown as Python's."""
    label = column.index[at : at + 1].tolist()[0]
    return f"{where}, row {at}, index {label!r}"
