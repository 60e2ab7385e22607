"""The harness runs, keeps what it scores on from training, and writes what it printed."""

import json
from pathlib import Path

import pytest

from benchmarks.contest import run_contest
from hybrid import DataError, Segmenter
from tests.conftest import QUICK, silver


@pytest.mark.parametrize(
    ("kept", "told", "name"), [(60, True, "contest-slice-no-dictionary"), (0, False, "contest-plain-no-dictionary")]
)
def test_contest(
    kept: int, told: bool, name: str, tmp_path: Path, capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    train, val = silver("train", 300), silver("val", 50)
    for file, data in (("train", train), ("val", val)):
        (tmp_path / f"{file}.json").write_text(json.dumps(data), encoding="utf-8")
    seen: dict[str, set[str]] = {}
    original = Segmenter.train

    def spy(data: dict[str, list[int]], **options: object) -> Segmenter:
        seen["train"], seen["told"] = set(data), set(options["unlabelled"])
        return original(data, **options)

    monkeypatch.setattr(Segmenter, "train", spy)
    result = run_contest(tmp_path, tmp_path / "out", kept=kept, told=told, dictionary=False, config=QUICK, device="cpu")
    assert json.loads((tmp_path / "out" / f"{name}.json").read_text(encoding="utf-8")) == result
    assert json.loads(capsys.readouterr().out) == result
    assert result["scores"]["words"] == (kept or len(val))
    assert result["train_words"] == len(seen["train"]) == len(train) - kept
    scored = set(train) - seen["train"] if kept else set(val)
    assert seen["told"] == (scored if told else set())
    assert result["peak_memory_mb"] > 50


def test_a_slice_larger_than_the_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text('{"Ei":[0,1]}', encoding="utf-8")
    with pytest.raises(DataError, match=r"--slice 5: train\.json has 1 words"):
        run_contest(tmp_path, tmp_path, kept=5, told=True, dictionary=True, config=QUICK, device=None)
