"""A whole game for people to read: the deal, one line a turn, and what it counts. Plain text, no color."""

from __future__ import annotations

from collections.abc import Iterator

from kagiya.cards import SEAT_NAMES, Card, card_name, cards_name
from kagiya.engine.game import LANE, Game
from kagiya.engine.log import Event
from kagiya.engine.record import GameRecord
from kagiya.engine.sentences import describe
from kagiya.moves import Move

NAME_WIDTH = max(map(len, SEAT_NAMES))
DEED_WIDTH = 51


def transcript(source: Game | GameRecord) -> str:
    """Every move of a game or record; of a game set up from a position, those made since."""
    first = source.deal() if isinstance(source, GameRecord) else source.beginning()
    seats = source.seats if isinstance(source, GameRecord) else ()
    return "\n".join([*_header(first, seats), "", *_turns(first, source.moves), "", _footer(first)])


def _header(game: Game, seats: tuple[str, ...]) -> Iterator[str]:
    yield f"{game.rules.text()}: {game.rules.caption()}"
    for seat, hand in enumerate(game.hands):
        agent = f"  {seats[seat]}" if seats else ""
        yield f"{SEAT_NAMES[seat]:<{NAME_WIDTH}}  {cards_name(hand)}{agent}"
    if game.turn:
        yield f"set up after {game.turn} turns: {_table(game)}"


def _turns(game: Game, moves: tuple[Move, ...]) -> Iterator[str]:
    """One line for each move; the game itself goes along."""
    for move in moves:
        before = game.copy()
        game.make(move)
        deed = _deed(game.log.event(before.turn), before) + _draw(before, game)
        yield f"{game.turn:>3}  {SEAT_NAMES[before.seat]:<{NAME_WIDTH}}  {deed:<{DEED_WIDTH}}  {_table(game)}"


def _deed(event: Event, before: Game) -> str:
    """The sentence about the move, without who made it."""
    sentence = next(describe([event], before.rules, fireworks=before.fireworks))
    return "".join(word.text for word in sentence.words[1:]).strip()


def _draw(before: Game, after: Game) -> str:
    if after.deck_left == before.deck_left:
        return ""
    place = before.rules.deck_size - before.deck_left
    return f", draws {card_name(Card(int(before.states[LANE]['deck'][place])))}"


def _table(game: Game) -> str:
    return f"tokens {game.tokens}  lives {game.lives}  score {game.score}"


def _footer(game: Game) -> str:
    """What the game counts, with the rules by which it does."""
    state = "bombed" if game.is_bombed else "over" if game.is_over else f"unfinished, {SEAT_NAMES[game.seat]} to move"
    result = f"score {game.score} of {game.rules.perfect_score}, points {game.points}, lives {game.lives}"
    return f"{state} after {game.turn} turns: {result} ({game.rules.caption()})"
