"""Which agents a visitor may ask about a game, and why others are refused."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from kagiya.agents._base import Agent
from kagiya.agents.register import agent_types, is_search, rebuild_agent
from kagiya.lab.review.samples import as_evaluator
from kagiya.lab.table.persons import PERSON
from kagiya.lab.table.table import SeatingError
from kagiya.rules import Rules
from kagiya.web.review.story import NOBODY
from kagiya.web.server.limits import Limits
from kagiya.web.tables.partners import check_rules, named_agent
from kagiya.web.views import RefusedError, sentence


def allowed_agent(text: str, limits: Limits, rules: Rules) -> Agent:
    """The agent of a text, if it may be asked here and can play by these rules. Nothing that is refused is imported."""
    agent = named_agent(text, limits.think, limits.agents)
    if ":" in text and not agent.is_compiled:
        raise RefusedError(
            f"{text} is Python code that could hang the server, so it may play here, but is not asked in reviews; "
            "they ask compiled agents and those of Kagiya."
        )
    return check_rules(agent, rules)


def judge_agent(text: str, limits: Limits, rules: Rules) -> Agent:
    """An agent that can play on for a judge."""
    try:
        return as_evaluator(allowed_agent(text, limits, rules))
    except SeatingError as error:
        raise RefusedError(sentence(error)) from None


def seated_agents(seats: Sequence[str], limits: Limits, rules: Rules) -> tuple[list[Agent | None], list[str]]:
    """The agents of a record, None for a person and for anybody who cannot be asked, and why these cannot."""
    found: list[Agent | None] = []
    problems = []
    for text in seats:
        try:
            found.append(None if text in (PERSON, NOBODY) else allowed_agent(text, limits, rules))
            problems.append("")
        except RefusedError as refusal:
            found.append(None)
            problems.append(str(refusal))
    return found, problems


@lru_cache(maxsize=64)
def possible_judges(rules: Rules) -> tuple[str, ...]:
    """The agents of Kagiya that can judge by these rules: compiled, and answering at once."""
    found = []
    for name, kind in agent_types().items():
        if is_search(kind):
            continue
        agent = rebuild_agent(name)
        if agent.is_compiled and not agent.why_not(rules):
            found.append(name)
    return tuple(sorted(found))
