"""What one tries who has not read everything: a folder's name where a segmenter is wanted, somebody else's step."""

from collections.abc import Callable
from typing import Any

import pytest

from hybrid import DataError

FAULT = "segmenter is a str; a Segmenter is right"


def of_column(segmenter: Any) -> Any:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from hybrid.integrations.frames import split_column

    return split_column(pandas.Series(["Haustür"]), segmenter)


def of_analyzer(segmenter: Any) -> Any:
    pytest.importorskip("tantivy", reason="tantivy is not installed")
    from hybrid.integrations.tantivy import CompoundAnalyzer

    return CompoundAnalyzer(segmenter)


def of_server(segmenter: Any) -> Any:
    pytest.importorskip("fastapi", reason="the server needs the extra serve")
    from hybrid.serving.app import create_app

    return create_app(segmenter)


@pytest.mark.parametrize("use", [of_column, of_analyzer, of_server])
def test_a_folder_in_the_place_of_a_segmenter_is_told(use: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=FAULT):
        use("model")


def test_what_cuts_is_asked_of_our_own_steps_alone() -> None:
    steps = pytest.importorskip("tokenizers.pre_tokenizers", reason="tokenizers is not installed")
    from hybrid.integrations.tokenizers import cutter_of

    with pytest.raises(DataError, match="one that compound_pre_tokenizer returned is right"):
        cutter_of(steps.Whitespace())
