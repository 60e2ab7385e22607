"""The defaults of training, in one place."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """How to train. The defaults were chosen on slices of 94,306 split compounds, kept from training.

    Attributes:
        seed: for the held-out words, the nets' first weights, the order of batches and dropout.
        held_out: share of the words kept from nets and counts, for the weights.
        held_out_most: no more words than this are kept for them.
        lexicon_nets, character_nets: how many segment nets that read the lexicon, and that read characters alone, are
            trained from seeds of their own; those of a kind are averaged.
        lexicon_hidden, character_hidden, tagger_hidden, language_hidden: size of the nets' states (all but the last
            have one each way).
        lexicon_dropout, character_dropout: rates for the input, between the layers, and for the output.
        lexicon_epochs, character_epochs, tagger_epochs: passes of each net.
        segment_batch, tagger_batch: words of one length in a step.
        segment_rate, tagger_rate: top learning rate of AdamW under a one-cycle schedule (Smith & Topin 2019).
        language_epochs, language_batch, language_rate: the same for the language model, over parts.
        weight_decay: AdamW's.
        clip: largest gradient norm.
        smoothing: the boundary net's labels 0 and 1 are trained as `smoothing` and 1 − `smoothing`.
        prior: strength of the Gaussian prior on the column weights (1 / variance).
    """

    seed: int = 0
    held_out: float = 0.06
    held_out_most: int = 6000
    lexicon_nets: int = 2
    lexicon_hidden: int = 64
    lexicon_dropout: tuple[float, float, float] = (0.1, 0.3, 0.4)
    character_nets: int = 1
    character_hidden: int = 128
    character_dropout: tuple[float, float, float] = (0.05, 0.1, 0.2)
    lexicon_epochs: int = 8
    character_epochs: int = 6
    segment_batch: int = 256
    segment_rate: float = 4e-3
    tagger_hidden: int = 128
    language_hidden: int = 160
    tagger_epochs: int = 8
    tagger_batch: int = 256
    tagger_rate: float = 4e-3
    language_epochs: int = 10
    language_batch: int = 512
    language_rate: float = 4e-3
    weight_decay: float = 1e-2
    clip: float = 1.0
    smoothing: float = 0.01
    prior: float = 0.1

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            ValueError: one of them can't be trained with.
        """
        least = {"seed": 0, "held_out_most": 2}
        sizes = {field.name: 1 for field in fields(self) if field.type == "int" or field.type is int}
        for name, number in (sizes | least).items():
            if getattr(self, name) < number:
                raise ValueError(f"{name} is {getattr(self, name)}, should be {number} or more")
        if not 0 < self.held_out < 1:
            raise ValueError(f"held_out is {self.held_out}, should lie between 0 and 1")
