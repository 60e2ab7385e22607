"""IndoNLU's classification tasks: words of tweets, what tells of a pair of sentences, and the systems on small data."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.indonlu.classification import SETTINGS, classify_task
from benchmarks.indonlu.pairs import PairClassifier, Rarity, pair_features
from benchmarks.indonlu.reading import Documents
from benchmarks.indonlu.tasks import TASKS
from benchmarks.indonlu.words import words_of
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.vectors import WordVectors


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[USERNAME] Baguuuus!!!! #SukaSekali", ["[USERNAME]", "baguus", "!", "!", "#sukasekali", "sukasekali"]),
        ("anak-anak 3,5 jam; wkwk🙂", ["anak-anak", "3,5", "jam", ";", "wkwk", "🙂"]),
        ("", []),
        ("  \n\t", []),
        ("#", ["#"]),
        ("a_b x2", ["a", "_", "b", "x", "2"]),
    ],
)  # fmt: skip
def test_words_of_texts_as_people_write_them(text: str, words: list[str]) -> None:
    assert words_of(text) == [word.lower() for word in words]


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_words_lose_nothing_but_blanks_and_repetitions(text: str) -> None:
    words = words_of(text, lower=False)
    assert all(words)
    assert not any(word.isspace() for word in words)
    assert set("".join(words)) >= {c for c in text if c.isalnum()}


RARITY = Rarity.of([["satu", "dua"], ["satu"], ["satu", "tiga"]])


def features(left: str, right: str) -> dict[str, float]:
    return pair_features((left.split(), right.split()), RARITY, None)


def test_what_tells_of_a_pair_by_hand() -> None:
    found = features("Ani tidak membeli 2 buku", "Ani membeli buku Budi")
    assert found["words_left"] == pytest.approx(3 / 5)
    assert found["words_right"] == pytest.approx(3 / 4)
    assert found["words_both"] == pytest.approx(3 / 6)
    assert found["deletes"] == 2
    assert found["inserts"] == 1
    assert found["insert_words"] == 1
    assert (found["other_numbers"], found["new_numbers"], found["other_negation"]) == (1, 0, 1)
    assert (found["new_names"], found["lost_names"]) == (1, 0)
    assert (found["only_less"], found["nothing_new"]) == (0, 0)
    assert RARITY("satu") == 0
    assert RARITY("empat") == pytest.approx(np.log(4))


def test_a_pair_of_the_same_sentence_shares_all() -> None:
    found = features("ia membeli buku", "ia membeli buku")
    assert all(found[name] == 1 for name in ("words_left", "words_right", "weight_right", "in_order", "nothing_new"))
    assert features("", "").keys() == found.keys()
    assert all(np.isfinite(list(features(a, b).values())).all() for a in ("", "x !", "?") for b in ("", "y", "…"))


def test_how_like_changed_words_are_by_their_vectors() -> None:
    vectors = WordVectors({"besar": 0, "raya": 1, "kecil": 2}, np.array([[1, 0], [1, 0.1], [-1, 0]], np.float32))
    near, far = (pair_features((["besar"], [word]), RARITY, vectors)["sense_mean"] for word in ("Raya", "kecil"))
    assert near > 0.9
    assert far < -0.9


def pairs(count: int, seed: int) -> Documents:
    """Return pairs: the same but for a word left out, or other words altogether."""
    random = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(count):
        words = [f"kata{n}" for n in random.integers(0, 50, 6)]
        same = bool(random.integers(2))
        texts.append(
            (" ".join(words), " ".join(words[:-1] if same else [f"lain{n}" for n in random.integers(0, 50, 5)]))
        )
        labels.append(("ya" if same else "tidak",))
    return Documents(texts, ("label",), labels)


def test_pairs_are_told_apart_and_their_labels_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.indonlu.pairs.TREES", 30)
    task, valid = TASKS["WReTE"], pairs(20, 1)
    hidden = replace(valid, labels=None)
    found = classify_task(task, pairs(40, 0), hidden, hidden, vectors=None, seed=0, device="cpu")
    assert found.valid == found.test == valid.labels
    assert classify_task(task, pairs(40, 0), hidden, None, vectors=None, seed=0, device="cpu").test is None
    assert PairClassifier.learn([(["a"], ["b"])] * 2, ["x", "y"], vectors=None, seed=0).classify([]) == []


def test_texts_get_a_label_for_each_aspect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.indonlu.classification.SETTINGS", {"CASA": {"epochs": 0, "folds": 2}})
    texts = [("mesin bagus",), ("mesin jelek",), ("harga bagus",)] * 12
    rows = [("positive", "neutral"), ("negative", "neutral"), ("neutral", "positive")] * 12
    train = Documents(texts, ("machine", "price"), rows)
    valid = Documents([("mesin jelek",), ("harga bagus",), ("",)], ("machine", "price"), None)
    found = classify_task(TASKS["CASA"], train, valid, None, vectors=None, seed=0, device="cpu")
    assert [len(row) for row in found.valid] == [2, 2, 2]
    assert list(found.valid[:2]) == [("negative", "neutral"), ("neutral", "positive")]
    assert found.test is None
    assert set(found.weights) == {"ngram_lexicon", "linear"}
    with pytest.raises(ValueError, match="CASA: train has no labels"):
        classify_task(TASKS["CASA"], valid, valid, None, vectors=None, seed=0, device="cpu")


def test_settings_are_those_of_tasks_and_of_the_classifier() -> None:
    assert set(SETTINGS) <= set(TASKS)
    for of_task in SETTINGS.values():
        ClassifierConfig(**of_task)
