"""A user's own words: read and checked, scored on the lattice, and held whatever the model thinks."""

import itertools
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hybrid import DataError, Segmenter, UserDictionary
from hybrid.cli import main
from hybrid.lattice import LONGEST_SEGMENT, build_lattice
from hybrid.scorers import UserScorer
from hybrid.user import WEIGHT, Entry
from lexicon.linking import LINKING_ELEMENTS

make, read = UserDictionary.make, UserDictionary.read

WORDS = ["Haustür", "Sonnenschein", "Wachstube", "Quarzzaun", "Ei", "", "Video-Call"]
PARTS = st.lists(st.text("aensß", min_size=1, max_size=3), min_size=1, max_size=3)

WRONG = [
    ("haus\thaus\t5\t6", "line 1: 4 fields with tabs between; word, parts and weight, and no more, is right"),
    ("# one\n\nhaus||tür", "line 3: 'haus||tür' has an empty part; parts are joined by one | each"),
    ("ei\r\nhaus\thaus|", "line 2: 'haus|' has an empty part"),
    ("ei\n\thaus", "line 2: no word; each line begins with one"),
    ("haus\thau|x", "line 1: the parts 'hau|x' do not make up 'haus'"),
    *((f"ei\nhaus\thaus\t{weight}", f"line 2: weight '{weight}'; a number of nats from -1000 to 1000 is right")
      for weight in ("much", "1000.5", "-1e9", "nan", "inf")),
    ("haus|tür\nei\nHAUSTÜR", "line 3: 'haustür' is given another way than in"),
    ("haus\t\t5\nHaus\t\t6", "line 2: 'haus' is given another way than in"),
    (b"ei\nhaust\xfcr", "line 2 is not UTF-8 at byte 6"),
]  # fmt: skip


