"""Games to review, each played once for all tests."""

from collections.abc import Iterable, Iterator
from functools import cache

from kagiya import Card, Game, GameRecord, Rules, Seat, Table, find_agent
from kagiya.lab.review.card_chances import HandChances, Knower

Truth = dict[int, Card]  # by the card's place in the deck
THREE = Rules(players=3)


@cache
def played(seed: int = 3, agents: tuple[str, ...] = ("smartbot",), rules: Rules = THREE) -> GameRecord:
    """The record of one game."""
    table = Table(rules, [find_agent(agent) for agent in agents])
    table.play_game(seed)
    return table.record()


def game_at(record: GameRecord, turn: int) -> Game:
    """The game before a turn."""
    game = record.deal()
    for move in record.moves[:turn]:
        game.make(move)
    return game


def chances_over_turns(
    record: GameRecord, seat: int, agent: str | None = None, past_moves: bool = False, samples: int = 100
) -> Iterator[tuple[HandChances, Truth]]:
    """What a seat could know of its hand before every turn and at the end, and the true cards."""
    game, viewer = record.deal(), Seat(seat)
    knower = Knower(game, agent, past_moves, samples)
    for move in (*record.moves, None):
        yield knower.chances(viewer), true_cards(game, viewer)
        if move is not None:
            knower.hear(move)
            game.make(move)


def true_cards(game: Game, seat: Seat) -> Truth:
    orders = game.states[0]["order"][seat].tolist()
    return {order: card for order, card in zip(orders, game.hands[seat], strict=False) if order >= 0}


def log_losses(found: Iterable[tuple[HandChances, Truth]]) -> list[float]:
    return [chances.log_loss(truth) for chances, truth in found]
