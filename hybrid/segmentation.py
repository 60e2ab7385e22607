"""What a caller holds: a word, its parts and their tree, and how sure the model is."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a word.

    Attributes:
        text: the part as it stands in the caller's word, hyphen included.
        start: its first character's place in the caller's word.
        end: the place after its last character.
        stem: `text` without linking element and hyphen: *Arbeit* of *Arbeits*.
        link: the linking element: *s*; empty where there is none.
        lemma: the dictionary form, where the lexicon knows one: *Schule* of *Schul*. Nouns begin with a capital.
    """

    text: str
    start: int
    end: int
    stem: str = ""
    link: str = ""
    lemma: str | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A part, or parts that belong together before others do: *((Auto bahn) (anschluss stelle))*.

    Attributes:
        text: its characters in the caller's word.
        start: its first character's place there.
        end: the place after its last character.
        children: the trees that it is made of, from left to right; none for a part. Of two, the right one is the head.
    """

    text: str
    start: int
    end: int
    children: tuple["Tree", ...] = ()

    def leaves(self) -> Iterator["Tree"]:
        """Yield the parts from left to right."""
        if not self.children:
            yield self
        for child in self.children:
            yield from child.leaves()

    def __str__(self) -> str:
        return f"({' '.join(map(str, self.children))})" if self.children else self.text


@dataclass(frozen=True, slots=True)
class Segmentation:
    """One way to split a word.

    Attributes:
        word: the caller's word, unchanged.
        parts: segments that tile the word, from left to right; none for the empty word.
        score: the weighted sum of all columns over the path, in nats.
        probability: the split's posterior probability among all the splits allowed, 0 … 1; of a coarser split than
            the finest, that of all splits and trees which give it.
        cut_probabilities: for each inner cut, from left to right, the posterior probability that a part ends there:
            that of all paths which cut there, whatever else they do.
        compound_probability: the probability that the word has more than one part, 0 … 1.
        tree: the finest parts, bracketed; all side by side where the model knows no bracketing. None: an empty word.
    """

    word: str
    parts: tuple[Segment, ...]
    score: float
    probability: float
    cut_probabilities: tuple[float, ...]
    compound_probability: float = 0.0
    tree: Tree | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The parts' texts; joined they are the word."""
        return tuple(part.text for part in self.parts)

    @property
    def is_compound(self) -> bool:
        """The word is split into two parts or more, at the finest granularity."""
        return self.tree is not None and bool(self.tree.children)

    @property
    def labels(self) -> list[int]:
        """0/1 for each character of the word: 1 for the last of a part (the contest's format)."""
        labels = [0] * len(self.word)
        for part in self.parts:
            labels[part.end - 1] = 1
        return labels

    def __str__(self) -> str:
        return "|".join(self.texts)


def plain_tree(word: str, parts: Sequence[Segment]) -> Tree | None:
    """Return parts side by side, or the one part, as a tree; None where there is none."""
    leaves = tuple(Tree(part.text, part.start, part.end) for part in parts)
    return Tree(word, 0, len(word), leaves) if len(leaves) > 1 else next(iter(leaves), None)
