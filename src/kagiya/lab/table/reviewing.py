"""A recorded game looked at again: why its agents moved as they did, and what an adviser would have done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.agents._base import Agent
from kagiya.agents._hearing import Heard
from kagiya.agents._modules import check_file_agent
from kagiya.agents.register import find_agent
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.game import Game
from kagiya.engine.layout import GAME, SEEN
from kagiya.engine.record import GameRecord
from kagiya.lab.statistics.regret import MoveCost, move_costs
from kagiya.lab.table.answering import answer
from kagiya.lab.table.continuing import watch
from kagiya.lab.table.hearing import hear_move
from kagiya.lab.table.table import Table
from kagiya.view.kernels import censor

PERSON = "human"
STAND_IN = "careful"  # sits where a person sat, and is never asked


def recorded_agents(record: GameRecord, source: object) -> list[Agent]:
    """The agents of a record, with a stand-in where a person sat; of modules only if files are trusted."""
    texts = [STAND_IN if text == PERSON else text for text in record.seats]
    for text in texts:
        check_file_agent(text, source)
    return [find_agent(text) for text in texts]


def reasons_of(record: GameRecord, agents: Sequence[Agent]) -> tuple[list[Any], list[tuple[Heard, ...]]]:
    """For every move its agent's reason, asked again with the same dice, and what the seats heard in it."""
    game, seed = record.deal(), record.seed or 0
    table = Table(record.rules, agents)
    watch(table, game, seed)
    reasons: list[Any] = []
    hearings = []
    for move in record.moves:
        reasons.append("" if record.seats[game.seat] == PERSON else _reason(table, seed, int(move)))
        hearings.append(hear_move(table.states, table.memory, table.params, table.agents, int(move)))
        make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))
        game.make(move)
        table.log = game.log.copy()
        censor(table.states, GAME, SEEN, game.seat)
    return reasons, hearings


def _reason(table: Table, seed: int, move: int) -> Any:
    chosen, reason = answer(table, seed)
    return reason if chosen == move else "not known: asked again, the agent chooses another move"


@dataclass(frozen=True)
class CostlyTurn:
    """A move that made points impossible: the game before it, after it, and what it cost."""

    before: Game
    after: Game
    cost: MoveCost


def costly_turns(record: GameRecord, seat: int | None = None) -> Iterator[CostlyTurn]:
    """The moves of a seat, or of all, that cost points."""
    games = [record.deal(), *record.replay()]
    for before, after, cost in zip(games, games[1:], move_costs(games), strict=False):
        if cost.direct + cost.indirect > 0 and seat in (None, before.seat):
            yield CostlyTurn(before, after, cost)
