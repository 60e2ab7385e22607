"""A model's nets: made already, or stored and made when they are first needed, for torch takes a second to load."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hybrid.features import FEATURES, SEGMENT_FEATURES
from lexicon.errors import shown
from lexicon.once import made_once, without_made

if TYPE_CHECKING:
    from hybrid.networks import BoundaryTagger, CharLanguageModel, SegmentNet

LARGEST = 1e4
"""No trained parameter comes near; with larger ones the nets' scores could overflow."""

Config = Mapping[str, int]
Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Nets:
    """The nets of a model.

    Attributes:
        segments: nets that score segments, by the column they share.
        taggers: boundary nets by column name; only models of format 1 have them.
        language_model: the net that scores strings.
    """

    segments: dict[str, tuple["SegmentNet", ...]]
    taggers: dict[str, "BoundaryTagger"]
    language_model: "CharLanguageModel"

    @property
    def made(self) -> "Nets":
        """The nets themselves."""
        return self

    def by_name(self) -> dict[str, Any]:
        """Return every net by a name of its own."""
        numbered = {f"{name}-{i}": net for name, nets in self.segments.items() for i, net in enumerate(nets, 1)}
        return {**numbered, **self.taggers, "language_model": self.language_model}


@dataclass(frozen=True)
class StoredNets:
    """Nets as numbers.

    Attributes:
        segments: the sizes of the nets of each column.
        taggers: those of each boundary net.
        language_model: those of the language model.
        arrays: parameters by the nets' names, see `Nets.by_name`.
    """

    segments: Mapping[str, tuple[Config, ...]]
    taggers: Mapping[str, Config]
    language_model: Config
    arrays: Mapping[str, Arrays]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made anew."""
        return without_made(self)

    @made_once
    def made(self) -> Nets:
        """The nets themselves, on the CPU."""
        from hybrid.networks import BoundaryTagger, CharLanguageModel, SegmentNet, from_arrays

        return Nets(
            {name: tuple(from_arrays(SegmentNet, config, self.arrays[f"{name}-{i}"])
                         for i, config in enumerate(configs, 1))
             for name, configs in self.segments.items()},
            {name: from_arrays(BoundaryTagger, config, self.arrays[name]) for name, config in self.taggers.items()},
            from_arrays(CharLanguageModel, self.language_model, self.arrays["language_model"]),
        )  # fmt: skip

    def check(self, symbols: int) -> None:
        """Check that nets can be made of the numbers.

        Args:
            symbols: how many characters they have to know.

        Raises:
            ValueError: a size is missing, superfluous or does not fit; a parameter is missing, superfluous, of the
                wrong type or shape, not finite or beyond `LARGEST`; a column has no net.
        """
        if not all(self.segments.values()):
            raise ValueError("a column has no net")
        kinds = [*((f"{name}-{i}", "segment", config) for name, configs in self.segments.items()
                   for i, config in enumerate(configs, 1)),
                 *((name, "tagger", config) for name, config in self.taggers.items()),
                 ("language_model", "language", self.language_model)]  # fmt: skip
        for name, kind, config in kinds:
            _check_sizes(name, kind, config)
            if config["symbols"] != symbols:
                raise ValueError(f"{name} knows {config['symbols']} characters, the alphabet has {symbols}")
            _check_arrays(name, self.arrays[name], parameter_shapes(kind, config))


_SIZES = {"segment": {"symbols", "features", "embedding", "hidden", "segment_features", "joint"},
          "tagger": {"symbols", "features", "embedding", "hidden"},
          "language": {"symbols", "embedding", "hidden"}}  # fmt: skip


def _check_sizes(name: str, kind: str, config: Config) -> None:
    if set(config) != _SIZES[kind]:
        raise ValueError(f"{name} has the sizes {sorted(config)}, should have {sorted(_SIZES[kind])}")
    for key, size in config.items():
        most = {"features": len(FEATURES), "segment_features": len(SEGMENT_FEATURES)}.get(key)
        if type(size) is not int or size < (most is None) or (most is not None and size > most):
            raise ValueError(f"{name}: {key} is {shown(size)}")


def _check_arrays(name: str, arrays: Arrays, shapes: Mapping[str, tuple[int, ...]]) -> None:
    found = {key: array.shape for key, array in arrays.items()}
    if found != shapes:
        key = next(k for k in sorted({*found, *shapes}) if found.get(k) != shapes.get(k))
        raise ValueError(f"{name}: parameter {key} has shape {found.get(key)}, should be {shapes.get(key)}")
    for key, array in arrays.items():
        if array.dtype != np.float32:
            raise ValueError(f"{name}: parameter {key} is not float32")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} holds a number that is not finite")
        if not (np.abs(array) <= LARGEST).all():
            raise ValueError(f"{name} holds a number beyond {LARGEST:.0f}")


def parameter_shapes(kind: str, config: Config) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a net's parameters by name; `kind`: "segment", "tagger" or "language"."""
    hidden, embedding = config["hidden"], config["embedding"]
    if kind == "language":
        symbols = config["symbols"]
        return {"embedding.weight": (symbols + 2, embedding), **_lstm("lstm", embedding, hidden, ("",)),
                "out.weight": (symbols + 2, hidden), "out.bias": (symbols + 2,)}  # fmt: skip
    both = 2 * hidden
    shapes = {"embedding.weight": (config["symbols"], embedding),
              **_lstm("lower", embedding + config["features"], hidden, ("", "_reverse")),
              **_lstm("upper", both, hidden, ("", "_reverse"))}  # fmt: skip
    if kind == "tagger":
        return {**shapes, "out.weight": (1, both), "out.bias": (1,)}
    joint, features = config["joint"], config["segment_features"]
    shapes |= {"first": (joint,), "begin.weight": (joint, both), "begin.bias": (joint,), "end.weight": (joint, both),
               "out.weight": (1, joint), "out.bias": (1,), "cut.weight": (1, both), "cut.bias": (1,)}  # fmt: skip
    return {**shapes, "segment.weight": (joint, features)} if features else shapes


def _lstm(name: str, inputs: int, hidden: int, directions: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for direction in directions:
        shapes |= {f"{name}.weight_ih_l0{direction}": (4 * hidden, inputs),
                   f"{name}.weight_hh_l0{direction}": (4 * hidden, hidden),
                   f"{name}.bias_ih_l0{direction}": (4 * hidden,),
                   f"{name}.bias_hh_l0{direction}": (4 * hidden,)}  # fmt: skip
    return shapes
