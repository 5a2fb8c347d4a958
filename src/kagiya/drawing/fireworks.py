"""What lies in the middle of the table: the fireworks, and the grid of discards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kagiya.drawing.canvas import SUITS, Markup, Suit, element, moved, paint, rectangle, shape, sheet, words
from kagiya.drawing.card import HEIGHT, NO_MARKS, REMEMBERED, WIDTH, face_body

STEP = WIDTH + 8
CELL = 26


def fireworks(played: Sequence[int], suits: Sequence[Suit] = SUITS, label: str | None = None) -> Markup:
    """The highest card of each firework in a row; `played[color]` is how many cards lie on it. `label` replaces the
    name of the image ("fireworks: red 3, yellow 0"); "" takes it away."""
    tops = ", ".join(f"{suits[color].name} {count}" for color, count in enumerate(played))
    name = f"fireworks: {tops}" if label is None else label
    return sheet(STEP * len(played) - 8, HEIGHT, name, fireworks_body(played, suits))


def fireworks_body(played: Sequence[int], suits: Sequence[Suit]) -> Markup:
    """The inside of `fireworks`, for larger drawings."""
    places = enumerate(zip(played, suits, strict=False))
    return element("g", [moved(STEP * place, 0, _firework(count, suit)) for place, (count, suit) in places])


@lru_cache(REMEMBERED)
def _firework(count: int, suit: Suit) -> Markup:
    if count:
        return face_body(suit, count - 1, NO_MARKS)
    edge = rectangle(
        2, 2, 56, 80, None, rx=6, stroke=paint(f"{suit.name}-edge"), stroke_width=1.5, stroke_dasharray="4 4"
    )
    return element("g", edge, shape(suit, 30, 42, 24))


def discard_grid(
    copies: Sequence[int],
    lost: Sequence[Sequence[int]],
    played: Sequence[int],
    suits: Sequence[Suit] = SUITS,
    label: str | None = None,
) -> Markup:
    """Suit by rank, how many copies of each card are left. `copies[rank]` are in the deck at first, `lost[color][rank]`
    of them lie in the discards, `played[color]` ranks are on the firework. A played card is ticked; a last copy that is
    still needed is boxed in red; a card of which none is left is crossed out; all others show a dot for each copy that
    is left and a tiny one for each that is lost."""
    width, height = CELL * (len(copies) + 1) + 4, CELL * len(lost) + 22
    name = _discards_sentence(lost, suits) if label is None else label
    return sheet(width, height, name, discard_grid_body(copies, lost, played, suits))


def discard_grid_body(
    copies: Sequence[int], lost: Sequence[Sequence[int]], played: Sequence[int], suits: Sequence[Suit]
) -> Markup:
    """The inside of `discard_grid`, for larger drawings."""
    heads = [
        words(CELL * (rank + 1.5), 14, rank + 1, color="quiet", text_anchor="middle") for rank in range(len(copies))
    ]
    rows = [
        moved(0, 20 + CELL * color, _row(copies, gone, played[color], suits[color])) for color, gone in enumerate(lost)
    ]
    return element("g", heads, rows)


def _row(copies: Sequence[int], lost: Sequence[int], played: int, suit: Suit) -> Markup:
    reachable = next((rank for rank in range(played, len(copies)) if lost[rank] >= copies[rank]), len(copies))
    cells = []
    for rank, there in enumerate(copies):
        state = "played" if rank < played else "needed" if rank < reachable else "useless"
        cells.append(moved(CELL * (rank + 1), 0, _cell(there, lost[rank], state, suit)))
    return element("g", shape(suit, CELL / 2, CELL / 2, 18), cells)


@lru_cache(REMEMBERED)
def _cell(copies: int, lost: int, state: str, suit: Suit) -> Markup:
    """Played: ticked. Needed: framed, the last copy in red. Useless: without a frame. All copies lost: crossed out."""
    if state == "played":
        return element("g", _frame(suit.name, f"{suit.name}-edge"), _tick(f"{suit.name}-ink"))
    if lost >= copies:
        return element("path", d="M7 7L19 19M19 7L7 19", stroke=paint("quiet"), stroke_width=2)
    if state == "useless":
        return _dots(copies, lost, "line", suit)
    is_critical = copies - lost == 1
    frame = _frame("panel", "bad" if is_critical else "line", 2 if is_critical and lost else 1)
    return element("g", frame, _dots(copies, lost, suit.name, suit))


def _frame(fill: str, edge: str, width: int = 1) -> Markup:
    return rectangle(1, 1, CELL - 2, CELL - 2, fill, rx=3, stroke=paint(edge), stroke_width=width)


def _tick(color: str) -> Markup:
    return element("path", d="M7.5 13.5L11.5 17.5L18.5 8.5", fill="none", stroke=paint(color), stroke_width=2.2)


def _dots(copies: int, lost: int, color: str, suit: Suit) -> Markup:
    """One dot per copy, a tiny one if lost."""
    step = 7
    first = CELL / 2 - step * (copies - 1) / 2
    edge = paint(f"{suit.name}-edge" if color == suit.name else "back-edge")
    dots = []
    for copy in range(copies):
        place = {"cx": first + step * copy, "cy": CELL / 2}
        if copy < copies - lost:
            dots.append(element("circle", **place, r=2.7, fill=paint(color), stroke=edge))
        else:
            dots.append(element("circle", **place, r=0.9, fill=edge))
    return element("g", dots)


def _discards_sentence(lost: Sequence[Sequence[int]], suits: Sequence[Suit]) -> str:
    gone = [
        f"{suits[color].name} {rank + 1}" + (f" x {count}" if count > 1 else "")
        for color, row in enumerate(lost)
        for rank, count in enumerate(row)
        if count
    ]
    return f"discards: {', '.join(gone) or 'none'}"
