"""The annotated words: their notation, their files' errors, and what holds of the words that ship."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lexicon import LexiconError
from lexicon.gold import GoldWord, Leaf, Node, leaves, parse, read_gold, write
from lexicon.gold.read import COLUMNS, FOLDER

LETTERS = st.text("abensäöüßé", min_size=1, max_size=6)
OPTIONAL = st.one_of(st.just(""), LETTERS)
LEAVES = st.builds(Leaf, LETTERS, OPTIONAL, OPTIONAL)
TREES = st.recursive(LEAVES, lambda nodes: st.lists(nodes, min_size=2, max_size=4).map(tuple), max_leaves=12)

DRAW = {"noun", "frequent", "form"}
"""What the random draw was made from; all else was added by hand or by rule."""

HEADER = "\t".join(COLUMNS)


@pytest.fixture(scope="module")
def gold() -> list[GoldWord]:
    return read_gold()


def inner_nodes(node: Node) -> list[tuple[Node, ...]]:
    return [] if isinstance(node, Leaf) else [node, *(inner for child in node for inner in inner_nodes(child))]


@given(TREES)
def test_what_is_written_is_read_back(tree: Node) -> None:
    assert parse(write(tree)) == tree
    assert parse(f" {write(tree)} ".replace(" ", "  ")) == tree


@given(TREES)
def test_leaves_come_from_left_to_right(tree: Node) -> None:
    written = write(tree).replace("(", " ").replace(")", " ").split()
    assert [write(leaf) for leaf in leaves(tree)] == written
    assert len(inner_nodes(tree)) == write(tree).count("(")


def test_the_notation_of_the_guidelines() -> None:
    assert parse("haus") == Leaf("haus")
    assert parse("((fuß ball) feld)") == ((Leaf("fuß"), Leaf("ball")), Leaf("feld"))
    history, book = parse("(geschicht-e+s buch)")
    assert history == Leaf("geschicht", "e", "s")
    assert (history.text, history.form, book.text) == ("geschichts", "geschichte", "buch")


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ("", "ends too early"),
        ("(haus", "brackets hold two parts or more and are closed"),
        ("(haus tür", "brackets hold two parts or more and are closed"),
        ("()", "brackets hold two parts or more"),
        ("(haus)", "brackets hold two parts or more"),
        ("((haus tür))", "brackets hold two parts or more"),
        ("haus tür", "'tür' stands after the end"),
        ("(haus tür))", r"'\)' stands after the end"),
        (")", r"'\)' is no part; stem-dropped\+link is right"),
        *((f"(haus {part})", re.escape(f"'{part}' is no part"))
          for part in ("tür+", "tür-", "+s", "-e", "t+s-e", "t+s+s", "t-e-e", "tür1", "tür?", "tür_", "t|r")),
    ],
)  # fmt: skip
def test_wrong_annotations_are_told(annotation: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        parse(annotation)
    assert str(error.value).startswith(repr(annotation))


@given(st.text("ab()+-? \t", max_size=12))
def test_any_annotation_is_read_or_refused(annotation: str) -> None:
    try:
        tree = parse(annotation)
    except ValueError:
        return
    assert write(tree).replace(" ", "") == annotation.replace(" ", "")


@settings(deadline=None)
@given(st.lists(st.tuples(TREES, st.booleans(), st.sampled_from(["noun", ""]), st.sampled_from(["train", "test"]))))
def test_a_file_is_read_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[Node, bool, str, str]]
) -> None:
    words = [GoldWord("".join(leaf.text for leaf in leaves(row[0])), *row) for row in rows]
    lines = [f"{w.word}\t{write(w.tree)}\t{w.doubtful:d}\t{w.drawn}\t{w.part}" for w in words]
    path = tmp_path_factory.getbasetemp() / "gold.tsv"
    path.write_text("\n".join(["# made up", HEADER, "", *lines]), encoding="utf-8")
    assert read_gold(path) == words
    for word in words:
        cuts = [0, *word.cuts, len(word.word)]
        assert word.texts == tuple(word.word[a:b] for a, b in zip(cuts[:-1], cuts[1:], strict=True))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("haustür\t(haus tür)\t0\tnoun", "4 fields, should be 5"),
        ("haustür\t(haus tür)\t0\tnoun\ttest\t", "6 fields, should be 5"),
        ("haustür\t(haus tor)\t0\tnoun\ttest", r"the parts \(haus tor\) do not make up 'haustür'"),
        ("Haustür\t(haus tür)\t0\tnoun\ttest", r"the parts \(haus tür\) do not make up 'Haustür'"),
        ("schulhof\t(schule hof)\t0\tnoun\ttest", "do not make up 'schulhof'"),
        ("haustür\t(haus tür\t0\tnoun\ttest", r"'\(haus tür': brackets hold two parts or more and are closed"),
        ("haustür\t(haus tür)\t0\tnoun\tval", "part is train or test, doubtful 0 or 1"),
        ("haustür\t(haus tür)\t?\tnoun\ttest", "part is train or test, doubtful 0 or 1"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text(f"{HEADER}\n# a comment\nei\tei\t0\tnoun\ttrain\n{line}\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=rf"gold\.tsv: line 4: .*{message}"):
        read_gold(path)


def test_a_file_that_is_none_of_the_data_set(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    with pytest.raises(LexiconError, match=r"gold\.tsv: no such file; a table of annotated words is needed"):
        read_gold(path)
    for text in ("", "# nothing\n", "ei\tei\t0\tnoun\ttrain\n", HEADER.replace("\t", " ")):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(LexiconError, match="the first line should name the columns word, annotation, doubtful"):
            read_gold(path)
    path.write_bytes(f"{HEADER}\nt\xfcr".encode("latin-1"))
    with pytest.raises(LexiconError, match="not UTF-8 at byte"):
        read_gold(path)


def test_shipped_words_are_sorted_distinct_and_in_lower_case(gold: list[GoldWord]) -> None:
    words = [word.word for word in gold]
    assert words == sorted(set(words))
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert all("".join(word.texts) == word.word for word in gold)
    assert {write(parse(line.split("\t")[1])) == line.split("\t")[1]
            for line in (FOLDER / "de.tsv").read_text(encoding="utf-8").splitlines()[1:]} == {True}  # fmt: skip


def test_shipped_trees_join_two_nodes_or_more(gold: list[GoldWord]) -> None:
    assert all(len(node) >= 2 for word in gold for node in inner_nodes(word.tree))
    assert all(not list(leaves(word.tree))[-1].link for word in gold)


def test_the_test_words_are_a_third_of_the_random_draw(gold: list[GoldWord]) -> None:
    draw = [word for word in gold if word.drawn in DRAW]
    train, test = ({word.word for word in gold if word.part == part} for part in ("train", "test"))
    assert len(draw) == 4800
    assert test <= {word.word for word in draw}
    assert 0.3 < len(test) / len(draw) < 0.37
    assert not train & test
    assert len(train) + len(test) == len(gold)


def test_a_second_pass_agrees_with_the_first(gold: list[GoldWord]) -> None:
    first, second = {word.word: word for word in gold}, read_gold(FOLDER / "second.tsv")
    assert len({word.word for word in second}) == len(second) == 600
    pairs = [(first[word.word], word) for word in second]
    assert all((one.drawn, one.part) == (other.drawn, other.part) for one, other in pairs)
    assert sum(one.texts == other.texts for one, other in pairs) / len(pairs) >= 0.98
    assert sum(one.tree == other.tree for one, other in pairs) / len(pairs) >= 0.96
