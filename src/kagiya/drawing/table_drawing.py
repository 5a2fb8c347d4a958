"""The whole table as one picture: hands, fireworks, discards, tokens, lives and deck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kagiya.drawing.canvas import SUITS, Markup, Suit, element, moved, number, paint, sheet, words
from kagiya.drawing.card import (
    NO_MARKS,
    WIDTH,
    Marks,
    Possible,
    back_body,
    empty_body,
    face_body,
    knowledge_body,
    possible_words,
)
from kagiya.drawing.charts import shortened
from kagiya.drawing.fireworks import STEP, discard_grid_body, fireworks_body

NAMES, TOP, CARD, ROW, RIGHT = 84, 40, 0.8, 103, 410  # where things stand, and how large cards are drawn
TOP_CARD, GRID = 0.62, 0.9
HEART = "M0 5C-7 0 -5 -5 -2.5 -5C-1 -5 0 -4 0 -3C0 -4 1 -5 2.5 -5C5 -5 7 0 0 5z"


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card in a hand: what its owner knows of it, and what it is if it is shown."""

    possible: Possible
    card: tuple[int, int] | None = None  # color and rank; None shows its back
    marks: Marks = NO_MARKS


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
    left = min(RIGHT, NAMES + hand_size * (CARD * WIDTH + 8) + 26)
    right = max(STEP * TOP_CARD * len(suits), GRID * 26 * (ranks + 1) + 126)
    height = max(TOP + ROW * len(hands), TOP + 76 + GRID * (26 * len(suits) + 22)) + 8
    rows = [moved(0, TOP + ROW * place, _hand(hand, suits, ranks)) for place, hand in enumerate(hands)]
    parts = [
        words(16, 26, heading, size=15, font_weight="600"),
        rows,
        moved(left, TOP, _middle(middle, suits)),
    ]
    return sheet(left + right + 12, height, _sentence(heading, hands, middle, suits) if label is None else label, parts)


def _hand(hand: ShownHand, suits: tuple[Suit, ...], ranks: int) -> Markup:
    pointer = element("path", d="M0 0L8 5L0 10z", transform="translate(4 27)", fill=paint("accent"))
    name = words(16, 37, shortened(hand.name, 9), size=13, font_weight="700" if hand.is_to_move else "400")
    note = words(16, 53, shortened(hand.note, 10), size=11, color="quiet") if hand.note else None
    cards = [
        moved(NAMES + (CARD * WIDTH + 8) * slot, 0, _card(card, suits, ranks), scale=CARD)
        for slot, card in enumerate(hand.cards)
    ]
    return element("g", pointer if hand.is_to_move else None, name, note, cards)


def _card(held: ShownCard | None, suits: tuple[Suit, ...], ranks: int) -> Markup:
    if held is None:
        return empty_body()
    if held.card is None:
        return back_body(held.possible, held.marks, suits, ranks)
    color, rank = held.card
    known = moved(0, 87, knowledge_body(held.possible, held.marks, suits, ranks))
    return element("g", face_body(suits[color], rank, held.marks), known)


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
        return possible_words(held.possible, suits, ranks)
    return f"{suits[held.card[0]].name} {held.card[1] + 1}"
