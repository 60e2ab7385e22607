"""Why a word is split so: its best paths side by side, with what each column gave, and its lattice as a picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from hybrid.lattice import WordLattice
from hybrid.segmentation import Segmentation
from lexicon import LookupForm

SEEN = 0.01
"""Least probability of a segment that is drawn, unless a caller says another."""

_MOST_DRAWN = 40
"""Segments that are drawn; the likeliest are."""

_STEP, _MARGIN, _LETTERS, _RISE = 24, 14, 28, 18
"""Pixels of a picture: from letter to letter, at its sides, the letters' height, an arc's label."""


@dataclass(frozen=True, slots=True)
class Arc:
    """A candidate segment in the picture.

    Attributes:
        text: its characters in the caller's word.
        start: its first character's place there.
        end: the place after its last character.
        probability: that of all paths which take it, 0 … 1.
        best: it is on the best path.
        contributions: C numbers, what each column, weighed, gives it, in nats; none where the split was told.
        constraint: what hyphens, other non-letters and the caller's cuts take from it, in nats.
    """

    text: str
    start: int
    end: int
    probability: float
    best: bool
    contributions: tuple[float, ...] = ()
    constraint: float = 0.0


@dataclass(frozen=True)
class Explanation:
    """What spoke for each of a word's best splits; shown as a table, in a notebook as a picture too.

    Attributes:
        word: the caller's word.
        splits: its K best splits into finest parts.
        columns: C names.
        contributions: (K, C), what each column, weighed, gave each split, in nats.
        constraints: K sums of what hyphens, other non-letters and the caller's cuts took from each split.
        arcs: the segments that have some probability, the likeliest first.
    """

    word: str
    splits: tuple[Segmentation, ...]
    columns: tuple[str, ...]
    contributions: tuple[tuple[float, ...], ...]
    constraints: tuple[float, ...]
    arcs: tuple[Arc, ...]

    @classmethod
    def of_told(cls, split: Segmentation) -> "Explanation":
        """Return the explanation of a split that was given, not found."""
        arcs = tuple(Arc(part.text, part.start, part.end, 1.0, best=True) for part in split.parts)
        return cls(split.word, (split,), (), ((),), (0.0,), arcs)

    @classmethod
    def of_found(
        cls,
        splits: Sequence[Segmentation],
        form: LookupForm,
        lattice: WordLattice,
        names: Sequence[str],
        columns: NDArray[np.float64],
        added: NDArray[np.float64] | None,
        probability: NDArray[np.float64],
        seen: float = SEEN,
    ) -> "Explanation":
        """Return the explanation of a word's best splits.

        Args:
            splits: the splits of one word, best first.
            form: the word's lookup form.
            lattice: the word's lattice, with E edges.
            names: C column names.
            columns: (C, E), weighed.
            added: (E,), what constraints added; None: nothing.
            probability: (E,), of each edge.
            seen: least probability of a segment that becomes an arc; those of the best path always do.
        """
        word, offsets = splits[0].word, form.offsets
        paths = [_edges(lattice, form, split) for split in splits]
        best = set(paths[0].tolist())
        arcs = [
            Arc(
                word[offsets[s] : offsets[t]],
                offsets[s],
                offsets[t],
                float(probability[e]),
                e in best,
                tuple(columns[:, e].tolist()),
                0.0 if added is None else float(added[e]),
            )
            for e, (s, t) in enumerate(zip(lattice.src.tolist(), lattice.dst.tolist(), strict=True))
            if e in best or probability[e] >= seen
        ]
        arcs.sort(key=lambda arc: (-arc.probability, arc.start, arc.end))
        return cls(
            word=word,
            splits=tuple(splits),
            columns=tuple(names),
            contributions=tuple(tuple(columns[:, path].sum(1).tolist()) for path in paths),
            constraints=tuple(0.0 if added is None else float(added[path].sum()) for path in paths),
            arcs=tuple(arcs[:_MOST_DRAWN]),
        )

    def __str__(self) -> str:
        """Return a table: a column a split, a row a column of the lattice, in nats; they sum to the score."""
        rows = [["", *(str(split) for split in self.splits)],
                ["probability", *(f"{split.probability:.4f}" for split in self.splits)],
                ["score", *(f"{split.score:+.2f}" for split in self.splits)]]  # fmt: skip
        for c, name in enumerate(self.columns):
            rows.append([f"  {name}", *(f"{of_split[c]:+.2f}" for of_split in self.contributions)])
        if not self.columns and self.word:
            rows.append(["  told, not found", *("" for _ in self.splits)])
        if any(self.constraints):
            rows.append(["  constraints", *(f"{value:+.2f}" for value in self.constraints)])
        if self.splits and self.splits[0].is_compound:
            rows.append(["tree", *(str(split.tree) for split in self.splits)])
        return _table(rows)

    def to_svg(self) -> str:
        """Return the lattice as SVG: the word's letters, the best path above them, other segments below.

        An arc is a segment, the thicker the likelier; its probability stands beside it.
        """
        if not self.word:
            return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
        above = _RISE + max((_rise(arc) for arc in self.arcs if arc.best), default=0.0)
        below = max((_rise(arc) + _RISE for arc in self.arcs if not arc.best), default=0.0)
        width, height = 2 * _MARGIN + _STEP * len(self.word), above + _LETTERS + below + 4
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:.0f}" '
            f'viewBox="0 0 {width} {height:.0f}" font-family="sans-serif" font-size="15" role="img">',
            f"<title>{_xml(self.word)}: {_xml(str(self.splits[0]))}</title>",
        ]
        for i, character in enumerate(self.word):
            place = f'x="{_MARGIN + _STEP * (i + 0.5):.0f}" y="{above + 19:.0f}"'
            parts.append(f'<text {place} text-anchor="middle" fill="currentColor">{_xml(character)}</text>')
        parts.extend(_draw(arc, above if arc.best else above + _LETTERS) for arc in reversed(self.arcs))
        return "\n".join([*parts, "</svg>"])

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _rise(arc: Arc) -> float:
    """Return how far an arc stands off the letters, in pixels."""
    return min(110.0, 12 + 5.0 * (arc.end - arc.start))


def _draw(arc: Arc, base: float) -> str:
    """Return an arc over or under the letters; `base` is where they begin or end."""
    away = -1 if arc.best else 1
    left, right, middle = (_MARGIN + _STEP * x for x in (arc.start, arc.end, (arc.start + arc.end) / 2))
    color = "#c2410c" if arc.best else "#64748b"
    width = 0.8 + 2.6 * math.sqrt(arc.probability)
    label = middle, base + away * (_rise(arc) + 4) + (0 if arc.best else 8)
    return (
        f'<path d="M{left} {base:.1f} Q{middle} {base + away * 2 * _rise(arc):.1f} {right} {base:.1f}" fill="none" '
        f'stroke="{color}" stroke-width="{width:.2f}" stroke-opacity="{0.4 + 0.6 * arc.probability:.2f}">'
        f"<title>{_xml(f'{arc.text} {arc.probability:.2f}')}</title></path>"
        f'<text x="{label[0]}" y="{label[1]:.1f}" text-anchor="middle" font-size="11" fill="{color}">'
        f"{arc.probability:.2f}</text>"
    )


def _edges(lattice: WordLattice, form: LookupForm, split: Segmentation) -> NDArray[np.int64]:
    """Return (P,): the edges of a split of the one word of a lattice."""
    nodes = np.array([0, *form.to_cuts(split.labels), len(form.text)], np.int64)
    return lattice.edge(np.zeros(len(nodes) - 1, np.int64), nodes[:-1], nodes[1:])


def _xml(text: str) -> str:
    """Return text that XML can hold: what it can't is replaced."""
    legal = (c if c in "\t\n" or "\x20" <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "\ufffd"
             for c in text)  # fmt: skip
    return escape("".join(legal))


def _table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as lines, the first column flush left, the others flush right."""
    rows = [[_printable(cell) for cell in row] for row in rows]
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        ).rstrip()
        for row in rows
    )


def _printable(text: str) -> str:
    """Return text of one line."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
