"""The information players as agents: what differs between them is a name and what can be set."""

from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter
from kagiya.agents.hats.information import INFORMATION_WORDS, REASONS, act, numbers_read, observe
from kagiya.agents.hats.knowledge import believe
from kagiya.agents.hats.knowledge_reader import hat_convention, knowledge_reader


def information_parameters(cut: str, eager: int, hints: str) -> tuple[Parameter, ...]:
    """In the order in which `information.py` finds them in the row of parameters."""
    return (
        Parameter("cut", cut, "how the kinds of a card are cut into messages", choices=("identities", "parts")),
        Parameter("eager", eager, "discards below which useless cards go before hints", 0, 60, whole=True),
        Parameter("hints", hints, "five players, four cards: 8 messages, or all there are", choices=("kinds", "all")),
    )


def information_agent(
    name: str, summary: str, told: str, paper: str, parameters: tuple[Parameter, ...]
) -> CompiledAgent:
    """An information player under this name, whose hints tell the others `told`."""
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
    hooks = Hooks(believe=believe, convention_reader=knowledge_reader(numbers_read))
    return CompiledAgent(info, act, observe, hooks=hooks)
