"""Files as they come: bytes that are no text, JSON that is too much, damaged Parquet; told in one line, or kept."""

import gzip
import json
import random
import re
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from hybrid import DataError, stdin
from hybrid.corpus import lines
from hybrid.corpus.compression import compress, open_input
from hybrid.datasets import read_labelled, read_word_list
from hybrid.worker import LONG, Worker
from tests.corpora import Halver, names, split_file

DATA = b"Haus\r\nEi\nEi \xfc\xff\n\xc4st"
TOLD = "line 3 is not UTF-8 at byte 4, offset 12; mend it, or go on with --encoding-errors replace"
REPLACE = ["--encoding-errors", "replace"]


def hybrid(*arguments: str, given: bytes) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "hybrid", *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False)


def fails(path: Path, *options: str) -> str:
    """Return what is said of a file that can't be split; nothing of it is left."""
    out = path.with_name(f"out{''.join(path.suffixes)}")
    with pytest.raises(DataError) as caught:
        split_file(path, out, *options)
    assert not out.exists()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written(path: Path, data: bytes | str, *options: str) -> bytes:
    """Return what a file is split to."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    out = path.with_name(f"out{''.join(path.suffixes)}")
    split_file(path, out, *options, "--restart")
    return out.read_bytes()


@pytest.mark.parametrize("text", [[], ["--text"]])
def test_standard_input_that_is_not_utf8_is_told_or_replaced(text: list[str]) -> None:
    done = hybrid("split", *text, given=DATA)
    assert (done.returncode, done.stderr.decode()) == (2, f"hybrid: standard input: {TOLD}\n")
    assert done.stdout.splitlines() == [b"Haus", b"Ei"]
    done = hybrid("split", *text, *REPLACE, given=DATA)
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == ["Haus", "Ei", "Ei \ufffd\ufffd", "\ufffdst"]
    assert done.stderr.decode().count("U+FFFD") == 1


@pytest.mark.parametrize("rows", ["1", "100"])
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_corpus_that_is_not_utf8_is_told_or_replaced(
    suffix: str, rows: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    if suffix == ".zst":
        pytest.importorskip("zstandard", reason=".zst needs zstandard")
    path = tmp_path / f"in.txt{suffix}"
    path.write_bytes(compress(DATA, {".gz": "gzip", ".zst": "zstd"}.get(suffix)))
    options = ["--block-rows", rows]
    with pytest.raises(DataError) as caught:
        split_file(path, tmp_path / "out.txt", *options)
    assert str(caught.value) == f"{path}: {TOLD}"
    split_file(path, tmp_path / "out.txt", *options, *REPLACE)  # goes on: what is finished would be the same
    assert (tmp_path / "out.txt").read_bytes().decode() == "Ha|us\r\nE|i\nEi| \ufffd\ufffd\n\ufffd|st"
    assert caplog.text.count("U+FFFD stands in its place") == 1
    with pytest.raises(DataError):
        split_file(path, tmp_path / "out.txt", *options)
    assert (tmp_path / "out.txt").exists()


def test_what_was_replaced_is_not_gone_on_with_as_strict(tmp_path: Path) -> None:
    path, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(b'{"w":"Ei"}\n{"w":"\xfc"}\n{"v":1}')
    options = ["--column", "w", "--block-rows", "1"]
    with pytest.raises(DataError, match="line 2 is not UTF-8"):
        split_file(path, out, *options)
    with pytest.raises(DataError, match="line 3: column 'w' is not there"):
        split_file(path, out, *options, *REPLACE)
    with pytest.raises(DataError, match="differs in encoding_errors; go on with what it had"):
        split_file(path, out, *options)


def test_json_lines_that_are_not_utf8(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(b'{"w":"Haus"}\n{"x":"\xff","w":"\xfcber"}\n')
    assert "line 2 is not UTF-8 at byte 7, offset 19; mend" in fails(path, "--column", "w")
    split = written(path, path.read_bytes(), "--column", "w", *REPLACE).decode().splitlines()
    assert split[1] == '{"x":"\ufffd","w":"\ufffdber","parts":["\ufffdb","er"]}'


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Ha\rus\rEi\n", "Ha\ru|s\rEi\n"),
        ("Ha\0us\n\0", "Ha|\0us\n\0"),
        ("Haus\u0085Auto", "Haus|\u0085Auto"),
        ("Ha\u2029us\r\r\n", "Ha|\u2029us\r|\r\n".replace("|\u2029us\r|", "\u2029|us\r")),
    ],
)
def test_only_a_line_feed_ends_a_line(text: str, split: str, tmp_path: Path) -> None:
    assert written(tmp_path / "in.txt", text).decode() == split


DIGITS, DEEP = "7" * 5000, 100_000
TOO_MUCH = {
    "nested": ("[" * DEEP + "]" * DEEP, "in.jsonl: line 2 is nested too deeply; some hundred lists and objects"),
    "nested objects": ('{"a":' * DEEP + "1" + "}" * DEEP, "in.jsonl: line 2 is nested too deeply; "),
    "cut short": ('"', "in.jsonl: line 2 is no JSON: Unterminated string starting, seen at character 17"),
    "no value": ("}", "in.jsonl: line 2 is no JSON: Expecting value, seen at character 17"),
    "twice": ('1,"w":"Auto"', "in.jsonl: line 2: column 'w' stands twice; the columns are 'w', 'n', 'w'"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_json_that_is_too_much_is_told_with_its_line(name: str, tmp_path: Path) -> None:
    value, message = TOO_MUCH[name]
    (tmp_path / "in.jsonl").write_text(f'{{"w":"Ei"}}\n{{"w":"Haus","n":{value}}}\n', encoding="utf-8")
    told = fails(tmp_path / "in.jsonl", "--column", "w")
    assert message in told
    assert re.findall(r"line \d+", told) == ["line 2"]


def test_a_row_or_file_without_columns(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text("{}", encoding="utf-8")
    assert fails(tmp_path / "in.jsonl", "--column", "w").endswith("column 'w' is not there; there are no columns")
    many = json.dumps({f"c{n}" + "x" * n: 1 for n in range(500)})
    (tmp_path / "in.jsonl").write_text(many, encoding="utf-8")
    told = fails(tmp_path / "in.jsonl", "--column", "w")
    assert told.endswith(", and 460 more")
    assert len(told) < 2000


@pytest.mark.parametrize(
    "rest",
    [f'"n":{DIGITS}', f'"n":-{DIGITS}e{DIGITS}', '"n":1e400', '"n":[NaN,-Infinity]', '"k":1,"k":2',
     '"\\udc00":"\\ud800"', '"n":' + "[" * 400 + "]" * 400, '"z":1,"a":2'],
    ids=lambda rest: rest[:12],
)  # fmt: skip
def test_what_json_has_beside_the_column_is_kept(rest: str, tmp_path: Path) -> None:
    split = written(tmp_path / "in.jsonl", f'{{"w":"Haus",{rest}}}\n', "--column", "w").decode()
    assert split == f'{{"w":"Haus",{rest},"parts":["Ha","us"]}}\n'


@pytest.mark.parametrize(("text", "parts"), [([], ["H", "\ud800"]), (["--text"], "H\ud800")])
def test_half_a_surrogate_pair_stays_escaped(text: list[str], parts: object, tmp_path: Path) -> None:
    split = written(tmp_path / "in.jsonl", '{"w":"H\\ud800"}\n', "--column", "w", *text)
    assert json.loads(split.decode("utf-8"))["parts"] == parts


def test_a_mark_alone_on_its_line_is_no_row(tmp_path: Path) -> None:
    split = written(tmp_path / "in.jsonl", '\ufeff\r\n{"w":"Haus"}', "--column", "w").decode()
    assert split == '\ufeff\r\n{"w":"Haus","parts":["Ha","us"]}'


def test_damaged_gzip_is_told_in_our_words(tmp_path: Path) -> None:
    whole = gzip.compress(b"Haus\n" * 100)
    for size in (5, 15, len(whole) - 1):
        (tmp_path / "in.txt.gz").write_bytes(whole[:size])
        assert fails(tmp_path / "in.txt.gz").endswith("is no whole gzip file: it ends inside a member")


def test_zstd_that_grows_ten_thousandfold_takes_little_memory(tmp_path: Path) -> None:
    pytest.importorskip("zstandard", reason=".zst needs zstandard")
    size = 128 << 20
    (tmp_path / "in.txt.zst").write_bytes(compress(b"Haus\n" * (size // 5), "zstd"))
    tracemalloc.start()
    with open_input(tmp_path / "in.txt.zst", "zstd") as (stream, _):
        found = sum(len(block) for block in iter(lambda: stream.read(1 << 20), b""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == size // 5 * 5
    assert peak < size / 2


def test_a_line_longer_than_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 1000)
    (tmp_path / "in.txt").write_bytes(b"a\n" + b"b" * 1000 + b"\n")
    assert fails(tmp_path / "in.txt").endswith("in.txt: line 2 has more than 1,000 bytes, which is the most")
    monkeypatch.setattr(stdin, "LONGEST_LINE", 1 << 20)
    (tmp_path / "in.txt").write_bytes(b"a\n" + b"b" * (4 << 20))
    with (tmp_path / "in.txt").open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        with pytest.raises(DataError, match="standard input: line 2 has more than 1,048,576 bytes, which is the most"):
            list(stdin.words())


def test_a_long_text_takes_little_memory_and_is_split_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Die Haustür\nist 3 Meter-\nhoch.  \n" * (3 * LONG // 30)
    tracemalloc.start()
    split = Worker(Halver()).separate(["Haus", text, "Ei"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * 2 * LONG + 8 * len(text)  # a piece's words, and a few texts: all words at once took twice that
    monkeypatch.setattr("hybrid.worker.LONG", len(text))
    assert split == Worker(Halver()).separate(["Haus", text, "Ei"])


def test_lists_of_words_say_the_line_and_the_true_byte(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeffHaus\nTür\n".encode() + b"\xfc")
    with pytest.raises(DataError, match=r"words.txt: line 3 is not UTF-8 at byte 1, offset 13; save it as UTF-8"):
        read_word_list(path)
    path.write_bytes("\ufeff{\n".encode() + b'"\xfc"')
    with pytest.raises(DataError, match=r"words.txt: line 2 is not UTF-8 at byte 2, offset 6; save it as UTF-8"):
        read_labelled(path)
    path.write_text(f'{{"Ei":\n[0,{DIGITS}]}}', encoding="utf-8")
    with pytest.raises(DataError, match="the number at line 2 has thousands of digits; 0 or 1 is right"):
        read_labelled(path)


def parquet(path: Path) -> bytes:
    """Write 40 rows in two row groups, and return the file."""
    pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    pq.write_table(pa.table({"n": range(40), "w": [f"Haus{n % 9}" for n in range(40)]}), path, row_group_size=20)
    return path.read_bytes()


def test_parquet_with_one_bit_wrong_is_told_or_loses_no_row(tmp_path: Path) -> None:
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    whole = parquet(path)
    import pyarrow.parquet as pq

    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    places = random.Random(7).sample(range(len(whole) * 8), 40) + [8 * (footer + n) + 1 for n in range(0, 250, 5)]
    told = 0
    for place in places:
        damaged = bytearray(whole)
        damaged[place // 8] ^= 1 << place % 8
        path.write_bytes(damaged)
        try:
            split_file(path, out, "--column", "w", "--restart")
        except DataError as error:
            told += 1
            assert str(error).startswith(f"{path}: ")
            assert "\n" not in str(error)
        else:
            assert pq.read_table(out).num_rows == 40
            out.unlink()
        assert names(tmp_path) <= {"in.parquet", ".hybrid-out.parquet.part"}
    assert 20 < told < len(places)


def test_parquet_that_tells_of_other_rows_is_refused(tmp_path: Path) -> None:
    whole = parquet(tmp_path / "in.parquet")
    at = whole.rindex(b"\x16\x28")  # 20 in thrift's varint: the rows of the last row group
    (tmp_path / "in.parquet").write_bytes(whole[: at + 1] + b"\x14" + whole[at + 2 :])
    told = fails(tmp_path / "in.parquet", "--column", "w")
    assert told.endswith("is no whole Parquet file: its row groups have 30 rows together, and it tells of 40")


def test_parquet_cut_short_or_with_a_name_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "in.parquet"
    whole = parquet(path)
    for size in (0, 3, 8, len(whole) // 2, len(whole) - 9, len(whole) - 1):
        path.write_bytes(whole[:size])
        assert "in.parquet: is no whole Parquet file: " in fails(path, "--column", "w")
    path.write_bytes(whole.replace(b"\x18\x01w", b"\x18\x01\x88"))
    assert fails(path, "--column", "w").endswith("is no whole Parquet file: a column's name is not UTF-8")


def test_parquet_without_columns_or_with_text_that_is_none(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
    pq = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")
    path, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    pq.write_table(pa.table({}), path)
    assert fails(path, "--column", "w").endswith("column 'w' is not there; there are no columns")
    for wrong, kind in ((pa.array([b"a"]), "binary"), (pa.array([["a"]]), "list<element: string>")):
        pq.write_table(pa.table({"w": wrong}), path)
        assert fails(path, "--column", "w").endswith(f"column 'w' is {kind}; string is right")
    latin = pa.array([b"Haus", None, b"\xfcber", b"\xfcber"]).view(pa.string())
    pq.write_table(pa.table({"w": latin}), path)
    assert "row 3 (both counted from 1): is not UTF-8; mend it, or go on with" in fails(path, "--column", "w")
    split_file(path, out, "--column", "w", *REPLACE)
    read = pq.read_table(out)
    assert read["parts"].to_pylist() == [["Ha", "us"], None, ["\ufffdb", "er"], ["\ufffdb", "er"]]
    assert read["w"].cast(pa.binary()).to_pylist() == [b"Haus", None, b"\xfcber", b"\xfcber"]
