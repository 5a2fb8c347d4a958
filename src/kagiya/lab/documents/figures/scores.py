"""How scores are spread: by agent (Brooks's figure 2), and by direct regret (his figure 3: team regret)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.lab.documents.figures._canvas import Canvas, Words, label_lines, wrapped
from kagiya.lab.documents.figures._style import (
    BLUE,
    INK,
    ORANGE,
    QUIET,
    SKY,
    FigureError,
    plain,
)

Numbers = npt.NDArray[np.int64]
ROW_HEIGHT = 0.85  # of the tallest bar in a row
LABEL_HEIGHT = 0.32
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
PANELS_ABREAST, PANEL_CHARACTERS = 3, 40
FEWEST = 5  # games of one regret, below which it has no quantiles worth drawing


def scores_figure(histograms: Mapping[str, Numbers], words: Words, path: Path) -> None:
    """A row of bars for each agent, games by score, with its mean; drawn in the order given, first on top."""
    if not histograms:
        raise FigureError("there are no scores to draw")
    rows = len(histograms)
    height = max(0.8, 0.2 * label_lines(list(histograms), words))
    canvas = Canvas(words, list(histograms), "How the scores are spread", (8.5, 1.4 + height * rows))
    axes = canvas.panel()
    for place, (_, counts) in enumerate(histograms.items()):
        _draw_row(axes, rows - 1 - place, np.asarray(counts, float))
    perfect = max(len(counts) for counts in histograms.values()) - 1
    names = [canvas.label(name) for name in histograms][::-1]
    axes.set_yticks([row + LABEL_HEIGHT for row in range(rows)], names)
    axes.set_ylim(-0.12, rows - 1 + 1.05)
    axes.set_xlim(-0.7, perfect + 2.6)
    axes.set_xticks(range(0, perfect + 1, 5))
    canvas.x_label(axes, "score; bars are games (those that scored nothing stand out), the line is their mean")
    plain(axes)
    canvas.save(path)


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


@dataclass(frozen=True)
class ScoredRegret:
    """The games of one agent: their direct regret, and their scores."""

    regret: Numbers
    scores: Numbers

    def by_regret(self, perfect: int) -> dict[int, Numbers]:
        """The scores of games by the points lost, for losses that occur often enough."""
        groups = {lost: self.scores[self.regret == lost] for lost in range(perfect + 1)}
        return {lost: scores for lost, scores in groups.items() if len(scores) >= FEWEST}


def regret_figure(agents: Mapping[str, ScoredRegret], words: Words, path: Path, perfect: int = 25) -> None:
    """A panel for each agent: quantiles of the score of games that ended with each direct regret.

    Nothing can lie above the dotted line.
    """
    if not any(len(games.scores) for games in agents.values()):
        raise FigureError("there are no games to draw")
    found = {name: games.by_regret(perfect) for name, games in agents.items()}
    if not any(found.values()):
        raise FigureError(f"no direct regret occurs in {FEWEST} games; play more")
    columns = min(math.ceil(math.sqrt(len(agents))), PANELS_ABREAST)
    rows = -(-len(agents) // columns)
    size = (8.5, 4.6) if len(agents) == 1 else (2.0 + 3.2 * columns, 1.4 + 3.0 * rows)
    canvas = Canvas(words, list(agents), "Scores of games by their direct regret", size)
    panels = canvas.figure.subplots(rows, columns, squeeze=False, sharex=True, sharey=True).ravel()
    for place, (axes, (name, groups)) in enumerate(zip(panels, found.items(), strict=False)):
        axes.set_title(canvas.label(name, PANEL_CHARACTERS), loc="left", fontsize=9, color=INK)
        _draw_regret(axes, groups, perfect)
        if place % columns == 0:
            axes.set_ylabel("score")
        if place + columns >= len(agents):  # nothing stands below it
            axes.set_xlabel(
                wrapped("direct regret: points that moves made impossible", 0.75 * canvas.width / columns, 10)
            )
            axes.tick_params(labelbottom=True)
    for axes in panels[len(agents) :]:
        axes.set_visible(False)
    handles, texts = panels[0].get_legend_handles_labels()
    canvas.figure.legend(handles, texts, ncols=4, loc="outside lower center", frameon=False)
    canvas.save(path)


def _draw_regret(axes: Any, groups: Mapping[int, Numbers], perfect: int) -> None:
    lost = np.array(list(groups), np.int64)
    quantiles = np.array([np.quantile(values, QUANTILES) for values in groups.values()]).reshape(-1, len(QUANTILES)).T
    axes.plot([0, perfect], [perfect, 0], color=QUIET, linestyle=":", linewidth=1.2, label="most that is left")
    axes.vlines(lost, quantiles[0], quantiles[4], color=SKY, linewidth=2.2, label="90 % of games")
    axes.vlines(lost, quantiles[1], quantiles[3], color=BLUE, linewidth=6, label="half of games")
    axes.plot(lost, quantiles[2], "_", color=INK, markersize=9, markeredgewidth=2.2, zorder=4, label="median")
    _count_games(axes, {key: len(values) for key, values in groups.items()}, perfect)
    axes.set_xlim(-0.8, perfect + 0.8)
    axes.set_ylim(-0.8, perfect + 3.2)
    plain(axes, "y")


def _count_games(axes: Any, games: Mapping[int, int], perfect: int) -> None:
    """How many games each bar stands for, small above it."""
    for lost, count in games.items():
        axes.text(lost, perfect + 1.0, short(count), ha="center", va="bottom", color=QUIET, fontsize=6, rotation=90)


def short(count: int) -> str:
    """A count in four characters: 950, 1.2k, 35k, 1.4M."""
    for unit, size in (("M", 1_000_000), ("k", 1000)):
        if count >= size:
            return f"{count / size:.1f}{unit}" if count < 10 * size else f"{count / size:.0f}{unit}"
    return str(count)
