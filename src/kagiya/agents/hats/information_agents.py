"""The information players as agents: what differs between them is a name and what can be set."""

from typing import Any

from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents.hats.hearing import knowledge_hearing
from kagiya.agents.hats.information import INFORMATION_WORDS, REASONS, act, numbers_heard, observe
from kagiya.agents.hats.knowledge import believe


def information_parameters(cut: str, hints: str) -> tuple[Parameter, ...]:
    """In the order in which `information.py` finds them in the row of parameters."""
    return (
        Parameter("cut", cut, "how the kinds of a card are cut into messages", choices=("identities", "parts")),
        Parameter("hints", hints, "five players, four cards: 8 messages, or all there are", choices=("kinds", "all")),
    )


def information_agent(
    name: str, summary: str, paper: str, parameters: tuple[Parameter, ...], eager: int
) -> CompiledAgent:
    """An information player under this name; with fewer than `eager` discards useless cards go before hints."""

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
    )
    return CompiledAgent(info, act, observe, row=row, believe=believe, hearing=knowledge_hearing(numbers_heard))
