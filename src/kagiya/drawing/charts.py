"""Charts: axes, distributions of scores, line charts, bars with an error, and the HTML tables of notebooks.

A distribution shows how often each score was reached, for one sample or for two beside each other; a line chart, a few
quantities over the turns of a game; a bar, one number in a row of a table, on the same scale as the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10

from kagiya.drawing.canvas import Child, Markup, Value, element, number, paint, rectangle, sheet, standalone, words

# Lines are told apart by color and by dashes.
LINES = (("text", None), ("moved", "6 3"), ("accent", "2 2.5"), ("bad", "8 3 2 3"))
LETTER = 6.2  # the mean width of a letter at size 11


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high` laid out between two places."""

    low: float
    high: float
    first: float
    last: float

    def __call__(self, value: float) -> float:
        """The place of a value; what lies outside is moved to the end."""
        share = (value - self.low) / ((self.high - self.low) or 1.0)
        return self.first + (self.last - self.first) * min(max(share, 0.0), 1.0)


def round_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most `most` round numbers (steps of 1, 2 or 5) from `low` to `high`."""
    if not high > low:
        return [low]
    step = 10.0 ** floor(log10((high - low) / most))
    step *= next(factor for factor in (1, 2, 5, 10, 20) if (high - low) / (step * factor) < most)
    first = floor(low / step)
    ticks = [round(step * (first + place), 10) for place in range(most + 3)]
    return [tick for tick in ticks if low - 1e-9 <= tick <= high + 1e-9]


def extent(values: Iterable[float | None], *also: float) -> tuple[float, float]:
    """The least and the greatest of the values that are there, and of others that must be shown."""
    known = [value for value in values if value is not None and isfinite(value)] + list(also)
    return (min(known), max(known)) if known else (0.0, 1.0)


def rule(x1: float, y1: float, x2: float, y2: float, color: str = "line", **attributes: Value) -> Markup:
    """A straight line."""
    ends = {"x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2)}
    return element("line", **ends, stroke=paint(color), **attributes)


def shortened(name: str, most: int) -> str:
    """A name that fits."""
    return name if len(name) <= most else f"{name[: most - 1]}…"


def left_axis(scale: Scale, left: float, right: float, ticks: Sequence[float]) -> Markup:
    """A faint line at each tick, and its number left of it."""
    lines = [rule(left, scale(tick), right, scale(tick)) for tick in ticks]
    numbers = [
        words(left - 4, scale(tick) + 4, number(tick), size=11, color="quiet", text_anchor="end") for tick in ticks
    ]
    return element("g", lines, numbers)


def bottom_axis(scale: Scale, y: float, ticks: Sequence[float], title: str = "") -> Markup:
    """Numbers below the chart, and what they are at its right end."""
    numbers = [words(scale(tick), y + 14, number(tick), size=11, color="quiet", text_anchor="middle") for tick in ticks]
    name = words(scale.last, y + 28, title, size=11, color="quiet", text_anchor="end") if title else None
    return element("g", numbers, name)


def key(x: float, y: float, entries: Sequence[tuple[Child, str]]) -> Markup:
    """The key of a chart in one row: a sample of each, 16 wide and centered on its baseline, and its name."""
    parts, place = [], x
    for sample, name in entries:
        parts.append(element("g", sample, transform=f"translate({number(place)} {number(y - 4)})"))
        parts.append(words(place + 21, y, name, size=11, color="text"))
        place += 21 + LETTER * len(name) + 14
    return element("g", parts)


WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 190, 36, 34, 36


@dataclass(frozen=True, slots=True)
class ScoreSample:
    """How often each value from 0 on was seen; mean and standard error are marked if they are given."""

    name: str
    counts: tuple[int, ...]
    mean: float | None = None
    error: float | None = None

    @property
    def shares(self) -> tuple[float, ...]:
        """The counts in percent of all."""
        return tuple(100 * count / (sum(self.counts) or 1) for count in self.counts)


def distribution(
    sample: ScoreSample,
    second: ScoreSample | None = None,
    title: str = "score",
    mark: int | None = None,
    label: str | None = None,
) -> Markup:
    """Bars for the first sample, a line of steps over them for the second, 420 by 190. Means stand above, with a bar of
    two standard errors either way; `mark` is a single value (of a game that was played) with a line of its own."""
    samples = [sample] + ([second] if second else [])
    across = _span(samples, mark)
    high = max([share for one in samples for share in one.shares], default=0) or 1
    up = Scale(0, high, HEIGHT - BOTTOM, TOP + 12)
    ticks = round_ticks(across.low + 0.5, across.high - 0.5, 8)
    parts = [
        left_axis(up, LEFT, WIDTH - 8, round_ticks(0, high, 4)),
        _bars(sample, across, up),
        _outline(second, across, up) if second else None,
        [_mean(one, across, TOP + 2 + 7 * place) for place, one in enumerate(samples)],
        rule(across(mark), TOP, across(mark), HEIGHT - BOTTOM, "accent", stroke_width=2) if mark is not None else None,
        bottom_axis(across, HEIGHT - BOTTOM, ticks, f"{title}; % of games"),
        _legend(sample, second),
    ]
    return sheet(WIDTH, HEIGHT, _sentence(samples, title) if label is None else label, parts)


def _span(samples: Sequence[ScoreSample], mark: int | None) -> Scale:
    """From the least value seen, a little below, to the last that is counted."""
    seen = [place for one in samples for place, count in enumerate(one.counts) if count]
    seen += [] if mark is None else [mark]
    last = max([len(one.counts) - 1 for one in samples] + seen)
    first = max(min(seen, default=0) - 1, 0)
    return Scale(first - 0.5, last + 0.5, LEFT, WIDTH - 8)


def _bars(sample: ScoreSample, across: Scale, up: Scale) -> Markup:
    wide = across(across.low + 1) - across(across.low)
    bars = [
        element(
            "g",
            element("title", f"{place}: {sample.counts[place]} of {sum(sample.counts)}, {share:.1f} %"),
            rectangle(across(place) - wide * 0.4, up(share), wide * 0.8, up(0) - up(share), "moved", fill_opacity=0.55),
        )
        for place, share in enumerate(sample.shares)
        if share
    ]
    return element("g", bars)


def _outline(sample: ScoreSample, across: Scale, up: Scale) -> Markup:
    first = round(across.low + 0.5)
    shown = list(enumerate(sample.shares))[first:]
    path = "".join(f"V{number(up(share))}H{number(across(place + 0.5))}" for place, share in shown)
    start = f"M{number(across(first - 0.5))} {number(up(0))}"
    return element("path", d=f"{start}{path}V{number(up(0))}", fill="none", stroke=paint("text"), stroke_width=2)


def _mean(sample: ScoreSample, across: Scale, y: float) -> Markup | None:
    """A dot at the mean, with a bar of two standard errors either way."""
    if sample.mean is None:
        return None
    around = 2 * (sample.error or 0.0)
    color = "moved" if y < TOP + 5 else "text"
    bar = rule(across(sample.mean - around), y, across(sample.mean + around), y, color, stroke_width=2)
    return element("g", bar, element("circle", cx=number(across(sample.mean)), cy=number(y), r=3, fill=paint(color)))


def _legend(sample: ScoreSample, second: ScoreSample | None) -> Markup:
    entries: list[tuple[Markup, str]] = [(rectangle(2, -6, 12, 10, "moved", fill_opacity=0.55), _named(sample))]
    if second:
        entries.append((rule(0, 0, 16, 0, "text", stroke_width=2), _named(second)))
    return key(LEFT, 14, entries)


def _named(sample: ScoreSample) -> str:
    if sample.mean is None:
        return sample.name
    error = f" ± {sample.error:.2f}" if sample.error is not None else ""
    return f"{sample.name}: {sample.mean:.2f}{error}"


def _sentence(samples: Sequence[ScoreSample], title: str) -> str:
    parts = [f"{_named(one)}, {sum(one.counts)} games" for one in samples]
    return f"distribution of {title}: {'; '.join(parts)}"


LINES_WIDTH, LINES_HEIGHT, LINES_LEFT, LINES_TOP, LINES_BOTTOM = 420, 170, 40, 26, 36


@dataclass(frozen=True, slots=True)
class Line:
    """One quantity by turn; None where there is nothing to show."""

    name: str
    values: tuple[float | None, ...]


def line_chart(
    lines: Sequence[Line], title: str, cursor: int | None = None, across_title: str = "turn", label: str | None = None
) -> Markup:
    """At most four lines, told apart by color and dashes, 420 by 170. `title` says what the values are; the turns below
    are counted from 1, and `cursor` (from 0) marks one of them."""
    low, high = extent([value for line in lines for value in line.values], 0.0)
    turns = max([len(line.values) for line in lines], default=1)
    up = Scale(low, high if high > low else low + 1, LINES_HEIGHT - LINES_BOTTOM, LINES_TOP)
    across = Scale(1, max(turns, 2), LINES_LEFT, LINES_WIDTH - 10)
    drawn = list(zip(lines, LINES, strict=False))
    samples = [rule(0, 0, 16, 0, color, stroke_width=2, stroke_dasharray=dash) for color, dash in LINES]
    at = None if cursor is None else across(cursor + 1)
    parts = [
        left_axis(up, LINES_LEFT, LINES_WIDTH - 10, round_ticks(low, up.high, 5)),
        None if at is None else rule(at, LINES_TOP, at, LINES_HEIGHT - LINES_BOTTOM, "accent", stroke_width=1.5),
        [_path(line, across, up, *style) for line, style in drawn],
        bottom_axis(across, LINES_HEIGHT - LINES_BOTTOM, [1, *round_ticks(5, max(turns, 5), 8)], across_title),
        key(LINES_LEFT, 14, [(sample, line.name) for line, sample in zip(lines, samples, strict=False)]),
    ]
    names = ", ".join(line.name for line in lines)
    return sheet(LINES_WIDTH, LINES_HEIGHT, f"{title} by {across_title}: {names}" if label is None else label, parts)


def _path(line: Line, across: Scale, up: Scale, color: str, dash: str | None) -> Markup:
    path, is_drawn = [], False
    for place, value in enumerate(line.values):
        if value is not None:
            path.append(f"{'L' if is_drawn else 'M'}{number(across(place + 1))} {number(up(value))}")
        is_drawn = value is not None
    curve: dict[str, Value] = {"fill": "none", "stroke": paint(color), "stroke_width": 2, "stroke_dasharray": dash}
    return element("path", d="".join(path), **curve, stroke_linejoin="round")


BAR_WIDTH, BAR_HEIGHT = 120, 14


def value_bar(
    value: float, low: float, high: float, error: float | None = None, is_marked: bool = False, label: str = ""
) -> Markup:
    """A bar from `low` to `value` on a scale that ends at `high`, 120 by 14; a whisker is one standard error either
    way. A marked one (the move chosen) is darker. Decoration unless it has a label: the number stands beside it."""
    across = Scale(low, high, 1, BAR_WIDTH - 1)
    bar = rectangle(1, 2, across(value) - 1, 10, "moved", rx=1.5, fill_opacity=0.75 if is_marked else 0.35)
    middle = BAR_HEIGHT / 2
    whisker = (
        rule(across(value - error), middle, across(value + error), middle, "text", stroke_width=1.5) if error else None
    )
    frame = rectangle(0.5, 1.5, BAR_WIDTH - 1, 11, "line", fill_opacity=0.4, rx=2)
    return sheet(BAR_WIDTH, BAR_HEIGHT, label, frame, bar, whisker)


@dataclass(frozen=True, slots=True)
class ShownEstimate:
    """A move that was weighed."""

    name: str
    value: float
    error: float | None
    visits: int
    is_chosen: bool


def estimates_html(heading: str, estimates: Sequence[ShownEstimate], sentence: str) -> Markup:
    """What was chosen, the moves that a search weighed, each with its value as a bar, and the rest in words."""
    low = min([each.value - 2 * (each.error or 0) for each in estimates], default=0)
    high = max([each.value + (each.error or 0) for each in estimates], default=1)
    rows = [
        _row(
            element("b", each.name) if each.is_chosen else each.name,
            standalone(value_bar(each.value, low, high, each.error, each.is_chosen), BAR_WIDTH),
            f"{each.value:.2f}" + ("" if each.error is None else f" ± {each.error:.2f}"),
            f"{each.visits:,}",
        )
        for each in estimates
    ]
    head = element("tr", [element("th", name) for name in ("move", "", "points", "visits")])
    weighed = element("table", head, rows) if rows else None
    return element("div", element("div", element("b", heading)), weighed, element("div", sentence))


def games_html(heading: str, sample: ScoreSample, facts: Sequence[tuple[str, str]]) -> Markup:
    """Many games: how often each score was reached, and facts about them, each a name and a value."""
    picture = standalone(distribution(sample)) if sum(sample.counts) else None
    listed = element("table", [_row(name, value) for name, value in facts])
    return element("div", element("div", element("b", heading)), picture, listed)


Cell = tuple[float, float] | None  # a mean and its standard error


def shaded_table(
    heading: str,
    head: Sequence[str],
    rows: Sequence[tuple[str, Sequence[Cell]]],
    last: Sequence[str],
    notes: Sequence[str],
) -> Markup:
    """A line for each name, its cells shaded from the lowest mean to the highest; then a text, and notes below."""
    low, high = extent(cell[0] if cell else None for _, cells in rows for cell in cells)
    drawn = [
        element(
            "tr", element("th", name), [_shaded(cell, low, high) for cell in cells], element("td", element("b", text))
        )
        for (name, cells), text in zip(rows, last, strict=True)
    ]
    heads = element("tr", [element("th", name) for name in head])
    below = [element("div", note) for note in notes]
    return element("div", element("div", element("b", heading)), element("table", heads, drawn), below)


def _shaded(cell: Cell, low: float, high: float) -> Markup:
    if cell is None:
        return element("td")
    mean, error = cell
    share = (mean - low) / ((high - low) or 1.0)
    known = "" if error != error else f" ± {error:.2f}"
    return element("td", f"{mean:.2f}{known}", style=f"background:rgba(0,114,178,{0.6 * share:.2f})")


def _row(*cells: Child) -> Markup:
    return element("tr", [element("td", cell) for cell in cells])
