"""Games to review, each played once for all tests."""

from functools import cache

from kagiya import Game, GameRecord, Rules, Table, find_agent

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
