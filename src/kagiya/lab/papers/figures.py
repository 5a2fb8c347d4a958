"""Figures drawn with matplotlib, which is loaded when it is needed: one function for each kind, all on the same canvas.

Every text lies on the sheet: names, titles and the footer wrap, names that are longer still become letters with a key
in the footer, and where a size was asked for that is too small for the letters, they shrink. The footer says what the
numbers are of.

The kinds: the league; scores by agent (Brooks's figure 2) and by direct regret (his figure 3: team regret); sources of
regret as stacked bars; cross-play as a matrix of means; curves over a budget; the best score of every style; and how
soon a search knows its partners (the posterior of the true policy over the moves seen of a partner).
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from pathlib import Path
from string import ascii_uppercase
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.engine.record import naming
from kagiya.lab.provenance import VERSION

# Okabe and Ito's palette: colors that can be told apart without color vision; the order gives neighbors contrast.
BLUE, VERMILION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY = "#E69F00", "#56B4E9"
PALETTE = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY)
MARKERS = ("o", "s", "^", "D", "v", "P")
INK, QUIET, PAPER, GRID = "#222222", "#666666", "#ffffff", "#dddddd"
ENDINGS = (".png", ".svg", ".pdf")


class FigureError(ValueError):
    """A picture that cannot be drawn or written."""


def check_picture(path: Path) -> None:
    """Refuse a file name whose ending is none that can be written."""
    if path.suffix.lower() not in ENDINGS:
        raise FigureError(f"{path}: a picture ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}")


def plain(axes: Any, grid: str = "x") -> None:
    """Only the lines that help reading; `grid` is the axis that numbers are read from."""
    axes.grid(axis=grid, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left") if grid == "x" else ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("bottom", "left"):
        axes.spines[side].set_color(QUIET)
    axes.tick_params(left=grid != "x", colors=INK)


@cache
def sheet_type() -> type[Any]:
    """matplotlib's figure, which no window and no notebook keeps, and which a notebook shows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    class Sheet(Figure):
        """A picture."""

        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            FigureCanvasAgg(self)

        def _repr_png_(self) -> bytes:
            self.savefig(written := BytesIO(), format="png", dpi=DOTS_ON_SCREEN, facecolor=PAPER)
            return written.getvalue()

    return Sheet


DOTS_PER_INCH, DOTS_ON_SCREEN = 150, 90
TITLE_POINTS, FOOTER_POINTS, POINTS = 12.0, 7.5, 10.0
INCHES_PER_POINT = 1 / 72
LINE_HEIGHT = 1.35  # of a line, in the size of its letters
MARGIN = 0.12  # inches, left and right of title and footer
LABEL_CHARACTERS = 26  # of a line of a name
MAX_LABEL_LENGTH = 78  # characters: longer names become letters
SMALL_SHEET, MAX_LENGTH_ON_SMALL = 45.0, 26  # square inches that a user may ask for, and the same on less
SMALLER, SMALLEST, STEPS = 0.92, 4.5, 10  # letters shrink by this factor, down to this size, this often


@dataclass(frozen=True)
class Setting:
    """What stands around a picture."""

    caption: str = ""  # the rules, the games and the seeds, without which no score is shown
    title: str = ""  # instead of the usual one
    size: tuple[float, float] | None = None  # inches, instead of what the picture needs
    labels: Mapping[str, str] = field(default_factory=dict)  # names instead of agents' texts


Words = str | Setting


