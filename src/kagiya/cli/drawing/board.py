"""The middle of the table: fireworks, tokens, lives, deck and discards; and a whole position beside the hands."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cards import COLOR_LETTERS, SEAT_NAMES, Card, Color, Rank, Seat, card_color, make_card
from kagiya.cli.drawing.cards import QUIET, card_word, tile
from kagiya.cli.drawing.hands import ShownHand, draw_hands, hands_width
from kagiya.cli.eyes import observe
from kagiya.engine.game import Game
from kagiya.rules import Rules
from kagiya.view.observation import Observation

BOARD_WIDTH = 36


def draw_position(game: Game, seats: Sequence[str], eyes: Seat | None, console: Console) -> RenderableType:
    """The table from one seat's eyes, or with all cards open."""
    if eyes is not None:
        return draw_view(observe(game, eyes), seats, console)
    views = [observe(game, Seat(seat)) for seat in range(game.rules.players)]
    hands = [
        ShownHand(SEAT_NAMES[seat], seats[seat], game.hands[seat], view.mine, _is_next(view, seat))
        for seat, view in enumerate(views)
    ]
    return beside(draw_hands(hands, game.rules.colors), views[0], console)


def draw_view(view: Observation, seats: Sequence[str], console: Console) -> RenderableType:
    """The table as one seat sees it, its own hand hidden."""
    views = sorted((view.mine, *view.others), key=lambda hand: hand.seat)
    hands = [ShownHand(SEAT_NAMES[h.seat], seats[h.seat], h.cards, h, _is_next(view, h.seat)) for h in views]
    return beside(draw_hands(hands, view.rules.colors), view, console)


def draw_your_view(view: Observation, seats: Sequence[str], console: Console) -> RenderableType:
    """The same for the person at the terminal: partners in turn order, the own hand last and with its chances."""
    hands = [ShownHand(SEAT_NAMES[h.seat], seats[h.seat], h.cards, h) for h in view.others]
    mine = ShownHand("you", SEAT_NAMES[view.seat], view.mine.cards, view.mine, True, with_chances=True)
    return beside(draw_hands([*hands, mine], view.rules.colors), view, console)


def beside(hands: Table, view: Observation, console: Console) -> RenderableType:
    """Hands on the left, the board on the right; one above the other where the terminal is narrow."""
    width = hands_width(view.rules.hand_size, view.rules.colors)
    if console.width < width + 2 + BOARD_WIDTH:
        return Group(draw_board(view), Text(""), hands)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=width)
    grid.add_column(width=BOARD_WIDTH)
    grid.add_row(hands, draw_board(view))
    return grid


def draw_board(view: Observation) -> Table:
    """What lies in the middle, for all to see."""
    rules = view.rules
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style=QUIET)
    grid.add_column()
    grid.add_row("fireworks", draw_fireworks(view.fireworks))
    grid.add_row("points", f"{view.points} of {rules.perfect_score}")
    grid.add_row("tokens", _counters("●", "○", view.tokens, rules.hint_tokens, "cyan"))
    grid.add_row("lives", _counters("♥", "♡", view.lives, rules.lives, "red"))
    grid.add_row("deck", _deck(view))
    grid.add_row("discards", draw_discards(view.discards, rules))
    return grid


def draw_fireworks(heights: Sequence[int]) -> Text:
    """The top card of every firework."""
    tiles = (_top(Color(color), height) for color, height in enumerate(heights))
    return Text(" ").join(tiles)


def draw_discards(discards: dict[Card, int], rules: Rules) -> RenderableType:
    """The discards, a line for each color."""
    lines = []
    for color in range(rules.colors):
        cards = [card for card, copies in discards.items() if card_color(card) == color for _ in range(copies)]
        if cards:
            lines.append(Text(" ").join(card_word(card) for card in cards))
    return Group(*lines) if lines else Text("none", QUIET)


def _top(color: Color, height: int) -> Text:
    if height == 0:
        return Text(f" {COLOR_LETTERS[color]}· ", QUIET)
    return tile(make_card(color, Rank(height - 1)))


def _counters(full: str, empty: str, count: int, of: int, style: str) -> Text:
    return Text.assemble((full * count, style), (empty * (of - count), QUIET), f" {count}")


def _deck(view: Observation) -> Text:
    if view.turns_left is None:
        return Text(f"{view.deck_left} card{'' if view.deck_left == 1 else 's'}")
    return Text(f"empty, {view.turns_left} turn{'' if view.turns_left == 1 else 's'} left", "bold yellow")


def _is_next(view: Observation, seat: int) -> bool:
    return bool(view.legal_moves) and view.turn % view.rules.players == seat
