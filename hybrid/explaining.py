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
        """Return the lattice as SVG: the word's letters, and an arc for each segment, the thicker the likelier."""
        if not self.word:
            return '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
        step, margin = 22, 14
        reach = max((arc.end - arc.start for arc in self.arcs), default=1)
        height = 24 + min(220, 11 * reach)
        base, width = height + 6, 2 * margin + step * len(self.word)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{base + 26}" '
            f'viewBox="0 0 {width} {base + 26}" font-family="sans-serif" font-size="14" role="img">',
            f"<title>{_xml(self.word)}: {_xml(str(self.splits[0]))}</title>",
        ]
        for i, character in enumerate(self.word):
            x = margin + step * (i + 0.5)
            parts.append(
                f'<text x="{x}" y="{base + 18}" text-anchor="middle" fill="currentColor">{_xml(character)}</text>'
            )
        parts.extend(_draw(arc, step, margin, base) for arc in reversed(self.arcs))
        return "\n".join([*parts, "</svg>"])

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _draw(arc: Arc, step: int, margin: int, base: int) -> str:
    left, right = margin + step * arc.start, margin + step * arc.end
    top = base - 2 * min(110.0, 5.5 * (arc.end - arc.start)) - 8
    color = "#c2410c" if arc.best else "#64748b"
    width = 0.6 + 2.6 * math.sqrt(arc.probability)
    label = f"{arc.text} {arc.probability:.2f}"
    return (
        f'<path d="M{left} {base} Q{(left + right) / 2} {top} {right} {base}" fill="none" stroke="{color}" '
        f'stroke-width="{width:.2f}" stroke-opacity="{0.25 + 0.75 * arc.probability:.2f}">'
        f"<title>{_xml(label)}</title></path>"
        f'<text x="{(left + right) / 2}" y="{(base + top) / 2 - 3:.1f}" text-anchor="middle" font-size="9" '
        f'fill="{color}">{arc.probability:.2f}</text>'
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
