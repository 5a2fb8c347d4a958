"""The league: every agent's mean for every number of players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kagiya.lab.documents.figures._canvas import Canvas, label_lines
from kagiya.lab.documents.figures._style import BLUE, GREEN, PURPLE, VERMILION, plain

# A color and a marker of its own for each number of players.
PLAYER_STYLES = {2: (BLUE, "o"), 3: (VERMILION, "s"), 4: (GREEN, "^"), 5: (PURPLE, "D")}


def league_figure(league: dict[str, Any], path: Path) -> None:
    """A row for each agent, a mark for each number of players, best on top; 95 % intervals."""
    rows = league["rows"][::-1]
    names = [row["agent"] for row in rows]
    caption = f"{league['rules']}: {league['caption']}; {league['games']:,} games for each number of players"
    seeds = f"seeds from {league['seed']}"
    height = max(0.32, 0.2 * label_lines(names, caption))
    canvas = Canvas(f"{caption}, {seeds}; 95 % intervals", names, "League of the zoo", (9, 1.4 + height * len(rows)))
    axes = canvas.panel()
    counts = sorted({int(count) for row in rows for count in row["players"]})
    for place, count in enumerate(counts):
        shift = 0.5 * (place - (len(counts) - 1) / 2) / max(len(counts), 1)
        _draw_count(axes, rows, count, shift)
    axes.set_yticks(range(len(rows)), [canvas.label(row["agent"]) + (" *" if row["mark"] else "") for row in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlim(-0.5, 25.5)
    canvas.x_label(axes, "mean score of self-play")
    axes.legend(loc="lower right", frameon=False)
    plain(axes)
    canvas.save(path)


def _draw_count(axes: Any, rows: list[dict[str, Any]], count: int, shift: float) -> None:
    color, marker = PLAYER_STYLES[count]
    cells = [(y - shift, row["players"][str(count)]) for y, row in enumerate(rows) if str(count) in row["players"]]
    axes.errorbar(
        [cell["mean"] for _, cell in cells],
        [y for y, _ in cells],
        xerr=[[_reach(cell, side) for _, cell in cells] for side in (0, 1)],
        fmt=marker,
        color=color,
        markersize=5,
        capsize=2,
        linewidth=1,
        label=f"{count} players",
    )


def _reach(cell: dict[str, Any], side: int) -> float:
    """How far the interval of a mean goes down or up; not at all for too few games."""
    limit = cell["interval"][side]
    return 0.0 if limit is None else abs(float(limit) - float(cell["mean"]))
