"""Cards: faces, backs that show what is still possible, and the chances of what a hidden card may be.

Colors and ranks count from 0, as everywhere; the name of an image says them in words ("red 3, playable").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kagiya.drawing.canvas import (
    SHAPES,
    SUITS,
    Markup,
    Suit,
    Value,
    element,
    joined,
    moved,
    number,
    paint,
    rectangle,
    shape,
    sheet,
    words,
)

WIDTH, HEIGHT = 60, 84
WIDE, HIGH = 34, 24  # a cell of the grid of chances
BARS = (("fits", "good"), ("useless", "quiet"), ("critical", "bad"))
REMEMBERED = 1024  # cards that need not be drawn again: most of a table is as it was a move ago
BADGES = {"playable": ("good", "M-3.6 0.4L-1 3.2L3.8 -3"), "useless": ("quiet", "M-3 -3L3 3M3 -3L-3 3")}


@dataclass(frozen=True, slots=True)
class Marks:
    """What is shown about a card besides what it is."""

    touched: bool = False  # by a hint, now or earlier
    told_color: bool = False
    told_rank: bool = False
    critical: bool = False
    useless: bool = False
    playable: bool = False
    moved: bool = False  # the last move was about this card


@dataclass(frozen=True, slots=True)
class Possible:
    """The colors and ranks that a card can still have. Not every pair of them need be possible (`chances_grid`)."""

    colors: tuple[int, ...]
    ranks: tuple[int, ...]


NO_MARKS = Marks()


def card_face(suit: Suit, rank: int, marks: Marks = NO_MARKS, label: str | None = None) -> Markup:
    """An open card, 60 by 84. `label` replaces its name ("red 3, playable"); "" makes it decoration."""
    name = _sentence(f"{suit.name} {rank + 1}", marks) if label is None else label
    return sheet(WIDTH, HEIGHT, name, face_body(suit, rank, marks))


def card_back(
    possible: Possible, marks: Marks = NO_MARKS, suits: Sequence[Suit] = SUITS, ranks: int = 5, label: str | None = None
) -> Markup:
    """A card seen from behind, 60 by 84: shapes of the colors and numbers of the ranks that it can still have. `suits`
    and `ranks` are those of the game; `label` replaces its name ("unknown: red or yellow, 2 or 3")."""
    name = _sentence(possible_words(possible, suits, ranks), marks) if label is None else label
    return sheet(WIDTH, HEIGHT, name, back_body(possible, marks, tuple(suits), ranks))


def empty_slot(label: str = "empty slot") -> Markup:
    """The place of a card that is not there."""
    return sheet(WIDTH, HEIGHT, label, empty_body())


def knowledge(
    possible: Possible, marks: Marks = NO_MARKS, suits: Sequence[Suit] = SUITS, ranks: int = 5, label: str | None = None
) -> Markup:
    """What its owner knows of an open card, to stand below it, 60 by 28: shapes of the colors, then the ranks, that it
    can still have; a dot for all of them. What a hint named is underlined."""
    name = f"its owner knows: {possible_words(possible, suits, ranks)}" if label is None else label
    return sheet(WIDTH, 28, name, knowledge_body(possible, marks, tuple(suits), ranks))


def suit_mark(suit: Suit, label: str | None = None) -> Markup:
    """A suit's shape alone, 22 by 22, for buttons and tables."""
    return sheet(22, 22, suit.name if label is None else label, shape(suit, 11, 11, 20))


def possible_words(possible: Possible, suits: Sequence[Suit] = SUITS, ranks: int = 5) -> str:
    """ "red 3" if that is sure, else "unknown: red or yellow, any rank"; "unknown" if it can be anything."""
    is_any_color, is_any_rank = len(possible.colors) == len(suits), len(possible.ranks) == ranks
    if is_any_color and is_any_rank:
        return "unknown"
    color = "any color" if is_any_color else " or ".join(suits[color].name for color in possible.colors)
    rank = "any rank" if is_any_rank else " or ".join(str(rank + 1) for rank in possible.ranks)
    if len(possible.colors) == 1 and len(possible.ranks) == 1:
        return f"{color} {rank}"
    return f"unknown: {color}, {rank}" if color and rank else "unknown"


@lru_cache(REMEMBERED)
def face_body(suit: Suit, rank: int, marks: Marks) -> Markup:
    """The inside of `card_face`, for larger drawings."""
    ink = _ink(suit, marks)
    return element(
        "g",
        _paper(suit.name, marks),
        words(7, 27, rank + 1, size=26, color=ink, font_weight="700"),
        words(53, 77, suit.letter, size=11, color=ink, text_anchor="end", font_weight="600"),
        _stamp(suit, 30, 52, 30, ink),
        _rings(marks),
        _badges(marks),
    )


