"""Spellings without umlauts and ß: read as the usual ones where the dictionary has the word only so."""

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lexicon import normalize
from lexicon.normalize import LookupForm
from lexicon.respelling import respell
from lexicon.trie import Trie, build_trie

DIGRAPHS = {"ss": "ß", "ae": "ä", "oe": "ö", "ue": "ü"}

WORDS = build_trie([
    "straße", "straßenbahn", "bahn", "bund", "bundes", "müller", "fuß", "fußgänger", "zone", "masse", "maße", "neu",
    "neue", "fluss", "schloß", "haus", "suche", "über", "öl", "größer",
])  # fmt: skip


def letters(alphabet: str, longest: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, max_size=longest)


@st.composite
def dictionaries(draw: st.DrawFn) -> Trie:
    """Any words, and some over the letters that matter, so that they are met."""
    words = draw(st.lists(letters("saßuüeä", 5) | st.text(max_size=5), max_size=8))
    return build_trie({normalize(word).text for word in words} - {""})


def weigh(text: str, start: int, end: int, words: Trie) -> int:
    """Return how well words of three letters and more lie over text[start:end], looking for each at every place."""
    found = [(at, at + len(word)) for word in words if len(word) >= 3
             for at in range(len(text)) if text.startswith(word, at)]  # fmt: skip
    single = end - start == 1
    over = [2 * (t - s) + single * (2 + (t - s >= 6)) + 3 * (s == 0) for s, t in found if s <= start and t >= end]
    left = [2 * (t - s) + 3 * (s == 0) for s, t in found if t == start + 1]
    right = [2 * (t - s) for s, t in found if s == start + 1]
    if not single and left and right:
        over.append(max(left) + max(right))
    return max(over, default=0)


def slow(text: str, words: Trie) -> str:
    """Return the text as `respell` should read it: of all ways to fold its digraphs, at most four, the best."""
    pairs = [i for i in range(len(text)) if text[i : i + 2] in DIGRAPHS]
    best, best_weight = text, None
    for way in itertools.product((False, True), repeat=len(pairs)):
        read, spans, gone, last = text, [], 0, -2
        for i, fold in zip(pairs, way, strict=True):
            at = i - gone
            if fold and i > last + 1:
                read, last, gone = read[:at] + DIGRAPHS[read[at : at + 2]] + read[at + 2 :], i, gone + 1
                spans.append((at, at + 1))
            else:
                spans.append((at, min(at + 2, len(read))))
        weight = sum(weigh(read, start, end, words) for start, end in spans) - 2 * gone
        if best_weight is None or weight > best_weight:
            best, best_weight = read, weight
    return best


def check_leads_back(form: LookupForm, word: str) -> None:
    assert list(form.offsets) == sorted(set(form.offsets))
    assert (len(form.offsets), form.offsets[-1]) == (len(form.text) + 1, len(word))
    assert set(form.breaks) <= set(range(1, len(form.text)))
    if form.ends:
        assert len(form.ends) == len(form.text)
        assert all(s < e <= t for s, e, t in zip(form.offsets[:-1], form.ends, form.offsets[1:], strict=True))
    for cuts in ((), tuple(range(1, len(form.text))), form.breaks):
        labels = form.to_labels(cuts)
        assert len(labels) == len(word)
        assert form.to_cuts(labels) == cuts
    assert [form.node(offset) for offset in form.offsets] == list(range(len(form.offsets)))


