"""Mining, the store and its table."""

import io
import json
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lexicon.trie as trie_module
from hybrid.evidence import Evidence, gather
from lexicon import Counts, Lexicon, LexiconError, mine
from lexicon.checksums import file_list
from lexicon.inventory import Inventory
from lexicon.linking import DROPPED_ENDINGS, LINKING_ELEMENTS, without_umlaut
from lexicon.mining import INITIAL
from lexicon.trie import build_trie
from lexicon.tsv import HEADER, export_lines, import_file

WORDS = ["autobahn", "autobahnbrücke", "bahnhof", "haus", "sprachbereich", "autobahnhaus", "sprache", "hausbahn"]
CUTS = [(4,), (4, 8), (4,), (), (6,), (8,), (), (4,)]


@st.composite
def split_words(draw: st.DrawFn) -> tuple[list[str], list[tuple[int, ...]]]:
    """Draw distinct words over few letters, so that parts and stretches recur, with cuts at will."""
    words = draw(st.lists(st.text("aäens", min_size=1, max_size=7), min_size=1, max_size=12, unique=True))
    cuts = [tuple(sorted(draw(st.sets(st.integers(1, len(w) - 1), max_size=4)))) if len(w) > 1 else () for w in words]
    return words, cuts


def arrays(lexicon: Lexicon) -> list[np.ndarray]:
    return [lexicon.parts, lexicon.listed, lexicon.shortened, lexicon.seen, lexicon.cut_ptr, lexicon.cut_at,
            lexicon.cut_count]  # fmt: skip


def assert_same(one: Lexicon, other: Lexicon) -> None:
    assert [*one.trie] == [*other.trie]
    for a, b in zip(arrays(one), arrays(other), strict=True):
        np.testing.assert_array_equal(a, b)


def test_parts_are_counted_by_role_and_stretches_with_their_cuts() -> None:
    counts = mine(WORDS, CUTS)
    assert counts.parts["auto"] == [2, 0, 0, 0]
    assert counts.parts["bahn"] == [1, 1, 2, 0]
    assert counts.parts["haus"] == [1, 0, 1, 1]
    assert counts.parts["autobahn"] == [1, 0, 0, 0]
    assert counts.seen["autobahn"] == 2
    assert counts.cuts["autobahn"] == {0: 1, 4: 1}
    assert counts.listed == set(WORDS)
    assert mine(["ab"], [()], listed=["cd", ""]).listed == {"ab", "cd"}
    assert counts.shortened() == {"sprach": 1, "autobahnbrück": 1}
    with pytest.raises(ValueError, match="zip"):
        mine(["ab"], [])


def test_umlauts_are_undone() -> None:
    assert list(without_umlaut("häuser")) == ["haus", "hauser"]
    assert "gans" in without_umlaut("gänse")
    assert "mutter" in without_umlaut("mütter")
    assert "überhaus" in without_umlaut("überhäuser")
    assert list(without_umlaut("haus")) == []


@given(st.sets(st.text("aäb", min_size=1, max_size=5), max_size=12), st.text("aäb", max_size=6))
def test_inventory_against_a_loop(words: set[str], asked: str) -> None:
    inventory = Inventory(words)
    places = range(len(asked) + 1)
    assert inventory.beginning_with_each(asked) == [sum(w.startswith(asked[:v]) for w in words) for v in places]
    assert inventory.ending_with_each(asked) == [sum(w.endswith(asked[v:]) for w in words) for v in places]


@given(split_words(), st.lists(st.text("aens", max_size=6), max_size=5))
def test_leave_one_out_is_the_lexicon_mined_without_the_word(
    drawn: tuple[list[str], list[tuple[int, ...]]], told: list[str]
) -> None:
    """The twin: mine again without the word (in contest mode words to come are listed too)."""
    words, cuts = drawn
    together = gather(words, Lexicon.from_counts(mine(words, cuts, listed=told)), cuts)
    at_edge, at_node = 0, 0
    for w, word in enumerate(words):
        rest = [i for i in range(len(words)) if i != w]
        counts = mine([words[i] for i in rest], [cuts[i] for i in rest], listed=[t for t in told if t != word])
        alone = gather([word], Lexicon.from_counts(counts))
        edges = slice(at_edge, at_edge + len(alone.count))
        nodes = slice(at_node, at_node + len(alone.seen))
        for name in ("count", "listed", "linked", "cut_here"):
            np.testing.assert_array_equal(getattr(together, name)[edges], getattr(alone, name), err_msg=name)
        np.testing.assert_array_equal(together.seen[nodes], alone.seen)
        np.testing.assert_array_equal(together.neighbours[nodes], alone.neighbours)
        at_edge, at_node = edges.stop, nodes.stop


