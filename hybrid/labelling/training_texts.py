"""The training loop of nets that read a text as a whole, and their scores."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from hybrid.inference import one_thread
from hybrid.labelling.classifier_config import ClassifierConfig
from hybrid.labelling.inference import BATCH, batches_of_like_length, make_batch
from hybrid.labelling.loop import descend, prepare, seeded_weights
from hybrid.labelling.networks import TokenEncoder
from hybrid.labelling.pooling import TextNet
from hybrid.labelling.sentence import Sentence
from hybrid.labelling.vocabulary import Vocabulary


def as_sentences(texts: Sequence[Sequence[str]], longest: int) -> list[Sentence]:
    """Return what a net reads of texts; one without a word is read as one unknown word."""
    return [
        Sentence(cut, 0, np.zeros((len(cut), 0), np.float32)) for cut in (tuple(t[:longest]) or ("",) for t in texts)
    ]


def train_text_net(
    texts: Sequence[Sentence],
    labels: NDArray[np.int64],
    count: int,
    vocabulary: Vocabulary,
    vectors: NDArray[np.float32] | None,
    config: ClassifierConfig,
    *,
    seed: int,
    device: torch.device,
) -> TextNet:
    """Train a net so that the texts' labels are likely, all aspects together.

    Args:
        texts: N of one word or more.
        labels: (N, A), −1 where a text has none to learn.
        count: of labels.
        vocabulary: numbers of words and characters.
        vectors: (V + 1, embedding) float32, what word vectors begin with; None: at random.
        config: sizes, rates and epochs.
        seed: for first weights, dropout and the order of batches.
        device: where to train.
    """
    net = _new_net(vocabulary, vectors, labels.shape[1], count, config, seed).to(device)

    def loss_of(places: list[int]) -> Tensor | None:
        gold = torch.from_numpy(labels[places]).to(device)
        if bool((gold < 0).all()):
            return None  # nothing to learn, and the loss would be 0 / 0
        scores = net(make_batch(vocabulary, [texts[i] for i in places], device))
        loss = nn.functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), ignore_index=-1)
        return loss * math.sqrt(labels.shape[1])

    descend(net, texts, loss_of, config, seed=seed, name="texts", betas=(0.9, 0.98))
    return net


def text_scores(
    net: TextNet, vocabulary: Vocabulary, texts: Sequence[Sentence], device: torch.device
) -> NDArray[np.float32]:
    """Return (N, A, L) log-probabilities."""
    result = np.zeros((len(texts), *net.shape), np.float32)
    with torch.inference_mode(), one_thread():
        for places in batches_of_like_length(texts, BATCH):
            scores = net(make_batch(vocabulary, [texts[i] for i in places], device))
            result[places] = scores.log_softmax(dim=2).float().cpu().numpy()
    return result


def _new_net(
    vocabulary: Vocabulary,
    vectors: NDArray[np.float32] | None,
    aspects: int,
    count: int,
    config: ClassifierConfig,
    seed: int,
) -> TextNet:
    with seeded_weights(seed):
        encoder = TokenEncoder(
            len(vocabulary.words) + 1,
            len(vocabulary.characters) + 1,
            embedding=config.embedding if vectors is None else vectors.shape[1],
            letter_embedding=config.letter_embedding,
            letter_hidden=config.letter_hidden,
            hidden=config.hidden,
            dropout=(config.dropout,) * 3,
            unknown=config.unknown,
        )
        net = TextNet(encoder, aspects, count, config.dropout)
    prepare(net, encoder, vectors, seed)
    return net