@lru_cache(REMEMBERED)
def back_body(possible: Possible, marks: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    """The inside of `card_back`, for larger drawings."""
    suit = suits[possible.colors[0]] if len(possible.colors) == 1 else None
    is_rank_known = len(possible.ranks) == 1
    ink = _ink(suit, marks) if suit else "text"
    known = _known_rank(possible.ranks[0], ink, suit is not None) if is_rank_known else None
    return element(
        "g",
        _paper(suit.name if suit else "back", marks, dashes="3 2.5"),
        _stamp(suit, 30, 52 if is_rank_known else 34, 30, ink) if suit else _pips(possible, suits),
        known or _rank_row(possible, ranks, ink, 70, 46),
        _rings(marks),
        _badges(marks),
    )


def empty_body(edge: str = "line") -> Markup:
    """The inside of `empty_slot`, for larger drawings."""
    return rectangle(2, 2, 56, 80, None, rx=6, stroke=paint(edge), stroke_width=1.5, stroke_dasharray="4 4")


@lru_cache(REMEMBERED)
def knowledge_body(possible: Possible, marks: Marks, suits: tuple[Suit, ...], ranks: int) -> Markup:
    """The inside of `knowledge`, for larger drawings."""
    wide, step = 54 / len(suits), 52 / ranks
    lines = [rectangle(3 + wide * color, 13, wide, 1.2, "accent") for color in possible.colors if marks.told_color]
    lines += [rectangle(4 + step * rank, 26, step, 1.2, "accent") for rank in possible.ranks if marks.told_rank]
    pips = [shape(suits[color], 3 + wide * (color + 0.5), 6.5, 10.5) for color in possible.colors]
    row = _rank_row(possible, ranks, "text", 24.5, 52)
    is_any_color, is_any_rank = len(possible.colors) == len(suits), len(possible.ranks) == ranks
    return element("g", _dot(30, 6.5) if is_any_color else pips, _dot(30, 20.5) if is_any_rank else row, lines)


def _ink(suit: Suit, marks: Marks) -> str:
    """A useless card is washed out, so that its own ink could not be read on it."""
    return "text" if marks.useless else f"{suit.name}-ink"


def _paper(color: str, marks: Marks, dashes: str | None = None) -> Markup:
    pale = 0.2 if marks.useless else None
    edge: dict[str, Value] = {"stroke": paint(f"{color}-edge"), "stroke_width": 1.5, "stroke_dasharray": dashes}
    return rectangle(1.5, 1.5, 57, 81, color, rx=6, fill_opacity=pale, **edge)


def _stamp(suit: Suit, x: float, y: float, size: float, ink: str) -> Markup:
    """A suit's shape on a card of its own color: in ink, so that it can be seen."""
    return moved(x, y, element("path", d=SHAPES[suit.shape], fill=paint(ink)), scale=size / 22)


def _pips(possible: Possible, suits: Sequence[Suit]) -> Markup:
    """Each suit at a place of its own, in two rows; a dot where one is impossible."""
    wide = (len(suits) + 1) // 2
    pips = []
    for color, suit in enumerate(suits):
        row, column = divmod(color, wide)
        in_row = len(suits) - wide if row else wide
        x, y = 30 + 16.5 * (column - (in_row - 1) / 2), 22 + 19 * row
        pips.append(shape(suit, x, y, 14) if color in possible.colors else _dot(x, y))
    return element("g", pips)


def _dot(x: float, y: float) -> Markup:
    return element("circle", cx=number(x), cy=number(y), r=1.2, fill=paint("back-edge"))


def _rank_row(possible: Possible, ranks: int, ink: str, y: float, wide: float) -> Markup:
    """Each rank at a place of its own; nothing where one is impossible."""
    left, step = (WIDTH - wide) / 2, wide / ranks
    style: dict[str, Value] = {"text_anchor": "middle", "font_weight": "600"}
    places = [(left + step * (rank + 0.5), rank + 1) for rank in possible.ranks]
    return element("g", [words(x, y, text, size=wide / 4.2, color=ink, **style) for x, text in places])


def _known_rank(rank: int, ink: str, is_color_known: bool) -> Markup:
    if is_color_known:
        return words(7, 27, rank + 1, size=26, color=ink, font_weight="700")
    return words(30, 75, rank + 1, size=24, color=ink, text_anchor="middle", font_weight="700")


def _rings(marks: Marks) -> Markup:
    """Around a touched card and the card of the last move; set off from the card, whose color may be the same."""
    gap = rectangle(3, 3, 54, 78, None, rx=4.5, stroke=paint("panel"), stroke_width=4.5)
    touched = rectangle(2, 2, 56, 80, None, rx=5.5, stroke=paint("accent"), stroke_width=3)
    last = rectangle(2, 2, 56, 80, None, rx=5.5, stroke=paint("moved"), stroke_width=3, stroke_dasharray="8 5")
    is_ringed = marks.touched or marks.moved
    return joined(gap if is_ringed else None, touched if marks.touched else None, last if marks.moved else None)


def _badges(marks: Marks) -> Markup:
    """In the upper right corner: a tick for playable, a cross for useless, an exclamation mark for critical."""
    shown = []
    if marks.critical:
        shown.append(("bad", "M0 -4V1M0 3.3V4"))
    shown += [BADGES[name] for name in BADGES if getattr(marks, name)]
    return element("g", [_badge(49, 11 + 15 * place, *badge) for place, badge in enumerate(shown)])


def _badge(x: float, y: float, color: str, path: str) -> Markup:
    disc = element("circle", r=6.5, fill=paint(color), stroke=paint("badge-ink"), stroke_width=1)
    sign = element("path", d=path, fill="none", stroke=paint("badge-ink"), stroke_width=1.8, stroke_linecap="round")
    return moved(x, y, disc, sign)


def _sentence(what: str, marks: Marks) -> str:
    named = [name for name in ("playable", "useless", "critical") if getattr(marks, name)]
    told = [part for part, is_told in (("color", marks.told_color), ("rank", marks.told_rank)) if is_told]
    named += [f"{' and '.join(told)} told"] if told else ["touched"] if marks.touched else []
    return ", ".join([what, *named])


def chances_grid(
    chances: Sequence[Sequence[float]],
    suits: Sequence[Suit] = SUITS,
    truth: tuple[int, int] | None = None,
    label: str | None = None,
) -> Markup:
    """Suit by rank, the chance of each card in percent and as a bar: `chances[color][rank]` from 0 to 1. `truth`
    (color, rank) boxes the card that it is. `label` replaces the name, which lists the likeliest cards."""
    ranks = max(map(len, chances), default=0)
    heads = [
        words(26 + WIDE * (rank + 0.5), 14, rank + 1, color="quiet", text_anchor="middle") for rank in range(ranks)
    ]
    rows = [
        moved(0, 20 + HIGH * color, shape(suits[color], 13, HIGH / 2, 16), _row(row, suits[color], truth, color))
        for color, row in enumerate(chances)
    ]
    name = chance_words(chances, suits) if label is None else label
    return sheet(30 + WIDE * ranks, 24 + HIGH * len(chances), name, heads, rows)


def chance_bars(fits: float, useless: float, critical: float, label: str | None = None) -> Markup:
    """Three small bars one below the other, 60 by 20, for the space below a card: the chances (0 to 1) that it fits, is
    useless, is critical."""
    values = (fits, useless, critical)
    said = ", ".join(f"{name} {percent(value)} %" for (name, _), value in zip(BARS, values, strict=True))
    rows = [
        _bar(y, color, round(_part(value), 2)) for y, (_, color), value in zip((1, 8, 15), BARS, values, strict=True)
    ]
    return sheet(60, 20, said if label is None else label, rows)


def chance_words(chances: Sequence[Sequence[float]], suits: Sequence[Suit] = SUITS, most: int = 5) -> str:
    """The likeliest cards in words: "red 3: 40 %, red 4: 20 %, 7 others"."""
    cards = [
        (chance, f"{suits[color].name} {rank + 1}: {percent(chance)} %")
        for color, row in enumerate(chances)
        for rank, chance in enumerate(row)
        if chance > 0
    ]
    cards.sort(key=lambda card: -card[0])
    others = [f"{len(cards) - most} others"] if len(cards) > most else []
    return ", ".join([text for _, text in cards[:most]] + others) or "no card"


def percent(chance: float) -> str:
    """A chance in percent without decimals; what is neither impossible nor certain never reads 0 or 100."""
    if 0 < chance < 0.005:
        return "<1"
    if 0.995 <= chance < 1:
        return ">99"
    return f"{100 * chance:.0f}"


def _row(row: Sequence[float], suit: Suit, truth: tuple[int, int] | None, color: int) -> Markup:
    return element(
        "g",
        [
            moved(26 + WIDE * rank, 0, _cell(round(_part(chance), 3), percent(chance), suit, truth == (color, rank)))
            for rank, chance in enumerate(row)
        ],
    )


@lru_cache(2048)
def _cell(chance: float, written: str, suit: Suit, is_true: bool) -> Markup:
    """The number stands beside the bar, on plain ground, so that it can be read whatever the chance."""
    high = (HIGH - 4) * chance
    edge, thick = ("accent", 2.5) if is_true else ("line", 1)
    frame = rectangle(1, 1, WIDE - 2, HIGH - 2, "panel", rx=3, stroke=paint(edge), stroke_width=thick)
    if written == "0":
        return element("g", frame)
    bar = rectangle(3, HIGH - 2 - high, 5, high, suit.name, stroke=paint(f"{suit.name}-edge"), stroke_width=0.7)
    number = words(WIDE - 4, HIGH / 2 + 4, written, size=11, text_anchor="end")
    return element("g", frame, bar, number)


@lru_cache
def _bar(y: int, color: str, value: float) -> Markup:
    return element("g", rectangle(4, y, 52, 4, "line", rx=2), rectangle(4, y, 52 * value, 4, color, rx=2))


def _part(value: float) -> float:
    return min(max(value, 0.0), 1.0)