class Canvas:
    """A sheet with one panel or several."""

    def __init__(self, words: Words, names: Sequence[str], title: str, size: tuple[float, float]) -> None:
        self.setting = words if isinstance(words, Setting) else Setting(words)
        width, height = self.setting.size or size
        longest = (
            MAX_LABEL_LENGTH if self.setting.size is None or width * height >= SMALL_SHEET else MAX_LENGTH_ON_SMALL
        )
        self.letters = _letters([self.setting.labels.get(name, name) for name in names], longest)
        self.width = width
        footer = self._footer()
        lines = footer.count("\n") + 1
        below = min(lines * FOOTER_POINTS * LINE_HEIGHT * INCHES_PER_POINT + 0.12, 0.6 * size[1])
        height = self.setting.size[1] if self.setting.size else size[1] + below
        self.sheet = sheet_type()(figsize=(self.width, height), layout="constrained")
        shares = [max(height - below, 0.1), min(below, 0.5 * height)]
        self.figure, foot = self.sheet.subfigures(2, 1, height_ratios=shares)
        foot.text(MARGIN / self.width, 0.6, footer, va="center", color=QUIET, fontsize=FOOTER_POINTS)
        shown = wrapped(self.setting.title or title, self.width - 2 * MARGIN, TITLE_POINTS * 1.1)
        place = {"x": MARGIN / self.width, "ha": "left", "color": INK, "fontweight": "bold", "fontsize": TITLE_POINTS}
        self.figure.suptitle(shown, **place)

    def _footer(self) -> str:
        parts = [f"{letter}: {name}" for name, letter in self.letters.items()]
        caption = self.setting.caption
        parts.append(f"{caption}{'; ' if caption else ''}kagiya {VERSION}")
        return "\n".join(wrapped(part, self.width - 2 * MARGIN, FOOTER_POINTS) for part in parts)

    def panel(self) -> Any:
        """The axes of a picture that has one panel."""
        return self.figure.subplots()

    def label(self, name: str, characters: int = LABEL_CHARACTERS) -> str:
        """How an agent is called here: by the label it was given, in lines; or by a letter."""
        label = self.setting.labels.get(name, name)
        return self.letters.get(label) or _broken(label, characters)

    def lines(self, names: Sequence[str]) -> int:
        """The most lines that a name takes."""
        return max(self.label(name).count("\n") + 1 for name in names)

    def x_label(self, axes: Any, text: str) -> None:
        """What is measured along the axis, in lines that fit."""
        axes.set_xlabel(wrapped(text, 0.58 * self.width, POINTS))

    def save(self, path: Path | None) -> Any:
        """The picture, also as a file if one is named; the same data give the same file."""
        if path is not None:
            check_picture(path)
            path.parent.mkdir(parents=True, exist_ok=True)
        self.fit()
        if path is not None:
            import matplotlib as mpl

            dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(path.suffix.lower())
            with naming(path), mpl.rc_context({"svg.hashsalt": "kagiya"}):
                self.sheet.savefig(path, dpi=DOTS_PER_INCH, facecolor=PAPER, metadata=dates)
        return self.sheet

    def fit(self) -> None:
        """Make the letters smaller until no text leaves the sheet."""
        for _ in range(STEPS):
            outside = texts_outside(self.sheet)
            if not outside:
                return
            for text in all_texts(self.sheet):
                text.set_fontsize(max(text.get_fontsize() * SMALLER, SMALLEST))
        raise FigureError(f"the picture is too small for its words, such as {outside[0]!r}; give a larger size")


def label_lines(names: Sequence[str], words: Words) -> int:
    """The most lines that a name will take, to be known before there is a sheet."""
    labels = words.labels if isinstance(words, Setting) else {}
    shown = [labels.get(name, name) for name in names]
    return max(
        (_broken(name, LABEL_CHARACTERS).count("\n") + 1 for name in shown if len(name) <= MAX_LABEL_LENGTH), default=1
    )


def _letters(names: Sequence[str], longest: int) -> dict[str, str]:
    long = dict.fromkeys(name for name in names if len(name) > longest)
    alphabet = [*ascii_uppercase, *(f"{one}{two}" for one in ascii_uppercase for two in ascii_uppercase)]
    return dict(zip(long, alphabet, strict=False))


def _broken(text: str, characters: int) -> str:
    """Lines no longer than `characters`: broken at spaces; a longer word is broken after a sign in it, or anywhere."""
    lines = [""]
    for word in text.split():
        pieces = [word] if len(word) <= characters else _pieces(word, characters)
        for number, piece in enumerate(pieces):
            space = " " if lines[-1] and not number else ""
            if len(lines[-1]) + len(space) + len(piece) > characters and lines[-1]:
                lines.append(piece)
            else:
                lines[-1] += space + piece
    return "\n".join(lines)


