"""Columns switched off, and what each arc of a lattice was given."""

import copy
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import Segmenter, UserDictionary
from hybrid.model import Model
from hybrid.segmentation import Segmentation

COLUMNS = ("count", "segment", "segment_lexicon")
WORDS = st.text("abehnrstüuß-", min_size=1, max_size=14) | st.sampled_from(["Haustür", "Staubecken", "Video-Call"])


@pytest.fixture(scope="module")
def default() -> Segmenter:
    return hybrid.load(device="cpu")


@given(WORDS, st.sets(st.sampled_from(COLUMNS)))
@settings(deadline=None, max_examples=10)
def test_a_column_that_is_off_gives_nothing_and_the_others_what_they_gave(
    default: Segmenter, word: str, off: set[str]
) -> None:
    whole, ablated = default.without_columns(()), default.without_columns(off)
    told, without = whole.explain(word, 30), ablated.explain(word, 30)
    assert without.columns == told.columns
    gave = {str(split): given for split, given in zip(told.splits, told.contributions, strict=True)}
    for split, given_by, took in zip(without.splits, without.contributions, without.constraints, strict=True):
        assert split.score == pytest.approx(sum(given_by) + took, abs=1e-3)
        for name, value, of_whole in zip(without.columns, given_by, gave.get(str(split), given_by), strict=True):
            assert value == (0.0 if name in off else pytest.approx(of_whole, abs=1e-4))


def test_no_columns_off_is_mode_nets(default: Segmenter) -> None:
    words = ["Autobahnanschlussstelle", "Staubecken", "vielleicht", "Wachstube", ""]
    nets = hybrid.load(device="cpu", mode="nets").split_batch(words)
    assert default.without_columns(()).split_batch(words) == nets
    assert (default.without_columns([]).mode, default.mode) == ("nets", "cascade")


def test_the_segmenter_itself_stays_as_it_is(default: Segmenter) -> None:
    before = default.split("Mietrechtsänderung")
    columns = default.columns
    off = default.without_columns(["segment_lexicon"])
    assert off.split("Mietrechtsänderung").score != before.score
    assert default.split("Mietrechtsänderung") == before
    assert default.columns == columns
    assert off.columns == {**columns, "segment_lexicon": 0.0}
    assert off.without_columns([]).columns == columns


@pytest.mark.parametrize("name", ["", "first_lexicon", "Segment"])
def test_a_column_that_is_not_there_is_named(default: Segmenter, name: str) -> None:
    with pytest.raises(ValueError, match=f"there is no column '{name}'; count, segment, segment_lexicon, user are"):
        default.without_columns([name])
    with pytest.raises(TypeError, match="names is one string"):
        default.without_columns("segment")


def score(split: Segmentation) -> float:
    return round(split.score, 3)


def test_entries_and_listed_words_come_before_or_after(default: Segmenter) -> None:
    user = UserDictionary.make({"hau|stür": 30})
    one = default.with_user(user).without_columns(["user", "count"])
    other = default.without_columns(["user", "count"]).with_user(user)
    assert one.columns == other.columns
    assert one.columns["user"] == one.columns["count"] == 0
    assert score(one.split("Haustür")) == score(other.split("Haustür")) == score(
        default.without_columns(["count"]).split("Haustür"))  # fmt: skip
    assert default.with_user(user).without_columns(["count"]).split("Haustür").texts == ("Hau", "stür")


def test_listed_words_may_come_later(default: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Model, "with_listed", lambda model, words: model)  # which takes seconds of a large model
    off = default.with_user(UserDictionary.make(["Haus"])).without_columns(["count", "user"])
    listed = off.with_listed(["Haustürschild"])
    assert (listed.columns, listed.mode) == (off.columns, "nets")
    assert default.with_listed([]).mode == "cascade"


def test_it_can_be_copied_and_pickled(default: Segmenter) -> None:
    off = default.without_columns(["segment"])
    for twin in (copy.deepcopy(off), pickle.loads(pickle.dumps(off))):
        assert twin.columns == off.columns
        assert twin.split("Mietrechtsänderung") == off.split("Mietrechtsänderung")


@given(WORDS, st.booleans())
@settings(deadline=None, max_examples=10)
def test_what_arcs_were_given_sums_to_what_their_split_was(default: Segmenter, word: str, nets: bool) -> None:
    explanation = (default.without_columns(()) if nets else default).explain(word, 1)
    best = [arc for arc in explanation.arcs if arc.best]
    for c in range(len(explanation.columns)):
        total = sum(arc.contributions[c] for arc in best)
        assert total == pytest.approx(explanation.contributions[0][c], abs=1e-4)
    assert sum(arc.constraint for arc in best) == pytest.approx(explanation.constraints[0])


def test_less_likely_arcs_come_when_asked_for(default: Segmenter) -> None:
    usual = {arc.text: arc.probability for arc in default.explain("Wachstube").arcs}
    more = {arc.text: arc.probability for arc in default.explain("Wachstube", seen=0.0001).arcs}
    assert set(usual) < set(more)
    assert min(usual.values()) >= 0.01 > min(more.values()) >= 0.0001
    assert "Wachs" in more


def test_a_later_dictionary_goes_before() -> None:
    base = UserDictionary.make(["Auto|bahn"], always=["Wachs|tube", "Haus|tür"], never=["Hochzeit"])
    own = UserDictionary.make({"Auto|bahn": 3, "Bahn": 1}, always=["Hoch|zeit"], never=["Wachstube"])
    both = base.updated(own)
    assert both.entries["autobahn"].weight == 3
    assert set(both.entries) == {"autobahn", "bahn"}
    assert dict(both.always) == {"haustür": (4,), "hochzeit": (4,)}
    assert both.never == {"wachstube"}
    assert base.updated(UserDictionary()) == base == UserDictionary().updated(base)
