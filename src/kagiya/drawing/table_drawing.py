"""The table as one picture (hands, fireworks, discards, tokens, lives and deck), and fireworks and discards alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kagiya.drawing import card as card_drawing
from kagiya.drawing.canvas import SUITS, Markup, Suit, element, moved, number, paint, rectangle, shape, sheet, words
from kagiya.drawing.charts import shortened

NAMES, TOP, CARD, ROW, RIGHT = 84, 40, 0.8, 103, 410  # where things stand, and how large cards are drawn
TOP_CARD, GRID = 0.62, 0.9
STEP = card_drawing.WIDTH + 8  # from one firework to the next
CELL = 26  # of the grid of discards
HEART = "M0 5C-7 0 -5 -5 -2.5 -5C-1 -5 0 -4 0 -3C0 -4 1 -5 2.5 -5C5 -5 7 0 0 5z"


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card in a hand: what its owner knows of it, and what it is if it is shown."""

    possible: card_drawing.Possible
    card: tuple[int, int] | None = None  # color and rank; None shows its back
    marks: card_drawing.Marks = card_drawing.NO_MARKS


@dataclass(frozen=True, slots=True)
class ShownHand:
    """One seat's cards by slot, None where there is none."""

    name: str
    cards: tuple[ShownCard | None, ...]
    note: str = ""  # below the name: "you", an agent
    is_to_move: bool = False


@dataclass(frozen=True, slots=True)
class Middle:
    """What lies in the middle; `copies` by rank, `lost` by color and rank, the others by color or as a count."""

    fireworks: tuple[int, ...]
    copies: tuple[int, ...]
    lost: tuple[tuple[int, ...], ...]
    tokens: tuple[int, int]  # left, and the most there can be
    lives: tuple[int, int]
    deck_left: int


def table(
    heading: str, hands: Sequence[ShownHand], middle: Middle, suits: Sequence[Suit] = SUITS, label: str | None = None
) -> Markup:
    """The table under a heading: a row for each hand, with what its owner knows below each card; fireworks and discards
    on the right. `suits` are those of the game. For notebooks and documents: the page draws cards one by one."""
    suits = tuple(suits)
    ranks, hand_size = len(middle.copies), max([len(hand.cards) for hand in hands], default=0)
    left = min(RIGHT, NAMES + hand_size * (CARD * card_drawing.WIDTH + 8) + 26)
    right = max(STEP * TOP_CARD * len(suits), GRID * 26 * (ranks + 1) + 126)
    height = max(TOP + ROW * len(hands), TOP + 76 + GRID * (26 * len(suits) + 22)) + 8
    rows = [moved(0, TOP + ROW * place, _hand(hand, suits, ranks)) for place, hand in enumerate(hands)]
    name = words(16, 26, heading, size=15, font_weight="600")
    parts = [name, rows, moved(left, TOP, _middle(middle, suits))]
    return sheet(left + right + 12, height, _sentence(heading, hands, middle, suits) if label is None else label, parts)


def _hand(hand: ShownHand, suits: tuple[Suit, ...], ranks: int) -> Markup:
    pointer = element("path", d="M0 0L8 5L0 10z", transform="translate(4 27)", fill=paint("accent"))
    name = words(16, 37, shortened(hand.name, 9), size=13, font_weight="700" if hand.is_to_move else "400")
    note = words(16, 53, shortened(hand.note, 10), size=11, color="quiet") if hand.note else None
    cards = [
        moved(NAMES + (CARD * card_drawing.WIDTH + 8) * slot, 0, _card(card, suits, ranks), scale=CARD)
        for slot, card in enumerate(hand.cards)
    ]
    return element("g", pointer if hand.is_to_move else None, name, note, cards)


def _card(held: ShownCard | None, suits: tuple[Suit, ...], ranks: int) -> Markup:
    if held is None:
        return card_drawing.empty_body()
    if held.card is None:
        return card_drawing.back_body(held.possible, held.marks, suits, ranks)
    color, rank = held.card
    known = moved(0, 87, card_drawing.knowledge_body(held.possible, held.marks, suits, ranks))
    return element("g", card_drawing.face_body(suits[color], rank, held.marks), known)


