"""IndoNLU's files, read and checked; its submissions, written and read back; its page. Sentences are made up."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.indonlu.reading import Documents, Sentences, read_split
from benchmarks.indonlu.report import indonlu_markdown, indonlu_table, mean
from benchmarks.indonlu.submission import check_submission, write_submission
from benchmarks.indonlu.tasks import TASKS
from benchmarks.report import write_report
from hybrid import DataError

EMOT, SMSA, CASA, HOASA, WRETE, POSP, KEPS, FACQA = (
    TASKS[name] for name in ("EmoT", "SmSA", "CASA", "HoASA", "WReTE", "POSP", "KEPS", "FacQA")
)


def put(data: Path, task: str, name: str, content: str | bytes) -> Path:
    """Write a file of a task as it is, and return its path."""
    path = data / TASKS[task].folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read(data: Path, task: str, content: str | bytes, split: str = "train", name: str = "") -> Documents | Sentences:
    put(data, task, name or f"{split}_preprocess.{TASKS[task].ending}", content)
    found = read_split(data, TASKS[task], split)
    assert found is not None
    return found


def test_tasks_are_those_of_the_paper_in_its_order() -> None:
    assert " ".join(TASKS) == "EmoT SmSA CASA HoASA WReTE POSP BaPOS TermA KEPS NERGrit NERP FacQA"
    assert [task.kind for task in TASKS.values()] == ["classification"] * 5 + ["sequence"] * 7
    assert len({task.folder for task in TASKS.values()}) == 12


def test_csv_of_texts_with_one_label(tmp_path: Path) -> None:
    text = '\ufefflabel,tweet\r\nhappy,"hujan ""deras"", lalu\r\nreda 😀"\r\n\r\nfear, gelap \r\n'
    found = read(tmp_path, "EmoT", text)
    assert found == Documents([('hujan "deras", lalu\nreda 😀',), (" gelap ",)], ("label",), [("happy",), ("fear",)])


def test_tsv_without_header_or_quoting(tmp_path: Path) -> None:
    found = read(tmp_path, "SmSA", 'kata "orang enak\tpositive\n"asin\u2028\x0b\tnegative\n\n\tneutral\n')
    assert found.texts == [('kata "orang enak',), ('"asin\u2028\x0b',), ("",)]
    assert found.labels == [("positive",), ("negative",), ("neutral",)]


def test_aspects_keep_the_files_order(tmp_path: Path) -> None:
    text = "sentence,fuel,others,machine,part,price,service\nmobil kami irit,a,b,c,d,e,f\n"
    found = read(tmp_path, "CASA", text)
    assert found.aspects == ("fuel", "others", "machine", "part", "price", "service")
    assert found.labels == [tuple("abcdef")]
    header = "review," + ",".join(reversed(HOASA.aspects))
    found = read(tmp_path, "HoASA", f"{header}\nkamar besar,{','.join('0123456789')}\n")
    assert (found.aspects, found.labels) == (HOASA.aspects[::-1], [tuple("0123456789")])


def test_pairs_come_without_the_comment_on_the_edit(tmp_path: Path) -> None:
    text = "sent_A,sent_B,category,label\nkota\xa0itu besar,kota itu kecil,diganti,NotEntail\nsatu,dua,,Entail\n"
    found = read(tmp_path, "WReTE", text, "valid")
    assert found.texts == [("kota\xa0itu besar", "kota itu kecil"), ("satu", "dua")]
    assert found.labels == [("NotEntail",), ("Entail",)]


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\n\n\n \n\t\n"])
def test_a_word_a_line(tmp_path: Path, end: str) -> None:
    text = f'\ufeffke pasar\tB-VBI\r\n\xa0a\xa0b\u200b\tI-X-Y\r\n\r\n\n\tO\n"\tB-SYM{end}'
    found = read(tmp_path, "POSP", text)
    assert found == Sentences([("ke pasar", "\xa0a\xa0b\u200b"), ("", '"')], [("B-VBI", "I-X-Y"), ("O", "B-SYM")], None)


def test_passages_and_questions(tmp_path: Path) -> None:
    text = """question,passage,seq_label\n"['Siapa', '?']","['Bu', ""Ja'far"", 'itu,']","['B', 'I', 'O']"\n"""
    found = read(tmp_path, "FacQA", text)
    assert found == Sentences([("Bu", "Ja'far", "itu,")], [("B", "I", "O")], [("Siapa", "?")])


CASA_HEADER = "sentence,fuel,machine,others,part,price,service"
MASKED = [
    ("EmoT", "tweet\nsatu\ndua\n"),
    ("EmoT", "tweet,label\nsatu,\ndua,\n"),
    ("EmoT", "label,tweet\nhappy,satu\nhappy,dua\n"),
    ("SmSA", "satu\ndua\n"),
    ("SmSA", "satu\t\ndua\t\n"),
    ("SmSA", "satu\tneutral\ndua\n"),
    ("CASA", "sentence\nsatu\ndua\n"),
    ("CASA", f"{CASA_HEADER}\nsatu,,,,,,\ndua,,,,,,\n"),
    ("WReTE", "sent_A,sent_B,category,label\nsatu,dua,x,?\ntiga,empat,y,?\n"),
    ("KEPS", "satu\n\ndua\n"),
    ("KEPS", "satu\tmasked\n\ndua\tmasked\n\n"),
    ("KEPS", "satu\t\n\ndua\n\n"),
    ("FacQA", """question,passage\n"['apa']","['satu']"\n['apa'],['dua']\n"""),
    ("FacQA", """question,passage,seq_label\n"['apa']","['satu']",\n['apa'],['dua'],x\n"""),
]


@pytest.mark.parametrize(("task", "text"), MASKED)
def test_labels_that_are_kept_back_are_none(tmp_path: Path, task: str, text: str) -> None:
    end = TASKS[task].ending
    found = read(tmp_path, task, text, "test", f"test_preprocess_masked_label.{end}")
    assert found.labels is None
    rows = found.texts if isinstance(found, Documents) else found.words
    assert [row[0] for row in rows] == (["satu", "dua"] if task != "WReTE" else ["satu", "tiga"])
    assert not isinstance(found, Documents) or found.aspects == TASKS[task].aspects


@pytest.mark.parametrize(
    ("task", "text"),
    [
        MASKED[0],
        MASKED[1],
        MASKED[3],
        MASKED[4],
        MASKED[6],
        MASKED[7],
        MASKED[9],
        MASKED[12],
        ("KEPS", "satu\t\ndua\t\n"),
    ],
)
def test_a_test_split_may_have_no_labels(tmp_path: Path, task: str, text: str) -> None:
    assert read(tmp_path, task, text, "test").labels is None
    with pytest.raises(DataError):
        read(tmp_path, task, text, "train")


def test_the_test_split_is_looked_for_twice_and_may_be_missing(tmp_path: Path) -> None:
    assert read_split(tmp_path, KEPS, "test") is None
    put(tmp_path, "KEPS", "test_preprocess_masked_label.txt", "satu\tB\n")
    assert read_split(tmp_path, KEPS, "test") == Sentences([("satu",)], None, None)
    put(tmp_path, "KEPS", "test_preprocess.txt", "dua\tB\n")
    assert read_split(tmp_path, KEPS, "test") == Sentences([("dua",)], [("B",)], None)


PASSAGE = "question,passage,seq_label\n"
WRONG = [
    ("POSP", "a\tO\n\nb\n", "line 3: 0 tabs in 'b', should be 1; POSP's file of lines of a word, a tab and its IOB"),
    ("POSP", "a\tO\tO\n", "line 1: 2 tabs"),
    ("POSP", "a\tO\nb\tX-NN\n", "line 2: 'X-NN' is no IOB label; O, B, I, B-TYPE or I-TYPE is right"),
    ("POSP", "a\tO\nb\t\n", "line 2: '' is no IOB label"),
    ("POSP", "", "is empty; POSP's file"),
    ("POSP", " \n\t\n", "is empty"),
    ("POSP", b"a\tO\n\xff\tO\n", "line 2 is not UTF-8 at byte 1, offset 4; save it as UTF-8"),
    ("SmSA", "enak\npositive\n", "line 1: 0 tabs in 'enak', should be 1; SmSA's file of lines of a text"),
    ("SmSA", "enak\t\n", "line 1: no label in the column 'label'"),
    ("SmSA", "", "is empty"),
    ("EmoT", "", "is empty; EmoT's CSV with columns tweet, label is needed"),
    ("EmoT", "label,tweet\n", "has no row"),
    ("EmoT", "label;tweet\nhappy;a\n", "line 1: the column 'tweet' is not there; the header is 'label;tweet'"),
    ("EmoT", "label,tweet,tweet\nhappy,a,b\n", "the column 'tweet' is twice"),
    ("EmoT", "tweet\na\n", "the column 'label' is not there"),
    ("EmoT", 'label,tweet\n\nhappy,"a\nb"\nhappy\n', "line 5: 1 cells, the header has 2"),
    ("EmoT", 'label,tweet\nhappy,a\n,"b\nc"\n', "line 3: no label in the column 'label'"),
    ("EmoT", 'label,tweet\nhappy,a\nhappy,"b\nfear,c\n', "line 3: no CSV row begins here: unexpected end of data"),
    ("CASA", CASA_HEADER.replace(",part", "") + "\na,1,2,3,4,5\n", "the column 'part' is not there"),
    ("FacQA", PASSAGE + """['a'],['b'],"['O', 'O']"\n""", "line 2: 1 words in passage, 2 labels in seq_label"),
    ("FacQA", PASSAGE + "['a'],b,['O']\n", "line 2, column passage: 'b' is no list of strings"),
    ("FacQA", PASSAGE + "['a'],['b'],[1]\n", r"line 2, column seq_label: '\[1\]' is no list of strings"),
    ("FacQA", PASSAGE + "__import__('os').getpid(),['b'],['O']\n", "column question: .* is no list of strings"),
    ("FacQA", PASSAGE + "['a'],['b'],['P']\n", "line 2, column seq_label: 'P' is no IOB label"),
    ("FacQA", PASSAGE + "['a']," + "[" * 9999 + ",['P']\n", "line 2, column passage: .* is no list of strings"),
]  # fmt: skip


@pytest.mark.parametrize(("task", "content", "told"), WRONG)
def test_what_is_wrong_is_told_with_its_place(tmp_path: Path, task: str, content: str | bytes, told: str) -> None:
    with pytest.raises(DataError, match=told) as error:
        read(tmp_path, task, content)
    assert f"train_preprocess.{TASKS[task].ending}: " in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_or_split_is_told(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"train_preprocess.csv: no such file; WReTE's CSV with columns sent_A, sent_B"):
        read_split(tmp_path, WRETE, "train")
    with pytest.raises(DataError, match="split 'dev'; train, valid, test is right"):
        read_split(tmp_path, WRETE, "dev")
    (tmp_path / KEPS.folder / "test_preprocess.txt").mkdir(parents=True)
    with pytest.raises(DataError, match="can't be read: Is a directory"):
        read_split(tmp_path, KEPS, "test")


words = st.text(st.characters(exclude_characters="\t\r\n", exclude_categories=("Cs",)), min_size=1, max_size=5)
rows = st.lists(st.tuples(words.filter(str.strip), st.sampled_from(["O", "B", "I-X"])), min_size=1, max_size=4)


@settings(deadline=None)
@given(st.lists(rows, min_size=1, max_size=3))
def test_any_words_come_back(tmp_path_factory: pytest.TempPathFactory, sentences: list[list[tuple[str, str]]]) -> None:
    text = "\n".join("".join(f"{word}\t{label}\n" for word, label in rows) for rows in sentences)
    found = read(tmp_path_factory.getbasetemp(), "NERP", "\ufeff" + text)
    assert found.words == [tuple(word for word, _ in rows) for rows in sentences]
    assert found.labels == [tuple(label for _, label in rows) for rows in sentences]


def test_submissions_as_the_benchmark_has_them(tmp_path: Path) -> None:
    path = write_submission(tmp_path / "new", POSP, [["O", "B-PPL", "I-PPL"], ("O",)])
    assert path == tmp_path / "new" / "posp_pos-prosa.zip"
    text = (tmp_path / "new" / "posp_pos-prosa" / "pred.txt").read_bytes()
    assert text == b"index,label\n0,\"['O', 'B-PPL', 'I-PPL']\"\n1,['O']\n"
    with zipfile.ZipFile(path) as archive:
        assert [(entry.filename, entry.date_time) for entry in archive.infolist()] == [
            ("pred.txt", (1980, 1, 1, 0, 0, 0))
        ]
        assert archive.read("pred.txt") == text
    write_submission(tmp_path, EMOT, ["happy", ("fear",)], ("label",))
    assert (tmp_path / EMOT.folder / "pred.txt").read_text() == "index,label\n0,happy\n1,fear\n"
    write_submission(tmp_path, CASA, [np.array([*"abcdef"])], CASA.aspects)
    text = (tmp_path / CASA.folder / "pred.txt").read_text()
    assert text == "index,fuel,machine,others,part,price,service\n0,a,b,c,d,e,f\n"
    write_submission(tmp_path, FACQA, [["B"]], ("seq_label",))
    assert (tmp_path / FACQA.folder / "pred.txt").read_text() == "index,label\n0,['B']\n"


def test_equal_predictions_give_equal_bytes(tmp_path: Path) -> None:
    first = write_submission(tmp_path / "a", KEPS, [["B", "I"]]).read_bytes()
    assert write_submission(tmp_path / "b", KEPS, ((np.str_("B"), "I"),)).read_bytes() == first
    assert write_submission(tmp_path / "b", KEPS, [["B", "B"]]).read_bytes() != first
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == [KEPS.folder, f"{KEPS.folder}.zip"]


names = st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs",)), min_size=1, max_size=4)
tags = st.one_of(st.sampled_from(["O", "B", "I"]), names.map("B-{}".format), names.map("I-{}".format))


@settings(max_examples=20, deadline=None)  # each waits for the disk
@given(st.lists(st.lists(tags, max_size=4), min_size=1, max_size=3), st.lists(names, min_size=1, max_size=3))
def test_what_was_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[list[str]], labels: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = write_submission(folder, POSP, sentences)
    assert check_submission(path, POSP, [*map(len, sentences)]) == [*map(tuple, sentences)]
    write_submission(folder, SMSA, labels)
    assert check_submission(folder / SMSA.folder / "pred.txt", SMSA, [1] * len(labels)) == [(x,) for x in labels]


@pytest.mark.parametrize(
    ("task", "predictions", "aspects", "told"),
    [
        (POSP, [["O"], ["X"]], None, r"prediction 1 \(from 0\): word 0 \(from 0\): 'X' is no IOB label"),
        (POSP, ["O"], None, r"prediction 0 \(from 0\): 'O'; a list of labels"),
        (POSP, [None], None, "None; a list of labels"),
        (EMOT, [["happy", "fear"]], None, "2 labels; 1 are right"),
        (EMOT, [["happy"], [""]], None, r"prediction 1 \(from 0\): '' is no label"),
        (EMOT, [[None]], None, "None is no label"),
        (EMOT, ["\ud800"], None, "is no label; a string on one line"),
        (EMOT, ["a\rb"], None, r"'a\\rb' is no label"),
        (EMOT, [], None, "no prediction for EmoT"),
        (CASA, [[*"abcde"]], CASA.aspects, "5 labels; 6 are right"),
        (CASA, [[*"abcdef"]], None, "CASA of label; fuel, machine, others, part, price, service is right"),
    ],
)  # fmt: skip
def test_wrong_predictions_leave_nothing_behind(tmp_path: Path, task, predictions, aspects, told: str) -> None:
    with pytest.raises(DataError, match=told):
        write_submission(tmp_path, task, predictions, aspects)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="can't be a folder"):
        write_submission(tmp_path / "file", EMOT, ["happy"])


@pytest.mark.parametrize(
    ("task", "text", "lengths", "told"),
    [
        (KEPS, "", [1], "line 1: '' *; a header that begins with index"),
        (KEPS, "index,tag\n0,['O']\n", [1], "line 1: KEPS of tag; label is right"),
        (KEPS, "index,label\n0,['O']\n", [1, 1], "1 rows; 2 are right"),
        (KEPS, "index,label\n1,['O']\n", [1], r"\['1', .*; 0 and 1 cells more"),
        (KEPS, "index,label\n0,['O'],x\n", [1], "0 and 1 cells more"),
        (KEPS, "index,label\n0,['O']\n", [2], "row 0: 1 labels; 2 are right"),
        (KEPS, "index,label\n0,O\n", [1], "row 0: 'O' is no list of strings"),
        (KEPS, "index,label\n0,['b']\n", [1], r"row 0: word 0 \(from 0\): 'b' is no IOB label"),
        (EMOT, "index,label\n0,\n", [1], "row 0: '' is no label"),
        (CASA, "index,fuel,machine,others,part,price\n", [], "CASA of fuel, .* is right"),
    ],
)  # fmt: skip
def test_what_is_no_submission_is_told(tmp_path: Path, task, text: str, lengths: list[int], told: str) -> None:
    path = tmp_path / "pred.txt"
    path.write_text(text)
    with pytest.raises(DataError, match=told):
        check_submission(path, task, lengths)


def test_a_zip_holds_predictions_alone(tmp_path: Path) -> None:
    path = write_submission(tmp_path, EMOT, ["happy"])
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("more.txt", "")
    with pytest.raises(DataError, match=r"holds pred.txt, more.txt; pred.txt alone"):
        check_submission(path, EMOT, [1])
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(DataError, match="can't be read"):
        check_submission(path, EMOT, [1])
    with pytest.raises(DataError, match="can't be read"):
        check_submission(tmp_path / "none.zip", EMOT, [1])


def result(names: list[str], **more: object) -> dict:
    """A run of some tasks whose F1 on valid is .50, .51 … in the paper's order."""
    tasks = {
        name: {"kind": TASKS[name].kind, "valid": 0.5 + i / 100, "test": None, "seconds": 12.3,
               "valid_detail": {"happy": 0.9, "a|b": 0.25, "": 0.5}, "rows": {"train": 3521, "valid": 440, "seen": 7}}
        for i, name in enumerate(TASKS) if name in names
    }  # fmt: skip
    told = dict.fromkeys(("commit", "hybrid", "python", "torch", "numpy", "numba", "marisa-trie", "machine"), "1")
    return {"tasks": tasks, "circumstances": {**told, "device": "cpu", "seed": 7}, "seconds": 90.0, **more}


