"""Labels that are wrong are found by models that have not seen them."""

import re
from pathlib import Path

import pytest

from hybrid import DataError, Segmenter
from hybrid.cli import main
from hybrid.doubts import find_doubts, judge
from hybrid.output import doubt_lines
from tests.conftest import QUICK, TINY, silver


@pytest.fixture(scope="module")
def data() -> dict[str, list[int]]:
    """Silver words; in some, the first cut is moved by one letter."""
    data = silver("train", 300)
    for word in list(data)[::25]:
        labels = data[word]
        at = labels.index(1)
        labels[at], labels[at + 1] = 0, 1
    return data


def test_moved_cuts_are_found(data: dict[str, list[int]]) -> None:
    doubts = find_doubts(data, folds=2, config=TINY, device="cpu")
    wrong = set(list(data)[::25])
    assert len({doubt.word for doubt in doubts}) == len(doubts)
    assert [doubt.probability for doubt in doubts] == sorted((d.probability for d in doubts), reverse=True)
    surest = [doubt.word for doubt in doubts[: len(wrong)]]
    assert len(wrong & set(surest)) > 0.5 * len(wrong)  # by chance it would be a twenty-fifth
    for doubt in doubts:
        assert "".join(doubt.labelled) == doubt.word
        assert doubt.labelled != doubt.split.texts
        assert 0 <= doubt.probability <= 1


def test_a_word_is_judged_by_a_model_that_has_not_seen_its_label(
    data: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[set[str]] = []
    judged: list[str] = []
    train = Segmenter.train
    monkeypatch.setattr(Segmenter, "train", lambda words, **o: trained.append(set(words)) or train(words, **o))

    def spy(segmenter: Segmenter, words: dict[str, list[int]]) -> list:
        assert not trained[-1] & set(words)
        judged.extend(words)
        return judge(segmenter, words)

    monkeypatch.setattr("hybrid.doubts.judge", spy)
    few = dict(list(data.items())[:90])
    find_doubts(few, folds=3, config=QUICK, device="cpu", dictionary=())
    assert sorted(judged) == sorted(few)
    assert len(trained) == 3


def test_probabilities_of_given_splits_are_those_of_the_ranking(segmenter: Segmenter) -> None:
    for word in ("Haustür", "Ei", "x"):
        ranking = segmenter.nbest(word, 50)
        given = [segmenter.probabilities({word: split.labels})[0] for split in ranking]
        assert given == pytest.approx([split.probability for split in ranking], abs=1e-6)
    assert segmenter.probabilities({"Haustür": [0, 0, 0, 0, 0, 0, 1]}, min_parts=2) == [0.0]
    long = "a" * 60
    assert segmenter.probabilities({long: [1, *[0] * 58, 1]}) == [0.0]  # no part has 59 letters
    assert segmenter.probabilities({"a" * 1001: [*[0] * 1000, 1]}) == [1.0]
    with pytest.raises(DataError, match="2 labels for 7 characters"):
        segmenter.probabilities({"Haustür": [0, 1]})


def test_wrong_numbers_of_folds_are_named() -> None:
    with pytest.raises(DataError, match="folds is 1, should be 2 or more"):
        find_doubts({"ab": [1, 1], "cd": [1, 1]}, folds=1)
    with pytest.raises(DataError, match="2 labelled words in 3 folds; each training needs 20"):
        find_doubts({"ab": [1, 1], "cd": [1, 1]}, folds=3)


def test_two_spellings_of_a_word_are_judged_together(
    data: dict[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = dict(list(data.items())[:60])
    few |= {word.upper(): labels for word, labels in few.items() if len(word.upper()) == len(word)}
    seen: list[set[str]] = []

    def spy(_: Segmenter, words: dict[str, list[int]]) -> list:
        seen.append({word.lower() for word in words})
        return []

    monkeypatch.setattr("hybrid.doubts.judge", spy)
    find_doubts(few, folds=2, config=QUICK, device="cpu", dictionary=())
    assert not seen[0] & seen[1]


def test_words_too_long_to_be_judged_are_passed_over(segmenter: Segmenter) -> None:
    long, part = "a" * 1002, "b" * 60
    assert judge(segmenter, {long: [*[0] * 500, 1, *[0] * 500, 1], part: [1, *[0] * 58, 1]}) == []


def test_the_command_writes_a_table(
    data: dict[str, list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    import json

    (tmp_path / "train.json").write_text(json.dumps(dict(list(data.items())[:200])), encoding="utf-8")
    monkeypatch.setattr("hybrid.training.TrainingConfig", lambda seed: QUICK)
    arguments = ["doubts", str(tmp_path), "--folds", "2", "--most", "3", "--no-dictionary", "--device", "cpu"]
    assert main([*arguments, "--out", str(tmp_path / "doubts.tsv")]) == 0
    header, *rows = (tmp_path / "doubts.tsv").read_text(encoding="utf-8").splitlines()
    assert header.split("\t") == ["word", "labelled", "model", "wrong", "certain"]
    assert 1 <= len(rows) <= 3
    for row in rows:
        word, labelled, split, wrong, certain = row.split("\t")
        assert labelled.replace("|", "") == split.replace("|", "") == word
        assert re.fullmatch(r"[01]\.\d{4}", wrong)
        assert re.fullmatch(r"[01]\.\d{4}", certain)
    assert main([*arguments, "--out", str(tmp_path / "train.json")]) == 2
    assert "is one of the files that are read" in capsys.readouterr().err
    (tmp_path / "words.txt").write_text("Haus", encoding="utf-8")
    own = ["doubts", str(tmp_path), "--dictionary", str(tmp_path / "words.txt"), "--out", str(tmp_path / "words.txt")]
    assert main(own) == 2
    assert (tmp_path / "words.txt").read_text(encoding="utf-8") == "Haus"


def test_a_lone_surrogate_does_not_end_the_table(segmenter: Segmenter) -> None:
    (doubt,) = judge(segmenter, {"Haus\ud83dtür": [1, 0, 0, 0, 0, 0, 0, 1]})
    _, line = doubt_lines([doubt])
    assert line.encode("utf-8").startswith(b"Haus\\ud83d")
