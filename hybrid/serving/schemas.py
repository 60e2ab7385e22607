"""What a request may hold and what an answer holds: checked on the way in, told in /openapi.json."""

from typing import Annotated, Any, Literal

from hybrid.integrations.wanted import wanted
from hybrid.limits import MOST_PARTS
from hybrid.serving.limits import (
    LONGEST_ASKED,
    LONGEST_TEXT,
    MOST_ANSWERED,
    MOST_EFFORT,
    MOST_NAMED,
    MOST_OWN,
    MOST_RANKED,
    MOST_WORDS,
)

with wanted("serve"):
    from pydantic import BaseModel, ConfigDict, Field, model_validator

Word = Annotated[str, Field(max_length=LONGEST_ASKED)]
OwnWords = Annotated[list[Word], Field(max_length=MOST_OWN)]
Places = Annotated[list[int], Field(max_length=LONGEST_ASKED)]
Probability = Annotated[float, Field(ge=0, le=1)]


class Options(BaseModel):
    """What every question may say besides its words."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    granularity: Literal["fine", "head", "contest"] = Field(
        "fine", description="fine: all parts; head: modifier and head; contest: head, its modifier cut once more"
    )
    min_probability: Probability = Field(0.0, description="a word whose finest split is less probable is left whole")
    entries: OwnWords = Field([], description="words that count as parts, or as the parts written: Auto|bahn")
    always: OwnWords = Field([], description="words that are cut just so: Auto|bahn")
    never: OwnWords = Field([], description="words that are left whole")
    without: Annotated[list[str], Field(max_length=MOST_NAMED)] = Field(
        [], description="columns to switch off, as /columns names them; the nets are then asked of every word"
    )
    nets: bool = Field(False, description="ask the nets of every word")


class WordOptions(Options):
    """What a question about words, rather than a text, may say."""

    k: int = Field(1, ge=1, le=MOST_RANKED, description="how many splits of each word")
    min_parts: int | None = Field(None, ge=1, le=MOST_PARTS, description="the least number of parts")


class AskedWord(WordOptions):
    """A word, and how it is to be split."""

    word: Word = Field(description="any string", examples=["Autobahnbrücke"])
    cuts: Places = Field([], description="places where a part must end, counted in characters")
    no_cuts: Places = Field([], description="places where none may")


class AskedWords(WordOptions):
    """Words, and how they are to be split."""

    words: Annotated[list[Word], Field(max_length=MOST_WORDS)] = Field(
        description="any strings", examples=[["Autobahnbrücke", "Elster"]]
    )

    @model_validator(mode="after")
    def _not_too_much(self) -> "AskedWords":
        characters, splits = sum(map(len, self.words)), self.k * len(self.words)
        if characters > LONGEST_TEXT:
            raise ValueError(f"{characters:,} characters in all words; {LONGEST_TEXT:,} at most")
        if (effort := characters * max(self.k, self.min_parts or 1)) > MOST_EFFORT:
            raise ValueError(f"{effort:,} characters times k, or min_parts; {MOST_EFFORT:,} at most")
        if splits > MOST_ANSWERED:
            raise ValueError(f"{splits:,} splits in all; k times the number of words is {MOST_ANSWERED:,} at most")
        return self


class AskedText(Options):
    """A running text, and how its words are to be split."""

    text: Annotated[str, Field(max_length=LONGEST_TEXT)] = Field(
        description="any text", examples=["Die Autobahnbrücke ist gesperrt."]
    )


class Part(BaseModel):
    """A part of a word; its place is counted in characters, as Unicode counts them."""

    text: str
    start: int
    end: int
    stem: str = Field(description="the part without linking element and hyphen")
    link: str = Field(description="the linking element; empty where there is none")
    lemma: str | None = Field(description="the dictionary form, where the lexicon knows one")


class Split(BaseModel):
    """One way to split a word."""

    parts: list[Part]
    probability: float
    cut_probabilities: list[float] = Field(description="for each inner cut, that a part ends there")
    score: float = Field(description="in nats")
    is_compound: bool
    compound_probability: float
    tree: Any = Field(description="a part's text, or a list of trees: [[Auto, bahn], brücke]; null: the empty word")


class RankedSplit(Split):
    """A word's best split, and where more were asked for, all of them."""

    word: str
    nbest: list[Split] | None = None


class Splits(BaseModel):
    """The words' splits, in order."""

    splits: list[RankedSplit]


class TextToken(BaseModel):
    """A word of a text with its split, whose places are counted in the text; or what stands between, without."""

    text: str
    start: int
    end: int
    split: Split | None


class SplitText(BaseModel):
    """A text's tokens, which tile it."""

    tokens: list[TextToken]


class ExplainedSplit(Split):
    """A split into finest parts with what each column gave it; contributions and constraint sum to the score."""

    contributions: list[float] = Field(description="in nats, in the order of `columns`")
    constraint: float = Field(description="what hyphens, other non-letters and forced cuts took, in nats")


class LatticeArc(BaseModel):
    """A candidate segment of a word."""

    text: str
    start: int
    end: int
    probability: float = Field(description="of all paths that take it")
    best: bool = Field(description="it is on the best path")
    contributions: list[float]
    constraint: float


class Explained(BaseModel):
    """Why a word is split so."""

    word: str
    best: Split = Field(description="at the granularity asked for; whole where it is not probable enough")
    nbest: list[Split] = Field(description="the k best at that granularity")
    decided_by: Literal["first pass", "nets", "told"]
    columns: list[str]
    finest: list[ExplainedSplit] = Field(description="the k best into finest parts")
    arcs: list[LatticeArc] = Field(description="the likeliest 40 segments, of 0.01 % or more or on the best path")


class Column(BaseModel):
    """A column of the lattice."""

    name: str
    weight: float | None = Field(description="null: of the first pass, which has weights of its own")
    what: str
    can_be_off: bool


class Columns(BaseModel):
    """All columns that this server's model has."""

    columns: list[Column]


class Health(BaseModel):
    """That the server answers, and what with."""

    status: Literal["ok"]
    version: str
    model: str
    mode: str
    limits: dict[str, int]


class Problem(BaseModel):
    """What is wrong with a request."""

    what: str
    where: str
    right: str


class Refusal(BaseModel):
    """The answer to a request that can't be answered."""

    error: Problem