def test_the_page_has_two_means_and_no_third() -> None:
    run = result([*TASKS])
    page = indonlu_markdown(run)
    assert "| EmoT | classification | 3,521 | 440 | 7 | 50.00 | – | 12 |" in page
    assert "| **ours, nothing pretrained** | **52.00** | **58.00** | valid |" in page
    assert page.count("ours, nothing") == 1
    assert "| mBERT, 110 M parameters, pretrained | 78.54 | 76.36 | test |" in page
    assert "55.50" not in page.split("## Means")[1].split("## By label")[0]  # of all 12
    assert "| FacQA | a\\|b 25.00, B/I 50.00, happy 90.00 |" in page
    assert page.rstrip().endswith("seed 7.")
    for task in run["tasks"].values():
        task["test"] = 0.25
    assert "| **ours, nothing pretrained** | **25.00** | **25.00** | test |" in indonlu_markdown(run)


def test_a_mean_needs_all_tasks_of_its_kind() -> None:
    run = result(["POSP", *list(TASKS)[:5]])
    assert mean(run["tasks"], "classification", "valid") == (pytest.approx(0.52), 5, 5)
    assert mean(run["tasks"], "sequence", "valid") == (None, 1, 7)
    assert "| **ours, nothing pretrained** | **52.00** | – (1 of 7 tasks) | valid |" in indonlu_markdown(run)
    run["tasks"]["POSP"]["test"] = 0.0
    assert "| – (0 of 5 tasks) | – (1 of 7 tasks) | test |" in indonlu_markdown(run)
    assert "– (0 of 5 tasks)" in indonlu_markdown(result([]))


