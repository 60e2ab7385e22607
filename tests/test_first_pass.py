"""The first pass: what it reads of words, against the slow twins; its splits; how it learns; how stages go together."""

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import hybrid
from hybrid import ModelError
from hybrid.cascade import lower_all
from hybrid.compiling import _Kept
from hybrid.decoding import marginals, viterbi
from hybrid.evidence import gather
from hybrid.firstpass import kernels
from hybrid.firstpass.splitter import FEW, FirstSplitter
from hybrid.firstpass.weights import FirstPass
from hybrid.lattice import build_lattice
from hybrid.model import Model
from hybrid.model_store import MANIFEST
from hybrid.nets import parameter_shapes
from hybrid.segmenter import Segmenter
from hybrid.text import join_parts
from hybrid.training.first_pass import Lessons, teach
from hybrid.training.first_pass_loop import _factors, new_factors
from hybrid.worker import Worker
from lexicon import Lexicon, LookupForm, mine, normalize
from lexicon.flat import LONGEST_KEY, build_flat, symbol_table, symbols_of
from lexicon.linking import without_umlaut
from lexicon.mining import FINAL, INITIAL, MEDIAL
from lexicon.respelling import respell
from lexicon.trie import build_trie
from tests.test_model_store import edit

CHARACTERS = "abcdefghijklmnopqrstuvwxyzßäöü"
WORDS = [
    "Autobahnanschlussstelle", "Wandhalterung", "vielleicht", "Häuserbau", "Ei", "a", "Straßenbahn", "Strassenbahn",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "Žižkadenkmal",
    "U-Bahn",
 "Arbeitszimmer", "xqzzt", "Mueller", "Gemüsesuppe", "Staubecken",
]  # fmt: skip


@cache
def default() -> dict[str, Segmenter]:
    return {mode: hybrid.load(device="cpu", mode=mode) for mode in ("cascade", "fast", "nets")}


@cache
def small() -> tuple[Lexicon, list[str], list[tuple[int, ...]]]:
    """A lexicon with every kind of string: parts in all roles, memories, linked and shortened words, a dictionary."""
    split = """auto|bahn auto|bahn|hof arbeits|zimmer arbeit|geber hunde|hütte häuser|bau sonnen|schein schul|hof
               süd|hang kinder|garten|platz kinder|garten hand|schuh|fach haus|tür haus|tür|schlüssel bahn|hof|straße ei
               ei|dotter rinder|braten vielleicht stelle anschluss|stelle masse maß|band""".split()
    words = ["".join(s.split("|")) for s in split]
    cuts = [tuple(np.cumsum([len(p) for p in s.split("|")])[:-1].tolist()) for s in split]
    listed = "schule süden arbeit hund haus sonne kind hand garten rind bahnhof autobahn straße hof tür bau".split()
    known = build_trie([*listed, "anschluss", "anschlussstelle", "platz", "fach", "schuh", "maße", "straßen", "müller"])
    return Lexicon.from_counts(mine(words, cuts, listed=listed), known), words, cuts


@cache
def splitter(seed: int = 3) -> FirstSplitter:
    """A first pass with random numbers."""
    rng = np.random.default_rng(seed)
    arrays = {"hashed": rng.normal(0, 0.3, 1 << 12), "segments": rng.normal(0, 1, kernels.SEGMENTS),
              "around": rng.normal(0, 1, kernels.AROUND), "meetings": rng.normal(0, 1, kernels.MEETINGS)}  # fmt: skip
    weights = FirstPass.from_arrays({name: array.astype(np.float32) for name, array in arrays.items()}, 0.8)
    return FirstSplitter(small()[0], CHARACTERS, weights)


def compiled_splitter() -> FirstSplitter:
    made = splitter()
    made.known  # noqa: B018 - from now on nothing is split as plain Python
    return made


PIECES = """auto bahn hof arbeit s zimmer hunde haus häuser tür schul süd e n es er kinder garten platz x ß ss mas ei
            straße anschluss stelle rinder""".split()

words_of_parts = (
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=5)
    .map("".join)
    .filter(lambda word: len(word) <= kernels.LONGEST)
)


