"""The best score of every style: a map of shades over two behaviours, with some known agents in their places."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kagiya.lab.documents.figures._canvas import Canvas
from kagiya.lab.documents.figures._style import INK, PAPER, VERMILION, FigureError

SHADES = "cividis"
HIGH = 0.95  # above this a name stands below its mark

Place = tuple[str, float, float]  # name, communication, caution


def behaviour_figure(
    cells: int, scores: Sequence[tuple[int, int, float]], marks: Sequence[Place], captions: tuple[str, str], path: Path
) -> None:
    """`scores` holds column, row and mean score of each cell that has an elite; captions: the rules, and the games."""
    if not scores:
        raise FigureError("there is no elite to draw")
    grid = np.full((cells, cells), np.nan)
    for column, row, mean in scores:
        grid[row, column] = mean
    canvas = Canvas(captions[0], [], "The best list of every style", (7.6, 6.2))
    axes = canvas.panel()
    image = axes.imshow(grid, cmap=SHADES, origin="lower", extent=(0, 1, 0, 1), vmin=0, vmax=float(np.nanmax(grid)))
    for name, x, y in marks:
        axes.plot(x, y, "o", color=VERMILION, markersize=6, markeredgecolor=PAPER)
        beside = (7, 4) if y < HIGH else (7, -12)
        label = axes.annotate(name, (x, y), beside, "data", "offset points", color=INK, fontsize=9, fontweight="bold")
        label.set_bbox({"facecolor": PAPER, "alpha": 0.75, "edgecolor": "none", "pad": 1})
    canvas.x_label(axes, "communication: hints given, as a share of the turns with a token")
    axes.set_ylabel("caution: mean chance to fit of the cards played")
    axes.tick_params(colors=INK)
    bar = canvas.figure.colorbar(image, ax=axes, shrink=0.7)
    bar.set_label(f"mean score of the best list found ({captions[1]})", color=INK)
    bar.outline.set_visible(False)
    canvas.save(path)
