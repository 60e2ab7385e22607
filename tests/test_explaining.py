"""Explaining: what each column gave sums to the score, and any word can be drawn."""

import math
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import Segmenter, UserDictionary
from hybrid.cli import main
from hybrid.constraints import PENALTY
from hybrid.explaining import Explanation

SVG = "{http://www.w3.org/2000/svg}"

ANY = st.text(st.characters(), max_size=12)
"""Lone surrogates and NUL among them."""


def check(explanation: Explanation, segmenter: Segmenter) -> None:
    """Check that columns and constraints sum to each split's score."""
    assert len(explanation.contributions) == len(explanation.constraints) == len(explanation.splits)
    for split, given_by, held in zip(
        explanation.splits, explanation.contributions, explanation.constraints, strict=True
    ):
        assert len(given_by) == len(explanation.columns)
        assert sum(given_by) + held == pytest.approx(split.score, abs=1e-3)
    names = tuple(name for scorer in segmenter.scorers for name in scorer.names)
    assert explanation.columns == (names if explanation.word else ())


@given(ANY, st.integers(1, 4), st.sampled_from([None, 2, 3]))
@settings(deadline=None, max_examples=50)
def test_columns_and_constraints_sum_to_the_score(
    segmenter: Segmenter, word: str, k: int, min_parts: int | None
) -> None:
    explanation = segmenter.explain(word, k, min_parts=min_parts)
    check(explanation, segmenter)
    assert explanation.word == word
    assert list(explanation.splits) == segmenter.nbest(word, k, min_parts=min_parts)


@pytest.mark.parametrize("word", ["Haustür", "Sonnenschein", "Video-Call", "Strassenbahn", "A1", "3D-Druck", "x" * 60])
def test_arcs_are_the_likely_segments(segmenter: Segmenter, word: str) -> None:
    explanation = segmenter.explain(word, 500)
    check(explanation, segmenter)
    best = sorted((arc.start, arc.end, arc.text) for arc in explanation.arcs if arc.best)
    assert best == [(part.start, part.end, part.text) for part in explanation.splits[0].parts]
    assert len(explanation.arcs) <= 40
    assert all(arc.best or arc.probability >= 0.01 for arc in explanation.arcs)
    for arc in explanation.arcs:
        assert word[arc.start : arc.end] == arc.text
        if len(word) < 15:  # of its few splits, some hundreds are next to all
            total = sum(split.probability for split in explanation.splits
                        if (arc.start, arc.end) in {(part.start, part.end) for part in split.parts})  # fmt: skip
            assert arc.probability == pytest.approx(total, abs=0.01)


def test_constraints_are_told(segmenter: Segmenter) -> None:
    for word, wanted in (("A-B", {"no_cuts": [2]}), ("A1", {"cuts": [1]}), ("ab1", {"min_parts": 3})):
        explanation = segmenter.explain(word, **wanted)
        check(explanation, segmenter)
        assert explanation.constraints[0] == pytest.approx(PENALTY)
        assert "\n  constraints" in str(explanation)
    explanation = segmenter.explain("Haustür", cuts=[2], no_cuts=[4])
    check(explanation, segmenter)
    assert list(explanation.splits) == segmenter.nbest("Haustür", 3, cuts=[2], no_cuts=[4])
    assert explanation.splits[0].texts[0] == "Ha"
    assert explanation.constraints == (0.0,) * 3
    assert "constraints" not in str(explanation)
    assert not any(arc.start < 2 < arc.end or 4 in (arc.start, arc.end) for arc in explanation.arcs)


def test_cuts_may_be_any_iterable(segmenter: Segmenter) -> None:
    assert segmenter.explain("Haustür", cuts=iter([2])) == segmenter.explain("Haustür", cuts=[2])


def test_constraints_that_hold_take_nothing(segmenter: Segmenter) -> None:
    for word in ("Video-Call", "Ost-West-Handel", "E-Mail-Adresse", "Haus-Tür-Schloss", "U-Bahn-Station", "x" * 40):
        assert not any(0 < abs(value) < 1 for value in segmenter.explain(word, 50).constraints)


