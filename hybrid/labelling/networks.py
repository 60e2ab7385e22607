"""Nets over the words of a sentence: modules, nothing else."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from hybrid.labelling.vocabulary import SHAPES
from hybrid.networks import SeededDropout


@dataclass(frozen=True)
class Batch:
    """B sentences of at most L words, filled up; U different words, of at most C characters.

    Attributes:
        words: (B, L) int64, each word's number in the vocabulary.
        shapes: (B, L) int64, how it is written.
        lengths: (B,) int64, words of each sentence, its context included.
        context: (B,) int64, how many of them, the first ones, are context: read, but not labelled.
        which: (B, L) int64, each word's row in `characters`.
        characters: (U, C) int64.
        character_lengths: (U,) int64.
        features: (B, L, F) float32, what else is known of each word.
    """

    words: Tensor
    shapes: Tensor
    lengths: Tensor
    context: Tensor
    which: Tensor
    characters: Tensor
    character_lengths: Tensor
    features: Tensor


class BothWays(nn.Module):
    """An LSTM from left to right and one from right to left, over sequences of any lengths.

    What a sequence was filled up with comes last for both, so it changes nothing; packing would do the same, slowly.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(inputs, hidden, batch_first=True)
        self.backwards = nn.LSTM(inputs, hidden, batch_first=True)

    def forward(self, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """Map x (B, L, inputs) and lengths (B,) to states (B, L, 2 · hidden) and last states (B, 2 · hidden)."""
        at = torch.arange(x.shape[1], device=x.device)
        turned = (lengths[:, None] - 1 - at).clamp_min(0)  # (B, L), its own inverse up to `lengths`
        right = self.forwards(x)[0]
        left = self.backwards(_rows(x, turned))[0]
        last = (lengths - 1)[:, None]
        ends = torch.cat([_rows(right, last), _rows(left, last)], dim=2).squeeze(1)
        return torch.cat([right, _rows(left, turned)], dim=2), ends


def _rows(x: Tensor, at: Tensor) -> Tensor:
    """Return (B, K, D): rows at (B, K) of x (B, L, D)."""
    return x.gather(1, at[:, :, None].expand(-1, -1, x.shape[2]))


class TokenEncoder(nn.Module):
    """States of the words of a sentence: embedding of the word, an LSTM over its characters, and both ways over all.

    Args:
        words, characters: how many different ones there are, the unknown one included.
        features: how many numbers come with each word.
        embedding, letter_embedding, letter_hidden, hidden: sizes of a word's and a character's vector, and of each
            direction's state over characters and over words.
        layers: how many bidirectional layers lie over one another.
        dropout: rates for the input, between layers, and for the output.
        unknown: rate at which training words are read as unknown ones, so that their characters must do.
    """

    def __init__(
        self,
        words: int,
        characters: int,
        features: int = 0,
        embedding: int = 100,
        letter_embedding: int = 32,
        letter_hidden: int = 50,
        hidden: int = 128,
        layers: int = 1,
        dropout: tuple[float, float, float] = (0.3, 0.3, 0.3),
        unknown: float = 0.1,
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(words, embedding)
        self.letters = nn.Embedding(characters, letter_embedding)
        self.shapes = nn.Embedding(SHAPES, 8)
        self.spelling = BothWays(letter_embedding, letter_hidden)
        inputs = embedding + 2 * letter_hidden + 8 + features
        self.layers = nn.ModuleList(BothWays(inputs if i == 0 else 2 * hidden, hidden) for i in range(layers))
        self.dropouts = nn.ModuleList(SeededDropout(p) for p in dropout)
        self.hide = SeededDropout(unknown)
        self.size = 2 * hidden

    def add_words(self, vectors: Tensor) -> None:
        """Give words that were not there in training, numbered after those that were, vectors (W, embedding)."""
        own = self.words.weight.detach()
        table = torch.cat([own, vectors.to(own)])
        self.words = nn.Embedding(len(table), table.shape[1], _weight=table)

    def forward(self, batch: Batch) -> Tensor:
        """Map sentences to states (B, L, size)."""
        spelled = self.spelling(self.letters(batch.characters), batch.character_lengths)[1]
        seen = self.hide(torch.ones(batch.words.shape, device=batch.words.device)) > 0
        words = self.words(batch.words * seen)
        x = torch.cat([words, spelled[batch.which], self.shapes(batch.shapes)], dim=2)
        x = torch.cat([self.dropouts[0](x), batch.features], dim=2)
        for i, layer in enumerate(self.layers):
            x = self.dropouts[1](x) if i else x
            x = layer(x, batch.lengths)[0]
        return self.dropouts[2](x)


class ContextEncoder(nn.Module):
    """States of the words of a sentence that is read with a context, such as a passage with a question.

    One encoder reads both in a row; the context's states, pooled by attention, then come with each word of the
    sentence, and so does their product with the word's own state.

    Args:
        encoder: reads context and sentence.
        features: how many numbers come with each word; those of the encoder, read once more.
        hidden: size of each direction's state over the sentence.
        dropout: rate for the output.
    """

    def __init__(self, encoder: TokenEncoder, features: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.attention = nn.Linear(encoder.size, 1)
        self.asked = nn.Linear(encoder.size, encoder.size)
        self.layer = BothWays(3 * encoder.size + features, hidden)
        self.dropout = SeededDropout(dropout)
        self.size = 2 * hidden

    def add_words(self, vectors: Tensor) -> None:
        """Give words that were not there in training vectors, as `TokenEncoder.add_words` does."""
        self.encoder.add_words(vectors)

    def forward(self, batch: Batch) -> Tensor:
        """Map sentences to states (B, L', size) of their words without the context; an empty one is pooled to 0."""
        x = self.encoder(batch)
        at = torch.arange(x.shape[1], device=x.device)
        there = batch.context[:, None] > 0  # (B, 1); a softmax over nothing would be nan, and its gradient too
        attention = self.attention(x).squeeze(2).masked_fill(there & (at >= batch.context[:, None]), -torch.inf)
        pooled = (attention.softmax(dim=1)[:, :, None] * x).sum(dim=1) * there
        asked = torch.tanh(self.asked(pooled))[:, None]  # (B, 1, size)
        own = batch.lengths - batch.context
        where = (batch.context[:, None] + at[: int(own.max())]).clamp_max(x.shape[1] - 1)
        words, features = _rows(x, where), _rows(batch.features, where)
        x = torch.cat([words, asked.expand_as(words), words * asked, features], dim=2)
        return self.dropout(self.layer(x, own)[0])


class SpanNet(nn.Module):
    """Scores of labelled spans: score(s, t, l) = begin(s, l) + Σ inside(s + 1 … t − 1, l) + end(t − 1, l)."""

    def __init__(self, encoder: TokenEncoder | ContextEncoder, labels: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.labels = labels
        self.out = nn.Linear(encoder.size, 3 * labels)
        self.transitions = nn.Parameter(torch.zeros(labels + 1, labels + 1))

    def forward(self, batch: Batch) -> Tensor:
        """Map sentences to scores (B, L', 3, labels): a span begins at a word, goes on over it, ends with it."""
        return self.out(self.encoder(batch)).unflatten(2, (3, self.labels))
