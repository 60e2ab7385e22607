"""Words to ranked splits, and given splits to their probabilities: what a segmenter does with a batch."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hybrid.decoding import Path, k_best, marginals, viterbi
from hybrid.evidence import Evidence, gather
from hybrid.lattice import LONGEST_SEGMENT
from hybrid.limits import LONGEST_WORD, MOST_PARTS
from hybrid.segmentation import Segmentation
from lexicon import Lexicon, LookupForm, normalize

Reals = NDArray[np.float64]

Score = Callable[[Evidence], Reals]
"""Evidence to (E,): the score of each edge, in nats."""

BATCH = 2048
"""Words, and"""

BATCH_EDGES = 400_000
"""edges, whose lattices are held in memory at a time: some 100 MB. Ordinary words have about 100 edges each."""


def batches(words: Iterable[str], k: int, min_parts: int, batch_size: int) -> Iterator[list[str]]:
    """Yield words whose lattices fit in memory together.

    Args:
        words: any strings.
        k: how many splits of each are wanted.
        min_parts: the least number of parts.
        batch_size: most words at a time.

    Raises:
        ValueError: `min_parts` is not 1 … `MOST_PARTS`.
    """
    if not 1 <= min_parts <= MOST_PARTS:
        raise ValueError(f"min_parts is {min_parts}, should be 1 to {MOST_PARTS}")
    batch: list[str] = []
    edges = 0
    for word in words:
        layers = min(min_parts, len(word)) if min_parts > 2 else 1
        cost = len(word) * (min(len(word), LONGEST_SEGMENT) * layers + k)
        if batch and (len(batch) == batch_size or edges + cost > BATCH_EDGES):
            yield batch
            batch, edges = [], 0
        batch.append(word)
        edges += cost
    if batch:
        yield batch


def rank_splits(
    words: Sequence[str], lexicon: Lexicon, score: Score, k: int, *, min_parts: int
) -> Iterator[list[Segmentation]]:
    """Yield up to k splits of each word, the most probable first.

    Args:
        words: words whose lattices fit in memory together.
        lexicon: what is known of them.
        score: how edges are scored.
        k: how many splits.
        min_parts: the least number of parts.
    """
    forms = [normalize(word) for word in words]
    decoded = [form if 0 < len(form.text) <= LONGEST_WORD else LookupForm("", (0,)) for form in forms]
    evidence = gather([form.text for form in decoded], lexicon)
    k = min(k, 2 ** min(max((len(form.text) for form in decoded), default=1), 62))  # no word has more splits
    lattice, scores = evidence.lattice.lattice, score(evidence)
    sums = marginals(lattice, scores, min_parts=min_parts)
    if k == 1:
        rankings = [[path] for path in viterbi(lattice, scores, min_parts=min_parts)]
    else:
        rankings = k_best(lattice, scores, k, min_parts=min_parts)
    nodes = np.split(sums.node(lattice), lattice.node_ptr[1:-1])
    for word, form, paths, total, node in zip(words, forms, rankings, sums.log_z, nodes, strict=True):
        yield [_read_off(word, form, path, evidence, float(total), node) for path in paths]


def split_probabilities(
    data: Mapping[str, Sequence[int]], lexicon: Lexicon, score: Score, *, min_parts: int
) -> list[float]:
    """Return the posterior probability of a given split of each word; arguments as in `rank_splits`."""
    forms = [normalize(word) for word in data]
    cuts = [form.to_cuts(labels) for form, labels in zip(forms, data.values(), strict=True)]
    evidence = gather([form.text if len(form.text) <= LONGEST_WORD else "" for form in forms], lexicon)
    lattice, scores = evidence.lattice, score(evidence)
    log_z = marginals(lattice.lattice, scores, min_parts=min_parts).log_z
    result: list[float] = []
    for w, (form, inner) in enumerate(zip(forms, cuts, strict=True)):
        length = len(form.text)
        starts, ends = np.array([0, *inner]), np.array([*inner, length])
        if length > LONGEST_WORD:  # left whole
            result.append(0.0 if inner else 1.0)
        elif len(starts) < min(min_parts, length) or (inner and max(ends - starts) > LONGEST_SEGMENT):
            result.append(0.0)
        else:
            total = scores[lattice.edge(np.full(len(starts), w), starts, ends)].sum()
            result.append(min(1.0, math.exp(total - log_z[w])))
    return result


def _read_off(word: str, form: LookupForm, path: Path, evidence: Evidence, log_z: float, node: Reals) -> Segmentation:
    """Return a path as the split of the caller's word; `node` has its nodes' posterior probabilities."""
    cuts = evidence.lattice.src[list(path.edges[1:])].tolist()
    probability = min(1.0, math.exp(path.score - log_z))
    labels = form.to_labels(cuts) if word else []
    return Segmentation.from_labels(word, labels, path.score, probability, tuple(node[cuts].tolist()))
