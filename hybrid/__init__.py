"""Split German words into the parts they are made of: a lexicon, character nets, and one lattice.

>>> import hybrid
>>> segmenter = hybrid.load()
>>> segmenter.split("Autobahnanschluss").texts
('Auto', 'bahn', 'anschluss')
"""

from typing import TYPE_CHECKING, Any

from hybrid.errors import CutError, DataError, HybridError, ModelError, NoPathError

if TYPE_CHECKING:
    from pathlib import Path

    from hybrid.segmentation import Segment, Segmentation, Tree
    from hybrid.segmenter import Segmenter
    from hybrid.user import UserDictionary

__all__ = [
    "CutError",
    "DataError",
    "HybridError",
    "ModelError",
    "NoPathError",
    "Segment",
    "Segmentation",
    "Segmenter",
    "Tree",
    "UserDictionary",
    "__version__",
    "load",
]

__version__ = "0.5.0"


def load(
    folder: "str | Path | None" = None,
    *,
    device: str | None = None,
    user: "UserDictionary | None" = None,
    mode: str = "cascade",
) -> "Segmenter":
    """Load a model.

    Args:
        folder: a model folder; None: the default model, for any German word.
        device: a torch device name such as "cuda" or "cpu"; None: CUDA where there is one, else MPS, else the CPU.
        user: the caller's own words.
        mode: "cascade": nets are asked of words that lexicon and first pass are not sure of; "fast": hardly ever, which
            is nearly three times as fast and a little less right; "nets": of all words.

    Raises:
        DataError: torch knows no such device, or it is not there.
        ModelError: the folder is missing, damaged, incomplete, of another format or of a newer version; or it has no
            first pass, and mode is "fast".
    """
    from hybrid.segmenter import Segmenter

    segmenter = Segmenter.load(folder, device=device, mode=mode)
    return segmenter if user is None else segmenter.with_user(user)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


_LATER = {"Segment": "segmentation", "Segmentation": "segmentation", "Tree": "segmentation",
          "Segmenter": "segmenter", "UserDictionary": "user"}  # fmt: skip
"""Names whose modules are imported when they are first asked for."""


def __getattr__(name: str) -> Any:
    """Import what takes time when it is first asked for: the command line has begun by then, and can be stopped."""
    if name not in _LATER:
        raise AttributeError(f"module 'hybrid' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hybrid.{_LATER[name]}"), name)
