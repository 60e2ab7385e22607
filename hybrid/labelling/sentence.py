"""What nets read of a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Sentence:
    """Words with what is known of them.

    Attributes:
        words: the sentence's n words, after those of its context.
        context: how many of `words` are context.
        features: (len(words), F) float32, what else is known of each.
    """

    words: Sequence[str]
    context: int
    features: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words) - self.context