@pytest.mark.parametrize(
    ("word", "text", "offsets"),
    [
        ("Strassenbahn", "straßenbahn", (0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12)),
        ("STRASSE", "straße", (0, 1, 2, 3, 4, 6, 7)),
        ("Bundesstrasse", "bundesstraße", (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13)),
        ("Mueller", "müller", (0, 1, 3, 4, 5, 6, 7)),
        ("Fussgaengerzone", "fußgängerzone", (0, 1, 2, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
        ("Haus-Strasse", "hausstraße", (0, 1, 2, 3, 5, 6, 7, 8, 9, 11, 12)),
        ("Ueber", "über", (0, 2, 3, 4, 5)),
        ("Stras\u00adse", "straße", (0, 1, 2, 3, 4, 7, 8)),
    ],
)
def test_a_known_word_is_read_in_its_usual_spelling(word: str, text: str, offsets: tuple[int, ...]) -> None:
    form = respell(normalize(word), WORDS)
    assert (form.text, form.offsets) == (text, offsets)
    check_leads_back(form, word)


@pytest.mark.parametrize("word", ["Masse", "Maße", "Neue", "Fluss", "Haussuche", "Straße", "Oel", "Xaess", "ss", "s"])
def test_what_is_known_as_it_is_or_not_at_all_stays(word: str) -> None:
    assert respell(normalize(word), WORDS) == normalize(word)


@pytest.mark.parametrize("word", ["Mas-se", "Mas\u2010se", "Mas-\u00adse"])
def test_two_letters_with_a_hyphen_between_are_no_digraph(word: str) -> None:
    words = build_trie(["maße"])
    assert respell(normalize("Masse"), words).text == "maße"
    assert respell(normalize(word), words) == normalize(word)


def test_a_hyphen_beside_a_digraph_stays_a_break() -> None:
    words = build_trie(["fuß", "weg", "übel"])
    assert respell(normalize("Fuss-Weg"), words).breaks == (3,)
    assert respell(normalize("Weg-Uebel"), words).breaks == (3,)
    form = respell(normalize("Fuss-Uebel-Weg"), words)
    assert (form.text, form.breaks) == ("fußübelweg", (3, 7))
    assert form.to_labels(form.breaks) == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]


def test_a_cut_inside_a_digraph_is_an_error_only_where_it_is_read_as_one() -> None:
    labels = [0, 0, 0, 0, 1, 0, 1]
    assert normalize("Strasse").to_cuts(labels) == (5,)
    form = respell(normalize("Strasse"), WORDS)
    assert form.node(5) is None
    with pytest.raises(ValueError, match="label 1 at character 5 cuts a letter"):
        form.to_cuts(labels)


@given(word=letters("asueoß-\u00ad", 12) | st.text(max_size=15), words=dictionaries())
def test_any_text_leads_back_with_any_dictionary(word: str, words: Trie) -> None:
    form = respell(normalize(word), words)
    check_leads_back(form, word)
    assert set(form.offsets) <= set(normalize(word).offsets)


@given(word=letters("asue", 8), words=st.sets(letters("asßuü", 5)).map(build_trie))
@example("strasse", build_trie(["straße", "trasse"]))
@example("preisstatistik", build_trie(["preis", "preiß", "statistik"]))
def test_the_same_as_looking_for_every_word_everywhere(word: str, words: Trie) -> None:
    if len(words) and sum(word[i : i + 2] in DIGRAPHS for i in range(len(word))) <= 4:
        assert respell(normalize(word), words).text == slow(word, words)


@given(st.text(max_size=15) | letters("aousße-", 12))
def test_an_empty_dictionary_changes_nothing(word: str) -> None:
    form = normalize(word)
    assert respell(form, build_trie(())) == form


@given(word=letters("asue-\u00ad\u0308", 10), data=st.data())
def test_merging_two_characters_keeps_all_other_places(word: str, data: st.DataObject) -> None:
    form = normalize(word)
    inner = [node for node in range(1, len(form.text)) if node not in form.breaks]
    if inner:
        node = data.draw(st.sampled_from(inner))
        merged = form.merged(node, "ü")
        check_leads_back(merged, word)
        assert merged.text == form.text[: node - 1] + "ü" + form.text[node + 1 :]
        assert merged.ends == form.ends[: node - 1] + form.ends[node:]
        assert merged.offsets == form.offsets[:node] + form.offsets[node + 1 :]
        assert {merged.offsets[b] for b in merged.breaks} == {form.offsets[b] for b in form.breaks}
