"""IndoNLU's data, tasks and predictions with what careless users give them."""

import sys
from pathlib import Path

import pytest

from benchmarks.indonlu import run, sequence
from benchmarks.indonlu.predictions import Predictions
from benchmarks.indonlu.reading import Documents, Sentences, read_split
from benchmarks.indonlu.report import indonlu_markdown
from benchmarks.indonlu.run import learn_vectors, run_indonlu, run_task
from benchmarks.indonlu.splits import Data, read_data
from benchmarks.indonlu.submission import check_submission, write_submission
from benchmarks.indonlu.tasks import TASKS
from hybrid.errors import DataError
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.vectors import WordVectors

CASA, EMOT, FACQA = (TASKS[name] for name in ("CASA", "EmoT", "FacQA"))


def write(data: Path, task: str, **splits: str) -> None:
    folder = data / TASKS[task].folder
    folder.mkdir(exist_ok=True)
    for split, text in splits.items():
        (folder / f"{split}_preprocess.{TASKS[task].ending}").write_text(text, encoding="utf-8", newline="")


def test_aspects_in_another_order_are_put_in_that_of_train(tmp_path: Path) -> None:
    """Else the label of one aspect would be compared with that of another."""
    turned = ",".join(CASA.aspects[::-1])
    write(tmp_path, "CASA", train=f"sentence,{','.join(CASA.aspects)}\na,0,1,2,3,4,5\n",
          valid=f"{turned},sentence\n5,4,3,2,1,0,b\n", test=f"sentence,{turned}\nc,,,,,,\n")  # fmt: skip
    data = read_data(tmp_path, CASA, 0, 0)
    assert isinstance(data.valid, Documents)
    assert isinstance(data.test, Documents)
    assert (data.valid.aspects, data.valid.labels) == (CASA.aspects, [tuple("012345")])
    assert (data.test.aspects, data.test.labels) == (CASA.aspects, None)


@pytest.mark.parametrize("rows", ["a,x\nb,y\nc,x\n", "a,x\na,x\na,y\na,y\n"])
def test_rows_that_are_too_few_or_too_alike_for_a_slice_are_told(tmp_path: Path, rows: str) -> None:
    write(tmp_path, "EmoT", train=f"tweet,label\n{rows}", valid="tweet,label\na,x\n")
    with pytest.raises(DataError, match=r"emot.*[34] rows of train are too few, or too alike, for --slice"):
        read_data(tmp_path, EMOT, 1, 0)


def test_a_label_on_two_lines_is_told_before_anything_is_learnt(tmp_path: Path) -> None:
    write(tmp_path, "EmoT", train='tweet,label\na,x\nb,"x\ny"\n')
    with pytest.raises(DataError, match=r"line 3: the label 'x.ny' has more than one line"):
        read_split(tmp_path, EMOT, "train")
    write(tmp_path, "FacQA", train='question,passage,seq_label\n"[]","[\'a\']","[\'B-x\\ny\']"\n')
    with pytest.raises(DataError, match=r"line 2, column seq_label: 'B-x.ny' is no IOB label"):
        read_split(tmp_path, FACQA, "train")


def test_a_passage_may_be_longer_than_csv_has_a_cell(tmp_path: Path) -> None:
    words, labels = ["kata"] * 20_000, [("O",) * 19_999 + ("B",)]
    write(tmp_path, "FacQA", train=f'question,passage,seq_label\n[],"{words}","{list(labels[0])}"\n')
    found = read_split(tmp_path, FACQA, "train")
    assert isinstance(found, Sentences)
    assert found.labels == labels
    assert check_submission(write_submission(tmp_path, FACQA, labels), FACQA, [20_000]) == labels


def test_what_cannot_be_learnt_names_its_task() -> None:
    one = Documents([("satu dua",)] * 12, ("label",), [("x",)] * 12)
    vectors = WordVectors.learn([["satu", "dua"], ["satu", "dua", "tiga"]], size=2)
    with pytest.raises(DataError, match=r"^EmoT: train can't be learnt from: 1 different labels"):
        run_task("EmoT", Data(one, one, None), vectors, 0, "cpu")


def test_texts_that_are_too_few_for_vectors_are_told_with_their_folder(tmp_path: Path) -> None:
    write(tmp_path, "EmoT", train="tweet,label\na,x\n")
    with pytest.raises(DataError, match=r"no word vectors can be made of the 1 texts of train: 0 words occur 2 times"):
        learn_vectors(tmp_path, {}, 0)


@pytest.fixture
def emot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of EmoT, and a system that is done at once."""
    rows = "".join(f"kata {'satu' if i % 2 else 'dua'} {i},{'x' if i % 2 else 'y'}\n" for i in range(8))
    write(tmp_path, "EmoT", train=f"tweet,label\n{rows}", valid="tweet,label\nsatu,x\n", test="tweet\ndua\n")

    def system(name: str, data: Data, *_: object) -> tuple[str, Predictions, float]:
        assert isinstance(data.valid, Documents)
        return name, Predictions([("x",)] * len(data.valid.texts), [("y",)], {}), 0.0

    monkeypatch.setattr(run, "run_task", system)
    return tmp_path


def test_a_slices_predictions_leave_those_of_the_whole_alone(emot: Path) -> None:
    for kept in (0, 2):
        run_indonlu(emot / "out", emot, emot / "s", names=["EmoT"], seed=0, jobs=1, device="cpu", kept=kept)
    rows = [len((emot / "s" / way / EMOT.folder / "pred.txt").read_text().splitlines()) - 1
            for way in ("valid", "test", "slice/valid", "slice/test")]  # fmt: skip
    assert rows == [1, 1, 2, 1]


def test_what_cannot_be_written_or_imported_later_is_told_first(emot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (emot / "s").mkdir()
    (emot / "s" / "valid").write_text("")
    with pytest.raises(DataError, match="valid: can't be a folder for results"):
        run_indonlu(emot, emot, emot / "s", names=["EmoT"], seed=0, jobs=1, device="cpu")
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match=r"hybrid-segmenter\[sklearn\]"):
        run_indonlu(emot, emot, emot / "t", names=["WReTE"], seed=0, jobs=1, device="cpu")


def test_the_page_has_the_command_that_made_it(emot: Path) -> None:
    result = run_indonlu(emot / "out", emot, emot / "s", names=["EmoT"], seed=0, jobs=1, device="cpu", kept=2)
    assert "`python -m benchmarks indonlu DATA --task EmoT --slice 2`" in indonlu_markdown(result)


def test_labels_of_valid_and_test_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = {"nets": 1, "folds": 3, "epochs": 1, "embedding": 4, "letter_hidden": 4, "hidden": 4}
    monkeypatch.setattr(sequence, "TaggerConfig", lambda seed: TaggerConfig(seed=seed, **sizes))
    words = [("satu", f"kata{i % 5}") for i in range(12)]
    train = Sentences(words, [("O", "B")] * 12, None)
    results = [
        sequence.tag_task(TASKS["KEPS"], train, split, split, vectors=None, seed=0, device="cpu")
        for split in (Sentences(words, [("B-new", "O")] * 12, None), Sentences(words, None, None))
    ]
    assert results[0] == results[1]
