"""SpanTagger: labelled spans of sentences, learnt from labelled ones; what callers hold."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hybrid.decoding import marginals, viterbi
from hybrid.errors import DataError
from hybrid.labelling.checking import Words, check, check_list, covering_of, distinct, or_none
from hybrid.labelling.columns import COLUMNS, span_columns
from hybrid.labelling.config import TaggerConfig
from hybrid.labelling.contexts import FEATURES, ContextMatch
from hybrid.labelling.labels import LabelSet
from hybrid.labelling.lattice import SpanLattice, build_span_lattice
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.spans import labels_of

if TYPE_CHECKING:
    from hybrid.labelling.learning import Learnt
    from hybrid.labelling.vectors import WordVectors

BATCH = 64
"""Sentences decoded at a time, where they are no longer than usual."""

EDGES = 4_000_000
"""Edges of lattices that are decoded at a time, some 0.4 GB with their columns; a longer sentence goes alone."""


@dataclass(frozen=True, slots=True)
class FoundSpan:
    """A chunk that was found.

    Attributes:
        start, end: its first word, and the word after its last.
        label: its type, "" where labels are B and I alone.
        probability: the posterior probability of exactly these words with this label, 0 … 1.
    """

    start: int
    end: int
    label: str
    probability: float


@dataclass(frozen=True, eq=False)
class SpanTagger:
    """Finds the labelled spans of sentences.

    Made by `learn`. Every score is a column over the edges of a lattice of labelled spans; the weighted sum is decoded
    by the same kernels that split words.

    Attributes:
        labels: what spans can be.
        match: how words are matched with those of contexts; None where sentences have none.
        learnt: nets, lexicon and weights.
        config: how it was trained.
    """

    labels: LabelSet
    match: ContextMatch | None = field(repr=False)
    learnt: "Learnt" = field(repr=False)
    config: TaggerConfig

    @classmethod
    def learn(
        cls,
        sentences: Sequence[Words],
        labels: Sequence[Sequence[str]],
        *,
        contexts: Sequence[Words] | None = None,
        single: bool = False,
        vectors: "WordVectors | None" = None,
        config: TaggerConfig | None = None,
        device: str | None = None,
    ) -> "SpanTagger":
        """Learn from labelled sentences; sentences without a word, and repeated ones, are passed over.

        Args:
            sentences: words of each.
            labels: of each word: O, B, I, B-TYPE or I-TYPE, read as `hybrid.chunks.iob_chunks` does.
            contexts: of each sentence, words that are read with it and not labelled, such as a question.
            single: each sentence has exactly one chunk; of several the first counts, sentences without are passed over.
            vectors: what the nets' word vectors begin with, such as `WordVectors.learn` makes of any text.
            config: sizes, rates, epochs; the defaults if None.
            device: torch device; cuda, else mps, else cpu if None.

        Raises:
            DataError: sentences, labels and contexts differ in number or length, one is no list of strings, a label is
                none of those, there is no chunk, or fewer than two sentences; no context has a word; the vectors are
                not of the size that `config` says; torch can't use the device.
        """
        from hybrid.labelling.learning import learn

        config = config or TaggerConfig()
        check_list(labels, "labels are", "lists of labels, one for each sentence,")
        check(sentences, labels, contexts)
        if vectors is not None and vectors.vectors.shape[1] != config.embedding:
            told = f"the word vectors have {vectors.vectors.shape[1]} numbers each, embedding is {config.embedding}"
            raise DataError(f"{told}; as many are right")
        if contexts is not None and len(contexts) and not any(len(context) for context in contexts):
            raise DataError("no context has a word; contexts=None is right where there are none")
        rows = distinct(sentences, labels, contexts)
        spans = [covering_of(place, row) for place, _, row, _ in rows]
        kept = [i for i, s in enumerate(spans) if s and not (single and all(label is None for _, _, label in s))]
        if len(kept) < 2:
            raise DataError(f"{len(kept)} different sentences to learn from; two or more are right")
        rows, spans = [rows[i] for i in kept], [spans[i] for i in kept]
        of_lattice = LabelSet.of(spans, single=single)
        match = ContextMatch.of([*words, *context] for _, words, _, context in rows) if contexts is not None else None
        read = [_sentence(words, context, match) for _, words, _, context in rows]
        numbered = [of_lattice.numbered(s) for s in spans]
        return cls(of_lattice, match, learn(read, numbered, of_lattice, vectors, config, device), config)

    @property
    def weights(self) -> dict[str, float]:
        """The columns' weights, by name."""
        return dict(zip(COLUMNS, self.learnt.weights.tolist(), strict=True))

    def tag(self, sentences: Sequence[Words], contexts: Sequence[Words] | None = None) -> list[list[str]]:
        """Return the IOB labels of the best path, one a word, of each sentence.

        Raises:
            DataError: contexts are missing, superfluous, or not as many as sentences; one is no list of strings.
        """
        found = self.spans(sentences, contexts)
        return [
            labels_of(len(words), [(span.start, span.end, span.label) for span in spans])
            for words, spans in zip(sentences, found, strict=True)
        ]

    def spans(self, sentences: Sequence[Words], contexts: Sequence[Words] | None = None) -> list[list[FoundSpan]]:
        """Return the chunks of the best path of each sentence, with their probabilities; errors as in `tag`."""
        if (contexts is None) != (self.match is None):
            had = "no contexts" if self.match is None else "contexts"
            raise DataError(f"{had} in training; {'none' if self.match is None else 'one a sentence'} is right here")
        check(sentences, None, contexts)
        pairs = zip(sentences, or_none(contexts, len(sentences)), strict=True)
        read = [_sentence(words, context, self.match) for words, context in pairs]
        result: list[list[FoundSpan]] = [[] for _ in sentences]
        for some in self._batches(read):
            for i, spans in zip(some, self._decode([read[i] for i in some]), strict=True):
                result[i] = spans
        return result

    def _batches(self, sentences: Sequence[Sentence]) -> Iterator[list[int]]:
        """Yield the places of sentences that have words, the shortest first, so many at a time as memory is for."""
        most = EDGES // (len(self.labels) ** 2 + sum(self.labels.longest))  # words, with all their edges
        some: list[int] = []
        words = 0
        places = (i for i, sentence in enumerate(sentences) if len(sentence))
        for i in sorted(places, key=lambda i: len(sentences[i].words)):
            if some and (len(some) == BATCH or words + len(sentences[i]) > most):
                yield some
                some, words = [], 0
            some.append(i)
            words += len(sentences[i])
        if some:
            yield some

    def _decode(self, sentences: Sequence[Sentence]) -> Iterator[list[FoundSpan]]:
        lattice = build_span_lattice([len(sentence) for sentence in sentences], self.labels.longest)
        scores = self.learnt.weights @ self._columns(lattice, sentences)
        never = lattice.transitions[self.labels.forbidden()[lattice.before, lattice.after]]
        scores[never] = -np.inf
        probability = marginals(lattice.lattice, scores).edge
        for b, path in enumerate(viterbi(lattice.lattice, scores)):
            first = int(lattice.first_word[b])
            yield [
                FoundSpan(
                    int(lattice.start[s]) - first, int(lattice.end[s]) - first, label, min(float(probability[e]), 1.0)
                )
                for e, s in zip(path.edges, lattice.span_of_edge[list(path.edges)].tolist(), strict=True)
                if s >= 0 and (label := self.labels.names[lattice.label[s]]) is not None
            ]

    def _columns(self, lattice: SpanLattice, sentences: Sequence[Sentence]) -> NDArray[np.float32]:
        """Return (C, E) of sentences that were not learnt from."""
        from hybrid.labelling.inference import token_scores
        from hybrid.labelling.learning import lookup_forms

        learnt = self.learnt
        ratios = [learnt.lexicon.log_ratios(lookup_forms(s), strength=self.config.strength) for s in sentences]
        scores = [np.concatenate(token_scores(n, learnt.vocabulary, sentences, learnt.device)) for n in learnt.nets]
        changes = [net.transitions.detach().cpu().numpy() for net in learnt.nets]
        return span_columns(lattice, ratios, np.mean(scores, axis=0), np.mean(changes, axis=0), self.labels.outside)


def _sentence(words: Words, context: Words, match: ContextMatch | None) -> Sentence:
    """Return what nets read of a sentence; of its context's words they read no more than that they are of one."""
    if match is None:
        return Sentence(words, 0, np.zeros((len(words), 0), np.float32))
    features = np.zeros((len(context) + len(words), FEATURES + 1), np.float32)
    features[: len(context), FEATURES] = 1
    features[len(context) :, :FEATURES] = match.features(words, context)
    return Sentence([*context, *words], len(context), features)
