"""Stems, linking elements and dictionary forms of parts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon import Lexicon, mine
from lexicon.lemmas import Lemma, Lemmatizer
from lexicon.trie import build_trie

NOUNS = {
    "arbeit", "schule", "geschichte", "hand", "haus", "brücke", "sonne", "kind", "tag", "freundin", "herz", "rind",
    "mutter", "gans", "ei", "wohnung", "eiche", "weg", "rad", "autobahn",
}  # fmt: skip
OTHERS = {
    "wohnen", "wohnt", "werben", "werbt", "dunkel", "dunkelem", "hochem", "wandern", "wandert", "sitzen",
    "sitzt", "sehr", "warten",
}  # fmt: skip
LEMMATIZER = Lemmatizer(NOUNS, NOUNS | OTHERS)


@pytest.mark.parametrize(
    ("part", "stem", "form"),
    [
        ("autobahn", "autobahn", "autobahn"),
        ("arbeits", "arbeit", "arbeit"),
        ("sonnen", "sonne", "sonne"),
        ("kinder", "kind", "kind"),
        ("kindes", "kind", "kind"),
        ("tage", "tag", "tag"),
        ("freundinnen", "freundin", "freundin"),
        ("herzens", "herz", "herz"),
        ("schul", "schul", "schule"),
        ("schule", "schule", "schule"),
        ("geschichts", "geschicht", "geschichte"),
        ("hände", "händ", "hand"),
        ("händen", "händ", "hand"),
        ("häuser", "häus", "haus"),
        ("mütter", "mütter", "mutter"),
    ],
)
def test_a_modifier_of_a_noun(part: str, stem: str, form: str) -> None:
    assert LEMMATIZER.modifier(part) == Lemma(len(stem), form, noun=True)


@pytest.mark.parametrize(
    ("part", "stem", "form"),
    [
        ("wohn", "wohn", "wohnen"),
        ("werbe", "werb", "werben"),
        ("sitz", "sitz", "sitzen"),
        ("wart", "wart", "warten"),
        ("wander", "wander", "wandern"),
        ("dunkel", "dunkel", "dunkel"),
        ("hoch", "hoch", "hoch"),
        ("sehr", "sehr", "sehr"),
        ("quarz", "quarz", None),
        ("x", "x", None),
        ("3", "3", None),
    ],
)
def test_a_modifier_that_is_no_noun(part: str, stem: str, form: str | None) -> None:
    assert LEMMATIZER.modifier(part) == Lemma(len(stem), form)


@pytest.mark.parametrize("part", ["eis", "eies"])
def test_a_stem_of_two_letters_has_no_ending_taken_off(part: str) -> None:
    assert LEMMATIZER.modifier(part) == Lemma(len(part), None)
    assert LEMMATIZER.head(part) == Lemma(len(part), None)


def test_a_noun_goes_before_any_other_reading() -> None:
    of = Lemmatizer({"wagen", "leben"}, {"wagen", "wagt", "leben", "lebt", "lebenem"})
    assert of.modifier("wagen") == Lemma(5, "wagen", noun=True)
    assert of.modifier("lebens") == Lemma(5, "leben", noun=True)
    assert of.modifier("leb") == Lemma(3, "leben")


@pytest.mark.parametrize(
    ("part", "form"),
    [
        ("haus", "haus"),
        ("häuser", "haus"),
        ("häusern", "haus"),
        ("brücken", "brücke"),
        ("wegs", "weg"),
        ("weges", "weg"),
        ("kindern", "kind"),
        ("freundinnen", "freundin"),
        ("räder", "rad"),
        ("mütter", "mutter"),
        ("gänse", "gans"),
        ("hände", "hand"),
    ],
)
def test_a_head_is_all_stem_and_its_form_is_without_inflection(part: str, form: str) -> None:
    assert LEMMATIZER.head(part) == Lemma(len(part), form, noun=True)


def test_a_head_that_is_no_noun() -> None:
    assert LEMMATIZER.head("dunkel") == Lemma(6, "dunkel")
    assert LEMMATIZER.head("quarz") == Lemma(5, None)
    assert LEMMATIZER.head("schul") == Lemma(5, None)


def test_a_lexicon_s_dictionary_is_asked() -> None:
    lexicon = Lexicon.from_counts(mine(["ab"], [()]), build_trie(["arbeit", "platz", "wohnen", "wohnt"]))
    of = Lemmatizer.of(lexicon)
    assert of.modifier("arbeits") == Lemma(6, "arbeit", noun=True)
    assert of.head("plätze") == Lemma(6, "platz", noun=True)
    assert of.head("quarz") == Lemma(5, None)
    assert Lemmatizer.of(Lexicon.from_counts(mine(["ab"], [()]))).modifier("arbeits") == Lemma(7, None)


WORDS = st.frozensets(st.text("aesnrtlmäu", min_size=1, max_size=6), max_size=12)
ENDINGS = st.sampled_from(["", "s", "n", "en", "es", "er", "e", "ens", "nen", "ern", "em", "t"])


@given(nouns=WORDS, others=WORDS, data=st.data())
def test_a_stem_is_never_empty_or_longer_than_the_part_and_a_form_is_known(
    nouns: frozenset[str], others: frozenset[str], data: st.DataObject
) -> None:
    words = nouns | others
    known = st.builds("".join, st.tuples(st.sampled_from(sorted(words)), ENDINGS)) if words else st.nothing()
    part = data.draw(known | st.text("aesnrtlmäu", min_size=1, max_size=8) | st.text(min_size=1, max_size=8))
    of = Lemmatizer(nouns, words)
    modifier, head = of.modifier(part), of.head(part)
    assert 1 <= modifier.stem <= len(part) == head.stem
    for lemma in (modifier, head):
        assert lemma.form in {*nouns, "ei", "öl"} or not lemma.noun
        assert lemma.form is None or lemma.noun or lemma.form in {*words, part}
    if part in nouns:
        assert modifier == head == Lemma(len(part), part, noun=True)


@given(st.text(max_size=10))
def test_where_nothing_is_known_a_part_is_all_stem(part: str) -> None:
    of = Lemmatizer((), ())
    assert of.head(part) == Lemma(len(part), None)
    if of.modifier(part).form not in {"ei", "öl", part}:  # a few words are known without a dictionary
        assert of.modifier(part) == Lemma(len(part), None)


@pytest.mark.parametrize(("part", "stem", "form"), [("eier", 2, "ei"), ("öl", 2, "öl"), ("nach", 4, "nach")])
def test_short_nouns_and_particles_need_no_dictionary(part: str, stem: int, form: str) -> None:
    lemma = Lemmatizer((), ("nachen", "nacht")).modifier(part)
    assert (lemma.stem, lemma.form) == (stem, form)