def _pieces(word: str, characters: int) -> list[str]:
    """A long word cut after brackets, commas, equals signs and hyphens, and wherever that is not enough."""
    signs = re.findall(r"[^(),:=-]*[(),:=-]+|[^(),:=-]+", word)
    return [sign[at : at + characters] for sign in signs for at in range(0, len(sign), characters)]


def wrapped(text: str, inches: float, points: float) -> str:
    """Lines that are no wider than that."""
    per_character = 0.56 * points * INCHES_PER_POINT  # of the usual letters of DejaVu Sans, on the wide side
    return "\n".join(_broken(line, max(int(inches / per_character), 8)) for line in text.split("\n"))


def all_texts(sheet: Any) -> Iterator[Any]:
    """Every text of a sheet that is drawn: not the labels of ticks beyond the ends of an axis."""
    from matplotlib.text import Text

    hidden = {label for axes in sheet.get_axes() for label in _beyond(axes)}
    for text in sheet.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text


def _beyond(axes: Any) -> Iterator[Any]:
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        edge = 1e-6 * (high - low)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            yield tick.label2
            if not low - edge <= tick.get_loc() <= high + edge:
                yield tick.label1


def texts_outside(sheet: Any) -> list[str]:
    """The texts that leave the sheet, or stand half outside; all of them if they leave no room for the panels."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        sheet.draw_without_rendering()
    if any("collapsed" in str(warning.message) for warning in said):
        return [text.get_text() for text in all_texts(sheet)]
    renderer, box = sheet.canvas.get_renderer(), sheet.bbox
    found = []
    for text in all_texts(sheet):
        place = text.get_window_extent(renderer)
        inside = box.x0 - 1 <= place.x0 and place.x1 <= box.x1 + 1 and box.y0 - 1 <= place.y0 and place.y1 <= box.y1 + 1
        if not inside:
            found.append(text.get_text())
    return found


MANY = 16  # agents: a league of no more is drawn wide, cross-play of no more has numbers
# A color and a marker of its own for each number of players.
PLAYER_STYLES = {2: (BLUE, "o"), 3: (VERMILION, "s"), 4: (GREEN, "^"), 5: (PURPLE, "D")}


def league_figure(league: dict[str, Any], path: Path | None = None, title: str = "League of the zoo") -> Any:
    """A row for each agent, a mark for each number of players, best on top; 95 % intervals."""
    games = f"{league['games']:,} games for each number of players, seeds from {league['seed']}"
    return ranking_figure(league["rows"], f"self-play by {league['rules']}: {league['caption']}; {games}", title, path)


def ranking_figure(ranked: Sequence[dict[str, Any]], caption: str, title: str, path: Path | None = None) -> Any:
    """The same of any rows, best first."""
    rows = ranked[::-1]
    names = [row["agent"] for row in rows]
    marked = " or ".join(sorted({row["mark"] for row in rows if row["mark"]}))
    star = f"\n* {marked}, which no player may" if marked else ""
    width, height = (9.0, 0.32) if len(rows) > MANY else (11.0, 0.27)
    height = max(height, 0.2 * label_lines(names, caption))
    canvas = Canvas(f"{caption}; 95 % intervals{star}", names, title, (width, 1.7 + height * len(rows)))
    axes = canvas.panel()
    counts = sorted({int(count) for row in rows for count in row["players"]})
    for place, count in enumerate(counts):
        shift = 0.5 * (place - (len(counts) - 1) / 2) / max(len(counts), 1)
        _draw_count(axes, rows, count, shift)
    for y, means in enumerate([cell["mean"] for cell in row["players"].values()] for row in rows):
        axes.hlines(y, min(means), max(means), color=GRID, linewidth=5, zorder=0)
        beside = {"xytext": (8, 0), "textcoords": "offset points", "va": "center", "weight": "bold"}
        axes.annotate(f"{sum(means) / len(means):.2f}", (1, y), xycoords=("axes fraction", "data"), **beside)
    axes.set_yticks(range(len(rows)), [canvas.label(row["agent"]) + (" *" if row["mark"] else "") for row in rows])
    axes.set_ylim(-0.7, len(rows) - 0.3)
    lowest = min((cell["mean"] - _reach(cell, 0) for row in rows for cell in row["players"].values()), default=0)
    axes.set_xlim(math.floor(lowest) - 0.5, 25.5)
    canvas.x_label(axes, "mean score; in figures at the right, over the numbers of players")
    canvas.figure.legend(ncols=len(counts), loc="outside lower center", frameon=False)
    plain(axes)
    return canvas.save(path)


def _draw_count(axes: Any, rows: Sequence[dict[str, Any]], count: int, shift: float) -> None:
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


Numbers = npt.NDArray[np.int64]
ROW_HEIGHT = 0.85  # of the tallest bar in a row
LABEL_HEIGHT = 0.32
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
PANELS_ABREAST, PANEL_CHARACTERS = 3, 40
MIN_GAMES_OF_REGRET = 5  # games of one regret, below which it has no quantiles worth drawing


def scores_figure(histograms: Mapping[str, Numbers], words: Words, path: Path | None = None) -> Any:
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
    return canvas.save(path)


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
        return {lost: scores for lost, scores in groups.items() if len(scores) >= MIN_GAMES_OF_REGRET}


def regret_figure(agents: Mapping[str, ScoredRegret], words: Words, path: Path | None = None, perfect: int = 25) -> Any:
    """A panel for each agent: quantiles of the score of games that ended with each direct regret.

    Nothing can lie above the dotted line.
    """
    if not any(len(games.scores) for games in agents.values()):
        raise FigureError("there are no games to draw")
    found = {name: games.by_regret(perfect) for name, games in agents.items()}
    if not any(found.values()):
        raise FigureError(f"no direct regret occurs in {MIN_GAMES_OF_REGRET} games; play more")
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
    return canvas.save(path)


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


# Color and hatching, so that the parts can be told apart without color too.
PARTS = {
    "score": (GRID, ""),
    "discard": (SKY, ""),
    "play": (ORANGE, "////"),
    "bomb": (VERMILION, ""),
    "indirect": (PURPLE, "...."),
}


def sources_figure(rows: Mapping[str, Mapping[str, float]], words: Words, path: Path | None = None) -> Any:
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
    return canvas.save(path)


SHADES = "cividis"  # ordered by lightness, in print and without color vision too
CROSSPLAY_LABEL_CHARACTERS = 20
Matrix = npt.NDArray[np.float64]


def crossplay_figure(
    labels: Sequence[str],
    means: Sequence[Sequence[float]],
    words: Words,
    path: Path | None = None,
    errors: Sequence[Sequence[float]] | None = None,
) -> Any:
    """`means[row][column]`: one of the row's agent with the column's in all other seats; NaN where not played.

    The shades go from the lowest mean to the highest; `errors` are standard errors, written below the means.
    """
    matrix = np.array(means, float)
    if matrix.shape != (len(labels), len(labels)):
        raise FigureError(f"{len(labels)} agents need a matrix of as many rows and columns, not {matrix.shape}")
    side = 2.6 + 0.66 * len(labels)
    canvas = Canvas(words, labels, "Who plays well with whom", (side + 1.2, side))
    axes = canvas.panel()
    image = axes.imshow(matrix, cmap=SHADES)
    _label(axes, [canvas.label(name, CROSSPLAY_LABEL_CHARACTERS) for name in labels])
    if len(labels) <= MANY:
        _write_numbers(axes, image, matrix, np.full_like(matrix, np.nan) if errors is None else np.array(errors, float))
    bar = canvas.figure.colorbar(image, ax=axes, shrink=0.8)
    bar.set_label("mean score" + ("" if errors is None else "; below it, its standard error"), color=INK)
    bar.outline.set_visible(False)
    return canvas.save(path)


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


def _write_numbers(axes: Any, image: Any, matrix: Matrix, errors: Matrix) -> None:
    for (row, column), value in np.ndenumerate(matrix):
        if np.isnan(value):
            continue
        error = errors[row, column]
        style = {"ha": "center", "color": PAPER if image.to_rgba(value)[1] < 0.5 else "#000000"}
        style["fontweight"] = "bold" if row == column else "normal"
        axes.text(column, row, f"{value:.1f}", va="center" if np.isnan(error) else "bottom", fontsize=9, **style)
        if not np.isnan(error):
            axes.text(column, row + 0.06, f"±{error:.2f}", va="top", fontsize=6.5, **style)


WIDE = 20  # what spans more than this factor, in steps that grow, is drawn on a logarithmic axis: budgets, not epochs
LEGEND_CHARACTERS = 44


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: places, values, and the reach of the interval to each side, or below and above."""

    label: str
    x: Sequence[float]
    y: Sequence[float]
    error: Sequence[float] | Sequence[Sequence[float]]


