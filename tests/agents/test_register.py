"""Whose an agent is: ours in every form that its parameters give it, or a user's."""

from dataclasses import replace

import pytest

from kagiya import find_agent
from kagiya.agents._base import CompiledAgent
from kagiya.agents._conventions import convention_of
from kagiya.agents.register import agent_types, is_users_own
from tests.children import run_python
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


FIND_ONE = """
import sys
from kagiya import agent_types, find_agent
found = find_agent(sys.argv[1]).type
print(*(name for name in sys.modules if name.startswith(("kagiya.agents.", "kagiya.search.agents."))))
print(found is agent_types()[sys.argv[1]])
"""


@pytest.mark.parametrize(("name", "module"), [("vdb", "vdb"), ("smartbot", "smartbot"), ("brooks-mute", "brooks")])
def test_an_agent_is_found_by_name_as_in_the_list_of_all(name: str, module: str) -> None:
    loaded, is_the_same = run_python(FIND_ONE, name).splitlines()
    assert f"kagiya.agents.{module}" in loaded.split()
    assert is_the_same == "True"
    spelled_out = name != "brooks-mute"  # which its source composes, so that all are looked at
    assert spelled_out == ("kagiya.search.agents.sparta" not in loaded.split())
