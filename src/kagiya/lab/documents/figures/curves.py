"""Curves over a budget: how a number, mostly a mean score, grows with iterations, time or games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kagiya.lab.documents.figures._canvas import Canvas, Words
from kagiya.lab.documents.figures._style import MARKERS, PALETTE, FigureError, plain

WIDE = 20  # a budget that spans more than this factor is drawn on a logarithmic axis
LEGEND_CHARACTERS = 44


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: places, values, and the reach of the interval to each side, or below and above."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    error: Sequence[float] | Sequence[Sequence[float]]


def curve_figure(curves: Sequence[Curve], x_label: str, y_label: str, words: Words, path: Path) -> None:
    """Lines with error bars, each with a color, a marker and a dash of its own."""
    if not curves or not any(len(curve.x) for curve in curves):
        raise FigureError("there are no points to draw")
    title = f"{y_label[:1].upper()}{y_label[1:]} by {x_label}"
    names = [curve.label for curve in curves]
    canvas = Canvas(words, names, title, (8, 4.4 + 0.2 * len(curves)))
    axes = canvas.panel()
    for place, curve in enumerate(curves):
        axes.errorbar(
            curve.x,
            curve.y,
            yerr=curve.error,
            color=PALETTE[place % len(PALETTE)],
            marker=MARKERS[place % len(MARKERS)],
            linestyle=("-", "--", "-.", ":")[place % 4],
            markersize=6,
            capsize=3,
            linewidth=1.6,
            label=canvas.label(curve.label, LEGEND_CHARACTERS),
        )
    places = [value for curve in curves for value in curve.x]
    if min(places) > 0 and max(places) / min(places) > WIDE:
        axes.set_xscale("log")
    canvas.x_label(axes, x_label)
    axes.set_ylabel(y_label)
    columns = 1 if canvas.lines(names) > 1 else 2
    canvas.figure.legend(ncols=columns, loc="outside lower left", frameon=False)
    plain(axes, "y")
    canvas.save(path)
