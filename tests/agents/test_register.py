"""Whose an agent is: ours in every form that its parameters give it, or a user's."""

from dataclasses import replace

import pytest

from kagiya import find_agent
from kagiya.agents._base import CompiledAgent
from kagiya.agents._conventions import convention_of
from kagiya.agents.register import agent_types, is_users_own
from tests.sketches.hat import HAT, act


@pytest.mark.parametrize(
    "text", ["iggi", "iggi(forgets_own=yes)", "rules(play-safe)", "rules(play-just-hinted(0))", "canaan-mirror"]
)
def test_an_agent_of_ours_is_ours_with_any_parameters(text: str) -> None:
    assert not is_users_own(find_agent(text).type)


def test_a_users_agent_is_its_own_even_by_a_name_of_ours() -> None:
    ours = find_agent("iggi").type
    assert isinstance(ours, CompiledAgent)
    assert is_users_own(HAT)
    assert is_users_own(replace(ours, act=act))
    assert is_users_own(replace(HAT, info=ours.info))


@pytest.mark.parametrize(
    "name",
    [name for name, kind in agent_types().items() if kind.info.family in ("convention bots", "hat players")],
)
def test_an_agent_with_a_convention_says_what_it_is(name: str) -> None:
    """`kagiya play` tells it to the person who sits down with the agent."""
    info = find_agent(name).info
    assert info.mark or len(convention_of(info)) > 60
