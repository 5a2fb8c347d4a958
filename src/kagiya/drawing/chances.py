"""What a hidden card may be: the chance of every card, and the chances that it fits, is useless, is critical."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kagiya.drawing.canvas import SUITS, Markup, Suit, element, moved, paint, rectangle, shape, sheet, words

WIDE, HIGH = 34, 24
BARS = (("fits", "good"), ("useless", "quiet"), ("critical", "bad"))


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
    frame = rectangle(
        1,
        1,
        WIDE - 2,
        HIGH - 2,
        "panel",
        rx=3,
        stroke=paint("accent" if is_true else "line"),
        stroke_width=2.5 if is_true else 1,
    )
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
