"""`python -m benchmarks indonlu`: from a folder of the tasks to figures and submissions."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.indonlu.reading import Documents, Sentences
from benchmarks.indonlu.run import learn_vectors, run_indonlu
from benchmarks.indonlu.scoring import score
from benchmarks.indonlu.splits import keep, rows_of
from benchmarks.indonlu.submission import check_submission
from benchmarks.indonlu.tasks import TASKS
from hybrid.errors import DataError

THINGS = ["nasi", "buku", "sepeda", "payung", "kursi", "lampu"]
PEOPLE = ["tono", "wati", "joko", "sari"]


def sentences(count: int, first: int = 0) -> list[tuple[list[str], list[str]]]:
    """Sentences of our own: who has what, with the thing as the span."""
    rows = []
    for i in range(first, first + count):
        thing = [THINGS[i % len(THINGS)], *(["besar"] if i % 3 == 0 else [])]
        words = [PEOPLE[i % len(PEOPLE)], "punya", *thing, "di", "rumah", str(i)]
        rows.append((words, ["O", "O", "B", *["I"] * (len(thing) - 1), "O", "O", "O"]))
    return rows


def write_words(path: Path, rows: list[tuple[list[str], list[str]]], *, labelled: bool = True) -> None:
    text = "\n".join(
        "".join(f"{w}\t{y}\n" if labelled else f"{w}\n" for w, y in zip(words, labels, strict=True))
        for words, labels in rows
    )
    path.write_text(text, encoding="utf-8")


def write_csv(path: Path, header: list[str], rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def tweets(count: int, first: int = 0) -> list[list[str]]:
    moods = {"happy": "senang sekali", "anger": "marah besar", "fear": "takut gelap"}
    names = list(moods)
    return [[names[i % 3], f"{PEOPLE[i % 4]} {moods[names[i % 3]]} hari {i}"] for i in range(first, first + count)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """KEPS with a test split that has labels, EmoT with one that has none; the other ten tasks are not there."""
    folder = tmp_path_factory.mktemp("indonlu")
    keps, emot = folder / TASKS["KEPS"].folder, folder / TASKS["EmoT"].folder
    for task in (keps, emot):
        task.mkdir()
    write_words(keps / "train_preprocess.txt", sentences(40))
    write_words(keps / "valid_preprocess.txt", [*sentences(2), *sentences(8, 40)])
    write_words(keps / "test_preprocess.txt", sentences(6, 60))
    write_csv(emot / "train_preprocess.csv", ["label", "tweet"], tweets(60))
    write_csv(emot / "valid_preprocess.csv", ["label", "tweet"], tweets(9, 60))
    write_csv(emot / "test_preprocess_masked_label.csv", ["tweet"], [[text] for _, text in tweets(6, 80)])
    return folder


def test_two_tasks_in_two_processes(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, submissions = tmp_path / "out", tmp_path / "submissions"
    result = run_indonlu(out, data, submissions, names=["EmoT", "KEPS"], seed=0, jobs=2, device="cpu")
    assert list(result["tasks"]) == ["EmoT", "KEPS"]
    assert json.loads((out / "indonlu.json").read_text()) == result
    keps, emot = result["tasks"]["KEPS"], result["tasks"]["EmoT"]
    assert keps["valid"] > 0.9
    assert keps["test"] > 0.9
    assert keps["rows"] == {"train": 40, "valid": 10, "seen": 2, "test": 6}
    assert emot["valid"] > 0.9
    assert emot["test"] is None
    assert "| **ours, nothing pretrained** | – (1 of 5 tasks) | – (1 of 7 tasks) | valid |" in capsys.readouterr().out
    labels = check_submission(submissions / "test" / f"{TASKS['KEPS'].folder}.zip", TASKS["KEPS"],
                              [len(words) for words, _ in sentences(6, 60)])  # fmt: skip
    found = score(Sentences([()] * 6, [tuple(row) for _, row in sentences(6, 60)], None), labels)
    assert found is not None
    assert found.macro == keps["test"]
    assert len(check_submission(submissions / "test" / f"{TASKS['EmoT'].folder}.zip", TASKS["EmoT"], [1] * 6)) == 6
    assert len(check_submission(submissions / "valid" / f"{TASKS['EmoT'].folder}.zip", TASKS["EmoT"], [1] * 9)) == 9


def test_rows_kept_from_train_are_not_learnt_from() -> None:
    """Nor are their twins in it; other columns go along with the rows."""
    words = [(w,) for w in "abcdefghabcdefgh"]
    train = Sentences(words, [("B",)] * 8 + [("O",)] * 8, [(str(i % 8),) for i in range(16)])
    left, kept = keep(train, 3, seed=1)
    assert isinstance(kept, Sentences)
    assert isinstance(left, Sentences)
    assert len(kept.words) == 3
    assert not {*rows_of(left)} & {*rows_of(kept)}
    assert {*rows_of(left)} | {*rows_of(kept)} == {*rows_of(train)}
    assert all(int(context[0]) == ord(word[0]) - ord("a") for (word, context) in rows_of(kept))
    few, quarter = keep(Documents([(w,) for w in "abcdefgh"], ("label",), [("x",)] * 8), 100, seed=0)
    assert (len(rows_of(few)), len(rows_of(quarter))) == (6, 2)


def test_labels_that_are_kept_back_give_no_figure() -> None:
    assert score(Sentences([("a",)], None, None), [["B"]]) is None
    with pytest.raises(ValueError, match="2"):
        score(Documents([("a",), ("b",)], ("label",), [("x",), ("y",)]), [("x",)])


def test_vectors_are_of_all_tasks_that_are_there(data: Path) -> None:
    vectors = learn_vectors(data, {}, seed=0)
    assert {"punya", "senang"} <= set(vectors.words)


def test_what_is_missing_is_told_before_anything_is_learnt(data: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="smsa_doc-sentiment-prosa"):
        run_indonlu(tmp_path, data, tmp_path, names=[], seed=0, jobs=1, device="cpu")


def test_the_command_tells_what_is_wrong(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks", "indonlu", str(tmp_path / "none"), "--task", "KEPS"]
    done = subprocess.run(
        [*command, "--out", str(tmp_path), "--submissions", str(tmp_path / "s")],
        capture_output=True, text=True, check=False, cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    assert done.returncode == 2
    assert "none" in done.stderr
    assert "KEPS" in done.stderr
    assert "Traceback" not in done.stderr
