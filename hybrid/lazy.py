"""Scores of a model's nets, which are put on their device when they are first asked."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hybrid.columns import further_scorers, standard_scorers
from hybrid.evidence import Evidence
from hybrid.model import Model
from hybrid.scorers import Scorer
from hybrid.stopping import held_back
from lexicon.once import made_once, without_made


class NetsOnDevice:
    """The nets of a model, on a device.

    Args:
        model: whose nets.
        device: a torch device name; None: the best there is, found out when it is needed.

    Raises:
        DataError: torch knows no such device, or it is not there.
    """

    def __init__(self, model: Model, device: str | None) -> None:
        self._model, self.name = model, device
        if device is not None:
            self.device  # noqa: B018 - a wrong name is told at once

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made anew."""
        return without_made(self)

    @made_once
    def device(self) -> Any:
        """The torch device."""
        with held_back():
            from hybrid.inference import pick_device
        return pick_device(self.name)

    @made_once
    def scores(self) -> dict[str, Any]:
        """What scores, by column."""
        with held_back():
            from hybrid.inference import LanguageModel, SegmentNets, Tagger
        nets, alphabet, place = self._model.nets.made, self._model.alphabet, self.device
        segments = {name: SegmentNets(tuple(net.to(place) for net in some), alphabet, place)
                    for name, some in nets.segments.items()}  # fmt: skip
        taggers = {name: Tagger(net.to(place), alphabet, place) for name, net in nets.taggers.items()}
        return {**segments, **taggers, "lm": LanguageModel(nets.language_model.to(place), alphabet, place)}

    def scorers(self) -> list[Scorer]:
        """Return all scorers that a model of this release may have weights for."""
        nets = self._model.nets
        language_model = _Scores(self, "lm")
        segments = {name: _Scores(self, name) for name in nets.segments}
        taggers = {name: _Scores(self, name) for name in nets.taggers}
        return [*standard_scorers(language_model, segments), *further_scorers(language_model, taggers)]


class _Scores:
    """One column's net, or nets."""

    def __init__(self, nets: NetsOnDevice, name: str) -> None:
        self._nets, self._name = nets, name

    def segment_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """See `hybrid.scorers.SegmentScores`."""
        return self._nets.scores[self._name].segment_scores(evidence)

    def boundary_scores(self, evidence: Evidence) -> NDArray[np.float32]:
        """See `hybrid.scorers.BoundaryScores`."""
        return self._nets.scores[self._name].boundary_scores(evidence)
