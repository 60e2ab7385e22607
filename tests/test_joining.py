"""Split text joined again: every text, every byte, in every convention; and the tools that the conventions are of."""

import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hybrid
from hybrid.cli import main
from hybrid.errors import DataError
from hybrid.joining import can_be_undone, join_text, joint
from hybrid.output import joined_text
from hybrid.text import join_parts
from hybrid.worker import Worker
from tests.examples import run_document

ROOT = Path(__file__).parent.parent
SEPARATORS = ["|", "￭", "@@", "·", "@", "_", "<>", "..", "+.+", "\t", "\u00a0", "\ud800"]

PIECES = st.sampled_from([
    "Kindergeld", "Arbeitsagentur", "Nord-Ost", "Arbeits\u00adzimmer", "Gemu\u0308sesuppe", "12", "A4", "_", "@",
    " ", "  ", "\n", "\r\n", "\r", "\t", "|", "||", "￭", "￭ ", "@@", "@@ ", "@@@", "<>", "<", "+.+", "·", "..", ".",
    "-", "\ufeff", "\u00a0", "\u2028", "\u200d", "\ud800", "\udcff", "x", "https://haus.de/a|b", "info@haus.de",
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=30)

PLAIN = "Die Arbeitsagentur zahlt Kindergeld, 12 Euro.\nDer Nord-Ost-Kanal  und\tdie Gemu\u0308sesuppe\r\n\n (Haustür)"


@cache
def worker() -> Worker:
    return Worker(hybrid.load(mode="fast"))


@given(TEXTS, st.sampled_from(SEPARATORS))
@settings(deadline=None, max_examples=200)
@example("Kindergeld￭ Kindergeld￭\nKindergeld￭", "￭")
@example("Kindergeld@@ @@ x@@\n@@ @@@ x@@@ x@@@@ @@x", "@@")
@example("Kindergeld|Kindergeld||a|||b| |c", "|")
def test_what_is_split_is_joined_again(text: str, separator: str) -> None:
    split = worker().separate([text], separator)[0]
    assert join_text(split, separator) == text
    assert split == join_parts(worker()._segmenter.split_text(text), separator)
    lines = split.split("\n")
    by_line = [join_text(line + "\n", separator) for line in lines[:-1]] + [join_text(lines[-1], separator)]
    assert "".join(by_line) == text  # as a stream comes


@given(TEXTS, st.sampled_from(SEPARATORS))
@settings(deadline=None)
def test_any_text_can_be_joined_and_without_the_mark_stays(text: str, separator: str) -> None:
    joined = join_text(text, separator)
    assert len(joined) <= len(text)
    if separator not in text:
        assert joined == text


@pytest.mark.parametrize(
    ("text", "separator", "split"),
    [
        ("Das Kindergeld", "|", "Das Kinder|geld"),
        ("Das Kindergeld", "￭", "Das Kinder￭ geld"),
        ("Das Kindergeld", "@@", "Das Kinder@@ geld"),
        ("| a | b |", "|", "| a | b |"),
        ("a|b ||c d||e", "|", "a||b ||c d|||e"),
        ("a@@ b@@ ", "@@", "a@@@@ b@@@@ "),
        ("@@ (@@ a@@b a@@@ b", "@@", "@@ (@@ a@@b a@@@ b"),
        ("a￭\nb￭", "￭", "a￭￭\nb￭￭"),
        ("a b-c", " ", "a b- c"),
    ],
)
def test_marks_of_the_text_are_doubled_only_where_ours_stand(text: str, separator: str, split: str) -> None:
    assert worker().separate([text], separator) == [split]


@pytest.mark.parametrize("separator", ["", "a", "1", "-", " ", "￭ ", " | ", "\n", "\r", "\u00ad", "\u0308", "\u2011"])
def test_what_can_not_be_undone_is_refused(separator: str, capsys: pytest.CaptureFixture) -> None:
    assert not can_be_undone(separator)
    with pytest.raises(DataError, match="can't be told from the text"):
        join_text("x", separator)
    assert main(["join", "--separator", separator, "x"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    with pytest.raises(DataError, match="can't be told from the text"):
        joined_text([], separator=separator)  # nor where nothing comes
    with pytest.raises(TypeError, match="text is a NoneType"):
        join_text(None)


@pytest.mark.parametrize("separator", SEPARATORS[:-1])
@pytest.mark.parametrize("end", ["", "\r\n", "￭"])
def test_the_commands_give_every_byte_back(
    separator: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture
) -> None:
    text = ("\ufeff" + PLAIN + "a|b Kindergeld￭ Kindergeld@@ @@\r\nx@@ y￭ z||" + end).encode()
    given, split = tmp_path / "given", tmp_path / "split"
    given.write_bytes(text)
    split.write_bytes(
        command(given, ["split", "--fast", "--text", "--separator", separator], monkeypatch, capsysbinary)
    )
    assert split.read_bytes().count(joint(separator).encode()) > text.count(joint(separator).encode())
    assert command(split, ["join", "--separator", separator], monkeypatch, capsysbinary) == text


def command(
    stdin: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture
) -> bytes:
    with stdin.open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(arguments) == 0
    return capsysbinary.readouterr().out


@pytest.mark.parametrize("separator", ["|", "￭", "@@"])
def test_a_corpus_is_joined_too(
    separator: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture
) -> None:
    given, split = tmp_path / "in.txt", tmp_path / "out.txt"
    given.write_bytes((PLAIN + " a|b Kindergeld￭ x@@\n").encode())
    assert main(["split-corpus", str(given), str(split), "--fast", "--text", "--separator", separator]) == 0
    assert f"Kinder{joint(separator)}geld".encode() in split.read_bytes()
    capsysbinary.readouterr()
    assert command(split, ["join", "--separator", separator], monkeypatch, capsysbinary) == given.read_bytes()


def test_texts_given_as_arguments_and_bytes_that_are_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture
) -> None:
    assert main(["join", "Kinder|geld", "3 Ei||er"]) == 0
    assert capsysbinary.readouterr().out == b"Kindergeld\n3 Ei|er\n"
    assert main(["join", "Kinder|geld\udcff"]) == 0  # as a shell gives a byte that is not UTF-8
    assert capsysbinary.readouterr().out == b"Kindergeld\xff\n"
    (tmp_path / "bad").write_bytes(b"Kinder|geld\nT\xfcr\n")
    assert command(tmp_path / "bad", ["join", "--encoding-errors", "replace"], monkeypatch, capsysbinary).endswith(
        "T\ufffdr\n".encode()
    )
    with (tmp_path / "bad").open("rb") as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert main(["join"]) == 2
    out, err = capsysbinary.readouterr()
    assert out == b"Kindergeld\n"
    assert b"line 2 is not UTF-8" in err


def test_lines_are_joined_as_they_come_without_torch_or_the_model() -> None:
    code = "import sys; from hybrid.cli import main; main(['join']); "
    code += "print({'torch', 'numba', 'hybrid.segmenter'} & set(sys.modules))"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"Kinder|geld\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"Kindergeld\n"  # before the next is there
        process.stdin.write(b"Haus|t\xc3\xbcr")
        process.stdin.close()
        assert process.stdout.read() == "Haustürset()\n".encode()


def test_the_opennmt_tokenizer_reads_its_joiner() -> None:
    pyonmttok = pytest.importorskip("pyonmttok", reason="pyonmttok is not installed: pip install pyonmttok")
    tokenizer = pyonmttok.Tokenizer("space")
    for line in ("Die Arbeitsagentur zahlt Kindergeld , 12 Euro .", "Der Nord-Ost-Kanal : die Gemüsesuppe"):
        split = worker().separate([line], "￭")[0]
        assert split.count("￭ ") > 1
        assert tokenizer.detokenize(split.split(" ")) == line == join_text(split, "￭")


@pytest.mark.skipif(shutil.which("sed") is None, reason="sed is not installed")
def test_the_published_rule_of_subword_nmt_undoes_its_mark(tmp_path: Path) -> None:
    split = worker().separate([PLAIN], "@@")[0]
    assert split.count("@@ ") > 4
    done = subprocess.run(["sed", "-r", "s/(@@ )|(@@ ?$)//g"], input=split.encode(), capture_output=True, check=True)
    assert done.stdout.decode() == PLAIN


@pytest.mark.parametrize("text", ["Kinder@@\nge@@ ld@@ \nHaus@@", "Kinder￭\nge￭ ld￭ \nHaus￭"])
def test_marks_that_a_model_puts_at_the_end_of_a_line_go_too(text: str) -> None:
    assert join_text(text, "@@" if "@@" in text else "￭") == "Kinder\ngeld\nHaus"


@pytest.mark.parametrize("text", ["a" + "@@" * 100_000, ("a" + "@@" * 300 + "b ") * 300, "a￭" * 10_000, "|" * 200_000])
def test_long_runs_of_marks_take_no_longer_than_they_are(text: str) -> None:
    for separator in ("@@", "￭", "|", "@"):
        assert join_text(worker().separate([text], separator)[0], separator) == text


def test_the_page_for_translators_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(ROOT / "docs" / "how-to" / "translation.md", tmp_path) > 1
