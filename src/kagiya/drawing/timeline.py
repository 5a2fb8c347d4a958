"""A game as one strip: points lost by seat, what could still be scored, pace, and where other agents disagree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kagiya.drawing.canvas import Markup, element, number, paint, rectangle, sheet, words
from kagiya.drawing.charts import Scale, extent, key, rule, shortened

LEFT, RIGHT = 64, 8
LANE, CHART, STRIP, TOP = 18, 64, 12, 20
POINT = 4  # how high a lost point is
ROOMY = 700  # wide enough for the key in one row
MIN_TURNS = 30  # turns that there is room for at least: a short game is not stretched


@dataclass(frozen=True, slots=True)
class Turn:
    """One move of the timeline. None is what is not known (yet)."""

    seat: int
    direct: float = 0.0  # points that the move made impossible
    indirect: float = 0.0  # points that can no longer be scored for lack of turns
    reachable: float | None = None  # points that can still be scored after it
    pace: float | None = None  # discards that are still free after it
    disagree: int | None = None  # agents that would have moved otherwise


@dataclass(frozen=True, slots=True)
class TimelineOptions:
    """What is not of a single turn."""

    names: tuple[str, ...]  # of the seats
    perfect: int = 25  # the most points
    agents: int = 0  # how many were asked what they would have done
    width: int = 760  # 400 for a phone: letters stay as large as they are


def timeline(turns: Sequence[Turn], options: TimelineOptions, label: str | None = None) -> Markup:
    """The whole game. A lane for each seat holds the points that its moves lost: at once (filled) and for lack of turns
    (hollow). Below, the points that can still be scored (a line), the pace (dashed), and a strip, the darker the more
    agents would have moved otherwise. Over each turn lies a rectangle with `data-turn` (0 is the first move) that takes
    clicks and says in its title what happened."""
    across = _across(len(turns), options)
    lanes = _top(options) + LANE * len(options.names)
    strip = lanes + CHART + 18
    parts = [
        _legend(options),
        _lanes(turns, options, across),
        _chart(turns, options, across, lanes + 12),
        _strip(turns, options, across, strip),
        _numbers(len(turns), across, strip + STRIP + 13),
        _regions(turns, options, across, strip + STRIP),
    ]
    return sheet(options.width, _height(options), _sentence(turns, options) if label is None else label, parts)


def timeline_cursor(turns: int, options: TimelineOptions, cursor: int | None) -> Markup:
    """A sheet to lie behind the timeline, with a mark at the turn that is looked at: a step draws this alone."""
    across, top, height = _across(turns, options), _top(options) - 2, _height(options)
    if cursor is None:
        return sheet(options.width, height, "")
    left, wide = across(cursor), max(across(cursor + 1) - across(cursor), 2)
    filled = rectangle(left, top, wide, height - 18 - top + 2, "accent", fill_opacity=0.2)
    return sheet(options.width, height, "", filled, rule(left, top, left, height - 16, "accent", stroke_width=1.5))


def _across(turns: int, options: TimelineOptions) -> Scale:
    return Scale(0, max(turns, MIN_TURNS), LEFT, options.width - RIGHT)


def _height(options: TimelineOptions) -> int:
    return _top(options) + LANE * len(options.names) + CHART + 18 + STRIP + 18


def turn_words(place: int, turn: Turn, options: TimelineOptions) -> str:
    """What the timeline shows of one turn: "turn 3, bob: 1 point lost, 24 reachable"."""
    parts = []
    if lost := turn.direct + turn.indirect:
        parts.append(f"{number(lost)} point{'' if lost == 1 else 's'} lost")
    if turn.reachable is not None:
        parts.append(f"{number(turn.reachable)} reachable")
    if turn.pace is not None:
        parts.append(f"pace {number(turn.pace)}")
    if turn.disagree is not None:
        parts.append(f"{turn.disagree} of {options.agents} agents would have moved otherwise")
    return f"turn {place + 1}, {options.names[turn.seat]}" + (f": {', '.join(parts)}" if parts else "")


def _legend(options: TimelineOptions) -> Markup:
    entries = [
        (_bar(5, -6, 6, 10, "direct"), "points lost at once"),
        (_bar(5, -6, 6, 10, "indirect"), "for lack of turns"),
        (rule(0, 0, 16, 0, "text", stroke_width=2), "still reachable"),
        (rule(0, 0, 16, 0, "moved", stroke_width=2, stroke_dasharray="6 3"), "pace"),
    ]
    if options.agents:
        entries.append((rectangle(2, -6, 12, 10, "moved", fill_opacity=0.6), "agents who disagree"))
    if options.width >= ROOMY:
        return key(LEFT, 12, entries)
    return element("g", [key(8, 12 + 16 * place, [entry]) for place, entry in enumerate(entries)])


def _top(options: TimelineOptions) -> int:
    """Where the lanes begin: below the key, which is a column where there is little room."""
    return TOP if options.width >= ROOMY else TOP + 48 + (16 if options.agents else 0)


def _bar(x: float, y: float, width: float, height: float, source: str) -> Markup:
    if source == "direct":
        return rectangle(x, y, width, height, "bad")
    return rectangle(x + 0.5, y + 0.5, width - 1, height - 1, "panel", stroke=paint("bad"), stroke_width=1)


def _lanes(turns: Sequence[Turn], options: TimelineOptions, across: Scale) -> Markup:
    parts = []
    for seat, name in enumerate(options.names):
        base = _top(options) + LANE * (seat + 1)
        parts.append(rule(LEFT, base, options.width - RIGHT, base))
        parts.append(words(LEFT - 6, base - 4, shortened(name, 9), size=11, color="quiet", text_anchor="end"))
        for place, turn in enumerate(turns):
            if turn.seat == seat:
                parts += _losses(turn, across(place), across(place + 1) - across(place), base)
    return element("g", parts)


def _losses(turn: Turn, x: float, wide: float, base: float) -> list[Markup]:
    """The bars of one turn: POINT high for each point, up to the height of the lane, where a number tells how many."""
    lost = max(turn.direct, 0) + max(turn.indirect, 0)
    unit, width = min(POINT, (LANE - 2) / (lost or 1)), max(min(wide - 1.5, 9), 2)
    left, bars = x + (wide - width) / 2, []
    if turn.direct > 0:
        bars.append(_bar(left, base - unit * turn.direct, width, unit * turn.direct, "direct"))
    if turn.indirect > 0:
        bars.append(_bar(left, base - unit * lost, width, unit * turn.indirect, "indirect"))
    if unit < POINT:
        bars.append(words(left + width + 2, base - 4, number(lost), size=10))
    return bars


def _chart(turns: Sequence[Turn], options: TimelineOptions, across: Scale, top: float) -> Markup:
    low, _ = extent([turn.pace for turn in turns], 0.0)
    up = Scale(low, options.perfect, top + CHART - 8, top)
    levels = [rule(LEFT, up(level), options.width - RIGHT, up(level)) for level in (0, options.perfect)]
    numbers = [
        words(LEFT - 6, up(level) + 4, level, size=11, color="quiet", text_anchor="end")
        for level in (0, options.perfect)
    ]
    reachable = _steps([turn.reachable for turn in turns], across, up, "text", None)
    pace = _steps([turn.pace for turn in turns], across, up, "moved", "6 3")
    return element("g", levels, numbers, pace, reachable)


def _steps(values: Sequence[float | None], across: Scale, up: Scale, color: str, dash: str | None) -> Markup:
    """A line of steps, with a gap where a value is not known."""
    path, is_drawn = [], False
    for place, value in enumerate(values):
        if value is not None:
            start = f"{number(across(place))} {number(up(value))}"
            path.append(f"{'L' if is_drawn else 'M'}{start}H{number(across(place + 1))}")
        is_drawn = value is not None
    return element("path", d="".join(path), fill="none", stroke=paint(color), stroke_width=2, stroke_dasharray=dash)


def _strip(turns: Sequence[Turn], options: TimelineOptions, across: Scale, top: float) -> Markup | None:
    if not options.agents:
        return None
    cells = [
        rectangle(
            across(place),
            top,
            across(place + 1) - across(place),
            STRIP,
            "moved",
            fill_opacity=number(turn.disagree / options.agents),
        )
        for place, turn in enumerate(turns)
        if turn.disagree
    ]
    frame = rectangle(LEFT, top, options.width - LEFT - RIGHT, STRIP, None, stroke=paint("line"))
    name = words(LEFT - 6, top + STRIP - 2, "disagree", size=11, color="quiet", text_anchor="end")
    return element("g", cells, frame, name)


def _numbers(turns: int, across: Scale, y: float) -> Markup:
    """Every tenth turn has its number."""
    middles = ((turn, across(turn - 0.5)) for turn in [1, *range(10, turns + 1, 10)] if turn <= turns)
    return element("g", [words(x, y, turn, size=11, color="quiet", text_anchor="middle") for turn, x in middles])


def _regions(turns: Sequence[Turn], options: TimelineOptions, across: Scale, bottom: float) -> Markup:
    return element(
        "g",
        [
            element(
                "rect",
                element("title", turn_words(place, turn, options)),
                x=number(across(place)),
                y=_top(options) - 2,
                width=number(across(place + 1) - across(place)),
                height=number(bottom - _top(options) + 4),
                data_turn=place,
            )
            for place, turn in enumerate(turns)
        ],
        fill="none",
        pointer_events="all",
    )


def _sentence(turns: Sequence[Turn], options: TimelineOptions) -> str:
    seats = range(len(options.names))
    lost = [sum(turn.direct + turn.indirect for turn in turns if turn.seat == seat) for seat in seats]
    by_seat = ", ".join(f"{name} {number(points)}" for name, points in zip(options.names, lost, strict=True))
    return f"timeline of {len(turns)} turns; points lost: {by_seat}"