@given(split_words())
def test_evidence_against_dictionaries(drawn: tuple[list[str], list[tuple[int, ...]]]) -> None:
    """The twin of all vectorised look-ups: ask the counts themselves, segment by segment."""
    words, cuts = drawn
    counts = mine(words, cuts)
    asked = [w + "sen" for w in words[:4]]
    found = gather(asked, Lexicon.from_counts(counts))
    for e, (w, s, t) in enumerate(zip(found.lattice.word, found.lattice.src, found.lattice.dst, strict=True)):
        word, segment = asked[w], asked[w][s:t]
        assert found.count[e] == counts.parts.get(segment, [0] * 4)[found.lattice.role[e]]
        assert found.listed[e] == (segment in counts.listed and segment != word)
        stems = [segment[: -len(x)] for x in LINKING_ELEMENTS if segment.endswith(x) and t < len(word)]
        longer = [segment + x for x in DROPPED_ENDINGS if segment + x != word]
        plain = list(without_umlaut(segment)) if found.lattice.role[e] == INITIAL else []
        assert found.linked[e] == bool(counts.listed & {*stems, *longer, *plain} - {"", word})
        stretch = word[:t]
        expected = counts.cuts.get(stretch, {}).get(int(s), 0) if t < len(word) else 0
        assert found.cut_here[e] == expected
    nodes = [word[:v] for word in asked for v in range(len(word) + 1)]
    inner = [0 < v < len(word) for word in asked for v in range(len(word) + 1)]
    assert found.seen.tolist() == [counts.seen[n] if i else 0 for n, i in zip(nodes, inner, strict=True)]
    assert_left_and_right(found, asked, counts)


def assert_left_and_right(found: Evidence, asked: list[str], counts: Counts) -> None:
    left, right = found.left_listed(), found.right_listed()
    for w, word in enumerate(asked):
        for v in range(1, len(word)):
            node = found.lattice.lattice.node_ptr[w] + v
            assert right[node] == (word[v:] in counts.listed)
            known = any(word[: v - len(x)] in counts.listed for x in LINKING_ELEMENTS if word[:v].endswith(x))
            known |= word[:v] in counts.listed
            known |= any(word[:v] + x in counts.listed - {word} for x in DROPPED_ENDINGS)
            known |= any(form in counts.listed - {word} for form in without_umlaut(word[:v]))
            assert left[node] == known
            others = counts.listed - {word}
            assert found.neighbours[node].tolist() == [
                sum(other.startswith(word[:v]) for other in others),
                sum(other.endswith(word[v:]) for other in others),
            ]


@given(split_words())
def test_counts_come_back(drawn: tuple[list[str], list[tuple[int, ...]]]) -> None:
    lexicon = Lexicon.from_counts(mine(*drawn))
    assert_same(Lexicon.from_counts(lexicon.to_counts()), lexicon)
    more = lexicon.with_listed(["neu", ""])
    assert more.trie.get("neu", -1) >= 0
    assert len(more) == len(lexicon) + 1


