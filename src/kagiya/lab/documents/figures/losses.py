"""Where each agent loses its points: a stacked bar by source of regret, beside the points that it scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from kagiya.lab.documents.figures._canvas import Canvas, Words, label_lines
from kagiya.lab.documents.figures._style import GRID, ORANGE, PURPLE, SKY, VERMILION, FigureError, plain

# Color and hatching, so that the parts can be told apart without color too.
PARTS = {
    "score": (GRID, ""),
    "discard": (SKY, ""),
    "play": (ORANGE, "////"),
    "bomb": (VERMILION, ""),
    "indirect": (PURPLE, "...."),
}


def sources_figure(rows: Mapping[str, Mapping[str, float]], words: Words, path: Path) -> None:
    """`rows[agent]`: mean score and points lost by source; together they make the perfect score."""
    if not rows:
        raise FigureError("there are no agents to draw")
    height = max(0.42, 0.2 * label_lines(list(rows), words))
    canvas = Canvas(words, list(rows), "Where the points go", (9, 1.7 + height * len(rows)))
    axes = canvas.panel()
    left = np.zeros(len(rows))
    places = np.arange(len(rows))[::-1]
    for part, (color, hatch) in PARTS.items():
        widths = np.array([row[part] for row in rows.values()])
        axes.barh(places, widths, 0.72, left=left, color=color, hatch=hatch, edgecolor="white", label=part, zorder=3)
        left += widths
    for place, row in zip(places, rows.values(), strict=True):
        score = f"{row['score']:.2f}"
        axes.annotate(score, (1, place), (6, 0), ("axes fraction", "data"), "offset points", va="center", weight="bold")
    axes.set_yticks(places, [canvas.label(name) for name in rows])
    axes.set_xlim(0, max(left.max(), 1))
    canvas.x_label(axes, "points of a game, on average; the score in figures at the right")
    canvas.figure.legend(ncols=len(PARTS), loc="outside lower center", frameon=False)
    plain(axes)
    canvas.save(path)
