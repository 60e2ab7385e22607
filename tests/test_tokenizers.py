"""The pre-tokenizer for Hugging Face's tokenizers: no token reaches over a part's end, and files keep it."""

import copy
import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import DataError, ModelError
from hybrid.text import find_words
from tests.examples import run_document

tokenizers = pytest.importorskip("tokenizers", reason="the package tokenizers is not installed")

from tokenizers import Tokenizer, decoders, models, normalizers, trainers  # noqa: E402
from tokenizers.pre_tokenizers import (  # noqa: E402
    ByteLevel,
    Digits,
    Metaspace,
    PreTokenizer,
    Sequence,
    Split,
    Whitespace,
    WhitespaceSplit,
)

from hybrid.integrations.tokenizers import (  # noqa: E402
    CompoundPreTokenizer,
    compound_pre_tokenizer,
    cutter_of,
)
from hybrid.integrations.tokenizers_saving import MARK, from_str, load, save, to_str  # noqa: E402

TEXT = "Die Autobahnbrücke und der Fußball: Kindergeld vom Video-Call (info@amt.de), 3,5 Haustüren."
CORPUS = ["Die Haustür und die Kellertür sind Türen.", "Das Kindergeld, die Kinderkrankheit, das Haus.",
          "Eine Autobahnbrücke ist eine Brücke der Autobahn.", "Der Fußball und die Fußballschuhe."] * 5  # fmt: skip
OURS = compound_pre_tokenizer(mode="fast")


def letters(step: PreTokenizer, normalizer: object = None) -> Tokenizer:
    """A tokenizer whose tokens are the pieces that the pre-tokenizer gives."""
    tokenizer = Tokenizer(models.WordLevel({"?": 0}, "?"))
    tokenizer.pre_tokenizer = step
    if normalizer is not None:
        tokenizer.normalizer = normalizer
    return tokenizer


def pieces(tokenizer: Tokenizer, text: str) -> list[str]:
    return [text[a:b] for a, b in tokenizer.encode(text).offsets]


def ends_of_parts(text: str, segmenter: hybrid.Segmenter) -> set[int]:
    """The places in a text where a part ends inside a word."""
    words = list(find_words(text))
    parts = segmenter.split_parts([text[a:b] for a, b in words])
    return {a + end for (a, _), (of, _) in zip(words, parts, strict=True) for end in accumulate(map(len, of[:-1]))}


def test_words_are_cut_where_parts_end_and_nowhere_else() -> None:
    assert pieces(letters(OURS), "Die Haustür (haus@tür.de) kostet 3,5 Kinder-Gelder") == [
        "Die Haus", "tür (haus@tür.de) kostet 3,5 Kinder-", "Gelder"]  # fmt: skip
    assert OURS.pre_tokenize_str("Autobahnbrücke") == [("Auto", (0, 4)), ("bahn", (4, 8)), ("brücke", (8, 14))]
    assert OURS.pre_tokenize_str("vielleicht") == [("vielleicht", (0, 10))]
    assert pieces(letters(OURS), "") == []


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([OURS, Whitespace()], ["Die", "Haus", "tür", "!"]),
        ([Whitespace(), OURS], ["Die", "Haus", "tür", "!"]),
        ([OURS, WhitespaceSplit()], ["Die", "Haus", "tür!"]),
        ([WhitespaceSplit(), OURS, Digits()], ["Die", "Haus", "tür!"]),
        ([OURS, ByteLevel(add_prefix_space=False)], ["Die", " Haus", "tür", "!"]),
        ([OURS, Metaspace(prepend_scheme="first")], ["Die", " Haus", "tür!"]),
        ([Metaspace(prepend_scheme="first"), OURS], ["Die", " Haus", "tür!"]),
        ([Sequence([WhitespaceSplit(), OURS]), Whitespace()], ["Die", "Haus", "tür", "!"]),
    ],
)
def test_it_stands_among_other_steps(steps: list[PreTokenizer], expected: list[str]) -> None:
    assert pieces(letters(Sequence(steps)), "Die Haustür!") == expected


@pytest.mark.parametrize(
    "normalizer",
    [None, normalizers.NFC(), normalizers.NFD(), normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])],
)
def test_offsets_are_those_of_the_text_before_normalizing(normalizer: object) -> None:
    text = "😀 Haustu\u0308r 𝔄 STRASSENBAHN ①Fußball"
    found = pieces(letters(Sequence([Whitespace(), OURS]), normalizer), text)
    assert found[:6] == ["😀", "Haus", "tu\u0308r", "𝔄", "STRASSEN", "BAHN"]
    assert "".join(found) == text.replace(" ", "")


