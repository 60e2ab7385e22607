"""What the notebooks show: small models, and pictures of what is inside."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.patches import Arc

from hybrid import Segmentation, Segmenter
from hybrid.columns import column_names, compute_columns
from hybrid.decoding import marginals, viterbi
from hybrid.evidence import gather
from hybrid.metrics import reliability, spans
from hybrid.training import TrainingConfig
from lexicon import Lexicon, normalize
from lexicon.silver import FOLDER

SMALL = TrainingConfig(
    lexicon_nets=1, lexicon_hidden=32, character_nets=1, character_hidden=48, lexicon_epochs=5, character_epochs=5,
    segment_batch=64, segment_rate=1e-2, language_hidden=48, language_epochs=4,
)  # fmt: skip
"""Nets that train in some ten seconds on the silver set; the defaults are better and slower."""


def read_silver(name: str) -> dict[str, list[int]]:
    """Return the silver set's train, val or test: word → labels."""
    return dict(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")))


def bars(counts: Iterable[tuple[str, int]], title: str) -> None:
    """Draw named counts, the first on top."""
    names, numbers = zip(*counts, strict=True)
    figure, axes = pyplot.subplots(figsize=(7, 0.25 * len(names) + 0.8))
    axes.barh(names, numbers)
    axes.invert_yaxis()
    axes.set_title(title)
    figure.tight_layout()


def commonest(lexicon: Lexicon, role: int, many: int = 15) -> list[tuple[str, int]]:
    """Return the strings that were parts most often in a role, with their counts."""
    counts = Counter({key: int(lexicon.parts[lexicon.trie.get(key), role]) for key in lexicon.trie})
    return counts.most_common(many)


def draw_lattice(segmenter: Segmenter, word: str) -> None:
    """Draw every segment of a word as an arc, the darker the more probable, and the best path in red."""
    evidence = gather([normalize(word).text], segmenter.model.lexicon)
    lattice, scores = evidence.lattice, segmenter.score(evidence)
    least = segmenter.model.min_parts
    probability = marginals(lattice.lattice, scores, min_parts=least).edge
    best = set(viterbi(lattice.lattice, scores, min_parts=least)[0].edges)
    figure, axes = pyplot.subplots(figsize=(9, 3.6))
    for edge in np.argsort(probability):
        start, end = int(lattice.src[edge]), int(lattice.dst[edge])
        shade = 0.06 + 0.94 * float(probability[edge])
        axes.add_patch(Arc(((start + end) / 2, 0), end - start, (end - start) * 0.9, theta2=180,
                           color="C3" if edge in best else "black", alpha=shade, linewidth=1 + 2 * shade))  # fmt: skip
        if probability[edge] > 0.02:
            axes.text((start + end) / 2, (end - start) * 0.45 + 0.08, f"{probability[edge]:.2f}", ha="center", size=8)
    for at, letter in enumerate(word):
        axes.text(at + 0.5, -0.45, letter, ha="center", size=14)
    axes.plot(range(len(word) + 1), [0] * (len(word) + 1), "o", color="black", markersize=4)
    axes.set(xlim=(-0.3, len(word) + 0.3), ylim=(-0.8, len(word) * 0.5), title=f"All segments of {word}")
    axes.axis("off")
    figure.tight_layout()


def draw_columns(segmenter: Segmenter, word: str) -> None:
    """Draw, for every segment of a word, what each column adds to its score, in nats."""
    text = normalize(word).text
    evidence = gather([text], segmenter.model.lexicon)
    names = column_names(segmenter.scorers)
    weights = np.array([segmenter.model.weights[name] for name in names])
    added = compute_columns(segmenter.scorers, evidence) * weights[:, None]  # (C, E)
    order = np.lexsort((evidence.lattice.dst, evidence.lattice.src))
    labels = [text[evidence.lattice.src[e] : evidence.lattice.dst[e]] for e in order]
    figure, axes = pyplot.subplots(figsize=(7, 0.17 * len(order) + 1.2))
    image = axes.imshow(added[:, order].T, aspect="auto", cmap="RdBu", vmin=-8, vmax=8)
    axes.set_yticks(range(len(order)), labels, size=7)
    axes.set_xticks(range(len(names)), names, rotation=35, ha="right")
    figure.colorbar(image, label="nats")
    axes.set_title(f"What each column says of the segments of {word}")
    figure.tight_layout()


def draw_weights(weights: Mapping[str, float]) -> None:
    """Draw the columns' fitted weights."""
    bars_axes = pyplot.subplots(figsize=(7, 0.3 * len(weights) + 0.6))[1]
    bars_axes.barh(list(weights), list(weights.values()))
    bars_axes.invert_yaxis()
    bars_axes.axvline(0, color="black", linewidth=0.8)
    bars_axes.set_title("Weights of the columns")


def wrong_splits(
    gold: Mapping[str, Sequence[int]], splits: Iterable[Segmentation]
) -> dict[str, list[tuple[str, Segmentation]]]:
    """Return the words split wrongly, by what is wrong, each as its gold parts and the split."""
    kinds: dict[str, list[tuple[str, Segmentation]]] = {"a cut missing": [], "a cut too many": [], "a cut moved": []}
    for split in splits:
        wanted, found = ({i for i, x in enumerate(labels) if x} for labels in (gold[split.word], split.labels))
        if wanted != found:
            kind = "a cut missing" if found < wanted else "a cut too many" if wanted < found else "a cut moved"
            right = "|".join(split.word[start:end] for start, end in spans(gold[split.word]))
            kinds[kind].append((right, split))
    return kinds


def draw_reliability(gold: Mapping[str, Sequence[int]], splits: Sequence[Segmentation]) -> None:
    """Draw how often splits of like probability are right."""
    right = [split.labels == list(gold[split.word]) for split in splits]
    found = reliability([split.probability for split in splits], right, bins=10)
    axes: Axes = pyplot.subplots(figsize=(4.6, 4.2))[1]
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    axes.scatter([b.confidence for b in found], [b.accuracy for b in found], s=[10 + b.count for b in found], alpha=0.7)
    axes.set(xlabel="probability told", ylabel="share that is right", title="Reliability")


def table(rows: Iterable[Sequence[Any]]) -> None:
    """Print rows in columns."""
    texts = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
