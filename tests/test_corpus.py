"""Corpora: every format and compression, what stays as it is, what is refused, and runs that are cut short."""

import gzip
import json
import logging
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

import pytest

import hybrid
from hybrid import DataError, Segmenter
from hybrid.arguments import build_parser
from hybrid.cli import main
from hybrid.corpus import report
from hybrid.corpus.command import split_corpus
from hybrid.corpus.compression import compress, open_input, skip
from hybrid.corpus.lines import read_blocks
from tests.conftest import silver

pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
zstandard = pytest.importorskip("zstandard", reason=".zst needs zstandard")

WORDS = ["Haustür", "", "Ei", "Haustu\u0308r", "Sonnenschein", "Haustür", "Straße", "X-Achse", "💡lampe"]
SUFFIXES = ["", ".gz", ".zst"]


class Halver:
    """Stands in for a segmenter: cuts every word in the middle, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def split_parts(self, words: Iterable[str], **_: object) -> list[tuple[tuple[str, ...], float]]:
        words = list(words)
        self.asked += words
        return [(halves(word), 0.5) for word in words]


def halves(word: str) -> tuple[str, ...]:
    middle = len(word) // 2
    return tuple(part for part in (word[:middle], word[middle:]) if part)


def run(*arguments: object, segmenter: object = None, load: Callable | None = None) -> None:
    options = build_parser().parse_args(["split-corpus", *map(str, arguments)])
    split_corpus(options, load or (lambda _: segmenter or Halver()))


def put(path: Path, data: str | bytes) -> Path:
    plain = data.encode() if isinstance(data, str) else data
    path.write_bytes(compress(plain, {".gz": "gzip", ".zst": "zstd"}.get(path.suffix)))
    return path


def get(path: Path) -> str:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    if path.suffix == ".zst":
        with path.open("rb") as file:
            data = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True).read()
    return data.decode()


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture(scope="module")
def default() -> Segmenter:
    return hybrid.load(device="cpu")


@pytest.mark.parametrize("source", SUFFIXES)
@pytest.mark.parametrize("out", SUFFIXES)
def test_words_in_plain_text(source: str, out: str, tmp_path: Path, default: Segmenter) -> None:
    path = put(tmp_path / f"in.txt{source}", "\n".join(WORDS) + "\n")
    target = tmp_path / f"out.txt{out}"
    run(path, target, "--block-rows", 4, segmenter=default)
    assert get(target).split("\n") == ["|".join(parts) for parts, _ in default.split_parts([*WORDS, ""])]
    assert names(tmp_path) == {path.name, target.name}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_json_lines(suffix: str, tmp_path: Path, default: Segmenter) -> None:
    rows = [{"n": n, "wort": word, "x": [{"y": 1.5}]} for n, word in enumerate([*WORDS, None])]
    path = put(tmp_path / f"in.jsonl{suffix}", "".join(json.dumps(row) + "\n" for row in rows))
    target = tmp_path / f"out.ndjson{suffix}"
    run(path, target, "--column", "wort", "--into", "teile", "--probability", "--block-rows", 4, segmenter=default)
    splits = [*default.split_parts(WORDS), (None, None)]
    read = [json.loads(line) for line in get(target).splitlines()]
    assert [{k: v for k, v in row.items() if k not in {"teile", "probability"}} for row in read] == rows
    assert [row["teile"] for row in read] == [None if parts is None else list(parts) for parts, _ in splits]
    assert [row["probability"] for row in read] == [p if p is None else pytest.approx(p, abs=1e-6) for _, p in splits]


@pytest.mark.parametrize(
    "kind", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string()), pa.string_view()], ids=str
)
def test_parquet(kind: pa.DataType, tmp_path: Path, default: Segmenter) -> None:
    words = [*WORDS, None, "Autobahn"]
    table = pa.table({"n": range(len(words)), "wort": pa.array(words, pa.string()).cast(kind), "z": [[1]] * len(words)})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=4, compression="zstd")
    run(tmp_path / "in.parquet", tmp_path / "out.parquet", "--column", "wort", "--probability", "--block-rows", 3,
        segmenter=default)  # fmt: skip
    read = pq.read_table(tmp_path / "out.parquet")
    splits = [(None, None) if word is None else default.split_parts([word])[0] for word in words]
    before = pq.read_table(tmp_path / "in.parquet")
    assert read.column_names == ["n", "wort", "z", "parts", "probability"]
    assert read.select(["n", "wort", "z"]).equals(before)
    assert read.schema.field("parts").type == pa.list_(pa.string())
    assert read["parts"].to_pylist() == [None if parts is None else list(parts) for parts, _ in splits]
    expected = [p if p is None else pytest.approx(p, abs=1e-6) for _, p in splits]
    assert read["probability"].to_pylist() == expected
    written = pq.ParquetFile(tmp_path / "out.parquet").metadata
    assert written.row_group(0).column(0).compression == "ZSTD"
    assert names(tmp_path) == {"in.parquet", "out.parquet"}


def test_running_text_in_every_format(tmp_path: Path, default: Segmenter) -> None:
    texts = ["Die Haustür, die Haustür!", "", "x@y.de hat 3 Straßenlampen"]
    split = ["".join("·".join(t.split.texts) if t.split else t.text for t in default.split_text(x)) for x in texts]
    assert split[0] != texts[0]
    options = ["--text", "--separator", "·", "--block-rows", 2]
    plain = put(tmp_path / "in.txt", "\r\n".join(texts))
    run(plain, tmp_path / "out.txt", *options, segmenter=default)
    assert get(tmp_path / "out.txt") == "\r\n".join(split)
    lines = put(tmp_path / "in.jsonl", "\n".join(json.dumps({"t": text}) for text in [*texts, None]))
    run(lines, tmp_path / "out.jsonl", *options, "--column", "t", segmenter=default)
    assert [json.loads(line)["parts"] for line in get(tmp_path / "out.jsonl").splitlines()] == [*split, None]
    pq.write_table(pa.table({"t": [*texts, None]}), tmp_path / "in.parquet")
    run(tmp_path / "in.parquet", tmp_path / "out.parquet", *options, "--column", "t", segmenter=default)
    read = pq.read_table(tmp_path / "out.parquet")["parts"]
    assert (read.type, read.to_pylist()) == (pa.string(), [*split, None])


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Haus\nEiei", "Ha|us\nEi|ei"),
        ("Haus\r\nEiei\n", "Ha|us\r\nEi|ei\n"),
        ("\ufeffHaus\n\n\nEiei\r\n\r\n", "\ufeffHa|us\n\n\nEi|ei\r\n\r\n"),
        ("\ufeff", "\ufeff"),
        ("Ha us\u2028x\n", "Ha |us\u2028x\n"),
        ("", ""),
    ],
)
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_line_ends_and_marks_stay_as_they_are(text: str, split: str, suffix: str, tmp_path: Path) -> None:
    path = put(tmp_path / f"in.txt{suffix}", text)
    for target in (tmp_path / f"out.txt{suffix}" for suffix in SUFFIXES):
        run(path, target, "--block-rows", 1)
        assert get(target) == split


@pytest.mark.parametrize(
    ("line", "split"),
    [
        ('{"w":"Haus", "n":1.50,"big":123456789012345678901}', ',"parts":["Ha","us"]}'),
        ('  {"w" : "Haus" }  ', ',"parts":["Ha","us"]}'),
        ('{"w":"\\ud800x"}', ',"parts":["\\ud800","x"]}'),
        ('{"w":""}', ',"parts":[]}'),
        ('{"w":null}', ',"parts":null}'),
    ],
)
def test_the_rest_of_a_json_object_is_not_written_anew(line: str, split: str, tmp_path: Path) -> None:
    path = put(tmp_path / "in.jsonl", f"{line}\r\n\n{line}")
    run(path, tmp_path / "out.jsonl", "--column", "w")
    one, empty, two = get(tmp_path / "out.jsonl").split("\n")
    kept = line.rstrip().removesuffix("}").rstrip()
    assert (one.rstrip(), two.rstrip(), empty) == (kept + split, kept + split, "")
    assert one.endswith("\r")


def test_empty_parquet_and_json_lines(tmp_path: Path) -> None:
    pq.write_table(pa.table({"w": pa.array([], pa.string())}), tmp_path / "in.parquet")
    run(tmp_path / "in.parquet", tmp_path / "out.parquet", "--column", "w", "--probability")
    assert pq.read_table(tmp_path / "out.parquet").schema.names == ["w", "parts", "probability"]
    pq.write_table(pa.table({"w": [None, None]}), tmp_path / "in.parquet")
    run(tmp_path / "in.parquet", tmp_path / "out.parquet", "--column", "w")
    assert pq.read_table(tmp_path / "out.parquet")["parts"].to_pylist() == [None, None]
    run(put(tmp_path / "in.jsonl.gz", ""), tmp_path / "out.jsonl.gz", "--column", "w")
    assert get(tmp_path / "out.jsonl.gz") == ""


def test_a_folder_of_parquet_becomes_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, words in (("b", ["Haus", "Ei"]), ("a", ["Auto"] * 5), ("c", [])):
        pq.write_table(pa.table({"w": pa.array(words, pa.string())}), tmp_path / "in" / f"{name}.parquet")
    (tmp_path / "in" / "_SUCCESS").touch()
    run(tmp_path / "in", tmp_path / "out", "--column", "w", "--block-rows", 2)
    assert names(tmp_path / "out") == {"a.parquet", "b.parquet", "c.parquet"}
    assert pq.read_table(tmp_path / "out" / "a.parquet")["parts"].to_pylist() == [["Au", "to"]] * 5
    assert pq.read_table(tmp_path / "out" / "b.parquet")["w"].to_pylist() == ["Haus", "Ei"]
    assert names(tmp_path) == {"in", "out"}
    with pytest.raises(DataError, match="out: is there already and not empty; name a new folder"):
        run(tmp_path / "in", tmp_path / "out", "--column", "w")
    assert names(tmp_path) == {"in", "out"}


def test_each_word_is_split_once(tmp_path: Path) -> None:
    words = ["Haus", "Ei", "Haus", "Auto"] * 50
    for path in (put(tmp_path / "in.txt", "\n".join(words)), tmp_path / "in.parquet"):
        pq.write_table(pa.table({"w": words}), tmp_path / "in.parquet", row_group_size=9)
        halver = Halver()
        column = [] if path.suffix == ".txt" else ["--column", "w"]
        run(path, tmp_path / f"out{path.suffix}", "--block-rows", 7, *column, segmenter=halver)
        assert sorted(halver.asked) == ["Auto", "Ei", "Haus"]


BAD = [
    ("in.jsonl", '{"w":"a"}\n{"v":1,"u":2}', "in.jsonl: line 2: column 'w' is not there; the columns are 'v', 'u'"),
    ("in.jsonl", '{"w":3}', "in.jsonl: line 1: column 'w' is a number; a string or null is right"),
    ("in.jsonl", '{"w":"a"}\n\n{"w":', "in.jsonl: line 3 is no JSON: "),
    ("in.jsonl", '["w"]', "in.jsonl: line 1 is a list; an object is right"),
    ("in.jsonl", '{"w":"a","parts":1}', "line 1: column 'parts' is there already; name another with --into"),
    ("in.jsonl", "[" * 100_000, "line 1 is nested too deeply; "),
    ("in.jsonl", b'{"w":"a"}\n{"w":"\xfc"}', "in.jsonl: line 2 is not UTF-8 at byte 7"),
    ("in.txt", b"Ei\nHaust\xfcr\n", "in.txt: line 2 is not UTF-8 at byte 6"),
    ("in.parquet", b"PAR1 and more than this", "in.parquet: is no whole Parquet file: "),
]


@pytest.mark.parametrize(("name", "data", "message"), BAD, ids=[message for *_, message in BAD])
def test_bad_rows_are_told_with_their_place(name: str, data: str | bytes, message: str, tmp_path: Path) -> None:
    path = put(tmp_path / name, data)
    column = [] if name == "in.txt" else ["--column", "w"]
    with pytest.raises(DataError) as caught:
        run(path, tmp_path / f"out{path.suffix}", *column)
    assert message in str(caught.value)
    assert names(tmp_path) == {name}


def test_bad_parquet_columns_are_told(tmp_path: Path) -> None:
    def fails(table: pa.Table, message: str) -> None:
        pq.write_table(table, tmp_path / "in.parquet", row_group_size=2)
        with pytest.raises(DataError) as caught:
            run(tmp_path / "in.parquet", tmp_path / "out.parquet", "--column", "w")
        assert message in str(caught.value)
        assert not (tmp_path / "out.parquet").exists()

    fails(pa.table({"a": [1], "b": [1]}), "column 'w' is not there; the columns are 'a', 'b'")
    fails(pa.table({"w": [1]}), "column 'w' is int64; string is right")
    fails(pa.table({"w": ["a"], "parts": [1]}), "column 'parts' is there already; name another with --into")
    fails(pa.table([pa.array(["a"])] * 2, names=["w", "w"]), "column 'w' stands twice; the columns are 'w', 'w'")
    latin = pa.array([b"a", b"b", b"c", b"\xfc"]).view(pa.string())
    fails(pa.table({"w": latin}), "in.parquet: row group 2, row 2 (both counted from 1): is not UTF-8")


@pytest.mark.parametrize("suffix", [".gz", ".zst"])
def test_damaged_compression_is_told(suffix: str, tmp_path: Path) -> None:
    path = put(tmp_path / f"in.txt{suffix}", "".join(f"{n:x}wort\n" for n in range(50_000)))
    whole = path.read_bytes()
    for data in (whole[:-9], whole[: len(whole) // 2], b"no such thing at all", whole + b"no more of it"):
        path.write_bytes(data)
        with pytest.raises(DataError, match=r"in\.txt\.\w+: is no whole (gzip|zstd) file"):
            run(path, tmp_path / "out.txt", "--restart")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["in.txt", "out.dat"], "out.dat: its name tells no format; should end in .txt"),
        (["in.txt", "out.jsonl"], "out.jsonl: would be jsonl, and in.txt is text; only their compression may differ"),
        (["in.txt", "in.txt"], "in.txt: is what is read"),
        (["in.txt", "none/out.txt"], "no such folder, so out.txt can't be written there"),
        (["none.txt", "out.txt"], "none.txt: no such file or folder"),
        (["in.txt", "out.txt", "--column", "w"], "--column goes with JSON lines and Parquet"),
        (["in.txt", "out.txt", "--probability"], "--probability goes with JSON lines and Parquet"),
        (["in.txt", "out.txt", "--ray"], "--ray with Parquet"),
        (["in.txt", "out.txt", "--separator", ""], "--separator is empty"),
        (["in.jsonl", "out.jsonl"], "in.jsonl: --column is needed"),
        (["in.jsonl", "out.jsonl", "--column", "w", "--separator", "+"], "a list of parts has none"),
        (["in.jsonl", "out.jsonl", "--column", "w", "--text", "--probability"], "--probability goes with words"),
        (["in.jsonl", "out.jsonl", "--column", "w", "--workers", "2"], "--workers goes with --ray"),
        (["in.jsonl", "out.parquet.gz", "--column", "w"], "Parquet is compressed inside; name a file without .gz"),
        ([".", "../out.jsonl", "--format", "jsonl", "--column", "w"], "only Parquet files are split by the folder"),
        ([".", "../out", "--column", "w"], "has no file that ends in .parquet"),
        (["in.txt", "out.txt", "--model", "none"], "none: no such model folder"),
        (["in.txt", "/dev/null", "--format", "text"], "/dev/null: is no file"),
    ],
)
def test_what_does_not_go_together_exits_with_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    put(Path("in.txt"), "Haus")
    put(Path("in.jsonl"), '{"w":"Haus"}')
    assert main(["split-corpus", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.startswith("hybrid: ")
    assert message in error
    assert names(Path()) == {"in.txt", "in.jsonl"}


def test_a_format_is_named_where_the_name_tells_none(tmp_path: Path) -> None:
    run(put(tmp_path / "words", "Haus"), tmp_path / "split.gz", "--format", "text")
    assert get(tmp_path / "split.gz") == "Ha|us"


def corpus(folder: Path, kind: str) -> tuple[Path, list[str]]:
    """Write 600 rows; return the file and the arguments that go with it."""
    words = list(silver("val", 300)) * 2
    path = folder / f"in.{kind}"
    if kind == "parquet":
        pq.write_table(pa.table({"w": words}), path, row_group_size=150)
        return path, ["--column", "w", "--block-rows", "20"]
    if kind.startswith("jsonl"):
        put(path, "".join(json.dumps({"w": word}) + "\n" for word in words))
        return path, ["--column", "w", "--block-rows", "20"]
    return put(path, "\n".join(words)), ["--block-rows", "20"]


def same(one: Path, other: Path) -> bool:
    if one.suffix == ".parquet":
        return pq.read_table(one).equals(pq.read_table(other))
    return one.read_bytes() == other.read_bytes()


def finished(folder: Path) -> int:
    """Return how many blocks of an unfinished run are done."""
    if not folder.exists():
        return 0
    pieces = len(list(folder.glob("*.parquet")))
    journal = folder / "journal.jsonl"
    return pieces or (max(0, journal.read_bytes().count(b"\n") - 1) if journal.exists() else 0)


@pytest.mark.parametrize("kind", ["txt", "jsonl.gz", "txt.zst", "parquet"])
def test_after_a_kill_it_goes_on_and_the_output_is_the_same(kind: str, tmp_path: Path, default: Segmenter) -> None:
    path, options = corpus(tmp_path, kind)
    options[-1] = "5"  # 120 blocks, so that there is time for the kill
    whole, out = tmp_path / f"whole.{kind}", tmp_path / f"out.{kind}"
    run(path, whole, *options, segmenter=default)
    partial = tmp_path / f".hybrid-out.{kind}.part"
    process = subprocess.Popen(
        [sys.executable, "-m", "hybrid", "split-corpus", path, out, *options], stderr=subprocess.DEVNULL
    )
    while finished(partial) < 3 and process.poll() is None:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    done = finished(partial)
    assert 3 <= done < 120
    assert not out.exists()
    if kind != "parquet":  # as if it had been killed a little later, within a block
        for name, more in (("output", b"half a block"), ("journal.jsonl", b'{"rows": 999')):
            with (partial / name).open("ab") as stream:
                stream.write(more)
    again = Counted(default)
    run(path, out, *options, segmenter=again)
    assert same(out, whole)
    assert again.calls <= 120 - done
    assert names(tmp_path) == {path.name, whole.name, out.name}


def test_the_commands_of_the_page_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, default: Segmenter) -> None:
    page = (Path(__file__).parent.parent / "docs" / "corpora.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(hybrid, "load", lambda *_, **__: default)
    put(Path("words.txt.gz"), "Haustür\n")
    put(Path("pages.jsonl.zst"), '{"text":"Die Haustür."}\n')
    pq.write_table(pa.table({"noun": ["Haustür"]}), "nouns.parquet")
    Path("pages").mkdir()
    pq.write_table(pa.table({"text": ["Die Haustür."]}), "pages/1.parquet")
    commands = [shlex.split(line, comments=True) for line in block.splitlines()]
    for verb, *arguments in commands:
        assert verb == "hybrid"
        assert (
            main([argument for argument in arguments if argument != "--ray"]) == 0
        )  # which has a test file of its own
    assert get(Path("split.txt.zst")) == "Haus|tür\n"
    assert get(Path("out.jsonl.zst")) == '{"text":"Die Haustür.","parts":"Die Haus|tür."}\n'
    assert pq.read_table("out.parquet")["parts"].to_pylist() == [["Haus", "tür"]]
    assert pq.read_table("out/1.parquet")["parts"].to_pylist() == ["Die Haus|tür."]


class Counted:
    def __init__(self, segmenter: Segmenter | Halver) -> None:
        self.segmenter, self.calls = segmenter, 0

    def split_parts(self, words: list[str], **options: object) -> list[tuple[tuple[str, ...], float]]:
        self.calls += bool(words)
        return self.segmenter.split_parts(words, **options)


@pytest.mark.parametrize("kind", ["txt", "jsonl.gz", "txt.zst", "parquet", "folder"])
@pytest.mark.parametrize("step", ["fsync", "replace", "unlink"])
def test_failing_at_any_step_loses_and_doubles_nothing(
    kind: str, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, options = corpus(tmp_path, "parquet" if kind == "folder" else kind)
    options = [*options[:-1], "200"]
    suffix = f".{kind}"
    if kind == "folder":
        suffix = ""
        (tmp_path / "in").mkdir()
        path.rename(tmp_path / "in" / "a.parquet")
        path = tmp_path / "in"
        pq.write_table(pa.table({"w": ["Haus"]}), path / "b.parquet")
    whole, out = tmp_path / f"whole{suffix}", tmp_path / f"out{suffix}"
    run(path, whole, *options)
    for at in range(1, 100):
        with monkeypatch.context() as patched:
            left = fail_at(at, step, patched)
            try:
                run(path, out, *options)
            except OSError:
                if step == "unlink" and out.exists():  # nothing but the lock was left to be taken away
                    break
                assert not out.exists()
            else:
                assert left[0] > 0
                break
        run(path, out, *options)
        results = [(out, whole)] if out.is_file() else [(out / name, whole / name) for name in names(whole)]
        assert all(same(*pair) for pair in results), at
        assert names(tmp_path) == {path.name, whole.name, out.name}
        if out.is_dir():
            for file in out.iterdir():
                file.unlink()
            out.rmdir()
        else:
            out.unlink()
    assert at > 1 or step == "unlink"


def fail_at(at: int, step: str, patched: pytest.MonkeyPatch) -> list[int]:
    """Let the at-th call of a function fail; return how many are left to it."""
    left = [at]
    where = os if step == "fsync" else Path
    real = getattr(where, step)

    def step_or_fail(*arguments: object, **options: object) -> object:
        left[0] -= 1
        if left[0] == 0:
            raise OSError(28, "no space left")
        return real(*arguments, **options)

    patched.setattr(where, step, step_or_fail)
    return left


def stop_in_the_middle(path: Path, out: Path, *options: object) -> None:
    class Stopping(Counted):
        def split_parts(self, words: list[str], **options: object) -> list[tuple[tuple[str, ...], float]]:
            if self.calls == 2:
                raise KeyboardInterrupt
            return super().split_parts(words, **options)

    with pytest.raises(KeyboardInterrupt):
        run(path, out, *options, segmenter=Stopping(Halver()))


@pytest.mark.parametrize("kind", ["txt", "parquet"])
def test_another_input_or_other_options_are_refused_until_restart(kind: str, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, kind)
    out = tmp_path / f"out.{kind}"
    stop_in_the_middle(path, out, *options)
    words = put(tmp_path / "never.txt", "Haus")
    for more, differs in (
        (["--granularity", "head"], "granularity"),
        (["--min-probability", "0.5", "--never", words], "min_probability, never"),
    ):
        with pytest.raises(DataError, match=rf"part of another run, which differs in {differs}; .* --restart"):
            run(path, out, *options, *more)
    run(path, out, *options, "--device", "cpu")
    stop_in_the_middle(path, out, *options)
    os.utime(path, (1, 1))
    with pytest.raises(DataError, match="which differs in input; go on with what it had, or throw it away"):
        run(path, out, *options)
    run(path, out, *options, "--restart")
    assert names(tmp_path) == {path.name, out.name, "never.txt"}


def test_going_on_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path, options = corpus(tmp_path, "txt")
    stop_in_the_middle(path, tmp_path / "out.txt", *options)
    with caplog.at_level(logging.INFO):
        run(path, tmp_path / "out.txt", *options)
    assert "goes on after row 40, where an earlier run stopped" in caplog.text
    assert "in.txt: 560 rows in this run, " in caplog.text


def test_progress_is_told(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture
) -> None:
    clock = [0.0]
    monkeypatch.setattr(report.time, "monotonic", lambda: clock[0])

    def work() -> None:
        with report.Report("in.txt", 5000, done=1000, unit="B") as told:
            for seconds, done in ((100, 2000), (104, 2400), (110, 3000), (120, 4000)):
                clock[0] = seconds
                told.update(done, 100, 300)

    with caplog.at_level(logging.INFO):
        work()
    assert [record.getMessage() for record in caplog.records] == [
        "in.txt: 48.0 %, 25 rows/s, 75 words/s, 0:00:26 left",
        "in.txt: 80.0 %, 15 rows/s, 45 words/s, 0:00:10 left",
        "in.txt: 400 rows in this run, 15 rows/s, 45 words/s",
    ]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    work()
    shown = capsys.readouterr().err
    assert "in.txt:  20%" in shown
    assert "1.00k/5.00k" in shown
    assert shown.endswith("in.txt: 400 rows in this run, 15 rows/s, 45 words/s\n")


def test_blocks_that_come_at_once_tell_no_speed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = [0.0]
    monkeypatch.setattr(report.time, "monotonic", lambda: clock[0])
    with caplog.at_level(logging.INFO), report.Report("in", 200, done=0, unit=" rows") as told:
        for seconds in (5.0, 5.001):
            clock[0] = seconds
            told.update(100, 100, 300)
    assert [record.getMessage() for record in caplog.records] == ["in: 200 rows in this run, 40 rows/s, 120 words/s"]


@pytest.mark.parametrize("kind", ["txt", "parquet"])
def test_an_input_that_changes_meanwhile_is_told(kind: str, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, kind)

    def load(_: object) -> Halver:
        os.utime(path, (1, 1))
        return Halver()

    with pytest.raises(DataError, match="input has changed meanwhile; run the command again with --restart"):
        run(path, tmp_path / f"out.{kind}", *options, load=load)
    assert not (tmp_path / f"out.{kind}").exists()


@pytest.mark.parametrize("kind", ["txt", "parquet"])
def test_of_two_runs_at_once_the_second_is_refused(kind: str, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, kind)
    out = tmp_path / f"out.{kind}"
    refused = []

    def load(_: object) -> Halver:
        for more in ([], ["--restart"]):
            with pytest.raises(DataError, match="another run is writing it; wait for its end, or name another file"):
                run(path, out, *options, *more)
            refused.append(more)
        return Halver()

    run(path, out, *options, load=load)
    assert len(refused) == 2
    assert names(tmp_path) == {path.name, out.name}


@pytest.mark.parametrize("damage", [b"", b"{}\n", b'{"format":"hybrid corpus journal","version":2,"job":{}}\n', None])
def test_a_damaged_journal_is_told_or_begun_anew(damage: bytes | None, tmp_path: Path) -> None:
    path, options = corpus(tmp_path, "txt")
    out, whole = tmp_path / "out.txt", tmp_path / "whole.txt"
    run(path, whole, *options)
    stop_in_the_middle(path, out, *options)
    partial = tmp_path / ".hybrid-out.txt.part"
    if damage is None:
        (partial / "output").unlink()
    else:
        (partial / "journal.jsonl").write_bytes(damage)
    if damage != b"":
        with pytest.raises(DataError, match="--restart"):
            run(path, out, *options)
    run(path, out, *options, *(["--restart"] if damage != b"" else []))
    assert same(out, whole)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_blocks_tile_the_input_from_anywhere(suffix: str, tmp_path: Path) -> None:
    data = "".join(f"{'x' * (n % 7)}ä{n}\n" for n in range(500)).encode() + b"end"
    path = put(tmp_path / f"in.txt{suffix}", data)
    compression = {".gz": "gzip", ".zst": "zstd"}.get(suffix)
    starts = [0]
    for rows, size in ((1, 1000), (7, 1000), (1000, 30), (1000, 10**6)):
        for start in starts:
            first = data[:start].count(b"\n") + 1
            with open_input(path, compression) as (stream, _):
                skip(stream, start, path, compression)
                blocks = list(read_blocks(stream, first=first, start=start, rows=rows, size=size))
            assert b"".join(line for block in blocks for line in block.lines) == data[start:]
            assert all(block.first == data[: block.end].count(b"\n", 0, block.end) + 1 - len(block.lines)
                       for block in blocks[:-1])  # fmt: skip
            assert all(len(block.lines) <= rows for block in blocks)
        starts = [block.end for block in blocks[:40:13]] or [0]


@pytest.mark.parametrize("option", ["--column", "--into", "--separator"])
def test_options_that_are_no_text_are_told(option: str, tmp_path: Path) -> None:
    path = put(tmp_path / "a.jsonl", '{"w": "Autobahn"}\n')
    others = [] if option == "--column" else ["--column", "w"]
    with pytest.raises(DataError, match="is not UTF-8"):
        run(path, tmp_path / "b.jsonl", *others, option, "w\udcff")
    with pytest.raises(DataError, match="needs a name"):
        run(path, tmp_path / "b.jsonl", "--column", "w", "--into", "")


def test_an_input_whose_name_is_no_text(tmp_path: Path) -> None:
    path = put(tmp_path / "n\udcff.txt", "Autobahn\n")
    run(path, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text(encoding="utf-8") == "Auto|bahn\n"


def test_one_who_stops_a_run_is_told_how_to_go_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = put(tmp_path / "a.txt", "Autobahn\n")

    def interrupted(_: object) -> NoReturn:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(path, tmp_path / "out.txt", load=interrupted)
    assert "the same command goes on" in caplog.text
