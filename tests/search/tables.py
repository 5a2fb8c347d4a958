"""Positions and tables at which tests ask a flat search for a move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kagiya import find_agent
from kagiya.cards import Seat
from kagiya.engine.batch import make_move
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.moves import parse_move
from kagiya.search.nodes import begin_search
from kagiya.search.workspace import SearchWorkspace
from tests.agents.positions import in_words, read

SMALL = "; rules standard(colors=2, copies=2/1/1, hand_size=2, hint_tokens=3) players=2"  # R1 R1 R2 R3 Y1 Y1 Y2 Y3
# Two turns are left: nothing to play for alice, and bob has one card that fits, if he is told of it.
TWO_LEFT = "turn 6; tokens 2; fireworks R2; discards Y1 Y1; alice Y3(Y!,3!) Y2(Y!,2!); bob R3 R1; left 2" + SMALL
OWN_CARD = "fireworks R1; alice Y5 R2(R!,2!) G3; bob Y4 W4 G4; tokens 3; rules bouzy(hand_size=3)"
THREE = "alice Y5 R4 G3; bob Y4 R1 G4; cathy R1 W4 B4; tokens 8; rules bouzy(hand_size=3)"


def sit_down(agent: str, text: str, seed: int = 1) -> tuple[Table, int, SearchWorkspace]:
    """A table in this position, the seat to move, and what its search works with."""
    rules, states = read(text)
    table = Table(rules, [find_agent(agent)])
    table.start_game(seed)
    table.states[GAME] = states[0]
    seat = int(states[0]["seat"])
    workspace = table.workspaces[seat]
    assert isinstance(workspace, SearchWorkspace)
    return table, seat, workspace


def ask(table: Table, seat: int) -> int:
    kind = table.agents[seat].compiled
    return int(kind.act(table.states, GAME, seat, table.memory, table.params, table.rng))


def searched(agent: str, text: str, seed: int = 1) -> tuple[str, SearchWorkspace]:
    table, seat, workspace = sit_down(agent, text, seed)
    return in_words(table.rules, table.states[GAME : GAME + 1], ask(table, seat)), workspace


def root_moves(workspace: SearchWorkspace) -> dict[int, Any]:
    """The nodes of the moves that were tried."""
    return {int(node["move"]): node for node in workspace.nodes[1 : workspace.work["nodes_used"]] if node["actor"] >= 0}


def mask_of(moves: Any) -> int:
    return sum(1 << int(move) for move in moves)


def after(agent: str, text: str, history: Sequence[str], seed: int = 1) -> tuple[Table, int, SearchWorkspace]:
    """The table after some moves that all have heard of."""
    table, seat, _ = sit_down(agent, text, seed)
    for words in history:
        move = int(parse_move(words, Seat(seat), table.rules.players))
        make_move(table.states, GAME, table.memory, table.params, table.observes, move)
        seat = int(table.states[GAME]["seat"])
    workspace = table.workspaces[seat]
    assert isinstance(workspace, SearchWorkspace)
    return table, seat, workspace


def begin(agent: str, text: str) -> tuple[Table, int, SearchWorkspace]:
    table, seat, workspace = sit_down(agent, text)
    begin_search(table.states, GAME, seat, table.memory, workspace.work, table.rng)
    return table, seat, workspace
