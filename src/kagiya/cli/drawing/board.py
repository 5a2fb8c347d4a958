"""The middle of the table: fireworks, tokens, lives, deck and discards; and a whole position beside the hands."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from kagiya.cards import COLOR_LETTERS, SEAT_NAMES, Card, Color, Rank, Seat, card_color, make_card
from kagiya.cli.drawing.cards import QUIET, card_word, tile
from kagiya.cli.drawing.hands import ShownHand, draw_hands, hands_width
from kagiya.cli.drawing.losses import pace_text
from kagiya.engine.game import Game
from kagiya.lab.statistics.pace import view_pace
from kagiya.rules import Rules
from kagiya.view.observation import Observation, observe


def draw_position(game: Game, seats: Sequence[str], eyes: Seat | None, console: Console) -> RenderableType:
    """The table from one seat's eyes, or with all cards open."""
    views = [observe(game, Seat(seat)) for seat in range(game.rules.players)]
    to_move = None if game.is_over else game.seat
    hands = []
    for seat, view in enumerate(views):
        hand = view.mine if eyes is None else views[eyes].hand((seat - eyes) % game.rules.players)
        cards = game.hands[seat] if eyes is None else hand.cards
        hands.append(ShownHand(SEAT_NAMES[seat], seats[seat], cards, hand, view, is_to_move=seat == to_move))
    return beside(draw_hands(hands), views[0], console)


def draw_your_view(view: Observation, seats: Sequence[str], console: Console) -> RenderableType:
    """What the person at the terminal sees: partners in turn order, the own hand last and with its chances."""
    hands = [ShownHand(SEAT_NAMES[h.seat], seats[h.seat], h.cards, h, view) for h in view.others]
    mine = view.mine
    yours = ShownHand("you", SEAT_NAMES[view.seat], mine.cards, mine, view, is_to_move=True, with_chances=True)
    return beside(draw_hands([*hands, yours]), view, console)


def beside(hands: Table, view: Observation, console: Console) -> RenderableType:
    """Hands on the left, the board on the right; one above the other where the terminal is narrow."""
    width, board_width = hands_width(view.rules.hand_size, view.rules.colors), 10 + 5 * view.rules.colors
    if console.width < width + 2 + board_width:
        return Group(draw_board(view), Text(""), hands)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(width=width)
    grid.add_column(width=board_width)
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
    grid.add_row("pace", pace_text(view_pace(view), rules.players))
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
    left = f", {view.turns_left} turn{'' if view.turns_left == 1 else 's'} left" if view.turns_left else ""
    return Text(f"empty{left}", "bold yellow")