def curve_figure(curves: Sequence[Curve], x_label: str, y_label: str, words: Words, path: Path | None = None) -> Any:
    """Lines with error bars, each with a color, a marker and a dash of its own."""
    if not curves or not any(len(curve.x) for curve in curves):
        raise FigureError("there are no points to draw")
    title = f"{y_label[:1].upper()}{y_label[1:]} by {x_label}"
    names = [curve.label for curve in curves]
    canvas = Canvas(words, names, title, (8, 4.4 + 0.2 * len(curves)))
    axes = canvas.panel()
    for place, curve in enumerate(curves):
        look: dict[str, Any] = {"color": PALETTE[place % len(PALETTE)], "marker": MARKERS[place % len(MARKERS)]}
        look |= {"linestyle": ("-", "--", "-.", ":")[place % 4], "linewidth": 1.6, "markersize": 6}
        look |= {"label": canvas.label(curve.label, LEGEND_CHARACTERS)}
        if np.any(curve.error):
            axes.errorbar(curve.x, curve.y, yerr=curve.error, capsize=3, **look)
        else:
            axes.plot(curve.x, curve.y, **look)
    if is_geometric(sorted({value for curve in curves for value in curve.x})):
        axes.set_xscale("log")
    canvas.x_label(axes, x_label)
    axes.set_ylabel(y_label)
    columns = 1 if canvas.lines(names) > 1 else 2
    canvas.figure.legend(ncols=columns, loc="outside lower left", frameon=False)
    plain(axes, "y")
    return canvas.save(path)


