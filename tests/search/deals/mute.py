"""A blueprint whose moves say nothing: it always discards or plays its first card."""

from typing import Any

from kagiya import AgentInfo, CompiledAgent, kernel


@kernel
def act(states: Any, i: Any, seat: Any, memory: Any, params: Any, rng: Any) -> Any:
    state = states[i]
    return 5 if state["tokens"] < state["discard_limit"] else 0


MUTE = CompiledAgent(AgentInfo(id="mute", summary="says nothing", family="tests", paper="Kagiya"), act)
