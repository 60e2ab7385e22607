"""Which of many words are compounds, and their splits: most words are none, and for these parts alone are found."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hybrid.segmentation import Segmentation

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter


def split_compounds(
    segmenter: "Segmenter", words: Sequence[str], *, granularity: str, min_probability: float
) -> dict[str, Segmentation]:
    """Return the splits of those words that are compounds; the same as `Segmenter.split_batch` has for them.

    Args:
        segmenter: what splits.
        words: any words.
        granularity: as for `Segmenter.split`.
        min_probability: as for `Segmenter.split`.
    """
    words = list(dict.fromkeys(words))
    parts = segmenter.split_parts(words, granularity=granularity, min_probability=min_probability)
    several = [word for word, (texts, _) in zip(words, parts, strict=True) if len(texts) > 1]
    splits = segmenter.split_batch(several, granularity=granularity, min_probability=min_probability)
    return dict(zip(several, splits, strict=True))
