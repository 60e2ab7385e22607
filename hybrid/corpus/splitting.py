"""A column of an Arrow table, split: each distinct value once, by way of its dictionary."""

from typing import Any

from hybrid.corpus.task import DIGITS, PROBABILITY, Task
from hybrid.errors import DataError
from hybrid.utf8 import REPLACE
from hybrid.worker import Worker


def is_string(kind: Any) -> bool:
    """Whether a column of this type can be split: any kind of string, also as a dictionary; or nothing but nulls."""
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    return bool(
        types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind) or types.is_null(kind)
    )


def schema_with(schema: Any, task: Task) -> Any:
    """Return a schema with the new columns after the others."""
    import pyarrow

    schema = schema.append(pyarrow.field(task.into, pyarrow.string() if task.text else pyarrow.list_(pyarrow.string())))
    return schema.append(pyarrow.field(PROBABILITY, pyarrow.float64())) if task.probability else schema


def split_table(table: Any, task: Task, worker: Worker, where: str, first: int) -> tuple[Any, int]:
    """Return a table with the new columns, and the number of words that were split.

    Args:
        table: some rows of a file.
        task: what is asked of them.
        worker: splits.
        where: the file and place they are from, for errors.
        first: the number that the table's first row has there.

    Raises:
        DataError: a value is not UTF-8.
    """
    import pyarrow

    schema = schema_with(table.schema, task)
    column = table.column(task.column).cast(pyarrow.large_string()).combine_chunks().dictionary_encode()
    values = _values(column, where, first, task.encoding_errors)
    results: list[list[Any]]
    if task.text:
        results = [worker.separate(values, task.separator)]
        words = sum(len(value.split()) for value in values)
    else:
        splits = worker.split(values)
        results = [[parts for parts, _ in splits], [round(float(probability), DIGITS) for _, probability in splits]]
        words = len(column) - column.null_count
    for name, result in zip(task.new_columns, results, strict=False):
        field = schema.field(name)
        table = table.append_column(field, pyarrow.array(result, type=field.type).take(column.indices))
    return table, words


def _values(column: Any, where: str, first: int, errors: str) -> list[str]:
    """Return the distinct values of a column encoded as a dictionary."""
    try:
        values: list[str] = column.dictionary.to_pylist()
    except UnicodeDecodeError:
        if errors == REPLACE:
            import pyarrow

            return [
                value.decode("utf-8", errors) for value in column.dictionary.view(pyarrow.large_binary()).to_pylist()
            ]
        index = next(at for at, value in enumerate(column.dictionary) if not _is_utf8(value))
        row = column.indices.to_pylist().index(index)
        raise DataError(f"{where} {first + row} (both counted from 1): is not UTF-8; mend it, or go on with "
                        f"--encoding-errors {REPLACE}") from None  # fmt: skip
    return values


def _is_utf8(value: Any) -> bool:
    try:
        value.as_py()
    except UnicodeDecodeError:
        return False
    return True
