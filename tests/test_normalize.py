"""Lookup forms: one character a letter, and the way back to the caller's string."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexicon import normalize

module = sys.modules["lexicon.normalize"]  # the package's attribute of that name is the function


@pytest.mark.parametrize(
    ("word", "text", "offsets"),
    [
        ("Haustür", "haustür", (0, 1, 2, 3, 4, 5, 6, 7)),
        ("Haustu\u0308r", "haustür", (0, 1, 2, 3, 4, 5, 7, 8)),
        ("STRASSE", "strasse", tuple(range(8))),
        ("Straße", "straße", tuple(range(7))),
        ("GROẞ", "groß", tuple(range(5))),
        ("Video-Call", "videocall", (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)),
        ("-fach", "fach", (0, 2, 3, 4, 5)),
        ("Nord-", "nord", (0, 1, 2, 3, 5)),
        ("-", "-", (0, 1)),
        ("Auf\u00adlage", "auflage", (0, 1, 2, 4, 5, 6, 7, 8)),
        ("\u00adx", "x", (0, 2)),
        ("", "", (0,)),
        ("\ud800", "\ufffd", (0, 1)),
        ("a\0b", "a\ufffdb", (0, 1, 2, 3)),
        ("Auf\u200clage", "auflage", (0, 1, 2, 4, 5, 6, 7, 8)),
        ("İx", "ix", (0, 1, 2)),
        ("x\u0302\u0323y", "xy", (0, 3, 4)),
    ],
)
def test_known_forms(word: str, text: str, offsets: tuple[int, ...]) -> None:
    form = normalize(word)
    assert (form.text, form.offsets) == (text, offsets)


@given(st.text(max_size=20))
def test_any_string_has_a_form_that_leads_back(word: str) -> None:
    form = normalize(word)
    assert len(form.offsets) == len(form.text) + 1
    assert list(form.offsets) == sorted(set(form.offsets))
    assert form.offsets[-1] == len(word)
    for inner in ((), tuple(range(1, len(form.text)))):
        labels = form.to_labels(inner)
        assert len(labels) == len(word)
        assert form.to_cuts(labels) == inner


@given(st.text("aouäöüßAÖNDes-", max_size=15))
def test_composed_and_decomposed_have_the_same_form(word: str) -> None:
    composed, decomposed = (unicodedata.normalize(kind, word) for kind in ("NFC", "NFD"))
    assert normalize(composed).text == normalize(decomposed).text


LETTERS = st.characters(categories=("Ll", "Lu", "Mn"), max_codepoint=0x36F, include_characters="\u200c\u200d")


@given(st.text(LETTERS, max_size=12))
def test_without_the_regex_package_letters_and_marks_give_the_same(word: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        expected = normalize(word)
        patch.setattr(module, "regex", None)
        assert normalize(word) == expected


def test_a_label_inside_a_letter_is_an_error() -> None:
    with pytest.raises(ValueError, match="label 1 at character 1 cuts a letter"):
        normalize("u\u0308b").to_cuts([1, 0, 1])


def test_a_hyphen_goes_with_the_letter_before_it_and_is_noted() -> None:
    form = normalize("3-Wege-Kat")
    assert (form.text, form.breaks) == ("3wegekat", (1, 5))
    assert form.to_labels(form.breaks) == [0, 1, 0, 0, 0, 0, 1, 0, 0, 1]


def test_labels_may_stand_on_either_side_of_what_goes_with_a_letter() -> None:
    form = normalize("Video-Call")
    for labels in ([0, 0, 0, 0, 1, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1, 0, 0, 0, 1], [0, 0, 0, 0, 1, 1, 0, 0, 0, 1]):
        assert form.to_cuts(labels) == (5,)
    assert [form.node(place) for place in (4, 5, 6, 7, 11)] == [4, 5, 5, 6, None]


@pytest.mark.parametrize(
    ("word", "node", "character", "text", "offsets"),
    [
        ("Fuesse", 2, "ü", "füsse", (0, 1, 3, 4, 5, 6)),
        ("Fuß-Maess", 5, "ä", "fußmäss", (0, 1, 2, 4, 5, 7, 8, 9)),
    ],
)
def test_two_characters_are_read_as_one(
    word: str, node: int, character: str, text: str, offsets: tuple[int, ...]
) -> None:
    form = normalize(word).merged(node, character)
    assert (form.text, form.offsets) == (text, offsets)
    labels = form.to_labels(range(1, len(form.text)))
    assert form.to_cuts(labels) == tuple(range(1, len(form.text)))
