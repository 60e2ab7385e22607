"""Running text: which words are found in it, and that nothing of it is lost."""

import json
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import Segmenter
from hybrid.cli import main
from hybrid.joining import join_text
from hybrid.output import token_lines
from hybrid.text import find_words, join_parts

SEPARATOR = "\ue000"
"""Not in any text here."""

PIECES = st.sampled_from([
    "Haustür", "Arbeits\u00adzimmer", "Gemu\u0308se", "Nord-", "und", "3-Wege-Kat", "A4", "12.5.", "-", "\u2011", "_",
    " ", ". ", "\r\n", "\n", "\ufeff", "@", "http://", "/", "x", "7", "\u0308", "\u200d", "e.de", "|", "\ud800", "#",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(st.characters(exclude_characters=SEPARATOR), max_size=30)

SAMPLE = (
    "\ufeffDie Haustür-Schlüssel\r\nliegen, z. B., im Arbeits\u00adzimmer;\n\n\tSonnenschein\u2028und "
    "Gemu\u0308sesuppe (3-Wege-Kat) auf https://www.haustür.de/a|b?Handschuhfach \r\r"
    "Nord- und Su\u0308dhang! 😀 \0 Kinderwagen"
)


def split(monkeypatch: pytest.MonkeyPatch, stdin: Path, *arguments: str) -> int:
    with stdin.open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        return main(["split", "--text", *arguments])


@given(TEXTS)
@settings(deadline=None)
def test_tokens_tile_any_text(segmenter: Segmenter, text: str) -> None:
    tokens, at = segmenter.split_text(text), 0
    for token in tokens:
        assert token.start == at < token.end
        assert token.text == text[token.start : token.end]
        at = token.end
    assert at == len(text)
    assert "".join(token.text for token in tokens) == text
    words = [token for token in tokens if token.split is not None]
    assert [(token.start, token.end) for token in words] == list(find_words(text))
    assert all(token.split.word == token.text for token in words)
    assert [str(token.split) for token in words] == list(map(str, segmenter.split_batch(t.text for t in words)))


@given(TEXTS)
@settings(deadline=None)
def test_without_the_separators_the_text_is_the_same(segmenter: Segmenter, text: str) -> None:
    assert join_text(join_parts(segmenter.split_text(text), SEPARATOR), SEPARATOR) == text


@given(st.lists(TEXTS, max_size=4))
@settings(deadline=None)
def test_json_lines_have_the_places_of_all_chunks_together(segmenter: Segmenter, texts: list[str]) -> None:
    chunks = list(token_lines(map(segmenter.split_text, texts)))
    assert len(chunks) == len(texts)
    whole, at = "".join(texts), 0
    for record in map(json.loads, "".join(chunks).split("\n")[:-1]):
        assert record["start"] == at
        assert record["text"] == whole[at : record["end"]]
        for part in record.get("parts", []):
            assert (part["start"], part["text"]) == (at, whole[at : part["end"]])
            at = part["end"]
        assert at in (record["start"], record["end"])
        at = record["end"]
    assert at == len(whole)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Die (Haustür), „Autobahn“!", ["Die", "Haustür", "Autobahn"]),
        ("Nord- und Südhang, -fach", ["Nord-", "und", "Südhang", "fach"]),
        ("3-Wege-Kat 90er-Jahre A4-Blatt Covid-19", ["3-Wege-Kat", "90er-Jahre", "A4-Blatt", "Covid-19"]),
        ("Haus\u2011Tür Haus\u2010Tür Haus–Tür", ["Haus\u2011Tür", "Haus\u2010Tür", "Haus", "Tür"]),
        ("Haus\u00adtür Gemu\u0308se Auf\u200clage", ["Haus\u00adtür", "Gemu\u0308se", "Auf\u200clage"]),
        ("\ufeffHaus/Tür Ende.Anfang Müller’s", ["Haus", "Tür", "Ende", "Anfang", "Müller", "s"]),
        ("Haustür\r\nBad\tEi|Uhr", ["Haustür", "Bad", "Ei", "Uhr"]),
        ("siehe https://www.haus.de/Tür-Griff?a=Bad#x und", ["siehe", "und"]),
    ],
)
def test_words_are_found(text: str, words: list[str]) -> None:
    assert [text[start:end] for start, end in find_words(text)] == words


@pytest.mark.parametrize(
    "text",
    [
        "https://de.wikipedia.org/wiki/Haustür", "www.haustür.de/Bad", "haustür.de", "ftp://x/Bad", "@hausmeister",
        "max.müller@haus-tür.de", "#Haustür", "Haustür.pdf", "haus-tür_2.tar.txt", "/bau/bad/Haustür", "~/Bad/Haus",
        "12.05.2023", "1.000,50", "10:30", "2010-2012", "3", "A4", "20er", "B2B", "haus_tür", "_haus", "haus_",
        "Haus-tür_x", "foo_bar-baz", "4711-4b_x", "-", "", " \r\n", "\u0308", "→ … €",
    ],
)  # fmt: skip
def test_no_words_are_found(text: str) -> None:
    assert [*find_words(text), *find_words(unicodedata.normalize("NFD", text))] == []


@pytest.mark.parametrize(
    "text",
    [
        "'a.' * 50_000", "'1-' * 50_000", "'a-' * 50_000", "'a-' * 50_000 + 'a_'", "'a@' * 50_000", "'/a' * 50_000",
        "'1' * 100_000 + 'a'", "'1.' * 50_000 + '1a'", "'a' * 100_000 + '_'", "'a\\u0308' * 50_000 + '4'",
    ],
)  # fmt: skip
def test_long_hostile_texts_come_to_an_end(text: str) -> None:
    code = f"from hybrid.text import find_words; print(max((t for _, t in find_words({text})), default=0))"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout.strip().isdecimal()) == (0, True), done.stderr


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\u00ad"])
def test_the_command_keeps_every_byte(
    end: str, tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture
) -> None:
    stdin = tmp_path / "text"
    text = SAMPLE + end
    for content in (text, text * 400, ""):  # 400 are more than are read at a time
        stdin.write_bytes(content.encode())
        assert split(monkeypatch, stdin, "--model", str(model_folder), "--separator", SEPARATOR) == 0
        out = capsysbinary.readouterr().out.decode()
        assert out.replace(SEPARATOR, "") == content
        assert (SEPARATOR in out) == bool(content)
        assert split(monkeypatch, stdin, "--model", str(model_folder), "--format", "json") == 0
        records = [json.loads(line) for line in capsysbinary.readouterr().out.decode().split("\n")[:-1]]
        assert "".join(record["text"] for record in records) == content
        assert all(content[record["start"] : record["end"]] == record["text"] for record in records)


def test_texts_given_as_arguments_are_lines(model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["split", "--text", "--model", str(model_folder), "Ein Sonnenschein.", "3 Ei"]) == 0
    assert capsys.readouterr().out.replace("|", "") == "Ein Sonnenschein.\n3 Ei\n"


@pytest.mark.parametrize("bad", ["--format labels", "--nbest 2", "--min-parts 2"])
def test_what_goes_without_text(bad: str, model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["split", "--text", "--model", str(model_folder), *bad.split(), "Ein Haus"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert "--text" in err
