"""Hands: the cards, and below each what its owner can know of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from kagiya.cards import HIDDEN_CARD, NO_CARD, Card, card_color, card_rank
from kagiya.cli.drawing.cards import QUIET, open_colors, open_ranks, tile
from kagiya.view.observation import HandView, Observation

NAME_WIDTH = 12
CERTAIN = 1e-9  # exact chances are sums of fractions; this is their rounding error


@dataclass(frozen=True)
class ShownHand:
    """A hand to draw: the cards as the viewer sees them, and its owner's knowledge."""

    name: str
    player: str  # who sits there: an agent as written, or the person
    cards: Sequence[Card]
    knowledge: HandView
    view: Observation  # of anyone: it says which cards fit
    is_to_move: bool = False
    with_chances: bool = False  # also draw how likely each card is to fit, and to be useless


def hands_width(hand_size: int, colors: int) -> int:
    """How many characters `draw_hands` needs."""
    return NAME_WIDTH + 1 + hand_size * (_slot_width(colors) + 1)


def draw_hands(hands: Sequence[ShownHand]) -> Table:
    """All hands, one below the other, the slots in columns."""
    size, colors = len(hands[0].cards), hands[0].view.rules.colors
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(width=NAME_WIDTH, no_wrap=True)
    for _ in range(size):
        grid.add_column(width=_slot_width(colors), no_wrap=True)
    grid.add_row("", *(Text(f"  {slot + 1}", QUIET) for slot in range(size)))
    for hand in hands:
        for row in _rows(hand):
            grid.add_row(*row)
        grid.add_row()
    return grid


def _slot_width(colors: int) -> int:
    return max(colors, 5)


def _rows(hand: ShownHand) -> list[list[Text]]:
    name = Text(f"{'▶ ' if hand.is_to_move else '  '}{hand.name}", "bold reverse" if hand.with_chances else "bold")
    rows = [
        [name, *(_tile(hand, card) for card in hand.cards)],
        [Text(f"  {hand.player}", QUIET), *_by_slot(hand, _colors)],
        [Text(""), *_by_slot(hand, _ranks)],
    ]
    if hand.with_chances:
        rows.append([Text("  playable", QUIET), *_by_slot(hand, lambda h, slot: chance_word(h.playable_chance(slot)))])
        rows.append([Text("  useless", QUIET), *_by_slot(hand, lambda h, slot: chance_word(h.useless_chance(slot)))])
    return rows


def _by_slot(hand: ShownHand, draw: Callable[[HandView, int], Text]) -> list[Text]:
    return [
        Text("") if card == NO_CARD else Text(" ") + draw(hand.knowledge, slot) for slot, card in enumerate(hand.cards)
    ]


def _tile(hand: ShownHand, card: Card) -> Text:
    if card == HIDDEN_CARD:
        return tile(card)
    return tile(card, hand.view.is_playable(card), hand.view.is_useless(card))


def _colors(hand: HandView, slot: int) -> Text:
    colors = (card_color(card) for card in hand.possible_cards(slot))
    return open_colors(colors, hand.rules.colors, hand.is_color_told(slot))


def _ranks(hand: HandView, slot: int) -> Text:
    ranks = (card_rank(card) for card in hand.possible_cards(slot))
    return open_ranks(ranks, hand.rules.ranks, hand.is_rank_told(slot))


def chance_word(chance: float) -> Text:
    """A chance in percent; only what is certain is shown as certain."""
    if chance < CERTAIN:
        return Text("0%", QUIET)
    if chance > 1 - CERTAIN:
        return Text("100%", "bold green")
    return Text(f"{min(max(round(100 * chance), 1), 99)}%")
