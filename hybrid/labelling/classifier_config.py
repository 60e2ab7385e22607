"""The defaults of text classifiers, in one place."""

from dataclasses import dataclass

from hybrid.labelling.config import require_numbers


@dataclass(frozen=True, slots=True)
class ClassifierConfig:
    """How a text classifier is trained. Defaults were chosen by cross-validation on training splits of IndoNLU.

    Attributes:
        seed: for folds, the nets' first weights, the order of batches and dropout.
        folds: into so many the texts are cut; a linear model and a net are trained without each, and averaged.
        repeats: how often they are cut anew.
        rare: labels of fewer texts than that, over all aspects, are never predicted: macro F1 asks more of a label
            than a few examples can teach.
        words: the longest n-gram of words.
        shortest, longest: n-grams of characters.
        least: n-grams of fewer texts than that are left out.
        strength: of the smoothing of log-count ratios, in texts.
        penalty: weight of the squared weights of the linear model.
        epochs, batch, rate: passes, texts in a step, and the top learning rate of AdamW under a one-cycle schedule
            (Smith & Topin 2019); 0 epochs: without nets.
        weight_decay: AdamW's.
        clip: largest gradient norm.
        embedding, letter_embedding, letter_hidden, hidden: sizes, see `hybrid.labelling.networks`. Characters are read
            by the linear model too, so the net's reader of these is small.
        dropout: rate for words, states, and what is pooled.
        unknown: rate at which training words are read as unknown ones.
        vector_scale: standard deviation of the word vectors that nets begin with, where there are any.
        longest_text: words of a text that nets read.
        prior: strength of the Gaussian prior on the columns' weights (1 / variance).
    """

    seed: int = 0
    folds: int = 5
    repeats: int = 1
    rare: int = 1
    words: int = 2
    shortest: int = 3
    longest: int = 6
    least: int = 2
    strength: float = 1.0
    penalty: float = 0.5
    epochs: int = 8
    batch: int = 32
    rate: float = 4e-3
    weight_decay: float = 1e-2
    clip: float = 1.0
    embedding: int = 100
    letter_embedding: int = 8
    letter_hidden: int = 8
    hidden: int = 64
    dropout: float = 0.4
    unknown: float = 0.1
    vector_scale: float = 0.5
    longest_text: int = 80
    prior: float = 1.0

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: one of them can't be trained with.
        """
        require_numbers(
            self, {"seed": 0, "epochs": 0, "folds": 2}, above=_ABOVE, least=("weight_decay", "vector_scale")
        )
        for name in ("dropout", "unknown"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, should be 0 or more and less than 1")
        if self.longest < self.shortest:
            raise ValueError(f"longest is {self.longest}, should be {self.shortest} or more, which is shortest")


_ABOVE = ("strength", "penalty", "rate", "clip", "prior")
