"""The recommendation players as agents: what differs between them is a name and what can be set."""

from typing import Any

from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter
from kagiya.agents.hats.advice import ADVICE_READER, ADVICE_WORDS, REASONS, act, believe, observe, too_few_hints
from kagiya.agents.hats.knowledge_reader import hat_convention

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
        convention=hat_convention("tells each of the others which card to play or to discard"),
    )
    hooks = Hooks(row=row, believe=believe, convention_reader=ADVICE_READER, why_not=too_few_hints)
    return CompiledAgent(info, act, observe, hooks=hooks)
