"""Which format and compression a corpus file has: told by its name."""

from dataclasses import dataclass
from pathlib import Path

from hybrid.errors import DataError

KINDS = {".txt": "text", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True, slots=True)
class Format:
    """How a file is read or written: kind is text, jsonl or parquet; compression gzip, zstd or none around it."""

    kind: str
    compression: str | None = None


def format_of(path: Path, kind: str | None) -> Format:
    """Return a file's format.

    Args:
        path: its name; a folder is one of Parquet files.
        kind: text, jsonl or parquet, whatever the name says; None: the name says it.

    Raises:
        DataError: the name doesn't tell, or it tells of compressed Parquet.
    """
    last = path.suffix.lower()
    compression = COMPRESSIONS.get(last)
    inner = Path(path.stem).suffix.lower() if compression else last
    found = kind or ("parquet" if path.is_dir() else KINDS.get(inner))
    if found is None:
        raise DataError(
            f"{path}: its name tells no format; should end in {', '.join(KINDS)}, with .gz or .zst after the first "
            "three at will; or name one with --format"
        )
    if found == "parquet" and compression:
        raise DataError(f"{path}: Parquet is compressed inside; name a file without {last}")
    return Format(found, compression)


def formats_of(source: Path, out: Path, kind: str | None) -> tuple[Format, Format]:
    """Return the formats of input and output, which may be compressed differently.

    Raises:
        DataError: they differ otherwise; as for `format_of`.
    """
    read = format_of(source, kind)
    written = format_of(out, kind or ("parquet" if source.is_dir() else None))
    if read.kind != written.kind:
        raise DataError(
            f"{out}: would be {written.kind}, and {source} is {read.kind}; only their compression may differ"
        )
    return read, written
