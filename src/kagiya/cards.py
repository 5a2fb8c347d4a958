"""Colors, ranks and cards. Colors and ranks both count from 0, so they get types of their own."""

from collections.abc import Iterable, Iterator
from typing import NewType

Color = NewType("Color", int)
Rank = NewType("Rank", int)  # counts from 0; the printed number is rank + 1
Card = NewType("Card", int)  # color * MAX_RANKS + rank: the kind of card, not the copy
Slot = NewType("Slot", int)  # place in a hand, counts from 0; printed slots count from 1
Seat = NewType("Seat", int)  # place at the table, counts from 0

MAX_COLORS = 6
MAX_RANKS = 5
MAX_KINDS = MAX_COLORS * MAX_RANKS
MAX_COPIES = 3
NO_CARD = -1  # an empty slot, or a deck place whose card has been drawn
HIDDEN_CARD = -2  # a card that the viewer may not see

COLOR_LETTERS = "RYGWBP"  # the Hanabi Learning Environment's order, then the sixth suit
COLOR_NAMES = ("red", "yellow", "green", "white", "blue", "purple")
SEAT_NAMES = ("alice", "bob", "cathy", "donald", "emily")


def make_card(color: Color, rank: Rank) -> Card:
    """The card of this color and rank."""
    return Card(color * MAX_RANKS + rank)


def card_color(card: Card) -> Color:
    return Color(card // MAX_RANKS)


def card_rank(card: Card) -> Rank:
    return Rank(card % MAX_RANKS)


def card_name(card: Card) -> str:
    """The card as players write it: ``R1`` is the red one."""
    if card == HIDDEN_CARD:
        return "??"
    if card == NO_CARD:
        return "--"
    return f"{COLOR_LETTERS[card_color(card)]}{card_rank(card) + 1}"


def parse_card(text: str) -> Card:
    """The inverse of `card_name`; capital or small letters."""
    if text in ("??", "--"):
        return Card(HIDDEN_CARD if text == "??" else NO_CARD)
    if len(text) != 2 or text[0].upper() not in COLOR_LETTERS or text[1] not in "12345":
        raise ValueError(f"{text!r} is no card; expected a color letter of {COLOR_LETTERS} and 1-5, like R1")
    return make_card(Color(COLOR_LETTERS.index(text[0].upper())), Rank(int(text[1]) - 1))


def cards_name(cards: Iterable[int]) -> str:
    """Several cards in one string, ``R1 G3 B5``."""
    return " ".join(card_name(Card(card)) for card in cards)


def parse_cards(text: str) -> list[Card]:
    """The inverse of `cards_name`."""
    return [parse_card(word) for word in text.split()]


def mask_cards(mask: int) -> Iterator[Card]:
    """The cards in a mask of kinds (bit n stands for card n), in order."""
    return (Card(card) for card in range(MAX_KINDS) if mask >> card & 1)


def color_mask(color: int) -> int:
    """All kinds of one color, as a mask."""
    return 31 << MAX_RANKS * color


def rank_mask(rank: int) -> int:
    """All kinds of one rank, in all six colors, as a mask."""
    return 0b00001_00001_00001_00001_00001_00001 << rank
