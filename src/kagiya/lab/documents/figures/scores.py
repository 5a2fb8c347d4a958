"""How scores are spread: by agent (Brooks's figure 2), and by team regret (his figure 3)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.lab.documents.figures._style import (
    BLUE,
    INK,
    ORANGE,
    QUIET,
    SKY,
    FigureError,
    new_figure,
    plain,
    save,
    title,
)

Numbers = npt.NDArray[np.int64]
ROW_HEIGHT = 0.85  # of the tallest bar in a row
LABEL_HEIGHT = 0.32
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FEWEST = 5  # games of one regret, below which it has no quantiles worth drawing


def scores_figure(histograms: Mapping[str, Numbers], caption: str, path: Path) -> None:
    """A row of bars for each agent, games by score, with its mean; drawn in the order given, first on top."""
    if not histograms:
        raise FigureError("there are no scores to draw")
    rows = len(histograms)
    figure, axes = new_figure(8.5, 1.5 + 0.8 * rows)
    for place, (_, counts) in enumerate(histograms.items()):
        _draw_row(axes, rows - 1 - place, np.asarray(counts, float))
    perfect = max(len(counts) for counts in histograms.values()) - 1
    axes.set_yticks([row + LABEL_HEIGHT for row in range(rows)], list(histograms)[::-1])
    axes.set_ylim(-0.12, rows - 1 + 1.05)
    axes.set_xlim(-0.7, perfect + 2.6)
    axes.set_xticks(range(0, perfect + 1, 5))
    axes.set_xlabel("score; bars are games (those that scored nothing stand out), the line is their mean")
    title(axes, "How the scores are spread", caption)
    plain(axes)
    save(figure, path)


def _draw_row(axes: Any, bottom: float, counts: npt.NDArray[np.float64]) -> None:
    shares = counts / max(counts.sum(), 1)
    scores = np.arange(len(counts))
    mean = float(shares @ scores)
    heights = ROW_HEIGHT * shares / max(shares.max(), 1e-12)
    colors = [ORANGE if score == 0 else BLUE for score in scores]
    axes.bar(scores, heights, 0.9, bottom=bottom, color=colors, zorder=3)
    axes.plot([mean, mean], [bottom, bottom + 0.95], color=INK, linewidth=1.6, zorder=4)
    axes.axhline(bottom, color=QUIET, linewidth=0.8, zorder=2)
    axes.text(
        len(counts) + 1.5, bottom + LABEL_HEIGHT, f"{mean:.2f}", ha="right", va="center", color=INK, weight="bold"
    )


def regret_figure(regret: Numbers, scores: Numbers, caption: str, path: Path, perfect: int = 25) -> None:
    """Quantiles of the score of games that ended with each team regret; nothing can lie above the dotted line."""
    if len(scores) == 0:
        raise FigureError("there are no games to draw")
    found = {lost: scores[regret == lost] for lost in range(perfect + 1) if np.sum(regret == lost) >= FEWEST}
    if not found:
        raise FigureError(f"no team regret occurs in {FEWEST} games; play more")
    lost = np.array(list(found))
    quantiles = np.array([np.quantile(values, QUANTILES) for values in found.values()]).T
    figure, axes = new_figure(8.5, 4.8)
    axes.plot([0, perfect], [perfect, 0], color=QUIET, linestyle=":", linewidth=1.2, label="most that is left")
    axes.vlines(lost, quantiles[0], quantiles[4], color=SKY, linewidth=2.2, label="90 % of games")
    axes.vlines(lost, quantiles[1], quantiles[3], color=BLUE, linewidth=7, label="half of games")
    axes.plot(lost, quantiles[2], "_", color=INK, markersize=11, markeredgewidth=2.2, zorder=4, label="median")
    _count_games(axes, {key: len(values) for key, values in found.items()}, perfect)
    axes.set_xlim(-0.8, perfect + 0.8)
    axes.set_ylim(-0.8, perfect + 2.2)
    axes.set_xlabel("team regret: points that moves made impossible")
    axes.set_ylabel("score")
    title(axes, "Scores of games by their team regret", caption)
    axes.legend(loc="upper right", frameon=False, bbox_to_anchor=(1, 0.94))
    plain(axes, "y")
    save(figure, path)


def _count_games(axes: Any, games: Mapping[int, int], perfect: int) -> None:
    """How many games each bar stands for, small above it."""
    for lost, count in games.items():
        axes.text(lost, perfect + 1.0, short(count), ha="center", color=QUIET, fontsize=7)


def short(count: int) -> str:
    """A count in four characters: 950, 1.2k, 35k, 1.4M."""
    for unit, size in (("M", 1_000_000), ("k", 1000)):
        if count >= size:
            return f"{count / size:.1f}{unit}" if count < 10 * size else f"{count / size:.0f}{unit}"
    return str(count)