def test_a_users_entries_have_a_column(segmenter: Segmenter) -> None:
    user = segmenter.with_user(UserDictionary.make({"hau|stür": 30}, never=["Sonnenschein"], always=["Wachs|tube"]))
    explanation = user.explain("Haustür")
    check(explanation, user)
    assert explanation.columns[-1] == "user"
    assert explanation.contributions[0][-1] == pytest.approx(30)
    assert "\n  user  " in str(explanation)
    whole = user.explain("Sonnenschein")
    assert ([str(split) for split in whole.splits], whole.columns) == (["Sonnenschein"], ())
    assert [arc.text for arc in whole.arcs] == ["Sonnenschein"]
    assert "told, not found" in str(whole)
    ElementTree.fromstring(whole.to_svg())
    fixed = user.explain("Wachstube", 5)
    assert [str(split) for split in fixed.splits] == ["Wachs|tube"]
    assert [arc.probability for arc in fixed.arcs] == [pytest.approx(1)] * 2


@given(st.text("aehnrstü1-", min_size=1, max_size=14), st.integers(1, 6))
@settings(deadline=None, max_examples=30)
def test_lines_align(segmenter: Segmenter, word: str, k: int) -> None:
    explanation = segmenter.explain(word, k)
    head, probability, score, *rows = str(explanation).split("\n")
    assert {len(line) for line in (head, probability, score, *rows)} == {len(head)}
    assert head.split() == [str(split) for split in explanation.splits]
    assert probability.split() == ["probability", *(f"{split.probability:.4f}" for split in explanation.splits)]
    assert score.split() == ["score", *(f"{split.score:+.2f}" for split in explanation.splits)]
    assert [row.split()[0] for row in rows][: len(explanation.columns)] == list(explanation.columns)
    assert (rows[-1].split()[0] == "tree") == explanation.splits[0].is_compound


@given(ANY | st.text('<&>"]-\0\r\n\t\x85\u2028\ud800\ufffe\uffff', max_size=8))
@settings(deadline=None, max_examples=60)
def test_any_word_can_be_drawn(segmenter: Segmenter, word: str) -> None:
    explanation = segmenter.explain(word)
    root = ElementTree.fromstring(explanation.to_svg().encode("utf-8"))
    assert root.tag == f"{SVG}svg"
    assert explanation._repr_svg_() == explanation.to_svg()
    if word:
        assert len(root.findall(f"{SVG}path")) == len(explanation.arcs)
        assert len(root.findall(f"{SVG}text")) == len(word) + len(explanation.arcs)
        assert all(math.isfinite(float(place.get("x"))) for place in root.findall(f"{SVG}text"))


@pytest.mark.parametrize("word", ["", "ab" * 500 + "a", "ab" * 500])
def test_no_word_is_too_short_or_too_long(segmenter: Segmenter, word: str) -> None:
    explanation = segmenter.explain(word)
    assert "".join(explanation.splits[0].texts) == word
    assert (explanation.columns == ()) == (len(word) != 1000)
    assert str(explanation).split("\n")[1].split()[0] == "probability"
    assert ElementTree.fromstring(explanation.to_svg()).get("width")


def test_explain_on_the_command_line(tmp_path: Path, model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    command, out = ["explain", "--model", str(model_folder)], tmp_path / "word.svg"
    explained = [str(Segmenter.load(model_folder).explain(word, 2)) for word in ("Haustür", "Video-Call")]
    assert main([*command, "--nbest", "2", "Haustür", "Video-Call"]) == 0
    assert capsys.readouterr().out == "\n\n".join(explained) + "\n"
    assert main([*command, "--svg", str(out), "<Haus&tür>"]) == 0
    assert ElementTree.parse(out).findtext(f"{SVG}title").startswith("<Haus&tür>: ")
    assert main([*command, "--svg", str(out), "Haus", "Tür"]) == 2
    assert "--svg draws one word; give one" in capsys.readouterr().err
    for bad, message in ((model_folder / "word.svg", "lies in the model's folder"), (tmp_path, "is a folder"),
                         (tmp_path / "none" / "word.svg", "no such folder")):  # fmt: skip
        assert main([*command, "--svg", str(bad), "Haus"]) == 2
        assert message in capsys.readouterr().err
    assert not (model_folder / "word.svg").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["word.svg"]
