"""Who plays well with whom: a matrix of mean scores as a map of shades with the numbers in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.lab.documents.figures._canvas import Canvas, Words
from kagiya.lab.documents.figures._style import INK, PAPER, FigureError

SHADES = "cividis"  # the same order of lightness for everybody, in print too
LABEL_CHARACTERS = 20
MANY = 16  # agents from which on the numbers are left out
Matrix = npt.NDArray[np.float64]


def crossplay_figure(
    labels: Sequence[str], means: Sequence[Sequence[float]], words: Words, path: Path, perfect: float = 25.0
) -> None:
    """`means[row][column]`: one of the row's agent with the column's in all other seats; NaN where not played."""
    matrix = np.array(means, float)
    if matrix.shape != (len(labels), len(labels)):
        raise FigureError(f"{len(labels)} agents need a matrix of as many rows and columns, not {matrix.shape}")
    side = 2.6 + 0.62 * len(labels)
    canvas = Canvas(words, labels, "Who plays well with whom", (side + 1.2, side))
    axes = canvas.panel()
    image = axes.imshow(matrix, cmap=SHADES, vmin=0, vmax=perfect)
    _label(axes, [canvas.label(name, LABEL_CHARACTERS) for name in labels])
    if len(labels) < MANY:
        _write_numbers(axes, matrix, perfect)
    bar = canvas.figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("mean score", color=INK)
    bar.outline.set_visible(False)
    canvas.save(path)


def _label(axes: Any, labels: Sequence[str]) -> None:
    axes.set_xticks(range(len(labels)), labels, rotation=45, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xlabel("in all other seats")
    axes.set_ylabel("in one seat")
    axes.tick_params(length=0, colors=INK)
    for side in ("top", "right", "bottom", "left"):
        axes.spines[side].set_visible(False)
    axes.set_xticks(np.arange(len(labels) - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(len(labels) - 1) + 0.5, minor=True)
    axes.grid(which="minor", color=PAPER, linewidth=1.5)
    axes.tick_params(which="minor", length=0)


def _write_numbers(axes: Any, matrix: Matrix, perfect: float) -> None:
    for (row, column), value in np.ndenumerate(matrix):
        if not np.isnan(value):
            weight = "bold" if row == column else "normal"
            ink = PAPER if value < 0.55 * perfect else "#000000"
            axes.text(column, row, f"{value:.1f}", ha="center", va="center", color=ink, fontweight=weight, fontsize=9)
