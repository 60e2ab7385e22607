"""The model that ships: what it is, what it splits, what it leaves whole, and that it can be made again."""

import re
import shutil
import unicodedata
from pathlib import Path

import numpy as np
import pytest

import hybrid
from hybrid.default import FOLDER, build, lessons
from hybrid.metrics import evaluate
from hybrid.segmenter import Segmenter
from lexicon.dictionary.lists import without_swiss
from lexicon.gold import read_gold
from lexicon.trie import build_trie
from tests import golden
from tests.conftest import QUICK

README = (FOLDER.parent / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def default() -> Segmenter:
    return hybrid.load(device="cpu")


@pytest.fixture(scope="session")
def words() -> list[str]:
    """Return some of the golden list."""
    return [row["word"] for row in golden.read()[:200]]


def test_it_is_small_and_says_what_it_is(default: Segmenter) -> None:
    size = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    assert size <= 8_000_000
    card = default.model.card
    assert {"name", "licence", "date", "made_by", "sources", "silver_words", "on_test_words"} <= set(card)
    for key, figure in card["on_test_words"].items():
        assert f"| {key} | {figure} |" in README
    for key in ("annotated_words", "silver_words", "corrections"):
        assert f"{card[key]:,}" in README


def test_its_figures_are_what_it_gives(default: Segmenter) -> None:
    unseen = [word for word in read_gold() if word.part == "test"]
    assert build.measure(default, unseen) == default.model.card["on_test_words"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Autobahnanschlussstelle", "Auto|bahn|anschluss|stelle"),
        ("Arbeitszimmer", "Arbeits|zimmer"),
        ("Video-Call", "Video-|Call"),
        ("3-Wege-Katalysator", "3-|Wege-|Katalysator"),
        ("20er", "20er"),
        ("90er-Jahre", "90er-|Jahre"),
        ("", ""),
        ("A4", "A4"),
    ],
)
def test_some_words(default: Segmenter, word: str, expected: str) -> None:
    assert str(default.split(word)) == expected


def test_common_words_that_are_no_compounds_stay_whole(default: Segmenter) -> None:
    words = """und oder aber vielleicht trotzdem allerdings natürlich zusammen während gegenüber überhaupt untersuchen
        verstanden gearbeitet Berlin Hamburg Deutschland Schmidt Mutter Elefant Universität Regierung Wissenschaft
        Gesellschaft Geschwindigkeit Telefon Computer interessant wunderbar""".split()
    assert [str(split) for split in default.split_batch(words)] == words


def test_an_annotated_word_is_split_as_annotated(default: Segmenter) -> None:
    sure = [word for word in read_gold() if word.part == "train" and not word.doubtful][::5]
    splits = default.split_batch(word.word for word in sure)
    assert all(split.texts == word.texts for split, word in zip(splits, sure, strict=True))


def spellings(word: str) -> list[str]:
    """Return other ways to write a word; all are one word to a reader."""
    plain = word.translate({ord(a): b for a, b in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))})
    plain = plain.translate({ord(a): b for a, b in (("Ä", "Ae"), ("Ö", "Oe"), ("Ü", "Ue"))})
    return [word.lower(), word.upper(), unicodedata.normalize("NFD", word), "\u00ad".join(word), plain, plain.upper()]


def test_other_spellings_are_split_alike(default: Segmenter) -> None:
    words = """Straßenbahnhaltestelle Gemüsesuppe Fußgängerübergang Größenwahn Müllermeister Kühlschranktür Großstadt
        Maßnahmenkatalog Bundesstraße Königsschloss Wasserschüssel Ölofen Abenteuerroman Neuerscheinung Poesiealbum
        Massenware Schlüsselerlebnis Äquatortaufe Überstundenausgleich Steuererklärung""".split()
    for word in words:
        expected = list(default.split(word).texts)
        for other in spellings(word):
            parts = default.split(other).parts
            assert "".join(part.text for part in parts) == other
            assert [_bare(part.text) for part in parts] == [_bare(text) for text in expected], other


