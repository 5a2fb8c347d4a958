"""The league: every agent's mean for every number of players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kagiya.lab.documents.figures._style import BLUE, GREEN, PURPLE, VERMILION, new_figure, plain, save, title

# A color and a marker of its own for each number of players.
PLAYER_STYLES = {2: (BLUE, "o"), 3: (VERMILION, "s"), 4: (GREEN, "^"), 5: (PURPLE, "D")}


def league_figure(league: dict[str, Any], path: Path) -> None:
    """A row for each agent, a mark for each number of players, best on top; 95 % intervals."""
    rows = league["rows"][::-1]
    figure, axes = new_figure(9, 1.6 + 0.32 * len(rows))
    counts = sorted({int(count) for row in rows for count in row["players"]})
    for place, count in enumerate(counts):
        shift = 0.5 * (place - (len(counts) - 1) / 2) / max(len(counts), 1)
        _draw_count(axes, rows, count, shift)
    axes.set_yticks(range(len(rows)), [row["agent"] + (" *" if row["mark"] else "") for row in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlim(-0.5, 25.5)
    axes.set_xlabel(f"mean score of self-play, 95 % interval ({league['caption']})")
    title(axes, "League of the zoo")
    axes.legend(loc="lower right", frameon=False)
    plain(axes)
    save(figure, path)


def _draw_count(axes: Any, rows: list[dict[str, Any]], count: int, shift: float) -> None:
    color, marker = PLAYER_STYLES[count]
    cells = [(y - shift, row["players"][str(count)]) for y, row in enumerate(rows) if str(count) in row["players"]]
    axes.errorbar(
        [cell["mean"] for _, cell in cells],
        [y for y, _ in cells],
        xerr=[1.96 * (cell["se"] or 0) for _, cell in cells],
        fmt=marker,
        color=color,
        markersize=5,
        capsize=2,
        linewidth=1,
        label=f"{count} players",
    )