@given(
    st.lists(st.text(alphabet=[*CHARACTERS, "é", "1"], min_size=0, max_size=LONGEST_KEY + 2), unique=True, max_size=30)
)
@settings(max_examples=150, deadline=None)
def test_a_flat_trie_holds_what_it_was_made_of(keys: list[str]) -> None:
    trie, places = build_flat(keys, CHARACTERS)
    fits = {key for key in keys if 0 < len(key) <= LONGEST_KEY and set(key) <= set(CHARACTERS)}
    assert sorted(keys[i] for i in places) == sorted(fits)

    def find(key: str) -> int:
        node = 0
        for symbol in symbols_of(key, symbol_table(CHARACTERS)).tolist():
            bits, first = trie.node[node].tolist()
            if symbol == 0 or not bits >> symbol & 1:
                return -1
            node = first + bin(bits & ((1 << symbol) - 2)).count("1")
        assert (trie.key[node] >= 0) == bool(trie.node[node, 0] & 1)
        return int(trie.key[node])

    assert [find(keys[i]) for i in places] == list(range(len(places)))
    others = {key[:n] for key in fits for n in range(1, len(key))} | {key + "a" for key in fits} | {"q"}
    assert all(find(key) == -1 for key in others - fits)


def test_a_trie_has_room_for_so_many_characters() -> None:
    with pytest.raises(ValueError, match="32 different characters; 31 at most"):
        build_flat(["a"], "".join(chr(ord("a") + i) for i in range(32)))


def read(word: str, own: tuple[int, ...] | None) -> tuple[kernels.Scratch, int]:
    of = splitter()
    scratch = kernels.new_scratch(of.tables.windows)
    if own is not None:
        scratch.own[[0, *own]] = 1
    symbols, _ = of.symbols([word])
    found = of._walk(symbols, scratch.hits)
    kernels.read_word(symbols, 0, len(word), found, of.memory, of.tables, scratch)
    return scratch, found


def check_reading(word: str, own: tuple[int, ...] | None) -> None:
    """What is read of each segment is what `gather` says of its edge."""
    lexicon = small()[0]
    evidence = gather([word], lexicon, None if own is None else [own])
    x, _ = read(word, own)
    lattice, length = evidence.lattice, len(word)
    for edge in range(len(lattice.src)):
        s, t = int(lattice.src[edge]), int(lattice.dst[edge])
        code, role = int(x.code[t, s]), int(lattice.role[edge])
        umlauted = s == 0 and any(
            (number := lexicon.trie.get(form, -1)) >= 0 and lexicon.listed[number] for form in without_umlaut(word[s:t])
        )
        flags = code >> kernels.FLAG & 15
        assert code >> kernels.ROLE == role
        assert code >> kernels.LENGTH & 7 == kernels.length_class(t - s)
        assert code >> kernels.COUNT & 7 == kernels.count_class(int(evidence.count[edge]))
        assert bool(flags & 1) == evidence.attested[edge]
        assert bool(flags & 2) == evidence.attested_linked[edge]
        assert bool(flags & 4) == evidence.listed[edge]
        assert bool(flags & 8) == evidence.linked[edge] or umlauted
        seen = evidence.seen[lattice.dst_node()[edge]]
        if role in {INITIAL, MEDIAL}:
            here = evidence.cut_here[edge]
            assert code >> kernels.CUT & 3 == min(here, 2)
            assert bool(code & 1) == (seen > here)
        elif role == FINAL:
            assert code >> kernels.CUT & 3 == min(evidence.seen[lattice.src_node()[edge]], 2)
    assert x.side[1:length, 1].tolist() == evidence.right_listed()[1:length].tolist()


@pytest.mark.parametrize("number", range(23))
def test_a_training_word_is_read_as_the_nets_read_it(number: int) -> None:
    _, words, cuts = small()
    check_reading(words[number], cuts[number])
    check_reading(words[number], None)


@given(words_of_parts)
@example("arbeitszimmerarbeitsautobahnhof")
@settings(max_examples=150, deadline=None)
def test_any_word_is_read_as_the_nets_read_it(word: str) -> None:
    check_reading(word, None)


