"""A table as one seat sees it, drawn as SVG: fireworks, tokens, discards and hands, with what hints have told."""

from __future__ import annotations

from collections.abc import Iterator

from kagiya.cards import COLOR_LETTERS, HIDDEN_CARD, SEAT_NAMES, Seat, card_color, card_name, card_rank
from kagiya.engine.game import Game
from kagiya.rules import Rules
from kagiya.view.observation import HandView, Observation, observe

WIDTH, CARD, HIGH, STEP, ROW = 640, 44, 60, 54, 96
FILLS = ("#d64545", "#e3b505", "#3f9b4f", "#f4f1ea", "#3b6fb6", "#8d5aa8")  # as COLOR_LETTERS
DARK, LIGHT, HIDDEN, QUIET = "#222222", "#ffffff", "#c9c4b8", "#666666"


def example_game() -> Game:
    """The game of docs/rules.md: five moves old, alice to move, a hint to her on the table."""
    game = Game(Rules(players=3), seed=7)
    for move in ("hint cathy 1", "discard 3", "play 1", "hint cathy 2", "hint alice blue"):
        game.make(move)
    game.make("discard 5")
    return game


def table_svg(game: Game, seat: Seat) -> str:
    """The table through the eyes of a seat, whose own cards show their backs."""
    view = observe(game, seat)
    hands = [view.hand(offset) for offset in range(game.rules.players)]
    height = 130 + ROW * len(hands)
    lines = [*_middle(view), *(line for row, hand in enumerate(hands) for line in _hand(hand, 120 + ROW * row))]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
            'font-family="Helvetica, Arial, sans-serif" font-size="14">',
            f'  <rect width="{WIDTH}" height="{height}" fill="{LIGHT}"/>',
            *(f"  {line}" for line in lines),
            "</svg>\n",
        ]
    )


def _middle(view: Observation) -> Iterator[str]:
    """What lies in the middle: the fireworks, then what is counted."""
    yield _text(20, 24, "fireworks", QUIET)
    for color, played in enumerate(view.fireworks):
        face = f"{COLOR_LETTERS[color]}{played or ''}"
        yield from _card(20 + STEP * color, 34, FILLS[color] if played else HIDDEN, face, color)
    lost = ", ".join(card_name(card) for card, copies in view.discards.items() for _ in range(copies)) or "none"
    words = (
        f"hint tokens {view.tokens} of {view.rules.hint_tokens}, lives {view.lives} of {view.rules.lives}",
        f"{view.deck_left} cards left in the deck",
        f"discards: {lost}",
    )
    for line, text in enumerate(words):
        yield _text(320, 50 + 20 * line, text)


def _hand(hand: HandView, top: int) -> Iterator[str]:
    name = SEAT_NAMES[hand.seat]
    yield _text(20, top + 35, f"{name} (you)" if hand.offset == 0 else name)
    for slot in hand.slots:
        card, left = hand.cards[slot], 120 + STEP * slot
        if card == HIDDEN_CARD:
            yield from _card(left, top, HIDDEN, "?", 0)
        else:
            yield from _card(left, top, FILLS[card_color(card)], card_name(card), card_color(card))
        yield _text(left + CARD // 2, top + HIGH + 16, _told(hand, slot), QUIET, "middle")


def _told(hand: HandView, slot: int) -> str:
    """What hints have named of a card, in its owner's eyes."""
    possible = hand.possible_cards(slot)
    color = COLOR_LETTERS[card_color(possible[0])] if hand.is_color_told(slot) else ""
    rank = str(card_rank(possible[0]) + 1) if hand.is_rank_told(slot) else ""
    return color + rank


def _card(left: int, top: int, fill: str, face: str, color: int) -> Iterator[str]:
    """A card; yellow and white ones have dark writing."""
    ink = DARK if fill == HIDDEN or COLOR_LETTERS[color] in "YW" else LIGHT
    yield f'<rect x="{left}" y="{top}" width="{CARD}" height="{HIGH}" rx="6" fill="{fill}" stroke="{QUIET}"/>'
    yield (
        f'<text x="{left + CARD // 2}" y="{top + 37}" fill="{ink}" text-anchor="middle" font-size="20" '
        f'font-weight="bold">{face}</text>'
    )


def _text(left: int, top: int, words: str, fill: str = DARK, anchor: str = "start") -> str:
    return f'<text x="{left}" y="{top}" fill="{fill}" text-anchor="{anchor}">{words}</text>'
