"""The battery: what every agent of the register promises. Agents are found by themselves, never listed."""

import copy
import pickle
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kagiya import (
    Agent,
    Match,
    Rules,
    agent_types,
    find_agent,
    parse_rules,
    play_match,
)
from kagiya.agents.register import agent_modules, types_in
from kagiya.engine.batch_kernels import GAME_OVER
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.spec import Spec
from tests.blindness import check_blindness
from tests.searches import quick, skip_if_endless

Games = Callable[[int], int]

IDS = list(agent_types())
RULES = (
    *("standard", "goodman", "bouzy", "bouzy(hand_size=3)"),
    *("standard(colors=6)", "standard(hand_size=1)", "quuxplusone(lives=1)"),
)
HEADINGS = ("Source", "Published", "Where the source is silent")


def test_the_zoo_is_not_empty() -> None:
    assert len(IDS) >= 3
    assert len(list(agent_modules())) >= 3


@pytest.mark.parametrize("module", [m.__name__ for m in agent_modules()])
def test_a_module_says_where_its_agents_come_from(module: str) -> None:
    text = sys.modules[module].__doc__ or ""
    for heading in HEADINGS:
        assert re.search(rf"^{heading}$", text, re.MULTILINE), f"{module} lacks the heading {heading!r}"
    assert list(types_in(sys.modules[module])), f"{module} holds no agent"


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


def standard_rules(agent: Agent) -> list[Rules]:
    """For each number of players with which the agent can play."""
    found = [Rules(players=players) for players in agent.info.players]
    return [rules for rules in found if agent.why_not(rules) is None]


def playable_rules(agent: Agent) -> list[Rules]:
    found = [parse_rules(text, players) for text in RULES for players in (2, 3, 4, 5)]
    return [rules for rules in found if agent.why_not(rules) is None]


@pytest.mark.parametrize("name", IDS)
def test_every_move_is_legal_by_all_rules_and_for_every_number_of_players(name: str, games: Games) -> None:
    agent = quick(name)
    skip_if_endless(agent)
    count = games(5 if agent.is_search else 200 if agent.is_compiled else 20)
    for rules in playable_rules(agent):
        result = play_match(Match.of(rules, [agent], count, seed=11), workers=1)
        assert result.error is None, f"{rules.text()}: {result.error}"
        assert len(result.results) == count


@pytest.mark.parametrize("name", IDS)
def test_the_same_seed_gives_the_same_games_for_any_number_of_workers(name: str, games: Games) -> None:
    agent = quick(name)
    skip_if_endless(agent)
    match = Match.of(standard_rules(agent)[0], [agent], max(games(100), 3), seed=5)
    one, again, two = play_match(match, 1), play_match(match, 1), play_match(match, 2)
    assert np.array_equal(one.results, again.results)
    assert np.array_equal(one.results, two.results)


@pytest.mark.parametrize("name", IDS)
def test_an_agent_can_be_copied_and_pickled(name: str) -> None:
    agent = find_agent(name)
    assert pickle.loads(pickle.dumps(agent)) == agent
    assert copy.deepcopy(agent).text == agent.text


# All that a compiled agent remembers is its row of memory, which the next test copies.
@pytest.mark.parametrize("name", [name for name in IDS if not find_agent(name).is_compiled])
def test_a_player_that_was_copied_in_the_middle_of_a_game_goes_on_alike(name: str) -> None:
    agent = find_agent(name)
    table = Table(Rules(players=agent.info.players[0]), [agent])
    log = table.start_game(3)
    table.advance(log, -1, 3)
    for _ in range(10):
        player = table.players[int(table.states[GAME]["seat"])]
        assert player is not None
        twins = copy.deepcopy(player), pickle.loads(pickle.dumps(player))
        observation = table.observation(log)
        moves = {int(twin.act(observation)) for twin in twins}
        move = int(player.act(observation))
        assert moves == {move}
        if table.advance(log, move, 3) == GAME_OVER:
            break


# Who sees more says so itself, and is marked wherever its scores stand.
@pytest.mark.parametrize("name", [name for name in IDS if not find_agent(name).info.mark])
def test_a_move_does_not_depend_on_cards_that_the_seat_cannot_see(name: str, games: Games) -> None:
    agent = quick(name)
    skip_if_endless(agent)
    for rules in standard_rules(agent):
        check_blindness(agent, rules, games(10))
    check_blindness(agent, parse_rules("goodman", agent.info.players[-1]), games(10))


def test_careful_and_its_python_twin_make_the_same_moves(games: Games) -> None:
    for rules in playable_rules(find_agent("careful")):
        results = [
            play_match(Match.of(rules, [find_agent(name)], games(20), seed=2)) for name in ("careful", "careful-python")
        ]
        assert np.array_equal(results[0].results, results[1].results)
