"""Searches with a budget so small that tests can let them play."""

import pytest

from kagiya import Agent, agent_types, find_agent
from kagiya._jit import JIT_OFF

BUDGETS = {"iterations": 4, "deals": 2}
SMALL = {"cap": 300, "endings": 20}  # what else takes time
PLIES_WITHOUT_COMPILER = 6


def quick(text: str, **budgets: int) -> Agent:
    """The agent as written, or as a search with the smallest sensible budget, but for those given."""
    agent = find_agent(text)
    if not agent.is_search:
        return agent
    names = [parameter.name for parameter in agent.info.parameters]
    limits = BUDGETS | budgets | SMALL | ({"plies": PLIES_WITHOUT_COMPILER} if JIT_OFF else {})
    assert set(BUDGETS) & set(names), f"{text} has no budget that tests could set"
    words = [f"{name}={value}" for name, value in limits.items() if name in names and name not in agent.values]
    given = text.partition("(")[2].removesuffix(")")
    return find_agent(f"{agent.info.id}({', '.join([given, *words] if given else words)})") if words else agent


def players_for(name: str, wanted: int) -> int:
    """The number of players wanted, or the nearest that the agent plays with."""
    return min(find_agent(name).info.players, key=lambda players: abs(players - wanted))


def skip_if_endless(agent: Agent) -> None:
    """Pass over whole games of a search whose rollouts cannot be cut short, where there is no compiler."""
    if JIT_OFF and agent.is_search and "plies" not in agent.values:
        pytest.skip("whole games of this search take minutes without the compiler")


SEARCHES = [name for name in agent_types() if find_agent(name).is_search]
