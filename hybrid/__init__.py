"""Split German words into the parts they are made of: a lexicon, character nets, and one lattice.

>>> from hybrid import Segmenter
>>> segmenter = Segmenter.load("model")           # doctest: +SKIP
>>> segmenter.split("Autobahnanschluss").texts    # doctest: +SKIP
('Auto', 'bahn', 'anschluss')
"""

from typing import TYPE_CHECKING, Any

from hybrid.errors import DataError, HybridError, ModelError, NoPathError
from hybrid.segmentation import Segment, Segmentation

if TYPE_CHECKING:
    from hybrid.segmenter import Segmenter

__all__ = [
    "DataError",
    "HybridError",
    "ModelError",
    "NoPathError",
    "Segment",
    "Segmentation",
    "Segmenter",
    "__version__",
]

__version__ = "0.1.0"


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Import `Segmenter` when it is first asked for: numpy, numba and torch are not needed before."""
    if name == "Segmenter":
        from hybrid.segmenter import Segmenter

        return Segmenter
    raise AttributeError(f"module 'hybrid' has no attribute {name!r}")
