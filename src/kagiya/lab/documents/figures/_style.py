"""What all pictures share: ink, palette, plain axes, and how a file is written. matplotlib is loaded when needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Okabe and Ito's palette: eight colors that everybody can tell apart; the order gives neighbors contrast.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, YELLOW, BLACK = "#E69F00", "#56B4E9", "#F0E442", "#000000"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
MARKERS = ("o", "s", "^", "D", "v", "P")
INK, QUIET, PAPER, GRID = "#222222", "#666666", "#ffffff", "#dddddd"
ENDINGS = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 150


class FigureError(ValueError):
    """A picture that cannot be drawn or written."""


def check_picture(path: Path) -> None:
    """Refuse a file name whose ending is none that can be written."""
    if path.suffix.lower() not in ENDINGS:
        raise FigureError(f"{path}: a picture ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")


def new_figure(width: float, height: float) -> tuple[Any, Any]:
    """A figure and its axes, in inches."""
    return pyplot().subplots(figsize=(width, height), layout="constrained")  # type: ignore[no-any-return]


def plain(axes: Any, grid: str = "x") -> None:
    """Only the lines that help reading; `grid` is the axis that numbers are read from."""
    axes.grid(axis=grid, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    hidden = ("top", "right", "left") if grid == "x" else ("top", "right")
    for side in hidden:
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(QUIET)
    axes.tick_params(left=grid != "x", colors=INK)


def title(axes: Any, text: str, below: str = "") -> None:
    """A bold line at the left, and the small print under it."""
    axes.set_title(text, loc="left", color=INK, fontweight="bold", pad=22 if below else 8)
    if below:
        axes.annotate(below, (0, 1), (0, 7), "axes fraction", "offset points", color=QUIET, fontsize=8.5)


def save(figure: Any, path: Path) -> None:
    """Write the picture; the same data give the same file."""
    check_picture(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    figure.savefig(path, dpi=DOTS_PER_INCH, facecolor=PAPER, metadata=dates.get(path.suffix.lower()))
    pyplot().close(figure)


def pyplot() -> Any:
    """matplotlib, set up to write files only."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kagiya"
    mpl.rcParams["font.size"] = 10
    from matplotlib import pyplot as plt

    return plt
