"""The information players as agents: what differs between them is a name and what can be set."""

from kagiya.agents._base import CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.agents.hats.hearing import knowledge_hearing
from kagiya.agents.hats.information import INFORMATION_WORDS, REASONS, act, numbers_heard, observe
from kagiya.agents.hats.knowledge import believe


def information_parameters(cut: str, eager: int, hints: str) -> tuple[Parameter, ...]:
    """In the order in which `information.py` finds them in the row of parameters."""
    return (
        Parameter("cut", cut, "how the kinds of a card are cut into messages", choices=("identities", "parts")),
        Parameter("eager", eager, "discards below which useless cards go before hints", 0, 60, whole=True),
        Parameter("hints", hints, "five players, four cards: 8 messages, or all there are", choices=("kinds", "all")),
    )


def information_agent(name: str, summary: str, paper: str, parameters: tuple[Parameter, ...]) -> CompiledAgent:
    """An information player under this name."""
    info = AgentInfo(
        id=name,
        summary=summary,
        family="hat players",
        paper=paper,
        parameters=parameters,
        reasons=REASONS,
        memory_words=INFORMATION_WORDS,
    )
    return CompiledAgent(info, act, observe, believe=believe, hearing=knowledge_hearing(numbers_heard))
