"""Colors, ranks, cards, slots, seats and numbers of moves. All are small integers, so each has a type of its own.

The types exist for mypy alone: ``Card(n)`` is n, in Python and in a kernel. A range typed by what it counts
(`each_slot` and its sisters) keeps the type through a loop; it is `range`, and compiles to the same code.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NewType, Self

Color = NewType("Color", int)
Rank = NewType("Rank", int)  # counts from 0; the printed number is rank + 1
Card = NewType("Card", int)  # color * MAX_RANKS + rank: the kind of card, not the copy
Slot = NewType("Slot", int)  # place in a hand, counts from 0; printed slots count from 1
Seat = NewType("Seat", int)  # place at the table, counts from 0
Offset = NewType("Offset", int)  # how many seats on: 1 is the next player
MoveNumber = NewType("MoveNumber", int)  # a move in a kernel, where it is not an object; kagiya.moves says which

if TYPE_CHECKING:

    class Mask(int):
        """An integer used as a set; what is made of one by ``& | ^ ~`` has the same type."""

        def __and__(self, other: int, /) -> Self: ...
        def __rand__(self, other: int, /) -> Self: ...
        def __or__(self, other: int, /) -> Self: ...
        def __ror__(self, other: int, /) -> Self: ...
        def __xor__(self, other: int, /) -> Self: ...
        def __rxor__(self, other: int, /) -> Self: ...
        def __invert__(self) -> Self: ...

    class Kinds(Mask):
        """A set of kinds: bit n stands for card n."""

    class Slots(Mask):
        """A set of slots of one hand: bit n stands for slot n."""
else:
    Kinds = NewType("Kinds", int)
    Slots = NewType("Slots", int)

each_color: Callable[[int], Iterable[Color]] = range  # type: ignore[assignment]
each_rank: Callable[[int], Iterable[Rank]] = range  # type: ignore[assignment]
each_slot: Callable[[int], Iterable[Slot]] = range  # type: ignore[assignment]
each_seat: Callable[[int], Iterable[Seat]] = range  # type: ignore[assignment]
each_offset: Callable[[int, int], Iterable[Offset]] = range  # type: ignore[assignment]

MAX_COLORS = 6
MAX_RANKS = 5
MAX_KINDS = MAX_COLORS * MAX_RANKS
MAX_COPIES = 3
MAX_PLAYERS = 5
MAX_HAND = 5
NO_CARD = Card(-1)  # an empty slot, or a deck place whose card has been drawn
HIDDEN_CARD = Card(-2)  # a card that the viewer may not see
NO_MOVE = MoveNumber(-1)  # what a tactic returns when it has nothing to say

COLOR_LETTERS = "RYGWBP"  # the Hanabi Learning Environment's order, then the sixth suit
COLOR_NAMES = ("red", "yellow", "green", "white", "blue", "purple")
SEAT_NAMES = ("alice", "bob", "cathy", "donald", "emily")


def make_card(color: Color, rank: Rank) -> Card:
    """The card of this color and rank."""
    return Card(color * MAX_RANKS + rank)


def card_color(card: Card) -> Color:
    """The color of a card that is seen."""
    if card < 0:
        raise ValueError(_unseen(card, "color"))
    return Color(card // MAX_RANKS)


def card_rank(card: Card) -> Rank:
    """The rank of a card that is seen; 0 is the one."""
    if card < 0:
        raise ValueError(_unseen(card, "rank"))
    return Rank(card % MAX_RANKS)


def _unseen(card: Card, what: str) -> str:
    if card == NO_CARD:
        return f"an empty slot has no {what}; hand.slots are those that hold a card"
    return f"the {what} of a hidden card is not known; for your own hand ask known_{what}(slot) or possible_cards(slot)"


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
        return HIDDEN_CARD if text == "??" else NO_CARD
    if len(text) != 2 or text[0].upper() not in COLOR_LETTERS or text[1] not in "12345":
        raise ValueError(f"{text!r} is not a card; expected a color letter of {COLOR_LETTERS} and 1-5, like R1")
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
