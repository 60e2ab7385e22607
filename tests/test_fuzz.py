"""`make fuzz` tries everything, and says what fails."""

import pytest

from tests import fuzz


def test_every_target_is_tried(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.setattr(fuzz, "EXAMPLES", 3)
    monkeypatch.setattr(fuzz, "TRIALS", 2)
    for name, target in fuzz.TARGETS.items():
        count, failures = target(1)
        assert (count > 0, failures) == (True, []), name
    assert fuzz.main(["--seconds", "0.1", "--seed", "5", "--only", "letters"]) == 0
    assert capsys.readouterr().out.endswith(": 0 failed\n")


def test_what_fails_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    def wrong(text: str) -> None:
        assert "\u0308" not in text

    monkeypatch.setattr(fuzz, "EXAMPLES", 300)
    targets = {"letters": fuzz.holds(wrong, fuzz.strange.words), "data": fuzz.attacks(lambda *_: ["trial 3: crashed"])}
    monkeypatch.setattr(fuzz, "TARGETS", targets)
    assert fuzz.main(["--seconds", "2", "--seed", "5"]) == 1
    told = capsys.readouterr().out
    assert "letters, --seed 5: Traceback" in told
    assert "text='\\u0308'" in told.replace("'̈'", "'\\u0308'")
    assert "data, --seed 5: trial 3: crashed" in told