@given(split_words())
def test_the_stand_in_for_marisa_gives_the_same_evidence(drawn: tuple[list[str], list[tuple[int, ...]]]) -> None:
    words, cuts = drawn
    expected = gather(words, Lexicon.from_counts(mine(words, cuts)), cuts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trie_module, "marisa_trie", None)
        lexicon = Lexicon.from_counts(mine(words, cuts))
        assert isinstance(lexicon.trie, trie_module.DictTrie)
        found = gather(words, lexicon, cuts)
    for name in ("count", "listed", "linked", "cut_here", "seen", "neighbours"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def test_building_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    for name, order in (("one", 1), ("two", -1)):
        (tmp_path / name).mkdir()
        Lexicon.from_counts(mine(WORDS[::order], CUTS[::order])).save(tmp_path / name)
    files = sorted(p.name for p in (tmp_path / "one").iterdir())
    assert files == ["columns.npz", "dictionary.marisa", "lexicon.json", "strings.marisa"]
    for name in files:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert_same(Lexicon.load(tmp_path / "one"), Lexicon.from_counts(mine(WORDS, CUTS)))


def test_a_damaged_folder_says_what_is_wrong(tmp_path: Path) -> None:
    lexicon = Lexicon.from_counts(mine(WORDS, CUTS))
    for name in ("strings.marisa", "columns.npz"):
        lexicon.save(tmp_path)
        content = (tmp_path / name).read_bytes()
        for damaged in (b"nonsense", b"", content[:-1], content + b"x"):
            (tmp_path / name).write_bytes(damaged)
            with pytest.raises(LexiconError, match=f"{name}: damaged, its checksum"):
                Lexicon.load(tmp_path)
        (tmp_path / name).unlink()
        with pytest.raises(LexiconError, match=f"{name}: missing"):
            Lexicon.load(tmp_path)
    head = '{"format": "hybrid-segmenter lexicon", "version": '
    for content, message in [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "not a hybrid-segmenter lexicon"),
        (head + "4}", "version 4; this release reads"),
        (head + "1}", "no list of files"),
        (head + '1, "files": {}}', "strings.marisa' is not in its list|npy' is not in its list"),
    ]:
        lexicon.save(tmp_path)
        (tmp_path / "lexicon.json").write_text(content)
        with pytest.raises(LexiconError, match=message) as caught:
            Lexicon.load(tmp_path)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("seen", np.zeros(3, np.int32), "shape"),
        ("cut_at", np.int32(3), "should hold an array of int32"),
        ("listed", np.zeros(15, np.int64), "should hold an array of int32"),
        ("seen", np.array([{}]), "damaged"),
        ("seen", np.zeros(10**6, np.int32), "seen is larger than the lexicon's strings can need"),
        ("noun", np.zeros(9, np.uint8), "nouns of"),
        ("noun", np.zeros(1, bool), "should hold an array of uint8"),
        ("parts", np.full((15, 4), -1, np.int32), "below 0"),
        ("cut_at", np.full(6, 1000, np.int32), "a cut beyond its string"),
        ("cut_ptr", np.arange(16)[::-1].copy(), "does not rise"),
    ],
)
def test_arrays_that_would_index_outside_are_refused(
    tmp_path: Path, name: str, array: np.ndarray, message: str
) -> None:
    """Also where the checksums were made to fit."""
    lexicon = Lexicon.from_counts(mine(WORDS, CUTS))
    assert (len(lexicon), len(lexicon.cut_at)) == (15, 6)
    lexicon.save(tmp_path)
    with np.load(tmp_path / "columns.npz") as columns:
        np.savez_compressed(tmp_path / "columns.npz", **{**columns, name: array})
    header = json.loads((tmp_path / "lexicon.json").read_text())
    header["files"] = file_list(tmp_path, header["files"])
    (tmp_path / "lexicon.json").write_text(json.dumps(header))
    with pytest.raises(LexiconError, match=message):
        Lexicon.load(tmp_path)


