"""The decoders that are compared, and what is measured of them: by hand, and all of them once on little data."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import curve, harness
from benchmarks.cache import trained
from benchmarks.decoders import _greedy_cuts, greedy, longest_match, never_split, threshold, weighted
from benchmarks.lineup import CHOICES, FULL, USED
from benchmarks.measures import measure, paired_interval, word_scores
from benchmarks.rankings import oracle, ranking_scores
from benchmarks.results import make_folder, read_result, write_result
from benchmarks.rivals import installed_rivals, labels_of
from benchmarks.speed.report import SPEED, speed_markdown, speed_table
from benchmarks.tables import (
    CONTEST,
    WORDS,
    decoders_markdown,
    put_into_readme,
    readme_table,
    words_markdown,
    words_table,
)
from hybrid import DataError, Segmenter
from lexicon import Lexicon, mine
from tests.conftest import QUICK, silver

RESULTS = Path(harness.__file__).parent / "results"
README = RESULTS.parent.parent / "README.md"


def cut(split: str) -> list[int]:
    return [label for part in split.split("|") for label in [*[0] * (len(part) - 1), 1]]


def test_simple_decoders_by_hand() -> None:
    assert never_split(["abc", "d"]) == [[0, 0, 1], [1]]
    lexicon = Lexicon.from_counts(mine(["autobahn", "bahnhof", "autobahnhof"], [(4,), (4,), (8,)]))
    match = longest_match(lexicon)
    found = match(["Bahnauto", "Autobahnhof", "Autoxxbahn", "xxauto", "xx", "Auto"])
    assert found == [cut(s) for s in ("Bahn|auto", "Autobahn|hof", "Auto|xx|bahn", "xx|auto", "xx", "Auto")]


def test_greedy_takes_the_best_cut_each_time_and_may_miss_the_best_path() -> None:
    table = np.full((4, 4), -np.inf)
    table[0, 3] = 0.0
    table[0, 1], table[1, 3], table[0, 2], table[2, 3] = 1.0, 0.5, -1.0, 0.0
    table[1, 2] = 9.0
    assert _greedy_cuts(table) == [1, 2]
    table[1, 2] = 0.4
    assert _greedy_cuts(table) == [1]
    table[0, 1] = -1.0
    assert _greedy_cuts(table) == []  # though both cuts together might win
    table[0, 3] = -np.inf
    assert _greedy_cuts(table) == [1]  # the best of the two splits that there are: −0.5 against −1
    assert _greedy_cuts(np.full((2, 2), -np.inf)) == []


def test_greedy_never_beats_exact_decoding(segmenter: Segmenter) -> None:
    words = list(silver("val", 60))
    for word, labels in zip(words, greedy(segmenter)(words), strict=True):
        best = segmenter.split(word)
        found = segmenter.probabilities({word: labels})[0]
        assert found <= best.probability + 1e-9
        assert labels == best.labels or found < best.probability + 1e-9


def test_threshold_cuts_where_the_net_says_more_than_a_half() -> None:
    old = Segmenter.load(Path(__file__).parent / "data" / "model-v1")
    words = [*silver("val", 20), "Ei", ""]
    found = threshold(old, "boundary")(words)
    from hybrid.evidence import gather

    for word, labels in zip(words, found, strict=True):
        evidence = gather([word.lower()], old.model.lexicon)
        logits = next(s for s in old.scorers if s.names == ("boundary",)).tagger.boundary_scores(evidence)
        expected = [int(at == len(word) or logits[at] > 0) for at in range(1, len(word) + 1)]
        assert labels == expected


def test_parts_of_rivals_become_labels() -> None:
    assert labels_of("Autobahn", ["auto", "bahn"]) == cut("Auto|bahn")
    assert labels_of("Autobahn", ["Auto", "Bahnen"]) == cut("Autobahn")
    assert labels_of("Autobahn", []) == cut("Autobahn")


def test_measures_by_hand() -> None:
    gold = {"Autobahn": cut("Auto|bahn"), "Hundesportverein": cut("Hunde|sport|verein")}
    guess = {"Autobahn": cut("Auto|bahn"), "Hundesportverein": cut("Hunde|sportverein")}
    row = measure(gold, guess, {"auto", "hunde", "sport", "verein"})
    assert row["f1"] == pytest.approx((1 + 0.4) / 2)
    assert (row["exact"], row["boundary_precision"], row["boundary_recall"]) == (0.5, 1.0, pytest.approx(2 / 3))
    assert row["f1_three_parts"] == pytest.approx(0.4)
    assert row["f1_unknown_part"] == 1.0  # bahn
    assert word_scores(gold, guess).tolist() == [1.0, pytest.approx(0.4)]


def test_the_paired_interval_holds_the_difference() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.random(400), rng.random(400)
    mean, low, high = paired_interval(one, other, seed=1)
    assert low < mean < high
    assert mean == pytest.approx(float((one - other).mean()))
    error = (one - other).std() / 20
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.1)
    assert paired_interval(one, one, seed=1) == (0.0, 0.0, 0.0)


def test_rankings_are_judged_against_their_own_list_and_the_pool() -> None:
    gold = {"abcdef": cut("ab|cd|ef")}
    rankings = {
        "good": {"abcdef": [cut("ab|cd|ef"), cut("ab|cdef")]},
        "bad": {"abcdef": [cut("abc|def"), cut("ab|cdef")]},
    }
    scores = ranking_scores(gold, rankings)
    assert scores["good"] == {"ndcg20_list": 1.0, "ndcg20_pool": 1.0}
    gain = 1 / np.log2(3)
    assert scores["bad"]["ndcg20_list"] == pytest.approx(gain)
    assert scores["bad"]["ndcg20_pool"] == pytest.approx(gain / (2 + gain))
    assert oracle(gold, rankings["bad"], 2) == {"abcdef": cut("ab|cdef")}
    assert oracle(gold, rankings["bad"], 1) == {"abcdef": cut("abc|def")}


def test_all_decoders_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, out, cache = tmp_path / "data", tmp_path / "out", tmp_path / "cache"
    data.mkdir()
    (data / "train.json").write_text(json.dumps(silver("train", 400)), encoding="utf-8")
    (data / "val.json").write_text(json.dumps(silver("val", 60)), encoding="utf-8")
    result = harness.run_decoders(data, out, kept=0, config=QUICK, device="cpu", cache=cache)
    assert json.loads((out / "decoders.json").read_text(encoding="utf-8")) == json.loads(json.dumps(result))
    rows = {row["name"]: row for row in result["decoders"]}
    assert set(CHOICES) <= set(rows)
    assert {f"without {kind}" for kind in USED} <= set(rows)
    assert rows[FULL]["against_full"] == (0.0, 0.0, 0.0)
    assert rows["never split"]["f1"] == 0.0
    oracles = [rows[f"{FULL}, best of its first {k}"]["f1"] for k in (2, 5, 20)]
    assert rows[FULL]["f1"] <= oracles[0] <= oracles[1] <= oracles[2]
    assert rows[FULL]["ndcg20_pool"] <= rows[FULL]["ndcg20_list"] <= 1
    assert 0 <= result["calibration"]["told"]["cuts"]["ece"] <= 1
    models = sorted(path.name for path in cache.iterdir() if path.is_dir())
    monkeypatch.setattr(Segmenter, "train", None)  # all models come from the cache now
    again = harness.run_decoders(data, out, kept=0, config=QUICK, device="cpu", cache=cache)
    assert sorted(path.name for path in cache.iterdir() if path.is_dir()) == models
    assert [row["f1"] for row in again["decoders"]] == [row["f1"] for row in result["decoders"]]
    text = decoders_markdown(result, None)
    assert all(f"| {name} |" in text for name in rows if name != FULL)


def test_the_learning_curve_grows_by_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.json").write_text(json.dumps(silver("train", 200)), encoding="utf-8")
    monkeypatch.setattr(curve, "SIZES", (50, 100, 1000))
    seen = []

    def spy(data: dict, told: object, config: object, **options: object) -> object:
        seen.append(set(data))
        return trained(data, told, config, **options)

    monkeypatch.setattr(curve, "trained", spy)
    result = curve.run_curve(tmp_path, tmp_path, kept=40, config=QUICK, device="cpu", cache=tmp_path / "cache")
    assert [point["train_words"] for point in result["points"]] == [50, 100, 160]
    assert seen[0] < seen[1] < seen[2]


def test_rivals_that_are_installed_split_and_rank() -> None:
    for rival in installed_rivals():
        (labels,) = rival.split(["Autobahn"])
        assert len(labels) == 8
        if rival.rank:
            (splits,) = rival.rank(["Autobahn"], 20)
            assert all(len(split) == 8 for split in splits)
    assert weighted("x", None).rank is not None


def test_the_readme_shows_what_was_measured(tmp_path: Path) -> None:
    decoders, contest, words = (read_result(RESULTS, name) for name in ("decoders", "contest", "words"))
    assert decoders
    assert contest
    assert words
    text = README.read_text(encoding="utf-8")
    copy = tmp_path / "README.md"
    speed = read_result(RESULTS, "speed")
    tables = {CONTEST: readme_table(contest, decoders), WORDS: words_table(words), SPEED: speed_table(speed)}
    for name, table in tables.items():
        assert table in text
        copy.write_text(text.replace(table, "old"), encoding="utf-8")
        put_into_readme(copy, table, name)
        assert copy.read_text(encoding="utf-8") == text
    (tmp_path / "none.md").write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="should have the lines"):
        put_into_readme(tmp_path / "none.md", "x", WORDS)
    curve = read_result(RESULTS, "curve")
    assert (RESULTS / "decoders.md").read_text(encoding="utf-8") == decoders_markdown(decoders, curve)
    assert (RESULTS / "words.md").read_text(encoding="utf-8") == words_markdown(words)
    if speed:
        assert (RESULTS / "speed.md").read_text(encoding="utf-8") == speed_markdown(speed, contest)


def test_results_are_refused_before_the_work_where_they_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(DataError, match="file: can't be a folder for results"):
        make_folder(tmp_path / "file")
    make_folder(tmp_path / "new" / "deep")
    write_result(tmp_path / "new", "x", {"a": 1})
    assert read_result(tmp_path / "new", "x") == {"a": 1}
    assert read_result(tmp_path / "new", "y") is None
    for content, message in (("{", "can't be read"), ("[1]", "holds no result")):
        (tmp_path / "new" / "x.json").write_text(content, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            read_result(tmp_path / "new", "x")


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    data = silver("train", 60)
    first = trained(data, (), QUICK, dictionary=(), device="cpu", folder=tmp_path)
    (seconds,) = tmp_path.glob("*.json")
    seconds.write_text("", encoding="utf-8")
    again = trained(data, (), QUICK, dictionary=(), device="cpu", folder=tmp_path)
    assert float(seconds.read_text(encoding="utf-8")) == again.seconds
    assert again.segmenter.model.weights == first.segmenter.model.weights