def _middle(middle: Middle, suits: Sequence[Suit]) -> Markup:
    grid = discard_grid_body(middle.copies, middle.lost, middle.fireworks, suits)
    beside = GRID * 26 * (len(middle.copies) + 1) + 20
    deck = words(0, 20, f"{middle.deck_left} cards", size=13)
    counts = [
        _count("hint tokens", middle.tokens, "moved"),
        _count("lives", middle.lives, "bad"),
        element("g", words(0, 0, "deck", size=11, color="quiet"), deck),
    ]
    return element(
        "g",
        moved(0, 0, fireworks_body(middle.fireworks, suits), scale=TOP_CARD),
        words(0, 76, "copies left", size=11, color="quiet"),
        moved(0, 80, grid, scale=GRID),
        [moved(beside, 76 + 46 * place, part) for place, part in enumerate(counts)],
    )


def _count(name: str, count: tuple[int, int], color: str) -> Markup:
    """Signs in rows of eight: those that are there filled, those that are gone hollow."""
    there, most = count
    signs = [
        moved(6 + 12.5 * (place % 8), 14 + 13 * (place // 8), _sign(color, place < there)) for place in range(most)
    ]
    return element("g", words(0, 0, f"{name}: {there} of {most}", size=11, color="quiet"), signs)


def _sign(color: str, is_there: bool) -> Markup:
    drawn = {"fill": paint(color) if is_there else "none", "stroke": paint(color)}
    if color == "bad":
        return element("path", d=HEART, **drawn)
    return element("circle", r=number(4.5), **drawn)


def _sentence(heading: str, hands: Sequence[ShownHand], middle: Middle, suits: Sequence[Suit]) -> str:
    tops = ", ".join(f"{suits[color].name} {count}" for color, count in enumerate(middle.fireworks))
    held = [
        f"{hand.name}: {', '.join(_words(card, suits, len(middle.copies)) for card in hand.cards)}" for hand in hands
    ]
    counts = f"{middle.tokens[0]} hint tokens, {middle.lives[0]} lives, {middle.deck_left} cards in the deck"
    return "; ".join([heading, f"fireworks: {tops}", counts, *held])


def _words(held: ShownCard | None, suits: Sequence[Suit], ranks: int) -> str:
    if held is None:
        return "no card"
    if held.card is None:
        return card_drawing.possible_words(held.possible, suits, ranks)
    return f"{suits[held.card[0]].name} {held.card[1] + 1}"


def fireworks(played: Sequence[int], suits: Sequence[Suit] = SUITS, label: str | None = None) -> Markup:
    """The highest card of each firework in a row; `played[color]` is how many cards lie on it. `label` replaces the
    name of the image ("fireworks: red 3, yellow 0"); "" takes it away."""
    tops = ", ".join(f"{suits[color].name} {count}" for color, count in enumerate(played))
    name = f"fireworks: {tops}" if label is None else label
    return sheet(STEP * len(played) - 8, card_drawing.HEIGHT, name, fireworks_body(played, suits))


def fireworks_body(played: Sequence[int], suits: Sequence[Suit]) -> Markup:
    """The inside of `fireworks`, for larger drawings."""
    places = enumerate(zip(played, suits, strict=False))
    return element("g", [moved(STEP * place, 0, _firework(count, suit)) for place, (count, suit) in places])


@lru_cache(card_drawing.REMEMBERED)
def _firework(count: int, suit: Suit) -> Markup:
    if count:
        return card_drawing.face_body(suit, count - 1, card_drawing.NO_MARKS)
    return element("g", card_drawing.empty_body(f"{suit.name}-edge"), shape(suit, 30, 42, 24))


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


@lru_cache(card_drawing.REMEMBERED)
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
    cards = [(suits[color].name, rank + 1, count) for color, row in enumerate(lost) for rank, count in enumerate(row)]
    gone = [f"{suit} {rank}" + (f" x {count}" if count > 1 else "") for suit, rank, count in cards if count]
    return f"discards: {', '.join(gone) or 'none'}"
