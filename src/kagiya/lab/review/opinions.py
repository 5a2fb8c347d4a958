"""Opinions of agents on recorded games: what each would have done at every turn, and how often it agrees.

Also what recorded games come to: scores, who lost the points, pace and efficiency.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kagiya._jit import kernel
from kagiya.agents.api import Agent
from kagiya.agents.register import find_agent, prompt_agents
from kagiya.cards import NO_MOVE, Card, MoveNumber
from kagiya.engine.batch import RESULT, Addresses, Moves, Results, call_act, make_move
from kagiya.engine.game import LANE
from kagiya.engine.game_kernels import apply_move, is_hint, is_legal, is_over, slot_of
from kagiya.engine.layout import GAME, MAX_TURNS, SEEN, Lane, Memory, Params, States, Streams
from kagiya.engine.memory import Words
from kagiya.engine.record import GameRecord
from kagiya.engine.regret_kernels import attainable_score, charge_regret, pace, reachable_score
from kagiya.lab.pace import efficiency
from kagiya.lab.review.samples import Reviewed, beginning_of, seed_of
from kagiya.lab.summary import Summary, summarize, without_nan
from kagiya.lab.table.session import watch
from kagiya.lab.table.table import AgentError, SeatingError, Table
from kagiya.moves import MOVES, Move
from kagiya.rules import Rules
from kagiya.view.view_kernels import censor


@kernel
def ask_along(
    states: States,
    memory: Memory,
    params: Params,
    rng: Streams,
    acts: Addresses,
    observes: Addresses,
    moves: Moves,
    turns: int,
    choices: Words,
) -> None:
    """Write what the seat to move would do at each turn, NO_MOVE if that is illegal, while the moves are made."""
    for turn in range(turns):
        seat = states[GAME]["seat"]
        choice = call_act(acts[seat], states, GAME, seat, memory, params, rng)
        choices[turn] = choice if is_legal(states, GAME, choice) else NO_MOVE
        make_move(states, GAME, memory, params, observes, int(moves[turn]))


@dataclass(frozen=True)
class Opinions:
    """By agent its choice at every turn; None where it would have moved illegally."""

    choices: dict[str, tuple[Move | None, ...]]
    made: tuple[Move, ...]  # in the game itself
    left_out: dict[str, str] = field(default_factory=dict)  # agents that were not asked, and why
    marks: dict[str, str] = field(default_factory=dict)  # of agents that see what no player may

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(self.choices)

    def at(self, turn: int) -> dict[Move, tuple[str, ...]]:
        """Who would make which move at a turn, the most popular move first."""
        found: dict[Move, list[str]] = {}
        for agent, choices in self.choices.items():
            if (choice := choices[turn]) is not None:
                found.setdefault(choice, []).append(agent)
        return {move: tuple(found[move]) for move in sorted(found, key=lambda move: (-len(found[move]), move))}

    def otherwise(self, turn: int) -> int:
        """How many agents would not have made the move of this turn."""
        return sum(choices[turn] != self.made[turn] for choices in self.choices.values())

    def to_json(self) -> dict[str, Any]:
        """Plain data, turn by turn."""
        turns = [
            {
                "made": str(move),
                "otherwise": self.otherwise(turn),
                "moves": {str(choice): list(agents) for choice, agents in self.at(turn).items()},
            }
            for turn, move in enumerate(self.made)
        ]
        return {"agents": list(self.agents), "left_out": self.left_out, "marks": self.marks, "turns": turns}


def opinions(game: Reviewed, agents: Sequence[Agent | str] | None = None) -> Opinions:
    """Ask agents, or all that answer at once, what they would do at every turn of a game, recorded or not.

    Each is asked as if it sat in every seat and had heard the game's moves. What it keeps in mind by its own choices
    stays with it, so it may remember to have wanted something else. Agents that roll dice roll those of the record's
    seed. Agents that cannot play by the rules of the game, or fail, are left out.
    """
    asked = [find_agent(each) if isinstance(each, str) else each for each in agents or prompt_agents()]
    choices: dict[str, tuple[Move | None, ...]] = {}
    left_out: dict[str, str] = {}
    for agent in asked:
        try:
            choices[agent.text] = ask_throughout(game, agent)
        except (SeatingError, AgentError) as error:
            left_out[agent.text] = str(error)
    marks = {agent.text: agent.info.mark for agent in asked if agent.info.mark and agent.text in choices}
    return Opinions(choices, game.moves, left_out, marks)


def ask_throughout(game: Reviewed, agent: Agent) -> tuple[Move | None, ...]:
    """What one agent would do at every turn."""
    table, turns = Table(game.rules, [agent]), len(game.moves)
    watch(table, beginning_of(game), seed_of(game))
    if not table.is_compiled:
        return _ask_in_python(table, game)
    moves, choices = np.zeros(MAX_TURNS, np.uint8), np.zeros(MAX_TURNS, np.int64)
    moves[:turns] = game.moves
    ask_along(*table.arrays, moves, turns, choices)
    table.check_memory()
    return tuple(None if choice == NO_MOVE else MOVES[choice] for choice in choices[:turns])


def _ask_in_python(table: Table, game: Reviewed) -> tuple[Move | None, ...]:
    now, choices = beginning_of(game), list[Move | None]()
    for move in game.moves:
        choice = table.ask_python_seat(table.log, seed_of(game))
        choices.append(None if now.why_illegal(choice) else MOVES[choice])
        make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))
        now.make(move)
        table.log = now.log
        censor(table.states, GAME, SEEN, now.seat)
    return tuple(choices)


KINDS = ("play", "discard", "hint")


@dataclass
class AgreementCount:
    """Moves that were asked about, and those that the agent would have made."""

    asked: int = 0
    same: int = 0

    @property
    def share(self) -> float:
        return self.same / self.asked if self.asked else float("nan")


@dataclass
class Agreement:
    """The counts by seat and by kind of the move that was made."""

    agent: str
    games: int = 0
    cells: dict[tuple[int, str], AgreementCount] = field(default_factory=dict)

    def tally(self, seat: int | None = None, kind: str | None = None) -> AgreementCount:
        """The sum over a seat, over a kind, or over all."""
        chosen = [tally for (sits, of), tally in self.cells.items() if seat in (None, sits) and kind in (None, of)]
        return AgreementCount(sum(tally.asked for tally in chosen), sum(tally.same for tally in chosen))

    @property
    def seats(self) -> int:
        return max((seat for seat, _ in self.cells), default=-1) + 1

    def to_json(self) -> dict[str, Any]:
        """Plain data: by seat, and by kind of move within it."""

        def row(seat: int | None) -> dict[str, Any]:
            kinds = {kind: vars(self.tally(seat, kind)) for kind in KINDS}
            return vars(self.tally(seat)) | {"kinds": kinds}

        return {"agent": self.agent, "games": self.games, **row(None), "seats": [row(k) for k in range(self.seats)]}


def agreement(
    records: Iterable[GameRecord], agent: Agent, advance: Callable[[int], None] = lambda games: None
) -> Agreement:
    """Ask the agent at every turn of every game, each seat having heard the moves before."""
    found = Agreement(agent.text)
    for record in records:
        for turn, (made, choice) in enumerate(zip(record.moves, ask_throughout(record, agent), strict=True)):
            cell = found.cells.setdefault((turn % record.rules.players, kind_of(made)), AgreementCount())
            cell.asked, cell.same = cell.asked + 1, cell.same + (choice == made)
        found.games += 1
        advance(1)
    return found


def kind_of(move: Move) -> str:
    """``play``, ``discard`` or ``hint``."""
    return KINDS[2] if move.is_hint else KINDS[move.is_discard]


NOT_A_NUMBER = float("nan")


@dataclass(frozen=True)
class Figures:
    """What one game shows besides its score."""

    lowest_pace: int | None  # None if the game ended before a discard was possible
    efficiency: float | None  # at the end: cards gotten for each hint given or forgone
    bottom_deck_risks: int


@dataclass(frozen=True)
class Analysis:
    """Games by the same rules."""

    rules: Rules
    seats: tuple[str, ...]  # who sat there, if it was the same in all games
    summary: Summary
    ends: dict[str, int]  # games by how they ended
    games: tuple[Figures, ...]

    def mean(self, name: str) -> float:
        """The mean of a figure over the games that have it."""
        values = [value for game in self.games if (value := getattr(game, name)) is not None]
        return sum(values) / len(values) if values else NOT_A_NUMBER

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        means = {name: self.mean(name) for name in ("lowest_pace", "efficiency", "bottom_deck_risks")}
        told = {"rules": self.rules.to_json(), "seats": list(self.seats), "ends": self.ends}
        plain: dict[str, Any] = told | self.summary.to_json() | without_nan(means)
        return plain


def analyse(records: Iterable[GameRecord]) -> list[Analysis]:
    """The games by their rules, in the order in which these appear."""
    groups: dict[Rules, list[GameRecord]] = {}
    for record in records:
        groups.setdefault(record.rules, []).append(record)
    return [_analysis(rules, group) for rules, group in groups.items()]


def _analysis(rules: Rules, records: Sequence[GameRecord]) -> Analysis:
    results, figures = np.zeros(len(records), RESULT), []
    for number, record in enumerate(records):
        record.check()
        figures.append(_figures(record, results, number))
    seats = {record.seats for record in records}
    return Analysis(
        rules=rules,
        seats=seats.pop() if len(seats) == 1 else ("several",) * rules.players,
        summary=summarize(results, rules.perfect_score, rules.players),
        ends=dict(Counter(record.end for record in records).most_common()),
        games=tuple(figures),
    )


def _figures(record: GameRecord, results: Results, number: int) -> Figures:
    """The row of a game as a match would have written it; what a game broken off did not score is no regret."""
    game, found = record.deal(), np.array([NEVER, 0], np.int64)
    trace_costs(game.states, LANE, np.array(record.moves, np.uint8), results, number, found)
    for name in ("score", "points", "lives", "turns"):
        results[number][name] = getattr(record, name)
    results[number]["reachable"] = game.reachable_points
    got, (lowest, risks) = efficiency(game), found.tolist()
    return Figures(None if lowest == NEVER else lowest, None if got is None else float(got), risks)


NEVER = 99  # a pace that no game has
LOWEST, RISKS = 0, 1


@kernel
def trace_costs(states: States, i: Lane, moves: Moves, results: Results, number: int, found: Words) -> None:
    """Make the moves of a game from its deal on: the regret of each, the lowest pace, and the bottom-deck risks."""
    reachable, attainable = reachable_score(states, i), attainable_score(states, i)
    for turn in range(len(moves) + 1):
        state = states[i]
        if not is_over(states, i) and state["drawn"] < state["deck_size"]:
            found[LOWEST] = min(found[LOWEST], pace(states, i))
        if turn < len(moves):
            seat, move = state["seat"], MoveNumber(moves[turn])
            found[RISKS] += makes_risky_move(states, i, move)
            reachable, attainable = charge_regret(states, i, results, number, seat, move, reachable, attainable)


@kernel
def makes_risky_move(states: States, i: Lane, move: MoveNumber) -> bool:
    """Make a move; whether the last but one copy of a card still needed is lost by it, and no hand holds the last."""
    if is_hint(move):
        apply_move(states, i, move)
        return False
    state = states[i]
    card = state["hands"][state["seat"], slot_of(move)]
    apply_move(states, i, move)
    held = state["hand_low"][0] | state["hand_high"][0]
    for seat in range(1, state["players"]):
        held |= state["hand_low"][seat] | state["hand_high"][seat]
    return copies_left(states, i, card) == 1 and not (held | state["useless"]) >> card & 1


@kernel
def copies_left(states: States, i: Lane, card: Card) -> int:
    """How many copies of a card are not discarded."""
    state = states[i]
    low = (state["copies_low"] >> card & 1) - (state["discard_low"] >> card & 1)
    return low + 2 * ((state["copies_high"] >> card & 1) - (state["discard_high"] >> card & 1))
