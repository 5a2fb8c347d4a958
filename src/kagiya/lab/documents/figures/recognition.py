"""How soon a search knows its partners: the posterior of the true policy over the moves seen of a partner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kagiya.lab.contests.recognition import Recognition
from kagiya.lab.documents.figures._canvas import Setting, Words
from kagiya.lab.documents.figures._style import FigureError
from kagiya.lab.documents.figures.curves import Curve, curve_figure

FEWEST = 20  # posteriors behind a point; fewer say little
NORMAL = 1.96  # standard errors to each side, for 95 %


def recognition_figure(found: Mapping[str, Recognition], words: Words, path: Path) -> None:
    """A line for each search."""
    curves = [recognition_curve(label, each) for label, each in found.items()]
    if not any(curve.x for curve in curves):
        raise FigureError(f"there are too few games to draw: a point needs {FEWEST} partners seen for as many moves")
    setting = words if isinstance(words, Setting) else Setting(words)
    setting = replace(setting, caption=f"{setting.caption}; 95 % intervals")
    curve_figure(curves, "moves seen of a partner", "posterior of its true policy", setting, path)


def recognition_curve(label: str, found: Recognition) -> Curve:
    """The mean posterior after 0, 1, 2, ... moves, as far as enough games went."""
    seen = [moves for moves, asked in enumerate(found.asked) if asked >= FEWEST]
    return Curve(label, seen, [found.mean(moves) for moves in seen], [NORMAL * found.error(moves) for moves in seen])
