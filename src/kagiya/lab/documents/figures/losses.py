"""Where each agent loses its points: a stacked bar by source of regret, beside the points that it scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from kagiya.lab.documents.figures._style import (
    GRID,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    FigureError,
    new_figure,
    plain,
    save,
    title,
)

# Color and hatching, so that the parts can be told apart without color too.
PARTS = {
    "score": (GRID, ""),
    "discard": (SKY, ""),
    "play": (ORANGE, "////"),
    "bomb": (VERMILION, ""),
    "indirect": (PURPLE, "...."),
}


def sources_figure(rows: Mapping[str, Mapping[str, float]], caption: str, path: Path) -> None:
    """`rows[agent]`: mean score and points lost by source; together they make the perfect score."""
    if not rows:
        raise FigureError("there are no agents to draw")
    figure, axes = new_figure(9, 1.9 + 0.42 * len(rows))
    left = np.zeros(len(rows))
    places = np.arange(len(rows))[::-1]
    for part, (color, hatch) in PARTS.items():
        widths = np.array([row[part] for row in rows.values()])
        axes.barh(places, widths, 0.72, left=left, color=color, hatch=hatch, edgecolor="white", label=part, zorder=3)
        left += widths
    for place, row in zip(places, rows.values(), strict=True):
        score = f"{row['score']:.2f}"
        axes.annotate(score, (1, place), (6, 0), ("axes fraction", "data"), "offset points", va="center", weight="bold")
    axes.set_yticks(places, list(rows))
    axes.set_xlim(0, max(left.max(), 1))
    axes.set_xlabel("points of a game, on average; the score in figures at the right")
    figure.legend(ncols=len(PARTS), loc="outside lower center", frameon=False)
    title(axes, "Where the points go", caption)
    plain(axes)
    save(figure, path)
