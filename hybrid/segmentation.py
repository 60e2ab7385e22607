"""What a caller holds: a word, its parts, and how sure the model is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a word.

    Attributes:
        text: the part as it stands in the caller's word.
        start: its first character's place in the caller's word.
        end: the place after its last character.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Segmentation:
    """One way to split a word.

    Attributes:
        word: the caller's word, unchanged.
        parts: segments that tile the word, from left to right; none for the empty word.
        score: the weighted sum of all columns over the path, in nats.
        probability: the path's posterior probability among all the paths allowed, 0 … 1.
        cut_probabilities: for each inner cut, from left to right, the posterior probability that a part ends there:
            that of all paths which cut there, whatever else they do.
    """

    word: str
    parts: tuple[Segment, ...]
    score: float
    probability: float
    cut_probabilities: tuple[float, ...]

    @classmethod
    def from_labels(
        cls, word: str, labels: list[int], score: float, probability: float, cut_probabilities: tuple[float, ...]
    ) -> "Segmentation":
        """Cut `word` after each character labelled 1."""
        ends = [i + 1 for i, label in enumerate(labels) if label]
        starts = [0, *ends][: len(ends)]
        parts = tuple(Segment(word[s:e], s, e) for s, e in zip(starts, ends, strict=True))
        return cls(word, parts, score, probability, cut_probabilities)

    @property
    def texts(self) -> tuple[str, ...]:
        """The parts' texts; joined they are the word."""
        return tuple(part.text for part in self.parts)

    @property
    def labels(self) -> list[int]:
        """0/1 for each character of the word: 1 for the last of a part (the contest's format)."""
        labels = [0] * len(self.word)
        for part in self.parts:
            labels[part.end - 1] = 1
        return labels

    def __str__(self) -> str:
        return "|".join(self.texts)
