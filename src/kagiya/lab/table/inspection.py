"""One game played slowly, to see that compiled agents write only where they may.

Every seat has arrays of its own, exactly as wide as its agent declares, and a user's kernels check every index. After
each call nothing but the seat's own words of memory and its own dice may have changed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kagiya.agents._base import Agent, AgentType, CompiledAgent
from kagiya.agents.register import is_users_own
from kagiya.engine.kernels import apply_move, deal, is_legal, is_over
from kagiya.engine.layout import GAME, LANES, TEMPLATE, new_states, new_streams
from kagiya.engine.template import write_template
from kagiya.lab.table.inspected_seat import AccessError, InspectedSeat
from kagiya.rules import Rules


@dataclass(frozen=True)
class Fault:
    """What an agent did that it may not."""

    agent: str
    seat: int
    turn: int
    reason: str


# Agents of the user's, by text and type, with the rules they played by; the types are held so that no other takes
# their place in memory.
_passed: dict[tuple[str, int, Rules], AgentType] = {}
_inspecting = threading.Lock()


def inspect_newcomers(rules: Rules, agents: Sequence[Agent], seed: int) -> Fault | None:
    """Let every agent of the user's that has not played by these rules yet play this game with itself, inspected.

    The agents that a search plays with in its thoughts are included.
    """
    with _inspecting:
        for agent in newcomers(rules, agents):
            fault = inspect_game(rules, [agent] * rules.players, seed)
            if fault is not None:
                alone = all(each == agent for each in agents)
                return fault if alone else replace(fault, reason=f"{fault.reason} (playing with copies of itself)")
            _passed[agent.text, id(agent.type), rules] = agent.type
    return None


def newcomers(rules: Rules, agents: Sequence[Agent]) -> Iterator[Agent]:
    """The compiled agents of the user's that were not inspected yet."""
    for agent in dict.fromkeys(each for seated in agents for each in (seated, *seated.models)):
        is_new = (agent.text, id(agent.type), rules) not in _passed
        if is_new and can_be_inspected(agent) and is_users_own(agent.type) and agent.why_not(rules) is None:
            yield agent


def can_be_inspected(agent: Agent) -> bool:
    """Whether an agent can play an inspected game: one that is compiled and does not search."""
    return isinstance(agent.type, CompiledAgent) and not agent.is_search


def inspect_game(rules: Rules, agents: Sequence[Agent], seed: int) -> Fault | None:
    """Play one game and return the first thing that an agent did where it may not.

    An illegal move or an error ends the inspection: the table itself reports those.
    """
    states, rng = new_states(LANES), new_streams(LANES)
    write_template(rules, states, TEMPLATE)
    deal(states, TEMPLATE, GAME, rng, seed)
    seats = [InspectedSeat(agent, seat, states, rng) for seat, agent in enumerate(agents)]
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
        return Fault(asked.agent.text, asked.seat, int(states[GAME]["turn"]), str(error))
    except (ArithmeticError, ValueError):
        return None
    return None