PIECES = ["Haus", "tür", "-", "u\u0308", "ß", "SS", "e", "😀", "𝔄", "\u00ad", "\n", " ", ".", "9", "ç", "Ж", "ﬁ", "@"]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
@settings(max_examples=50, deadline=None)
def test_of_any_text_pieces_tile_it_and_end_where_parts_do(text: str) -> None:
    found = OURS.pre_tokenize_str(text)
    assert "".join(piece for piece, _ in found) == text
    assert [text[a:b] for _, (a, b) in found] == [piece for piece, _ in found]
    ends = {b for _, (_, b) in found} - {len(text)}
    assert ends == ends_of_parts(text, FAST)


FAST = hybrid.load(mode="fast")
COMMON = {"special_tokens": ["?"], "show_progress": False}
TRAINERS: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
    (models.BPE, lambda: trainers.BpeTrainer(vocab_size=200, **COMMON)),
    (lambda: models.WordPiece(unk_token="?"), lambda: trainers.WordPieceTrainer(vocab_size=200, **COMMON)),
    (models.Unigram, lambda: trainers.UnigramTrainer(vocab_size=120, unk_token="?", **COMMON)),
]


@pytest.mark.parametrize(("model", "trainer"), TRAINERS)
def test_no_token_of_a_trained_tokenizer_reaches_over_the_end_of_a_part(
    model: Callable[[], Any], trainer: Callable[[], Any]
) -> None:
    crossed = {}
    for name, steps in (("with", [OURS, Whitespace()]), ("without", [Whitespace()])):
        tokenizer = Tokenizer(model())
        tokenizer.pre_tokenizer = Sequence(steps)
        tokenizer.train_from_iterator(iter(CORPUS), trainer())
        crossed[name] = sum(
            a < end < b
            for text in CORPUS
            for end in ends_of_parts(text, FAST)
            for a, b in tokenizer.encode(text).offsets
        )
    assert crossed["with"] == 0 < crossed["without"]


def trained() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = Sequence([OURS, ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        CORPUS, trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    )
    return tokenizer


def test_text_comes_back_from_tokens() -> None:
    tokenizer = trained()
    for text in (TEXT, "😀 Haustu\u0308r\n\n  und  \u00ad Kellertür ", ""):
        assert tokenizer.decode(tokenizer.encode(text).ids) == text


def test_special_tokens_are_left_alone() -> None:
    tokenizer = letters(OURS)
    tokenizer.add_special_tokens(["<haustür>"])
    assert pieces(tokenizer, "Fußball<haustür>Kellertür") == ["Fuß", "ball", "<haustür>", "Keller", "tür"]


def test_batches_and_threads_give_the_same() -> None:
    tokenizer = letters(Sequence([compound_pre_tokenizer(mode="fast"), Whitespace()]))
    texts = [TEXT, "", *CORPUS[:4]] * 20
    expected = [pieces(letters(Sequence([OURS, Whitespace()])), text) for text in texts]
    start = threading.Barrier(4)

    def work(_: int) -> list[list[str]]:
        start.wait()
        encoded = tokenizer.encode_batch(texts)
        return [[text[a:b] for a, b in one.offsets] for text, one in zip(texts, encoded, strict=True)]

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(work, range(4))) == [expected] * 4


def test_a_word_is_split_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    original = hybrid.Segmenter.split_parts

    def spy(self: hybrid.Segmenter, words: list[str], **options: object) -> object:
        asked.extend(words)
        return original(self, words, **options)

    monkeypatch.setattr(hybrid.Segmenter, "split_parts", spy)
    tokenizer = letters(Sequence([WhitespaceSplit(), compound_pre_tokenizer(mode="fast")]))
    for text in ("Haustür, Kellertür", "Haustür. Kellertür", "(Haustür)"):
        tokenizer.encode(text)
    assert sorted(asked) == ["Haustür", "Kellertür"]


def test_texts_read_ahead_are_the_same_and_split_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    original = hybrid.Segmenter.split_parts

    def spy(self: hybrid.Segmenter, words: list[str], **options: object) -> object:
        asked.append(words)
        return original(self, words, **options)

    cutter = CompoundPreTokenizer(mode="fast")
    monkeypatch.setattr(hybrid.Segmenter, "split_parts", spy)
    texts = ["Haustür und", "Kellertür, Haustür", "", "Fußball"]
    assert list(cutter.ahead(iter(texts), block=2)) == texts
    letters(PreTokenizer.custom(cutter)).encode_batch(texts)
    assert asked == [["Haustür", "Kellertür", "und"], ["Fußball"]]
    for wrong in ("Haustür", [["Haustür"]], [None]):
        with pytest.raises(TypeError, match="texts"):
            list(cutter.ahead(wrong))  # type: ignore[arg-type]


def test_the_users_words_and_settings_count() -> None:
    step = compound_pre_tokenizer(always=["Fußb|all"], never=["Kindergeld"], granularity="head")
    assert pieces(letters(Sequence([Whitespace(), step])), "Fußball Kindergeld Autobahnbrücke") == [
        "Fußb", "all", "Kindergeld", "Autobahn", "brücke"]  # fmt: skip
    assert pieces(letters(compound_pre_tokenizer(min_probability=1.0)), "Fußball") == ["Fußball"]


