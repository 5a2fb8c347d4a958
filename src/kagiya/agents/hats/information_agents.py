"""The information players as agents: what differs between them is a name and what can be set."""

from typing import Any

from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter
from kagiya.agents.hats.information import INFORMATION_WORDS, REASONS, act, numbers_read, observe
from kagiya.agents.hats.knowledge import believe
from kagiya.agents.hats.knowledge_reader import hat_convention, knowledge_reader


def information_parameters(cut: str, hints: str) -> tuple[Parameter, ...]:
    """In the order in which `information.py` finds them in the row of parameters."""
    return (
        Parameter("cut", cut, "how the kinds of a card are cut into messages", choices=("identities", "parts")),
        Parameter("hints", hints, "five players, four cards: 8 messages, or all there are", choices=("kinds", "all")),
    )


def information_agent(
    name: str, summary: str, told: str, paper: str, parameters: tuple[Parameter, ...], eager: int
) -> CompiledAgent:
    """An information player whose hints tell `told`; with fewer than `eager` discards useless cards go before hints."""

    def row(values: dict[str, Any]) -> list[float]:
        return [*(each.encode(values.get(each.name, each.default)) for each in parameters), float(eager)]

    info = AgentInfo(
        id=name,
        summary=summary,
        family="hat players",
        paper=paper,
        parameters=parameters,
        reasons=REASONS,
        memory_words=INFORMATION_WORDS,
        convention=hat_convention(f"tells each of the others {told}"),
    )
    hooks = Hooks(row=row, believe=believe, convention_reader=knowledge_reader(numbers_read))
    return CompiledAgent(info, act, observe, hooks=hooks)
