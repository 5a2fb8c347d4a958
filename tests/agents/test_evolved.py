"""Agents that evolution found: for every number of players the list that the data file has, and where it comes from."""

import re
from collections.abc import Callable

import numpy as np
import pytest

from kagiya import Match, find_agent, parse_rules, play_match
from kagiya.agents.evolved import NUMBERS, evolved_lists
from kagiya.lab.table.table import Table
from kagiya.lab.training.rule_lists import rules_of

Games = Callable[[int], int]
AGENTS = ("canaan-mirror", "evolved")


@pytest.mark.parametrize("players", NUMBERS)
@pytest.mark.parametrize("name", AGENTS)
def test_the_list_for_the_number_of_players_is_played(name: str, players: int, games: Games) -> None:
    text = ", ".join(evolved_lists(name)[players - 2].rules)
    rules = parse_rules("goodman", players)
    matches = [Match.of(rules, [find_agent(each)], games(50), seed=3) for each in (name, f"rules({text})")]
    ours, list_itself = (play_match(match, 1).results for match in matches)
    assert np.array_equal(ours, list_itself)


@pytest.mark.parametrize("name", AGENTS)
def test_reasons_are_those_of_the_list_for_the_number_of_players(name: str) -> None:
    for players in NUMBERS:
        table = Table(parse_rules("goodman", players), [find_agent(name)])
        reasons = [re.sub(r": (tells|plays|discards) .*", "", each) for each in table.play_explained(4)]
        wanted = {*map(str, evolved_lists(name)[players - 2].uses), "no rule applied: any legal move"}
        assert set(reasons) <= wanted


@pytest.mark.parametrize("name", AGENTS)
def test_every_list_says_how_to_find_it_again(name: str) -> None:
    for players, found in zip(NUMBERS, evolved_lists(name), strict=True):
        assert found.command.startswith("kagiya evolve ")
        assert f"--players {players}" in found.command
        assert len(found.commit) >= 12
        assert found.games > 0 < found.seconds


def test_canaan_mirror_has_only_canaans_rules() -> None:
    known = set(map(str, rules_of("canaan")))
    for found in evolved_lists("canaan-mirror"):
        assert set(found.rules) <= known


# What Goodman quotes; two thousand games have a standard error of about 0.04.
@pytest.mark.parametrize(("players", "canaan"), [(2, 20.1), (3, 19.6), (4, 19.4), (5, 18.3)])
def test_evolved_lists_are_at_least_as_good_as_canaans(players: int, canaan: float, games: Games) -> None:
    count = games(2_000)
    if count < 2_000:
        pytest.skip("too few games to tell")
    for name in AGENTS:
        result = play_match(Match.of(parse_rules("goodman", players), [find_agent(name)], count, seed=1), 1)
        assert result.summary.mean > canaan - 0.1, name