@pytest.mark.parametrize(
    ("given_settings", "error", "message"),
    [
        ({"mode": "quick"}, ValueError, "mode is 'quick'"),
        ({"granularity": "coarse"}, ValueError, "granularity is 'coarse'"),
        ({"min_probability": 2}, ValueError, "min_probability is 2"),
        ({"always": ["a||b"]}, DataError, "empty part"),
        ({"always": "Haus|tür"}, TypeError, "one string"),
        ({"model": "/nowhere/at/all"}, ModelError, "no such model folder"),
    ],
)
def test_wrong_settings_are_told_at_once(given_settings: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message.replace("|", r"\|")):
        compound_pre_tokenizer(**given_settings)


def test_the_library_itself_refuses_to_write_it(tmp_path: Path) -> None:
    """Where this fails one day, `tokenizers_saving` may be needed no more."""
    tokenizer = trained()
    for write in (lambda: tokenizer.save(str(tmp_path / "t.json")), tokenizer.to_str,
                  lambda: pickle.dumps(tokenizer), lambda: copy.deepcopy(tokenizer)):  # fmt: skip
        with pytest.raises(Exception, match="Custom PreTokenizer cannot be serialized"):
            write()


def test_a_saved_tokenizer_is_the_same_again(tmp_path: Path) -> None:
    step = compound_pre_tokenizer(mode="fast", always=["Fußb|all"], entries={"Quarz|hupe": 20.0})
    for steps in (step, Sequence([WhitespaceSplit(), Sequence([step]), Whitespace()])):
        tokenizer = letters(steps)
        tokenizer.add_special_tokens(["<s>"])
        save(tokenizer, tmp_path / "tokenizer.json")
        again = load(tmp_path / "tokenizer.json")
        text = "<s> Fußball und Quarzhupe, Haustür"
        assert pieces(again, text) == pieces(tokenizer, text)
        assert "Fußb" in pieces(again, "Fußball")
        assert to_str(again) == to_str(tokenizer)
        assert [path.name for path in tmp_path.iterdir()] == ["tokenizer.json"]


def test_the_file_is_a_tokenizers_own_and_settings_can_be_changed(tmp_path: Path) -> None:
    save(trained(), tmp_path / "tokenizer.json")
    plain = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    assert plain.get_vocab() == trained().get_vocab()
    assert plain.decode(plain.encode(TEXT).ids) == TEXT
    changed = load(tmp_path / "tokenizer.json", never=["Haustür"])
    assert [word for word, _ in changed.pre_tokenizer.pre_tokenize_str("Haustür")] == ["HaustÃ¼r"]


def test_tokenizers_without_it_are_read_and_written_too(tmp_path: Path) -> None:
    for step in (None, Whitespace(), Sequence([Whitespace(), Split("x", "isolated")])):
        tokenizer = Tokenizer(models.WordLevel({"?": 0}, "?"))
        if step is not None:
            tokenizer.pre_tokenizer = step
        assert to_str(tokenizer) == tokenizer.to_str() == to_str(from_str(tokenizer.to_str()))


class Other:
    def pre_tokenize(self, pretokenized: object) -> None:
        pass


def test_another_custom_step_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    tokenizer = letters(Sequence([OURS, PreTokenizer.custom(Other())]))
    with pytest.raises(DataError, match="custom pre-tokenizer that is not ours"):
        save(tokenizer, tmp_path / "tokenizer.json")
    assert not list(tmp_path.iterdir())
    assert pieces(tokenizer, "Haustür") == ["Haus", "tür"]
    assert isinstance(cutter_of(OURS), CompoundPreTokenizer)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ("{", "no JSON object"),
        ("[1]", "no JSON object"),
        ('{"version": 2}', "version 2; this release reads version 1"),
        ('{"version": 1, "colour": "red"}', "colour"),
        ('{"version": 1, "mode": "quick"}', "mode is 'quick'"),
        ('{"version": 1, "always": 5}', "settings are wrong"),
    ],
)
def test_a_damaged_file_is_told(told: str, message: str, tmp_path: Path) -> None:
    tokenizer = letters(Split(MARK + told, "isolated"))
    path = tmp_path / "tokenizer.json"
    tokenizer.save(str(path))
    with pytest.raises(DataError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_of_a_tokenizer_is_told(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff")
    (tmp_path / "list").write_text("[]", encoding="utf-8")
    for name in ("bytes", "list", "none", "."):
        with pytest.raises(DataError):
            load(tmp_path / name)


def test_the_page_shows_what_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_document(Path(__file__).parent.parent / "docs" / "how-to" / "tokenizers.md", tmp_path) > 3