def is_geometric(places: Sequence[float]) -> bool:
    """Whether places, lowest first, are better told apart on a logarithmic axis."""
    steps = np.diff(places)
    return bool(len(steps) and places[0] > 0 and places[-1] / places[0] > WIDE and steps.max() > 2 * steps.min())


HIGH = 0.95  # above this a name stands below its mark

Place = tuple[str, float, float]  # name, communication, caution


def behaviour_figure(
    cells: int,
    scores: Sequence[tuple[int, int, float]],
    marks: Sequence[Place],
    captions: tuple[str, str],
    path: Path | None = None,
) -> Any:
    """`scores` holds column, row and mean score of each cell that has an elite; captions: the rules, and the games."""
    if not scores:
        raise FigureError("there is no elite to draw")
    grid = np.full((cells, cells), np.nan)
    for column, row, mean in scores:
        grid[row, column] = mean
    canvas = Canvas(captions[0], [], "The best list of every style", (7.6, 6.2))
    axes = canvas.panel()
    image = axes.imshow(grid, cmap=SHADES, origin="lower", extent=(0, 1, 0, 1), vmin=0, vmax=float(np.nanmax(grid)))
    for name, x, y in marks:
        axes.plot(x, y, "o", color=VERMILION, markersize=6, markeredgecolor=PAPER)
        beside = (7, 4) if y < HIGH else (7, -12)
        label = axes.annotate(name, (x, y), beside, "data", "offset points", color=INK, fontsize=9, fontweight="bold")
        label.set_bbox({"facecolor": PAPER, "alpha": 0.75, "edgecolor": "none", "pad": 1})
    canvas.x_label(axes, "communication: hints given, as a share of the turns with a token")
    axes.set_ylabel("caution: mean chance to fit of the cards played")
    axes.tick_params(colors=INK)
    bar = canvas.figure.colorbar(image, ax=axes, shrink=0.7)
    bar.set_label(f"mean score of the best list found ({captions[1]})", color=INK)
    bar.outline.set_visible(False)
    return canvas.save(path)
