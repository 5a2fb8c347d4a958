"""The recommendation players as agents: what differs between them is a name and what can be set."""

from typing import Any

from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents.hats.advice import ADVICE_HEARING, ADVICE_WORDS, REASONS, act, believe, observe, too_few_hints

# In the order in which `advice.py` finds them in the row of parameters.
PARAMETERS = (
    Parameter("source", "paper", "whose list of recommendations", choices=("paper", "program")),
    Parameter("errors", 2, "errors below which a recommendation is followed after another play", 0, 20, whole=True),
    Parameter("failures", "yes", "whether plays that fail count as plays", choices=("no", "yes")),
)


def advice_agent(name: str, summary: str, paper: str, spare: bool) -> CompiledAgent:
    """A recommendation player under this name; `spare`: it discards as told when nobody needs telling."""

    def row(values: dict[str, Any]) -> list[float]:
        return [*(each.encode(values.get(each.name, each.default)) for each in PARAMETERS), float(spare)]

    info = AgentInfo(
        id=name,
        summary=summary,
        family="hat players",
        paper=paper,
        parameters=PARAMETERS,
        reasons=REASONS,
        memory_words=ADVICE_WORDS,
    )
    return CompiledAgent(info, act, observe, row=row, believe=believe, hearing=ADVICE_HEARING, why_not=too_few_hints)
