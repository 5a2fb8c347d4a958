"""The battery: what every agent of the register promises. Agents are found by themselves, never listed."""

import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kagiya import (
    Agent,
    Match,
    agent_types,
    find_agent,
    parse_rules,
    play_match,
)
from kagiya.agents.register import agent_modules, types_in
from kagiya.lab.checks import illegal_move, peek, playable_rules, poor_copy, standard_rules, unfixed_game
from kagiya.spec import Spec
from tests.searches import quick, skip_if_endless

Games = Callable[[int], int]

IDS = list(agent_types())
HEADINGS = ("Source", "Published", "Where the source is silent")


def test_the_zoo_is_not_empty() -> None:
    assert len(IDS) >= 3
    assert len(list(agent_modules())) >= 3


@pytest.mark.parametrize("module", [name for name in agent_modules() if list(types_in(sys.modules[name]))])
def test_a_module_says_where_its_agents_come_from(module: str) -> None:
    text = sys.modules[module].__doc__ or ""
    for heading in HEADINGS:
        assert re.search(rf"^{heading}$", text, re.MULTILINE), f"{module} lacks the heading {heading!r}"


@pytest.mark.parametrize("name", IDS)
def test_the_label_is_complete(name: str) -> None:
    info = find_agent(name).info
    assert info.id == name
    assert info.summary
    assert info.family
    assert info.paper
    for parameter in info.parameters:
        default = parameter.parse(Spec(str(parameter.default)), name)
        assert (default.text if isinstance(default, Agent) else default) == parameter.default
        assert parameter.range_text()
        assert parameter.meaning


@pytest.mark.parametrize("name", IDS)
def test_the_source_stands_in_the_bibliography(name: str) -> None:
    page = Path(__file__).parents[2] / "docs/bibliography.md"
    assert f"| {find_agent(name).info.paper} |" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", IDS)
def test_every_move_is_legal_by_all_rules_and_for_every_number_of_players(name: str, games: Games) -> None:
    agent = quick(name)
    skip_if_endless(agent)
    count = games(1 if agent.is_search else 200 if agent.is_compiled else 20)
    for rules in playable_rules(agent):
        wrong = illegal_move(agent, rules, count, seed=11)
        assert wrong is None, f"{rules.text()}: {wrong}"


@pytest.mark.parametrize("name", IDS)
def test_the_same_seed_gives_the_same_games_for_any_number_of_workers(name: str, games: Games) -> None:
    agent = quick(name)
    skip_if_endless(agent)
    wrong = unfixed_game(agent, standard_rules(agent)[0], max(games(8 if agent.is_search else 100), 3), seed=5)
    assert wrong is None, wrong


@pytest.mark.parametrize("name", IDS)
def test_an_agent_can_be_copied_and_pickled_and_its_players_in_the_middle_of_a_game(name: str) -> None:
    wrong = poor_copy(find_agent(name))
    assert wrong is None, wrong


# Who sees more says so itself, and is marked wherever its scores stand.
@pytest.mark.parametrize("name", [name for name in IDS if not find_agent(name).info.mark])
def test_a_move_does_not_depend_on_cards_that_the_seat_cannot_see(name: str, games: Games) -> None:
    agent = quick(name)
    skip_if_endless(agent)
    count = games(3 if agent.is_search else 10)
    for rules in (*standard_rules(agent), parse_rules("goodman", agent.info.players[-1])):
        wrong = peek(agent, rules, count, seed=0)
        assert wrong is None, wrong


def test_careful_and_its_python_twin_make_the_same_moves(games: Games) -> None:
    for rules in playable_rules(find_agent("careful")):
        results = [
            play_match(Match.of(rules, [find_agent(name)], games(20), seed=2)) for name in ("careful", "careful-python")
        ]
        assert np.array_equal(results[0].results, results[1].results)
