"""Contest files: what is refused, and in which words; and that keys stay as they are."""

import json
import unicodedata
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hybrid import DataError
from hybrid.cli import main
from hybrid.datasets import read_labelled, read_predictions, read_words
from hybrid.submission import to_json, write_submission

GOOD = '{"Haustür":[0,0,0,1,0,0,1]}'

BROKEN = {
    "not JSON": (b'{"Haus":[0,0,0,1],}', "not JSON: .* at line 1, column"),
    "cut short": (b'{"Haus":[0,0', "not JSON: .* at line 1, column"),
    "an array": (b'["Haus"]', "a JSON array; an object that maps each word to its labels is right"),
    "a number": (b"5", "a JSON number; an object"),
    "too few labels": ('{"Haustür":[0,0,1]}'.encode(), "word 'Haustür': 3 labels for 7 characters; one label a char"),
    "too many labels": (b'{"Ei":[0,1,1]}', "word 'Ei': 3 labels for 2 characters"),
    "another value": (b'{"Ei":[0,2]}', "word 'Ei': label 2 is 2; 0 or 1 is right"),
    "a truth value": (b'{"Ei":[0,true]}', "word 'Ei': label 2 is the truth value True; 0 or 1 is right"),
    "a fraction": (b'{"Ei":[0,1.0]}', "word 'Ei': label 2 is 1.0"),
    "a string": (b'{"Ei":"01"}', "word 'Ei': labels are a JSON string; a list of 0 and 1 is right"),
    "a string inside": (b'{"Ei":[0,"1"]}', "word 'Ei': label 2 is the string '1'; 0 or 1 is right"),
    "a zip": (b"PK\x03\x04", "a zip; unzip it and name the JSON file"),
    "null": (b'{"Ei":null}', "word 'Ei': labels are a JSON null"),
    "last label 0": (b'{"Ei":[1,0]}', "word 'Ei': the last label is 0; it is always 1"),
    "an empty word": (b'{"":[]}', "an empty word; every key needs one character"),
    "a key twice": (b'{"Ei":[0,1],"Ei":[0,1]}', "word 'Ei' stands there 2 times; each word once is right"),
    "empty file": (b"", "empty; a JSON object such as"),
    "white space": (b" \n", "empty; a JSON object such as"),
    "empty object": (b"{}", "holds no word"),
    "not UTF-8": (b'{"Haust\xfcr":[0,0,0,1,0,0,1]}', r"line 1 is not UTF-8 at byte 8, offset 7; save it as UTF-8"),
    "deep nesting": (b'{"Ei":' + b"[" * 200_000, "nested too deeply"),
    "a huge number": (
        b'{"Ei":[0,' + b"1" * 10_000 + b"]}",
        "not JSON that can be read: the number at line 1 has thousands of digits|label 2 is 1",
    ),
    "inside a letter": (b'{"u\xcc\x88b":[1,0,1]}', "label 1 at character 1 cuts a letter from its combining mark"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_training_file_is_one_clear_error(name: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    content, message = BROKEN[name]
    path = tmp_path / "train.json"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        read_labelled(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    for out in ("model", "out.zip"):
        verb = ["train", str(tmp_path)] if out == "model" else ["submit", str(tmp_path)]
        assert main([*verb, "--out", str(tmp_path / out)]) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err == f"hybrid: {caught.value}\n"
        assert [p.name for p in tmp_path.iterdir()] == ["train.json"]


def test_training_words_need_labels_and_others_do_not(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_text('{"Haus":[],"Ei":[0,1]}', encoding="utf-8")
    with pytest.raises(DataError, match="word 'Haus' has no labels; in labelled data every word has one a character"):
        read_labelled(path)
    assert read_words(path) == {"Haus": [], "Ei": [0, 1]}
    path.write_text('{"Haus":[0,1]}', encoding="utf-8")
    with pytest.raises(DataError, match="2 labels for 4 characters"):
        read_words(path)


def test_missing_files_are_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(DataError, match=r"train\.json: no such file"):
        read_labelled(tmp_path / "train.json")
    with pytest.raises(DataError, match="can't be read"):
        read_labelled(tmp_path)
    (tmp_path / "train.json").write_text(GOOD, encoding="utf-8")
    assert main(["submit", str(tmp_path), "--out", str(tmp_path / "out.zip")]) == 2
    assert "val.json: no such file" in capsys.readouterr().err
    assert main(["train", str(tmp_path / "nowhere"), "--out", str(tmp_path / "model")]) == 2
    assert "train.json: no such file" in capsys.readouterr().err


def test_predictions_may_have_any_length_but_not_any_value(tmp_path: Path) -> None:
    path = tmp_path / "predicted.json"
    path.write_text('{"Haus":[],"Ei":[0,1,0,0]}', encoding="utf-8")
    assert read_predictions(path) == {"Haus": [], "Ei": [0, 1, 0, 0]}
    path.write_text('{"Haus":[3]}', encoding="utf-8")
    with pytest.raises(DataError, match="label 1 is 3"):
        read_predictions(path)


def test_a_byte_order_mark_is_no_part_of_the_data(tmp_path: Path) -> None:
    path = tmp_path / "train.json"
    path.write_bytes(GOOD.encode("utf-8-sig"))
    assert read_labelled(path) == {"Haustür": [0, 0, 0, 1, 0, 0, 1]}


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.just([]), min_size=1, max_size=6))
def test_words_come_back_character_for_character(data: dict[str, list[int]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "val.json")
        path.write_bytes(to_json(data))
        assert read_words(path) == data
        write_submission(Path(folder, "s.zip"), data, {})
        with zipfile.ZipFile(Path(folder, "s.zip")) as archive:
            assert json.loads(archive.read("submissionval.json")) == data
            assert list(json.loads(archive.read("submissionval.json"))) == list(data)


def test_spelling_of_umlauts_is_kept_and_told_apart(tmp_path: Path) -> None:
    words = ["Tür", unicodedata.normalize("NFD", "Tür"), "GROẞ-Tür", "ÄÖÜß"]
    write_submission(tmp_path / "s.zip", {w: [0] * (len(w) - 1) + [1] for w in words}, {"x": [1]})
    with zipfile.ZipFile(tmp_path / "s.zip") as archive:
        assert archive.namelist() == ["submissionval.json", "submissiontest.json"]
        for word in words:
            assert f'"{word}":['.encode() in archive.read("submissionval.json")
        assert archive.read("submissiontest.json") == b'{"x":[1]}'


def test_the_zip_is_whole_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "s.zip"
    write_submission(target, {"a": [1]}, {"b": [1]})
    before = target.read_bytes()
    with pytest.raises(TypeError):
        write_submission(target, {"a": [object()]}, {})
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["s.zip"]
    write_submission(target, {"a": [1]}, {"b": [1]})
    assert target.read_bytes() == before
    assert target.stat().st_mode & 0o777 == 0o666 & ~umask()
    target.chmod(0o600)
    write_submission(target, {"a": [1]}, {"b": [1]})
    assert target.stat().st_mode & 0o777 == 0o600


def umask() -> int:
    import os

    mask = os.umask(0)
    os.umask(mask)
    return mask
