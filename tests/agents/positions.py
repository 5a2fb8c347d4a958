"""What a tactic or an agent does in a position written as text (see `kagiya.engine.position`), in words.

Where the text gives neither rules nor tokens, three cards a hand are played by the competition framework's rules,
with four tokens left. The seat to move is alice unless the text says otherwise.
"""

import numpy as np

from kagiya.agents.register import find_agent
from kagiya.agents.tactics.vocabulary import use
from kagiya.cards import NO_MOVE
from kagiya.engine.dice import seed_stream
from kagiya.engine.game_kernels import is_legal
from kagiya.engine.layout import GAME, States, new_streams
from kagiya.engine.position import parse_position
from kagiya.lab.table.table import Table
from kagiya.moves import move_name
from kagiya.rules import Rules

NOTHING = "nothing"
LANE = np.int64(0)


def read(text: str) -> tuple[Rules, States]:
    sections = {part.split()[0] for part in text.replace(";", "\n").splitlines() if part.strip()}
    if "rules" not in sections:
        text += "\nrules goodman(hand_size=3)"
    if "tokens" not in sections:
        text += "\ntokens 4"
    return parse_position(text)


def in_words(rules: Rules, states: States, move: int) -> str:
    """The move's name; "nothing" for NO_MOVE. An illegal move fails the test."""
    if move == NO_MOVE:
        return NOTHING
    seat = states[0]["seat"]
    name = move_name(int(move), seat, rules.players)
    assert is_legal(states, LANE, move), f"{name} is not legal"
    return name


def tactic_move(tactic: str, text: str, seed: int = 1) -> str:
    """The move that a tactic, written as in an agent's list, has in this position; its limits are not looked at."""
    rules, states = read(text)
    seat = int(states[0]["seat"])
    rng = new_streams(1)
    seed_stream(rng, 0, 1 + seat, seed)
    item = use(tactic)
    return in_words(rules, states, item.tactic.kernel(states, LANE, seat, rng, item.value))


def tactic_moves(tactic: str, text: str) -> set[str]:
    """All moves that a tactic with dice makes in fifty tries."""
    return {tactic_move(tactic, text, seed) for seed in range(50)}


def agent_move(agent: str, text: str, seed: int = 1) -> str:
    """The move that an agent makes in this position, and for an agent that gives reasons, why."""
    rules, states = read(text)
    table = Table(rules, [find_agent(agent)])
    kind = table.agents[0].compiled
    table.start_game(seed)
    table.states[GAME] = states[0]
    seat = int(states[0]["seat"])
    return in_words(rules, states, kind.act(table.states, GAME, seat, table.memory, table.params, table.rng))


def agent_moves(agent: str, text: str) -> set[str]:
    """All moves that an agent makes in fifty tries."""
    return {agent_move(agent, text, seed) for seed in range(50)}
