"""What all pictures share: ink, palette and plain axes. matplotlib is loaded when it is needed."""

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


class FigureError(ValueError):
    """A picture that cannot be drawn or written."""


def check_picture(path: Path) -> None:
    """Refuse a file name whose ending is none that can be written."""
    if path.suffix.lower() not in ENDINGS:
        raise FigureError(f"{path}: a picture ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")


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


def pyplot() -> Any:
    """matplotlib, set up to write files only."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "kagiya"
    mpl.rcParams["font.size"] = 10
    from matplotlib import pyplot as plt

    return plt
