"""Pictures of results, readable in print and on screen and without color vision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Okabe and Ito's palette, with a marker of its own for each number of players.
PLAYER_STYLES = {2: ("#0072B2", "o"), 3: ("#D55E00", "s"), 4: ("#009E73", "^"), 5: ("#CC79A7", "D")}
INK, PAPER, GRID = "#222222", "#ffffff", "#dddddd"


def league_figure(league: dict[str, Any], path: Path) -> None:
    """A row for each agent, a mark for each number of players, best on top; 95 % intervals."""
    plt = _pyplot()
    rows = league["rows"][::-1]
    figure, axes = plt.subplots(figsize=(9, 1.6 + 0.32 * len(rows)), layout="constrained")
    counts = sorted({int(count) for row in rows for count in row["players"]})
    for place, count in enumerate(counts):
        color, marker = PLAYER_STYLES[count]
        shift = 0.5 * (place - (len(counts) - 1) / 2) / max(len(counts), 1)
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
    axes.set_yticks(range(len(rows)), [row["agent"] + (" *" if row["mark"] else "") for row in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    axes.set_xlim(-0.5, 25.5)
    axes.set_xlabel(f"mean score of self-play, 95 % interval ({league['caption']})")
    axes.set_title("League of the zoo", loc="left", color=INK, fontweight="bold")
    axes.legend(loc="lower right", frameon=False)
    _plain(axes)
    _save(figure, path)


def _plain(axes: Any) -> None:
    axes.grid(axis="x", color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(left=False, colors=INK)


def _save(figure: Any, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=150, facecolor=PAPER)
    _pyplot().close(figure)


def _pyplot() -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    return plt