@given(split_words(), st.lists(st.text(max_size=4), max_size=3))
def test_the_table_comes_back(drawn: tuple[list[str], list[tuple[int, ...]]], told: list[str]) -> None:
    import tempfile

    from lexicon import normalize

    lexicon = Lexicon.from_counts(mine(*drawn, listed=[normalize(word).text for word in told]))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.tsv")
        path.write_bytes("\n".join([*export_lines(lexicon), ""]).encode())
        assert_same(import_file(path), lexicon)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("auto\t1\t0", "3 fields, should be 8"),
        ("Auto\t1\t0\t0\t0\t1\t0\t", "should be 'auto': lower case, umlauts composed"),
        ("auto\t-1\t0\t0\t0\t1\t0\t", "initial is '-1', should be a whole number"),
        ("auto\t9999999999\t0\t0\t0\t1\t0\t", "initial is '9999999999'"),
        ("auto\t1\t0\t0\t0\t2\t0\t", "listed is '2', should be 0 or 1"),
        ("auto\t1\t0\t0\t0\t1\t1\tau|to:2", "more often than the 1 times"),
        ("auto\t1\t0\t0\t0\t1\t1\tau|tos:1", "should be 'auto', whole or with one"),
        ("auto\t1\t0\t0\t0\t1\t1\t|auto:1", "should be 'auto', whole or with one"),
        ("auto\t1\t0\t0\t0\t1\t5\tau|to:2 au|to:1", "twice"),
        ("a\\xo\t1\t0\t0\t0\t1\t0\t", "is no escape"),
        ("\t1\t0\t0\t0\t1\t0\t", "an empty string"),
        ("haus\t1\t0\t0\t0\t1\t0\t", "'haus' stands on line 3 already"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "table.tsv"
    head = [*export_lines(Lexicon.from_counts(mine(["haus"], [()])))]
    path.write_text("\n".join([*head, line]), encoding="utf-8")
    with pytest.raises(LexiconError, match=f"table.tsv: line 4: .*{message}"):
        import_file(path)


def test_a_file_that_is_no_table_is_named(tmp_path: Path) -> None:
    path = tmp_path / "table.tsv"
    for content, message in [(b"", "line 1"), (b"\xff", "not UTF-8 at byte 1, offset 0"), (HEADER.encode(), "line 2")]:
        path.write_bytes(content)
        with pytest.raises(LexiconError, match=message):
            import_file(path)
    with pytest.raises(LexiconError, match="no such file"):
        import_file(tmp_path / "none.tsv")


def test_windows_line_ends_and_stripped_tabs_are_read(tmp_path: Path) -> None:
    lexicon = Lexicon.from_counts(mine(WORDS, CUTS))
    path = tmp_path / "table.tsv"
    path.write_bytes("".join(line.rstrip("\t") + "\r\n" for line in export_lines(lexicon)).encode("utf-8-sig"))
    assert_same(import_file(path), lexicon)


def test_a_column_that_claims_to_be_larger_than_its_bytes_is_refused(tmp_path: Path) -> None:
    lexicon = Lexicon.from_counts(mine(WORDS, CUTS))
    lexicon.save(tmp_path)
    with np.load(tmp_path / "columns.npz") as columns:
        arrays = {name: columns[name] for name in columns}
    with ZipFile(tmp_path / "columns.npz", "w") as archive:
        for name, array in arrays.items():
            stream = io.BytesIO()
            np.save(stream, array)
            content = stream.getvalue()
            if name == "seen":
                content = content.replace(b"(15,), }" + b" " * 11, b"(" + b"9" * 13 + b",), }", 1)
            archive.writestr(f"{name}.npy", content)
    header = json.loads((tmp_path / "lexicon.json").read_text())
    header["files"] = file_list(tmp_path, header["files"])
    (tmp_path / "lexicon.json").write_text(json.dumps(header))
    with pytest.raises(LexiconError, match=r"columns\.npz: damaged"):
        Lexicon.load(tmp_path)


def test_nouns_are_told_from_other_words(tmp_path: Path) -> None:
    dictionary = build_trie(["haus", "gehen", "tür"])
    noun = np.array([dictionary_word != "gehen" for dictionary_word in sorted(dictionary, key=dictionary.get)])
    lexicon = Lexicon.from_counts(mine(WORDS, CUTS), dictionary, noun)
    lexicon.save(tmp_path)
    again = Lexicon.load(tmp_path)
    for one in (lexicon, again, again.with_listed(["neu"])):
        assert [word in one.nouns for word in ("haus", "gehen", "tür", "ha", "", 3)] == [
            True,
            False,
            True,
            *[False] * 3,
        ]
    assert "gehen" in Lexicon.from_counts(mine(WORDS, CUTS), dictionary).nouns  # all are, where nothing is told
