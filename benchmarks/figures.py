"""Pictures of the results: accuracy against speed, the learning curve, the reliability of probabilities."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from benchmarks.lineup import FULL


def draw_all(
    out: Path, decoders: Mapping[str, Any] | None, curve: Mapping[str, Any] | None, words: Mapping[str, Any] | None
) -> list[Path]:
    """Draw what was measured into `out`, as PNG.

    Raises:
        ImportError: matplotlib is not installed.
    """
    wanted = [(decoders, accuracy_speed, "accuracy-speed"), (decoders, reliability_diagram, "reliability"),
              (curve, learning_curve, "learning-curve"), (words, words_reliability, "words-reliability")]  # fmt: skip
    return [_drawn(out / f"{name}.png", draw, data) for data, draw, name in wanted if data is not None]


def accuracy_speed(axes: "Axes", results: Mapping[str, Any]) -> None:
    """Draw each decoder's errors, 1 − F1, over its speed; both axes logarithmic."""
    points = []
    for row in results["decoders"]:
        name, speed = row["name"], row.get("words_per_second")
        if speed is None or row["f1"] == 0 or name.startswith(("with", "never")):
            continue
        axes.scatter(speed, 1 - row["f1"], s=30, color="C3" if name == FULL else "C0")
        points.append((name, speed, 1 - row["f1"]))
    axes.set(xscale="log", yscale="log", xlabel="words a second", ylabel="1 − F1 (lower is better)",
             title=f"Accuracy and speed, {results['scored_on']}")  # fmt: skip
    axes.margins(x=0.1, y=0.15)
    axes.set_xlim(right=5 * axes.get_xlim()[1])  # room for names
    _name_points(axes, points)


def _name_points(axes: "Axes", points: Iterable[tuple[str, float, float]]) -> None:
    """Write names beside points, each below those that it would cover."""
    axes.figure.canvas.figure.tight_layout()  # before extents are asked for
    taken: list[Any] = []
    for name, x, y in sorted(points, key=lambda point: -point[2]):
        down = -2
        text = axes.annotate(name, (x, y), fontsize=6.5, xytext=(6, down), textcoords="offset points")
        while any(text.get_window_extent().overlaps(other) for other in taken):
            down -= 1
            text.xyann = (6, down)
        taken.append(text.get_window_extent())


def learning_curve(axes: "Axes", results: Mapping[str, Any]) -> None:
    """Draw the errors, 1 − F1, over the number of training words."""
    points = results["points"]
    axes.plot([p["train_words"] for p in points], [1 - p["f1"] for p in points], marker="o")
    for p in points:
        axes.annotate(f"{p['f1']:.4f}", (p["train_words"], 1 - p["f1"]), xytext=(5, 5), textcoords="offset points")
    axes.set(xscale="log", yscale="log", xlabel="training words", ylabel="1 − F1 (lower is better)",
             title=f"Learning curve, {results['scored_on']}")  # fmt: skip
    axes.margins(x=0.15)


def reliability_diagram(axes: "Axes", results: Mapping[str, Any]) -> None:
    """Draw how often predictions of like probability are right; the larger the dot, the more predictions."""
    _reliability(axes, results["calibration"]["told"], results["scored_on"])


def words_reliability(axes: "Axes", results: Mapping[str, Any]) -> None:
    """Draw the same for the default model."""
    words = results["lists"]["annotated"]["words"]
    _reliability(axes, results["calibration"], f"default model, {words:,} annotated words")


def _reliability(axes: "Axes", calibration: Mapping[str, Any], where: str) -> None:
    axes.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    for (what, kind), colour in zip(calibration.items(), ("C0", "C1"), strict=False):
        bins = kind["bins"]
        most = max(b["count"] for b in bins)
        axes.scatter([b["confidence"] for b in bins], [b["accuracy"] for b in bins], color=colour, alpha=0.8,
                     s=[10 + 150 * (b["count"] / most) ** 0.5 for b in bins],
                     label=f"{what}: expected calibration error {kind['ece']:.4f}")  # fmt: skip
    axes.set(xlabel="probability told", ylabel="share that is right", title=f"Reliability, {where}")
    axes.legend()


def _drawn(path: Path, draw: Any, data: Mapping[str, Any]) -> Path:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.6))
    draw(axes, data)
    figure.tight_layout()
    figure.savefig(path, dpi=130, metadata={"Software": None})
    pyplot.close(figure)
    return path