def put(folder: Path, text: str | bytes, name: str = "words.tsv") -> Path:
    (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder / name


def test_words_parts_and_weights_are_read(tmp_path: Path) -> None:
    text = "\ufeff# mine\r\n\r\nHaus\r\nAuto|Bahn\r\nSteuerID\tSteuer|ID\r\n  Ei \t\t-2.5\r\nOst-see\tOst|see\t7\r\n"
    always = put(tmp_path, "# so\nHau|stür\nWachstube\tWachs|tube\nOst\n", "always.txt")
    user = read(put(tmp_path, text), always=always, never=put(tmp_path, "Zaun\n\nUhu", "never"))
    assert user.entries == {"haus": Entry((), WEIGHT), "autobahn": Entry((4,), WEIGHT), "steuerid": Entry((6,), WEIGHT),
                            "ei": Entry((), -2.5), "ostsee": Entry((3,), 7.0)}  # fmt: skip
    assert user.always == {"haustür": (3,), "wachstube": (5,), "ost": ()}
    assert user.never == {"zaun", "uhu"}
    assert make(["Haus", "haus"]) == read(put(tmp_path, "haus\nHaus\thaus\t10\n"))


@settings(deadline=None)
@given(st.lists(st.tuples(PARTS, st.floats(-1000, 1000)), unique_by=lambda row: "".join(row[0])), st.booleans())
def test_what_is_made_is_what_is_read(tmp_path_factory, rows: list[tuple[list[str], float]], windows: bool) -> None:
    lines = ["# comment", "", *(f"{''.join(parts)}\t{'|'.join(parts)}\t{weight!r}" for parts, weight in rows)]
    text = "\ufeff" + "\r\n".join(lines) if windows else "\n".join(lines)
    path = put(tmp_path_factory.getbasetemp(), text, "made.tsv")
    assert read(path) == make({"|".join(parts): weight for parts, weight in rows})


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_a_wrong_line_is_named(tmp_path: Path, text: str | bytes, message: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(DataError, match=re.escape(f"{path}: {message}")):
        read(path)


def test_what_contradicts_itself_or_is_missing(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.tsv: no such file; a text file with a word a line is needed"):
        read(never=tmp_path / "none.tsv")
    with pytest.raises(DataError, match="never: line 1: 'haustür' is never to be cut, and always too"):
        read(always=put(tmp_path, "Haus|tür", "always"), never=put(tmp_path, "haustür", "never"))
    for wrong, message in (({"haus": 1001.0}, "weight 1001.0"), (["a||b"], "has an empty part"), ([""], "empty part"),
                           (["Haus|tür", "Haustür"], "'haustür' is given another way")):  # fmt: skip
        with pytest.raises(DataError, match=message):
            make(wrong)


def assert_as_naive(words: list[str], entries: dict[str, Entry]) -> None:
    """Look for every entry at every place; of positive shares the largest counts, negative ones add."""
    shares: dict[tuple[int, int, int], list[float]] = {}
    places = [(w, word, at) for w, word in enumerate(words) for at in range(len(word))]
    for (w, word, at), (text, entry) in itertools.product(places, entries.items()):
        if word[at : at + len(text)] == text:
            ends = [at + cut for cut in (0, *entry.cuts, len(text))]
            after = [ends[-1] + len(link) for link in LINKING_ELEMENTS if word[ends[-1] :].startswith(link)]
            linked = [(ends[-2], end) for end in after if end < len(word)]
            for a, b in [*itertools.pairwise(ends), *linked]:
                shares.setdefault((w, a, b), []).append(entry.weight / (len(ends) - 1))
    naive = {edge: max([0.0, *found]) + sum(x for x in found if x < 0) for edge, found in shares.items()}
    [bonus] = UserScorer(UserDictionary(entries)).score(SimpleNamespace(lattice=(lattice := build_lattice(words))))
    expected = [naive.get(edge, 0.0) for edge in zip(lattice.word, lattice.src, lattice.dst, strict=True)]
    np.testing.assert_allclose(bonus, expected, rtol=1e-5, atol=1e-5)


@given(st.lists(st.text("aens", max_size=9), max_size=4), st.lists(st.tuples(PARTS, st.integers(1, 900)), max_size=8),
       st.sampled_from([1, -1]))  # fmt: skip
def test_scorer_against_looking_everywhere(words: list[str], rows: list[tuple[list[str], int]], sign: int) -> None:
    cuts = [tuple(itertools.accumulate(map(len, parts[:-1]))) for parts, _ in rows]
    assert_as_naive(words, {"".join(p): Entry(c, sign * float(n)) for (p, n), c in zip(rows, cuts, strict=True)})


def test_entries_for_and_against_the_same_segment_count_in_any_order() -> None:
    assert_as_naive(["haustür"], {"haus": Entry((), -3.0), "haustür": Entry((4,), 10.0), "tür": Entry((), -3.0)})


def test_long_entries_count_where_the_lattice_has_their_parts() -> None:
    long = "x" * LONGEST_SEGMENT
    assert_as_naive([long + "x", long + "xen"], {long + "x": Entry((), 4.0), long: Entry((), 1.0)})


def test_entries_change_splits(segmenter: Segmenter) -> None:
    pulled = segmenter.with_user(make({"quar|zzaun": 100})).split("Quarzzaun")
    assert pulled.texts == ("Quar", "zzaun") != segmenter.split("Quarzzaun").texts
    whole = segmenter.with_user(make({"haustür": 200})).split_batch(["Haustürschloss", "Gartenhaustür"])
    assert (whole[0].texts[0], whole[1].texts[-1]) == ("Haustür", "haustür")
    assert "schein" not in segmenter.with_user(make({"schein": -200})).split("Sonnenschein").texts


@pytest.mark.parametrize("word", ["Haustür", "HAUSTÜR", "Haus-tür", "Hau\u00adstür", "Haustuer", "Haustu\u0308r"])
def test_always_and_never_hold_in_any_spelling(segmenter: Segmenter, word: str) -> None:
    [split] = segmenter.with_user(make({"haus|tür": 500}, always=["hAu|s|tür"])).nbest(word, 5)
    assert [part.text.strip("-\u00ad").lower() for part in split.parts[:2]] == ["hau", "s"]
    assert (len(split.parts), split.probability) == (3, pytest.approx(1))
    never = segmenter.with_user(make({"haus|tür": 500}, never=["HAUStür"]))
    for least in (1, 2, 3):
        [split] = never.nbest(word, 5, min_parts=least)
        assert (split.texts, split.probability, split.is_compound) == ((word,), 1.0, False)
        assert never.split_batch(["Ei", word, ""], min_parts=least)[1] == split
    assert len(never.split(word, min_parts=3, cuts=[3]).parts) >= 3  # a caller's cuts go first


@pytest.mark.parametrize("user", [make(never=["Strassenbahn"]), make(always=["Strassenbahn"]),
                                  make({"Strassenbahn": 500})])  # fmt: skip
def test_words_given_in_swiss_spelling_hold(segmenter: Segmenter, user: UserDictionary) -> None:
    assert segmenter.with_user(user).split("Strassenbahn").texts == ("Strassenbahn",)


@pytest.mark.parametrize(("parts", "least"), [("Haus|tür", 3), ("Haustür", 2), ("x" * 41 + "|haus", 1)])
def test_words_always_cut_hold_whatever_else_is_asked(segmenter: Segmenter, parts: str, least: int) -> None:
    always = segmenter.with_user(make(always=[parts]))
    assert str(always.split_batch(["Ei", parts.replace("|", "")], min_parts=least)[1]) == parts


def test_with_user_leaves_the_old_segmenter_as_it_was(segmenter: Segmenter) -> None:
    before, columns = segmenter.nbest_batch(WORDS, 3), segmenter.explain("Haustür").columns
    first = segmenter.with_user(make({"hau|stür": 100}, never=["Sonnenschein"]))
    assert [str(split) for split in first.split_batch(WORDS)[:2]] == ["Hau|stür", "Sonnenschein"]
    second = first.with_user(make({"h|austür": 100}))
    assert (second.split("Haustür").texts, second.explain("Ei").columns) == (("H", "austür"), (*columns, "user"))
    assert second.split("Sonnenschein") == segmenter.split("Sonnenschein")
    for none in (second.with_user(UserDictionary()), segmenter.with_user(read()), segmenter):
        assert (none.nbest_batch(WORDS, 3), none.explain("Haustür").columns) == (before, columns)


def test_user_files_on_the_command_line(tmp_path: Path, model_folder: Path, capsys: pytest.CaptureFixture) -> None:
    words, always = put(tmp_path, "quarzzaun\tquar|zzaun\t100\n"), put(tmp_path, "Son|nenschein\n", "always")
    files = ["--user-dictionary", words, "--always", always, "--never", put(tmp_path, "# one\nHaustür\n", "never")]
    command = ["split", "--model", str(model_folder), *map(str, files)]
    assert main([*command, "Quarzzaun", "SONNENSCHEIN", "haustür"]) == 0
    assert capsys.readouterr().out == "Quar|zzaun\nSON|NENSCHEIN\nhaustür\n"
    put(tmp_path, "# two\nei\nhaus||tür\n", "always")
    assert main([*command, "Ei"]) == 2
    assert capsys.readouterr().err.startswith(f"hybrid: {always}: line 3: 'haus||tür' has an empty part; ")
