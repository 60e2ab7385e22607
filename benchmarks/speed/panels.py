"""Speed as one picture of six panels."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Speed = Mapping[str, Any]


def draw_speed(out: Path, speed: Speed) -> Path:
    """Draw `out`/speed.png.

    Raises:
        ImportError: matplotlib is not installed.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 3, figsize=(12, 6.6))
    panels = (_corpus, _length, _threads, _cost, _share, _memory)
    for draw, panel in zip(panels, axes.flat, strict=True):
        draw(panel, speed)
    figure.tight_layout()
    path = out / "speed.png"
    figure.savefig(path, dpi=80, metadata={"Software": None})
    pyplot.close(figure)
    return path


def _corpus(axes: "Axes", speed: Speed) -> None:
    _by_mode(axes, speed["growth"]["corpus"], "words", "words_per_second")
    axes.set(xscale="log", xlabel="distinct words", ylabel="words a second", title="Number of words")


def _length(axes: "Axes", speed: Speed) -> None:
    _by_mode(axes, speed["growth"]["length"], "mean_length", "us_per_character")
    axes.set(xscale="log", yscale="log", xlabel="characters of a word", ylabel="µs a character",
             title="Length of words")  # fmt: skip


def _threads(axes: "Axes", speed: Speed) -> None:
    rows = speed["growth"]["threads"]
    _by_mode(axes, rows, "threads", "words_per_second")
    axes.set(xticks=sorted({row["threads"] for row in rows}), xlabel="threads", ylabel="words a second",
             title="Threads, on all cores")  # fmt: skip


def _cost(axes: "Axes", speed: Speed) -> None:
    _by_threshold(axes, speed, [row["words_per_second"]["median"] for row in speed["cost"]])
    axes.set(xscale="log", xlabel="words a second", ylabel="F1", title="Accuracy against cost, by threshold")


def _share(axes: "Axes", speed: Speed) -> None:
    _by_threshold(axes, speed, [100 * row["nets"] for row in speed["cost"]])
    axes.set(xscale="symlog", xlabel="% of words that go to the nets", ylabel="F1", title="The same, by share")


def _by_threshold(axes: "Axes", speed: Speed, over: list[float]) -> None:
    for colour, name in enumerate(speed["scored"]):
        f1 = [row["f1"][name] for row in speed["cost"]]
        axes.plot(over, f1, marker="o", color=f"C{colour}", label=f"F1, {name}")
        for row, *point in zip(speed["cost"], over, f1, strict=True):
            weight = "bold" if row["sure"] == speed["sure"] else "normal"
            axes.annotate(f"{row['sure']:g}", (point[0], point[1]), fontsize=7, xytext=(3, 4),
                          textcoords="offset points", weight=weight)  # fmt: skip
    axes.legend(fontsize=8)


def _memory(axes: "Axes", speed: Speed) -> None:
    for row in speed["memory"]:
        points = [(tokens / 1e6, resident / 1e6) for tokens, resident in row["points"]]
        axes.plot(*zip(*points, strict=True), label=row["name"])
    axes.set(xlabel="million tokens", ylabel="MB resident", title="Memory along a text", ylim=(0, None))
    if speed["memory"]:
        axes.legend(fontsize=8)


def _by_mode(axes: "Axes", rows: list[dict[str, Any]], over: str, of: str) -> None:
    for colour, mode in enumerate(("cascade", "fast", "nets")):
        some = sorted((row for row in rows if row["mode"] == mode), key=lambda row: row[over])
        if some:
            axes.plot([row[over] for row in some], [row[of]["median"] for row in some], marker="o", color=f"C{colour}",
                      label=f"mode {mode}")  # fmt: skip
            axes.fill_between([row[over] for row in some], [row[of]["min"] for row in some],
                              [row[of]["max"] for row in some], color=f"C{colour}", alpha=0.2)  # fmt: skip
    axes.legend(fontsize=8)
