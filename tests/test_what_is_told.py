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


def test_names_in_a_picture_cover_no_other() -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from matplotlib.figure import Figure

    from benchmarks.figures import accuracy_speed

    axes = Figure(figsize=(7, 4.6)).subplots()
    rows = [{"name": f"decoder {i}", "words_per_second": 1000 + i, "f1": 0.99} for i in range(4)]
    accuracy_speed(axes, {"decoders": rows, "scored_on": "4 words"})
    boxes = [text.get_window_extent() for text in axes.texts]
    assert len(boxes) == 4
    assert not any(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i])


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ({"json": {"words": "Haustür"}}, "a valid list"),
        ({"json": {"words": [None]}}, "a valid string"),
        ({"content": b"Haust", "headers": {"Content-Type": "text/plain"}}, "a JSON object, with Content-Type: "),
    ],
)
def test_the_server_says_in_few_words_what_would_be_right(asked: dict[str, Any], right: str) -> None:
    pytest.importorskip("fastapi", reason="the server needs the extra serve")
    testclient = pytest.importorskip("fastapi.testclient", reason="the test client needs httpx")
    from hybrid.serving.app import create_app

    answer = testclient.TestClient(create_app(), "http://localhost").post("/split", **asked)
    assert answer.status_code == 422
    assert answer.json()["error"]["right"].startswith(right)
