"""The command line as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from hybrid import Segmenter, cli
from hybrid.cli import main
from tests.conftest import QUICK, silver

WORDS = ["Sonnenschein", "Straße", "Haustu\u0308r"]


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "hybrid", *arguments], input=stdin, capture_output=True, check=False)


def write(folder: Path, **data: dict[str, list[int]]) -> Path:
    for name, labels in data.items():
        (folder / f"{name}.json").write_text(json.dumps(labels), encoding="utf-8")
    return folder


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["split", "--help"], ["nonsense"], []])
def test_help_loads_neither_torch_nor_numba(arguments: list[str]) -> None:
    code = (
        "import sys\nfrom hybrid.cli import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "print(sorted({'torch', 'numba', 'hybrid.segmenter'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_importing_the_package_loads_no_torch() -> None:
    code = "import sys, hybrid, lexicon, hybrid.labelling.tagger; print('torch' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"


def test_split_words_in_every_format(model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    model = ["--model", str(model_folder)]
    assert main(["split", *model, *WORDS]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.replace("|", "") for line in lines] == WORDS
    assert main(["split", *model, "--nbest", "3", "Sonnenschein"]) == 0
    ranked = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [rank for _, rank, _ in ranked] == ["1", "2", "3"]
    assert ranked[0][0] == lines[0]
    assert 1 >= float(ranked[0][2]) >= float(ranked[1][2]) >= float(ranked[2][2])
    assert main(["split", *model, "--nbest", "2", "--format", "json", *WORDS]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["word"] for record in records] == WORDS
    for record, line in zip(records, lines, strict=True):
        assert "|".join(part["text"] for part in record["parts"]) == line
        assert all(record["word"][p["start"] : p["end"]] == p["text"] for p in record["parts"])
        assert record["nbest"][0]["parts"] == record["parts"]
        assert len(record["nbest"]) == 2
    assert main(["split", *model, "--format", "labels", *WORDS, WORDS[0]]) == 0
    labels = json.loads(capsys.readouterr().out)
    assert list(labels) == WORDS
    assert all(len(values) == len(word) and values[-1] == 1 for word, values in labels.items())
    assert main(["split", *model, "--min-parts", "3", "Sonnenschein"]) == 0
    assert capsys.readouterr().out.count("|") >= 2


def test_standard_input_keeps_lines_and_bytes() -> None:
    done = run("split", stdin="Haustür\r\n\nEi\nHaustu\u0308r".encode())
    assert (done.returncode, done.stderr) == (0, b"")
    lines = done.stdout.decode().split("\n")
    assert [line.replace("|", "") for line in lines] == ["Haustür", "", "Ei", "Haustu\u0308r", ""]
    done = run("split", stdin=b"Ei\nHaust\xfcr\n")
    assert done.returncode == 2
    assert done.stdout == b"Ei\n"
    assert done.stderr.startswith(b"hybrid: standard input: line 2 is not UTF-8 at byte 6, offset 8; mend it, or ")
    assert run("split", stdin=b"").stdout == b""


def test_many_lines_are_split_as_each_alone(model_folder: Path) -> None:
    words = list(silver("val", 700))
    done = run("split", "--model", str(model_folder), stdin="\n".join(words).encode())
    lines = done.stdout.decode().splitlines()
    assert [line.replace("|", "") for line in lines] == words


def test_arguments_of_any_bytes_come_out_as_they_went_in() -> None:
    done = subprocess.run(
        [sys.executable.encode(), b"-m", b"hybrid", b"split", b"Haust\xfcr"], capture_output=True, check=True
    )
    assert done.stdout.replace(b"|", b"") == b"Haust\xfcr\n"


def test_a_word_of_two_lines_is_no_line(model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    for end in "\n\r":
        assert main(["split", "Haus", f"Haus{end}tür", "--model", str(model_folder)]) == 2
        assert "holds a line end, and its parts are to stand on one line" in capsys.readouterr().err
        for options in (["--text"], ["--format", "json"]):
            assert main(["split", f"Haus{end}tür", "--model", str(model_folder), *options]) == 0
            assert capsys.readouterr().out.count("\n") == (2 if end == "\n" and "--text" in options else 1)


def test_a_package_that_is_not_installed_is_named(tmp_path: Path) -> None:
    code = "import sys; sys.modules['torch'] = None; from hybrid.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", code, "split", "Quatschomatenfummelbrunx"], capture_output=True,
                          text=True, check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (2, "hybrid: the package torch is not installed, and this needs it\n")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (MemoryError(), "there is not enough memory"),
        (ImportError("libtorch_cpu.so: failed to map segment"), "libtorch_cpu.so: failed to map segment"),
    ],
)
def test_too_little_memory_is_one_line(
    error: Exception, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    def fail(_: object) -> None:
        raise error

    monkeypatch.setitem(cli.VERBS, "split", fail)
    assert main(["split", "Haus"]) == 2
    assert capsys.readouterr().err == f"hybrid: {told}\n"


def test_a_closed_pipe_ends_quietly() -> None:
    command = f"yes Haustür | {sys.executable} -m hybrid split | head -n 1"
    done = subprocess.run(["bash", "-c", f"{command}; echo ${{PIPESTATUS[1]}}"], capture_output=True, check=True)
    line, code = done.stdout.decode().split()
    assert line.replace("|", "") == "Haustür"
    assert code == "0"
    assert done.stderr == b""


def test_interrupt_ends_quietly_and_leaves_nothing(tmp_path: Path) -> None:
    write(tmp_path, train=silver("train", 400))
    process = subprocess.Popen(
        [sys.executable, "-m", "hybrid", "train", str(tmp_path), "--out", str(tmp_path / "model")],
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert "lexicon" in process.stderr.readline()
    assert "epoch 1" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    rest = process.stderr.read()
    assert process.wait(timeout=30) == 130
    assert "Traceback" not in rest
    assert rest.endswith("stopped; nothing half-written is left, and the same command begins anew\n")
    assert [path.name for path in tmp_path.iterdir()] == ["train.json"]


def test_a_pipe_that_waits_for_an_answer_gets_it() -> None:
    process = subprocess.Popen([sys.executable, "-m", "hybrid", "split"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for word in ("\ufeffHaustür", "Ei"):
        process.stdin.write(f"{word}\n".encode())
        process.stdin.flush()
        assert process.stdout.readline().decode().replace("|", "") == f"{word.removeprefix(chr(0xFEFF))}\n"
    process.stdin.write(b"Ast")
    assert process.communicate(timeout=60)[0].replace(b"|", b"") == b"Ast\n"


@pytest.mark.parametrize(("closed", "word"), [("<&-", ""), (">&-", "Ei"), ("2>&-", "Quxblorfzaun")])
def test_closed_streams_are_no_error(closed: str, word: str) -> None:
    """Of the last word nets are asked, so torch is loaded too."""
    command = f"{sys.executable} -m hybrid split {word} {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_model_predicts_without_training_data(tmp_path: Path, model_folder: Path) -> None:
    write(tmp_path, val={"Haustür": []}, test={"Ei": []})
    assert main(["submit", str(tmp_path), "--out", str(tmp_path / "s.zip"), "--model", str(model_folder)]) == 0


def test_labels_hold_one_split(model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["split", "--model", str(model_folder), "--format", "labels", "--nbest", "2", "Ei"]) == 2
    assert "--nbest goes with --format text and json" in capsys.readouterr().err


def test_a_pipe_as_target_stays_a_pipe(tmp_path: Path, model_folder: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    command = f"{sys.executable} -m hybrid lexicon export {model_folder} --out pipe & head -n 1 pipe; wait"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout == "# hybrid-segmenter lexicon 1\n"
    done = run("lexicon", "export", str(model_folder), "--out", "/dev/stdout")
    assert done.stdout.startswith(b"# hybrid-segmenter lexicon 1\n")
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
    assert not (tmp_path / "pipe").is_file()


def test_evaluate(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    write(tmp_path, gold={"abc": [0, 1, 1], "ab": [1, 1]}, predicted={"abc": [0, 1, 1], "zz": [1]})
    assert main(["evaluate", str(tmp_path / "gold.json"), str(tmp_path / "predicted.json")]) == 0
    assert capsys.readouterr().out == (
        "f1 0.5000\nexact 0.5000\nboundary precision 1.0000\nboundary recall 0.5000\n"
        "words 2, missing 1, wrong length 0\n"
    )


def test_train_and_submit(
    tmp_path: Path, model_folder: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hybrid.training.TrainingConfig", lambda seed: replace(QUICK, seed=seed))
    val, test = silver("val", 60), {word: [] for word in silver("test", 50)}
    write(tmp_path, train=silver("train", 150), val=val, test=test)
    assert main(["train", str(tmp_path), "--out", str(tmp_path / "model")]) == 0
    assert main(["split", "--model", str(tmp_path / "model"), "Haustür"]) == 0
    for model in ([], ["--model", str(model_folder)]):
        capsys.readouterr()
        assert main(["submit", str(tmp_path), "--out", str(tmp_path / "out.zip"), *model]) == 0
        printed = capsys.readouterr().out
        assert float(printed.split("val: f1 ")[1].split()[0]) > 0.5
        assert "test: f1" not in printed
        assert f"wrote {tmp_path / 'out.zip'}" in printed
        with zipfile.ZipFile(tmp_path / "out.zip") as archive:
            for name, words in (("submissionval.json", val), ("submissiontest.json", test)):
                labels = json.loads(archive.read(name))
                assert list(labels) == list(words)
                assert all(len(v) == len(w) and v[-1] == 1 and set(v) <= {0, 1} for w, v in labels.items())


def test_what_can_not_be_written_is_told_before_training(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    data = write(tmp_path, train=silver("train", 30), val={"Ei": []}, test={"Ei": []})
    assert main(["train", str(data), "--out", str(tmp_path / "none" / "model")]) == 2
    assert "none: no such folder, so model can't be written there" in capsys.readouterr().err
    assert main(["submit", str(data), "--out", str(tmp_path / "none" / "s.zip")]) == 2
    assert "none: no such folder, so s.zip can't be written there" in capsys.readouterr().err
    assert main(["train", str(data), "--out", str(tmp_path)]) == 2
    assert "holds something else than a model; name a new folder" in capsys.readouterr().err
    assert main(["submit", str(data), "--out", str(tmp_path)]) == 2
    assert "is a folder; a file's name is needed" in capsys.readouterr().err
    assert main(["submit", str(data), "--out", str(tmp_path / "val.json")]) == 2
    assert "val.json: is one of the files that are read" in capsys.readouterr().err
    assert main(["train", str(data), "--out", os.curdir]) == 2
    assert "hybrid: " in capsys.readouterr().err
    assert main(["train", str(data), "--out", str(tmp_path / "model"), "--device", "warp"]) == 2
    assert capsys.readouterr().err.startswith("hybrid: device 'warp' can't be used")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["test.json", "train.json", "val.json"]


@pytest.mark.parametrize("bad", ["--nbest 0", "--nbest x", "--nbest 1001", "--min-parts -1", "--format xml"])
def test_wrong_options_exit_with_2(bad: str, model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["split", "--model", str(model_folder), *bad.split(), "Haus"])
    assert bad.split(maxsplit=1)[0] in capsys.readouterr().err


def test_a_model_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert main(["split", "--model", str(tmp_path / "none"), "Haus"]) == 2
    assert "none: no such model folder; make one with: hybrid train" in capsys.readouterr().err


def test_the_lexicon_goes_out_is_edited_and_comes_in(
    tmp_path: Path, model_folder: Path, capsys: pytest.CaptureFixture
) -> None:
    table, new = tmp_path / "table.tsv", tmp_path / "new"
    assert main(["lexicon", "export", str(model_folder), "--out", str(table)]) == 0
    assert main(["lexicon", "export", str(model_folder)]) == 0
    assert main(["lexicon", "export", str(model_folder), "--out", str(model_folder / "manifest.json")]) == 2
    assert "lies in the model's folder" in capsys.readouterr().err
    assert main(["lexicon", "export", str(model_folder)]) == 0
    text = table.read_text(encoding="utf-8")
    assert capsys.readouterr().out == text
    assert main(["lexicon", "import", str(table), "--model", str(model_folder), "--out", str(new)]) == 0
    for path in (model_folder / "lexicon").iterdir():
        assert path.read_bytes() == (new / "lexicon" / path.name).read_bytes()
    table.write_text(text + "quarzz\t900\t0\t0\t0\t1\t0\t\naun\t0\t0\t900\t0\t1\t0\t\n", encoding="utf-8")
    assert main(["lexicon", "import", str(table), "--model", str(model_folder), "--out", str(new)]) == 0
    old, edited = (Segmenter.load(folder) for folder in (model_folder, new))
    lexicon = edited.model.lexicon
    assert lexicon.parts[lexicon.trie.get("quarzz")].tolist() == [900, 0, 0, 0]
    assert edited.split("Quarzzaun").probability != old.split("Quarzzaun").probability
    table.write_text("nonsense", encoding="utf-8")
    assert main(["lexicon", "import", str(table), "--model", str(model_folder), "--out", str(tmp_path / "no")]) == 2
    assert "table.tsv: line 1 should be" in capsys.readouterr().err
    assert not (tmp_path / "no").exists()