def test_the_page_is_made_with_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.report.draw_all", lambda *_: None)
    (tmp_path / "indonlu.json").write_text(json.dumps(result([*TASKS])), encoding="utf-8")
    write_report(tmp_path)
    assert (tmp_path / "indonlu.md").read_text(encoding="utf-8") == indonlu_markdown(result([*TASKS]))


def test_the_readme_has_both_means_and_whether_the_goals_are_met() -> None:
    run = result([*TASKS])
    run["circumstances"]["machine"] = "Linux x86_64, 2 cores"
    lines = indonlu_table(run).splitlines()
    assert lines[2] == "| classification, mean of 5 tasks | **52.00** | 78.54 | ≥ 80: **not met** |"
    assert lines[3] == "| sequence labelling, mean of 7 tasks | **58.00** | 76.36 | ≥ 73: **not met** |"
    assert lines[4] == "| all tasks, 2 cores | 2 min |  | ≤ 60 min |"
    high = result([*TASKS])
    high["tasks"] = {name: {**task, "valid": 0.8} for name, task in high["tasks"].items()}
    assert indonlu_table(high).count(": met on valid |") == 2
    assert "**–**" in indonlu_table(result(["POSP"]))


def test_a_slice_of_train_is_told() -> None:
    assert "`python -m benchmarks indonlu DATA --slice 300`" in indonlu_markdown(result([*TASKS], slice=300))
    assert "`python -m benchmarks indonlu DATA`" in indonlu_markdown(result([*TASKS], slice=0))
