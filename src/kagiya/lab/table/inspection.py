"""What a user's compiled agent must show before its first game counts, and where it is remembered that it did.

One game is played slowly: every seat has arrays of its own, exactly as wide as its agent declares, and a user's kernels
check every index. After each call nothing but the seat's own words of memory and its own dice may have changed. Then a
few games with the hidden cards dealt again at every turn, which must not change a move.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kagiya.agents.api import Agent, AgentType
from kagiya.agents.register import is_users_own
from kagiya.engine.kernels import apply_move, deal, is_legal, is_over
from kagiya.engine.layout import GAME, LANES, TEMPLATE, new_states, new_streams
from kagiya.engine.template import write_template
from kagiya.lab.table.acceptance import is_accepted, remember
from kagiya.lab.table.blindness import find_peek
from kagiya.lab.table.inspected_seat import AccessError, InspectedSeat, Inspection
from kagiya.rules import Rules
from kagiya.runtime.timeouts import KernelWatch, NoAnswerError

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table

FIRST_SEED, BLIND_GAMES = 1, 3  # the same games whichever thread comes first


@dataclass(frozen=True)
class Fault:
    """What an agent did that it may not, in which game."""

    agent: str
    seat: int
    turn: int
    seed: int
    reason: str
    is_access: bool = True  # to an array, and not to what its seat may not see


# What came of agents of the user's, by text, type and rules; the types are held so that no other takes their place in
# memory.
_inspected: dict[tuple[str, int, Rules], tuple[AgentType, Fault | None]] = {}
_inspecting = threading.Lock()


def inspect_newcomers(rules: Rules, agents: Sequence[Agent], sit_down: Callable[[Agent], Table]) -> Fault | None:
    """Let every agent of the user's that has not played by these rules yet play with itself, inspected.

    The agents that a search plays with in its thoughts are included. `sit_down` makes a table of one agent that is
    not inspected itself.
    """
    with _inspecting:
        for agent in dict.fromkeys(each for seated in agents for each in (seated, *seated.models)):
            fault = _result(rules, agent, sit_down) if needs_inspection(rules, agent) else None
            if fault is not None:
                alone = all(each == agent for each in agents)
                return fault if alone else replace(fault, reason=f"{fault.reason} (playing with copies of itself)")
    return None


def _result(rules: Rules, agent: Agent, sit_down: Callable[[Agent], Table]) -> Fault | None:
    key = agent.text, id(agent.type), rules
    if key not in _inspected:
        fault = None if is_accepted(agent, rules) else inspect(rules, agent, sit_down)
        _inspected[key] = agent.type, fault
        if fault is None:
            remember(agent, rules)
    return _inspected[key][1]


def inspect(rules: Rules, agent: Agent, sit_down: Callable[[Agent], Table]) -> Fault | None:
    """The first thing that an agent does which it may not; a kernel that does not return is one too."""
    watch = KernelWatch()

    def play() -> Fault | None:
        fault = inspect_game(rules, [agent] * rules.players, FIRST_SEED, Inspection(watch))
        if fault is None and (peek := find_peek(sit_down(agent), range(FIRST_SEED, FIRST_SEED + BLIND_GAMES), watch)):
            return Fault(agent.text, peek.seat, peek.turn, peek.seed, peek.reason, is_access=False)
        return fault

    try:
        return watch.wait_for(play)
    except NoAnswerError as error:
        assert watch.late is not None
        return Fault(agent.text, watch.late.seat, watch.late.turn, FIRST_SEED, str(error))
    except (IndexError, ArithmeticError, ValueError):
        return None  # which the table reports


def needs_inspection(rules: Rules, agent: Agent) -> bool:
    """Whether an agent is a compiled one of the user's that can play by these rules."""
    return can_be_inspected(agent) and is_users_own(agent.compiled) and agent.why_not(rules) is None


def can_be_inspected(agent: Agent) -> bool:
    """Whether an agent can play an inspected game: one that is compiled and does not search."""
    return agent.is_compiled and not agent.is_search


def inspect_game(rules: Rules, agents: Sequence[Agent], seed: int, how: Inspection | None = None) -> Fault | None:
    """Play one game and return the first thing that an agent did where it may not.

    An illegal move or an error ends the inspection: the table itself reports those.
    """
    states, rng = new_states(LANES), new_streams(LANES)
    write_template(rules, states, TEMPLATE)
    deal(states, TEMPLATE, GAME, rng, seed)
    looking = how or Inspection(KernelWatch())
    seats = [InspectedSeat(agent, seat, states, rng, looking) for seat, agent in enumerate(agents)]
    asked = seats[0]
    try:
        while not is_over(states, GAME):
            asked = seats[states[GAME]["seat"]]
            move = asked.act()
            if not is_legal(states, GAME, move):
                return None
            for asked in seats:
                asked.observe(move)
            apply_move(states, GAME, move)
    except AccessError as error:
        return Fault(asked.agent.text, asked.seat, int(states[GAME]["turn"]), seed, str(error))
    except (ArithmeticError, ValueError):
        return None
    return None