def _bare(text: str) -> str:
    text = unicodedata.normalize("NFC", text.replace("\u00ad", "")).lower()
    return text.translate({ord(a): b for a, b in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss"))})


def test_granularities_nest(default: Segmenter, words: list[str]) -> None:
    splits = {of: default.split_batch(words, granularity=of) for of in ("fine", "head", "contest")}
    for fine, head, contest in zip(*splits.values(), strict=True):
        ends = [{part.end for part in split.parts} for split in (head, contest, fine)]
        assert ends[0] <= ends[1] <= ends[2]
        assert len(head.parts) <= 2 and len(contest.parts) <= 3
        assert head.parts[-1] == contest.parts[-1]
        assert head.tree == contest.tree == fine.tree
        assert fine.tree is not None
        assert [leaf.text for leaf in fine.tree.leaves()] == list(fine.texts)
        if len(fine.parts) > 1:
            assert [child.text for child in fine.tree.children] == list(head.texts)
        assert head.probability <= 1
        assert contest.probability <= head.probability + 1e-9
        assert fine.is_compound == (len(fine.parts) > 1)


def test_below_the_least_probability_a_word_is_left_whole(default: Segmenter, words: list[str]) -> None:
    free, strict = default.split_batch(words), default.split_batch(words, min_probability=0.9)
    assert any(split.probability < 0.9 for split in free)
    for one, other in zip(free, strict, strict=True):
        if one.probability >= 0.9:
            assert one == other
        else:
            assert other.texts == (one.word,)
            assert not other.is_compound
            assert other.probability == pytest.approx(1 - other.compound_probability)


def test_stems_links_and_dictionary_forms(default: Segmenter) -> None:
    def parts(word: str) -> list[tuple[str, str, str | None]]:
        return [(part.stem, part.link, part.lemma) for part in default.split(word).parts]

    assert parts("Arbeitsschutz") == [("Arbeit", "s", "Arbeit"), ("schutz", "", "Schutz")]
    assert parts("SONNENSCHEIN") == [("SONNE", "N", "Sonne"), ("SCHEIN", "", "Schein")]
    assert parts("Schulhöfe") == [("Schul", "", "Schule"), ("höfe", "", "Hof")]
    assert parts("Waschmaschine") == [("Wasch", "", "waschen"), ("maschine", "", "Maschine")]
    assert parts("Kinder-Garten")[0][:2] == ("Kind", "er")


def test_hyphens_and_marks_are_no_part_of_a_stem(default: Segmenter) -> None:
    assert [part.stem for part in default.split("Video-Call").parts] == ["Video", "Call"]
    assert default.split("Nord-").parts[-1].stem == "Nord"
    assert default.split("Haus-\u00adTür").parts[0].stem == "Haus"
    assert default.split("-").parts[0].stem == "-"


def test_what_is_forced_is_not_undone_by_a_low_probability(default: Segmenter) -> None:
    split = default.split("Haustür", cuts=[2], min_probability=1.0)
    assert str(split).startswith("Ha|")
    assert str(default.split("Haustür", no_cuts=[4], min_probability=1.0)) == "Haustür"


def test_a_models_corrections_give_way_to_its_user(default: Segmenter) -> None:
    word, cuts = next((w, c) for w, c in default.model.corrections.items() if len(c) == 1)
    parts = (word[: cuts[0]], word[cuts[0] :])
    assert default.split(word.upper()).texts == tuple(part.upper() for part in parts)
    assert default.split(word).probability == 1
    user = hybrid.UserDictionary.make(never=[word])
    assert default.with_user(user).split(word).texts == (word,)
    assert default.with_user(hybrid.UserDictionary.make({word: 100})).split(word).texts == (word,)
    assert default.split(word, no_cuts=cuts).texts != parts
    assert default.probabilities({word: [0] * (cuts[0] - 1) + [1] + [0] * (len(word) - cuts[0] - 1) + [1]}) == [1.0]
    assert "told, not found" in str(default.explain(word))


def test_swiss_words_go_where_the_dictionary_has_the_same_in_sharp_s() -> None:
    nouns = {"straße", "straßenbahn", "masse", "massenware", "maß", "fluss", "flussbett", "straßenfest"}
    words = nouns | {"strasse", "strassenbahn", "maße", "fluß", "flusse"}
    assert words - without_swiss(words, nouns) == {"strasse", "strassenbahn"}


def test_making_a_model_twice_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a few words; the whole takes a quarter of an hour."""
    gold = read_gold()
    few = [
        *[word for word in gold if word.part == "train"][::120],
        *[word for word in gold if word.part == "test"][::80],
    ]
    texts = sorted({text for word in gold[::40] for text in word.texts})
    dictionary = build_trie(texts)
    lists = build.Words(dictionary, np.ones(len(dictionary), bool), texts[:300], texts[:100])
    monkeypatch.setattr(build, "read_gold", lambda: few)
    monkeypatch.setattr(build, "read_words", lambda _: lists)
    monkeypatch.setattr(lessons, "MADE", 300)
    monkeypatch.setattr(build, "FIRST", QUICK)
    monkeypatch.setattr(build, "SECOND", QUICK)
    figures = [build.build(tmp_path / name) for name in ("one", "two")]
    assert figures[0] == figures[1]
    assert 0 < figures[0]["f1"] <= 1
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(files) == len([path for path in FOLDER.rglob("*") if path.is_file()])
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    learnt = [word for word in few if word.part == "train" and not word.doubtful]
    splits = hybrid.load(tmp_path / "one").split_batch(word.word for word in learnt)
    assert [split.texts for split in splits] == [word.texts for word in learnt]


def test_a_missing_default_model_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import hybrid.segmenter

    monkeypatch.setattr(hybrid.segmenter, "DEFAULT", tmp_path / "gone")
    with pytest.raises(hybrid.ModelError, match=re.escape(f"{tmp_path / 'gone'}: no such model folder")):
        hybrid.load()
    shutil.copytree(FOLDER, tmp_path / "copy")
    assert str(hybrid.load(tmp_path / "copy").split("Haustür")) == "Haus|tür"


def test_scores_against_the_trivial(default: Segmenter) -> None:
    """Never splitting scores as it must; the model is far above."""
    unseen = {w.word: [int(i in (*w.cuts, len(w.word))) for i in range(1, len(w.word) + 1)]
              for w in read_gold() if w.part == "test"}  # fmt: skip
    never = {word: [0] * (len(word) - 1) + [1] for word in unseen}
    model = {split.word: split.labels for split in default.split_batch(unseen)}
    assert evaluate(unseen, never).f1 < 0.5
    assert evaluate(unseen, model).f1 > 0.95
