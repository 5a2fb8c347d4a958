"""What a bot with conventions chooses: a position written as text, then moves in words that all seats hear of.

All seats are the same bot. If the text gives no rules, hands have three cards and points are kept after a bomb.
"""

from kagiya.agents.api import CompiledAgent
from kagiya.agents.register import find_agent
from kagiya.engine.game_kernels import apply_move, is_legal
from kagiya.engine.layout import GAME
from kagiya.engine.position import parse_position
from kagiya.lab.table.table import Table
from kagiya.moves import move_name, parse_move


def choice(agent: str, position: str, *story: str) -> tuple[str, str]:
    """The move that the bot chooses after these moves, and its reason."""
    table, kind = set_up(agent, position)
    for move in story:
        make(table, kind, move)
    seat = table.states[GAME]["seat"]
    move = kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)
    assert is_legal(table.states, GAME, move)
    return move_name(int(move), seat, table.rules.players), kind.info.reasons[table.memory[GAME, seat, 0]]


def set_up(agent: str, position: str) -> tuple[Table, CompiledAgent]:
    rules, states = parse_position(position if "rules" in position else position + "\nrules quuxplusone(hand_size=3)")
    table = Table(rules, [find_agent(agent)])
    kind = table.agents[0].compiled
    table.start_game(0)
    table.states[GAME] = states[0]
    return table, kind


def make(table: Table, kind: CompiledAgent, text: str) -> None:
    """All hear of a move, then it is made."""
    move = int(parse_move(text, table.states[GAME]["seat"], table.rules.players))
    assert is_legal(table.states, GAME, move), f"{text!r} is not legal"
    for seat in range(table.rules.players):
        if kind.observe is not None:
            kind.observe(table.states, GAME, seat, table.memory, table.params, move)
    apply_move(table.states, GAME, move)