@given(st.lists(words_of_parts, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_compiled_and_plain_give_the_same(words: list[str]) -> None:
    plain, fast = FirstSplitter(small()[0], CHARACTERS, weights_of(splitter())), compiled_splitter()
    one, other = plain.split(*plain.symbols(words)), fast.split(*fast.symbols(words))
    assert "known" not in plain.__dict__
    for a, b in zip(one, other, strict=True):
        assert np.allclose(a, b, rtol=1e-12, atol=1e-12)
    plain._plain = 0
    assert np.allclose(plain.scores(words), fast.scores(words), rtol=1e-12)


def weights_of(of: FirstSplitter) -> FirstPass:
    tables = of.tables
    return FirstPass(tables.hashed, np.log(tables.segments).astype(np.float32),
                     np.log(tables.around).astype(np.float32), tables.meetings, 0.8)  # fmt: skip


@given(st.lists(words_of_parts, min_size=1, max_size=6))
@settings(max_examples=60, deadline=None)
def test_its_splits_are_those_of_the_lattice_decoded(words: list[str]) -> None:
    of = compiled_splitter()
    symbols, starts = of.symbols(words)
    splits, lattice, scores = of.split(symbols, starts), build_lattice(words), of.scores(words)
    sums = marginals(lattice.lattice, scores)
    assert np.allclose(splits.log_z, sums.log_z)
    node = sums.node(lattice.lattice)
    for b, (word, path) in enumerate(zip(words, viterbi(lattice.lattice, scores), strict=True)):
        cuts = lattice.src[list(path.edges[1:])].tolist()
        assert np.flatnonzero(splits.cuts[starts[b] : starts[b + 1]]).tolist() == cuts
        first = int(lattice.lattice.node_ptr[b])
        assert np.allclose(splits.cuts[starts[b] : starts[b + 1]][cuts], node[first + np.array(cuts, int)], atol=1e-6)
        assert splits.probability[b] == pytest.approx(np.exp(path.score - sums.log_z[b]))
        whole = lattice.edge(np.array([b]), np.array([0]), np.array([len(word)]))
        assert splits.uncut[b] == pytest.approx(sums.edge[whole][0], abs=1e-12)


@given(
    st.lists(
        st.sampled_from(["ss", "ue", "ae", "mas", "se", "stra", "en", "ba", "m", "ller", "t"]), min_size=1, max_size=6
    )
)
@settings(max_examples=200, deadline=None)
@example(["mas", "se"])
@example(["stra", "ss", "en"])
@example(["m", "ue", "ller"])
def test_what_is_not_flagged_is_not_respelt(pieces: list[str]) -> None:
    word = "".join(pieces)
    of = compiled_splitter()
    flagged = of.may_be_respelt(*of.symbols([word]))[0]
    changed = respell(normalize(word), small()[0].dictionary).text != word
    assert flagged or not changed


@given(words_of_parts)
@settings(max_examples=60, deadline=None)
def test_its_columns_add_up_to_its_scores(word: str) -> None:
    of = compiled_splitter()
    assert np.allclose(of.columns(word).sum(axis=0), of.scores([word]), atol=1e-4)


def test_some_words_are_not_flagged() -> None:
    of = compiled_splitter()
    assert of.may_be_respelt(*of.symbols(["strassenbau", "wasser", "mueller", "autobahn"])).tolist() == [1, 0, 1, 0]


def test_words_that_it_can_not_read() -> None:
    of = splitter()
    symbols, starts = of.symbols(["haus", "", "žena", "x" * 40, "x" * 41, "b2b", "дом", "a-b"])
    assert of.reads(symbols, starts).tolist() == [True, False, True, True, False, False, False, False]
    splits = of.split(symbols, starts)
    assert splits.probability[[1, 4]].tolist() == [0.0, 0.0]
    assert of.split(*of.symbols(["e"])).probability.tolist() == [1.0]


def test_lower_all() -> None:
    assert lower_all(["Haus", "ÄPFEL", ""]) == ["haus", "äpfel", ""]
    assert lower_all(["Haus", "İ", "a\nb", "Tür"]) == ["haus", "", "", "tür"]
    assert lower_all([]) == [""] or lower_all([]) == []


def lessons() -> Lessons:
    _, words, cuts = small()
    parts = [(w, a, b) for w, (word, inner) in enumerate(zip(words, cuts, strict=True))
             for a, b in zip((0, *inner), (*inner, len(word)), strict=True)]  # fmt: skip
    word, start, end = np.array(parts, np.int64).T
    return Lessons(words, list(cuts), word, start, end, np.ones(len(parts)))


def test_it_learns_what_it_is_taught() -> None:
    lexicon, words, cuts = small()
    first = teach(lexicon, CHARACTERS, lessons(), sure=0.5, seed=0, epochs=30)
    of = FirstSplitter(lexicon, CHARACTERS, first)
    symbols, starts = of.symbols(words)
    splits = of.split(symbols, starts)
    found = [tuple(np.flatnonzero(splits.cuts[a:b]).tolist()) for a, b in zip(starts[:-1], starts[1:], strict=True)]
    assert found == cuts
    again = teach(lexicon, CHARACTERS, lessons(), sure=0.5, seed=0, epochs=30)
    assert all((x == y).all() for x, y in zip(first.arrays().values(), again.arrays().values(), strict=True))


def test_lessons_join() -> None:
    one = lessons()
    both = Lessons.join([one, one])
    assert both.words == [*one.words, *one.words]
    assert (both.word == np.concatenate([one.word, one.word + len(one.words)])).all()


def test_a_segments_factors_are_places_of_their_own() -> None:
    code = np.arange(kernels.SEGMENTS)
    factors = _factors(code)
    assert [len(np.unique(factor)) for factor in factors] == [256, 512, 512, 512]
    assert len(np.unique(np.concatenate([np.unique(factor) for factor in factors]))) == 256 + 3 * 512
    learnt = new_factors(weights_of(splitter()))
    assert max(factor.max() for factor in factors) < len(learnt.numbers.factors)
    learnt.numbers.factors[factors[0][5]] = 1.5
    learnt.numbers.segments[5] = 0.25
    assert learnt.weights(0.8).segments[5] == 1.75


@pytest.mark.parametrize(
    ("change", "message"),
    [({"hashed": np.zeros(3, np.float32)}, "power of 2"), ({"around": np.zeros(3, np.float32)}, "around has shape"),
     ({"meetings": np.full(256, np.nan, np.float32)}, "meetings holds"),
     ({"segments": np.full(kernels.SEGMENTS, 1e6, np.float32)}, "segments holds")],
)  # fmt: skip
def test_damaged_numbers_are_refused(change: dict[str, np.ndarray], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        FirstPass.from_arrays({**weights_of(splitter()).arrays(), **change}, 0.8)
    with pytest.raises(ValueError, match="sure is 2"):
        FirstPass.from_arrays(weights_of(splitter()).arrays(), 2)
    for windows in ([(1, 99)], [], [(1, -1)], [(True, 1)], [(0.5, 1)]):
        with pytest.raises(ValueError, match="no pairs of small numbers"):
            FirstPass.from_arrays(weights_of(splitter()).arrays(), 0.5, windows)


def test_all_ways_of_asking_agree() -> None:
    for segmenter in default().values():
        splits = segmenter.split_batch(WORDS)
        parts = segmenter.split_parts(WORDS)
        best = [ranking[0] for ranking in segmenter.nbest_batch(WORDS, 3)]
        assert [s.texts for s in splits] == [p for p, _ in parts] == [s.texts for s in best]
        for split, (_, probability), first in zip(splits, parts, best, strict=True):
            assert split.probability == pytest.approx(probability, abs=1e-6)
            assert split.probability == pytest.approx(first.probability, abs=1e-6)
            assert split.score == pytest.approx(first.score, abs=1e-4)
            assert split.cut_probabilities == pytest.approx(first.cut_probabilities, abs=1e-5)
            assert split.compound_probability == pytest.approx(first.compound_probability, abs=1e-6)
            assert (split.parts, split.tree) == (first.parts, first.tree)
        labels = {s.word: s.labels for s in splits if s.word}
        assert segmenter.probabilities(labels) == pytest.approx([s.probability for s in splits], abs=1e-6)
        told = segmenter.explain("Wandhalterung", 2)
        assert told.splits[0].texts == segmenter.split("Wandhalterung").texts


def test_batches_change_nothing() -> None:
    segmenter = default()["cascade"]
    words = WORDS * 5
    assert len(words) > FEW
    assert [segmenter.split(word).texts for word in WORDS] * 5 == [p for p, _ in segmenter.split_parts(words)]


def test_words_that_it_is_unsure_of_are_the_nets() -> None:
    model = default()["cascade"].model
    assert isinstance(model, Model)
    assert model.first_pass is not None
    never = Segmenter(replace(model, first_pass=replace(model.first_pass, sure=1.1)), device="cpu")
    nets = default()["nets"]
    assert [s.score for s in never.split_batch(WORDS)] == [s.score for s in nets.split_batch(WORDS)]
    assert never.split("Wandhalterung").probability != default()["fast"].split("Wandhalterung").probability


def test_the_users_words_go_before_the_first_pass() -> None:
    for segmenter in default().values():
        user = hybrid.UserDictionary.make(["Wandhalterung"], always=["Auto|bahn|hof"], never=["Arbeitszimmer"])
        own = segmenter.with_user(user)
        words = ["Wandhalterung", "Autobahnhof", "Arbeitszimmer", "Gemüsesuppe"]
        wanted = [("Wandhalterung",), ("Auto", "bahn", "hof"), ("Arbeitszimmer",), ("Gemüse", "suppe")]
        assert [p for p, _ in own.split_parts(words)] == wanted == [s.texts for s in own.split_batch(words)]


def test_constraints_hold_in_the_first_pass() -> None:
    segmenter = default()["fast"]
    assert segmenter.split("Wandhalterung", no_cuts=[4]).texts == ("Wandhalterung",)
    assert segmenter.split("Wandhalterung", cuts=[9]).texts == ("Wand", "halte", "rung")
    assert segmenter.split("Wandhalterung", min_parts=3).texts == ("Wand", "halte", "rung")
    with pytest.raises(hybrid.NoPathError):
        segmenter.split("ab", min_parts=2, no_cuts=[1])


def test_a_word_below_the_least_probability_is_left_whole() -> None:
    segmenter = default()["cascade"]
    sure = segmenter.split("Wandhalterung")
    above = (sure.probability + 1) / 2
    whole = segmenter.split("Wandhalterung", min_probability=above)
    assert segmenter.split_parts(["Wandhalterung"], min_probability=above) == [(("Wandhalterung",), whole.probability)]
    assert whole.texts == ("Wandhalterung",)
    assert whole.probability == pytest.approx(1 - sure.compound_probability)


@pytest.mark.parametrize("mode", ["cascade", "fast"])
def test_a_respelt_word_below_the_least_probability_is_left_whole(mode: str) -> None:
    segmenter = default()[mode]
    for words in (["Strassenbahn"], ["Strassenbahn", "Gesundheitspassstrasse", "Haus"] * 20):
        splits = segmenter.split_batch(words, min_probability=1.0)
        parts = segmenter.split_parts(words, min_probability=1.0)
        assert [p for p, _ in parts] == [s.texts for s in splits]
        assert [p for _, p in parts] == pytest.approx([s.probability for s in splits])


def test_a_users_entry_and_a_word_that_is_no_text() -> None:
    own = default()["fast"].with_user(hybrid.UserDictionary.make(["Quark|speise"]))
    words = ["\ud800", "Haus\udcffbau", "Quarkspeise"]
    assert [s.texts for s in own.split_batch(words)] == [("\ud800",), ("Haus\udcffbau",), ("Quark", "speise")]


def test_the_heaviest_and_the_lightest_word_stay_in_range() -> None:
    for number in (100.0, -100.0):
        arrays = {name: np.full_like(array, number) for name, array in weights_of(splitter()).arrays().items()}
        of = FirstSplitter(small()[0], CHARACTERS, FirstPass.from_arrays(arrays, 0.8))
        splits = of.split(*of.symbols(["a" * 40, "autobahnhof", "autobahn" * 5]))
        for array in splits:
            assert np.isfinite(array).all()
        assert (splits.probability > 0).all()
        assert (splits.probability <= 1).all()


def test_single_words_of_every_kind_are_compiled_in_the_end() -> None:
    of = FirstSplitter(small()[0], CHARACTERS, weights_of(splitter()))
    for _ in range(FEW + 1):
        of.scores(["autobahn"])
    assert "known" in of.__dict__


def test_letters_that_the_trie_lacks_are_respelt_all_the_same() -> None:
    lexicon = replace(small()[0], dictionary=build_trie(["xèßxq"]))
    of = FirstSplitter(lexicon, CHARACTERS, weights_of(splitter()))
    of.known  # noqa: B018 - laid flat
    assert of.may_be_respelt(*of.symbols(["xèssxq", "autobahn"])).tolist() == [True, False]


@pytest.mark.parametrize(
    "damage", [{"foo": 1}, {"hidden": 8.0}, {"features": 20}, {"segment_features": 20}, {"joint": -1}]
)
def test_sizes_that_make_no_net_are_told_when_the_model_is_loaded(damage: dict[str, object], tmp_path: Path) -> None:
    folder = Path(shutil.copytree(Path(__file__).parent / "data" / "model-v4", tmp_path / "model"))
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    manifest["segment_nets"]["segment"][0].update(damage)
    edit(folder, segment_nets=manifest["segment_nets"])
    with pytest.raises(ModelError, match="segment-1"):
        Segmenter.load(folder)
    edit(folder, segment_nets={**manifest["segment_nets"], "segment": []})
    with pytest.raises(ModelError, match="a column has no net"):
        Segmenter.load(folder)


def test_code_that_can_not_be_kept_is_compiled_all_the_same() -> None:
    def broken(*_: object) -> None:
        raise EOFError

    def loop(array: np.ndarray) -> None:
        array[0] = 7

    kept, array = _Kept(broken, loop), np.zeros(1)
    kept(array)
    array[0] = 0
    kept(array)
    assert array[0] == 7


def test_modes(segmenter: Segmenter) -> None:
    with pytest.raises(ValueError, match="mode is 'quick', should be one of cascade, fast, nets"):
        hybrid.load(mode="quick")
    with pytest.raises(ModelError, match="no first pass"):
        Segmenter(segmenter.model, mode="fast")
    assert (
        Segmenter(segmenter.model).split("Haustür").texts
        == Segmenter(segmenter.model, mode="nets").split("Haustür").texts
    )


def test_parameter_shapes_are_those_of_the_nets(segmenter: Segmenter) -> None:
    nets = segmenter.model.nets.made
    kinds = {
        **dict.fromkeys(nets.by_name(), "segment"),
        **dict.fromkeys(nets.taggers, "tagger"),
        "language_model": "language",
    }
    for name, net in nets.by_name().items():
        assert parameter_shapes(kinds[name], net.config) == {k: tuple(v.shape) for k, v in net.state_dict().items()}


@pytest.mark.parametrize("arguments", [["split", "Wandhalterung"], ["split", "--text", "Die Arbeitsagentur zahlt."]])
def test_a_sure_word_needs_neither_torch_nor_numba(arguments: list[str]) -> None:
    code = "import sys; from hybrid.cli import main; main(sys.argv[1:]); print({'torch', 'numba'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "set()"


def test_a_worker_remembers() -> None:
    segmenter = default()["cascade"]
    worker = Worker(segmenter, kept=3)
    found, wanted = worker.split([*WORDS, *WORDS]), segmenter.split_parts([*WORDS, *WORDS])
    assert [parts for parts, _ in found] == [parts for parts, _ in wanted]
    assert [p for _, p in found] == pytest.approx([p for _, p in wanted])
    assert worker.split(["Haus"]) == segmenter.split_parts(["Haus"])
    texts = ["Die Arbeitsagentur  zahlt\nKindergeld. ", "", "\n \n", "U-Bahn-Station; Haus­tür"]
    for separator in ("|", "·", " "):
        assert worker.separate(texts, separator) == [separate(segmenter, text, separator) for text in texts]
    assert worker.separate([]) == []
    for call in (worker.split, worker.separate):
        with pytest.raises(TypeError, match="one string"):
            call("Haus")
    with pytest.raises(ValueError, match="granularity"):
        Worker(segmenter, granularity="x")
    for wrong in ("", "\n"):
        with pytest.raises(ValueError, match="separator is"):
            worker.separate(["a"], wrong)


def separate(segmenter: Segmenter, text: str, separator: str) -> str:
    return join_parts(segmenter.split_text(text), separator)


@given(st.text(alphabet="aHausTür \n\t-.@/:_1\u00ad\u200b\u00a0", max_size=40))
@settings(max_examples=80, deadline=None)
def test_text_is_separated_chunk_by_chunk_as_it_is_in_one(text: str) -> None:
    segmenter = default()["fast"]
    assert Worker(segmenter).separate([text]) == [separate(segmenter, text, "|")]


def test_forms_that_are_respelt_keep_the_callers_spelling() -> None:
    segmenter = default()["fast"]
    assert segmenter.split_parts(["Strassenbahn", "STRASSENBAHN"]) == [
        (("Strassen", "bahn"), segmenter.split("Strassenbahn").probability),
        (("STRASSEN", "BAHN"), segmenter.split("STRASSENBAHN").probability),
    ]
    assert isinstance(segmenter._ranker.first_splits(["Strassenbahn"] * 2).form(1), LookupForm)
