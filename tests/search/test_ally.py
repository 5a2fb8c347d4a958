"""Searches among strangers: they find out who sits there, say so, remember it if told to, and refuse bad words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from kagiya import Rules, find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.cards import Seat
from kagiya.engine.layout import GAME
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import play_match
from kagiya.lab.papers.pictures import (
    Recognition,
    RecognitionError,
    moves_before,
    play_recognition,
    recognition_curve,
    recognition_figure,
)
from kagiya.lab.table.table import Table
from kagiya.search.ally_likelihood import FRAMEWORK, LISTS, named_policies, zoo
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import SpecError

Games = Callable[[int], int]
SEARCHES = ("ally(iterations=2)", "ally-flat(deals=1)")
whole_games = pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")


def beliefs(table: Table, seat: int = 0) -> list[dict[str, float]]:
    """What the search in this seat takes the others for."""
    workspace = table.workspaces[seat]
    assert isinstance(workspace, SearchWorkspace)
    assert workspace.allies is not None
    return [dict(belief.policies) for belief in workspace.allies.beliefs(Seat(seat))]


@whole_games
@pytest.mark.parametrize("text", SEARCHES)
def test_the_right_partner_is_found(text: str, games: Games) -> None:
    """Seeds 1, 2, ...: of all partners in all games at least eight in ten are the likeliest policy in the end.

    Iggi, piers and risky do the same most of the time, so some games say nothing of which it is.
    """
    found = asked = 0
    for partner in FRAMEWORK:
        for players in (2, 4):
            others = [find_agent(partner)] * (players - 1)
            table = Table(parse_rules("goodman", players), [find_agent(text), *others])
            for seed in range(1, 1 + games(5)):
                table.play_game(seed)
                for belief in beliefs(table):
                    asked += 1
                    found += max(belief, key=lambda policy: belief[policy]) == partner
    assert found >= 0.8 * asked


@whole_games
def test_a_partner_in_memory_is_found_among_the_zoo() -> None:
    """Smartbot listens to every move, so its answers are asked with the memory that it would have. Seeds 1 to 3."""
    policies = "policies=list(vdb, smartbot, holmesbot, confidence, iggi)"
    for partner in ("smartbot", "confidence"):
        table = Table(Rules(players=3), [find_agent(f"ally-flat(deals=1, {policies})"), *[find_agent(partner)] * 2])
        for seed in (1, 2, 3):
            table.play_game(seed)
            assert all(belief[partner] > 0.9 for belief in beliefs(table))


@whole_games
@pytest.mark.parametrize(("kept", "known"), [("yes", True), ("no", False)])
def test_the_posterior_outlasts_a_game_if_it_is_kept(kept: str, known: bool) -> None:
    text = f"ally(iterations=2, kept={kept})"
    table = Table(Rules(players=2), [find_agent(text), find_agent("piers")])
    table.play_game(1)
    assert beliefs(table)[0]["piers"] > 0.9
    table.start_game(2)
    kind = table.agents[0].type
    kind.act(table.states, GAME, 0, table.memory, table.params, table.rng)  # type: ignore[union-attr]
    assert (beliefs(table)[0]["piers"] > 0.9) == known


@whole_games
def test_games_with_a_kept_posterior_do_not_depend_on_the_workers() -> None:
    match = Match.of(Rules(players=2), [find_agent("ally(iterations=2, kept=yes)"), find_agent("iggi")], 6, 1)
    results = [play_match(match, workers).results for workers in (1, 2)]
    assert np.array_equal(results[0], results[1])
    bare = Match.of(Rules(players=2), [find_agent("ally(iterations=2)"), find_agent("iggi")], 6, 1)
    assert match.horizon > 0
    assert bare.horizon == 0


def test_before_any_move_the_posterior_is_the_prior() -> None:
    table = Table(Rules(players=3), [find_agent("ally(iterations=1, favourite=piers, lead=2)")])
    table.start_game(1)
    kind = table.agents[0].type
    kind.act(table.states, GAME, 0, table.memory, table.params, table.rng)  # type: ignore[union-attr]
    weight = np.exp(2.0)
    for belief in beliefs(table):
        assert belief["piers"] == pytest.approx(weight / (weight + len(FRAMEWORK) - 1))
        assert belief["vdb"] == pytest.approx(1 / (weight + len(FRAMEWORK) - 1))


def test_the_policies_have_names() -> None:
    assert [agent.text for agent in named_policies("goodman")] == list(LISTS["goodman"])
    assert len(LISTS["goodman"]) == 10  # Table VII
    assert {"smartbot", "hat-recommendation", "brooks-mute"} < set(zoo())
    assert not {"cheatbot", "seer-recommendation", "careful-python", "ris-mcts", "rules"} & set(zoo())


WRONG = [
    ("ally(policies=list(vbd))", "no agent named 'vbd'; did you mean vdb"),
    (
        "ally(policies=everybody)",
        "is not known; there are framework, goodman, zoo (or list(agent, ...))",
    ),
    ("ally(policies=list(careful-python))", "the policy careful-python is written in Python; a search needs compiled"),
    ("ally-flat(policies=list(vdb, ris-mcts))", "the policy ris-mcts is a search itself; give agents that answer at"),
    ("ally(policies=list(cheatbot))", "the policy cheatbot sees its own hand, which nobody at the table does"),
    ("ally(favourite=smartbot)", "favourite=smartbot is not one of the policies"),
    ("ally(favourite=careful-python)", "favourite=careful-python is written in Python"),
    ("ally(lead=-1)", "lead must be a number from 0 to 1000, not -1"),
    ("ally(lead=much)", "lead must be a number from 0 to 1000, not much"),
    ("ally(noise=0)", "noise must be a number from 0.0001 to 1, not 0"),
    ("ally-flat(hands=0)", "hands must be a number from 1 to 10000, whole, not 0"),
    ("ally(likelihood=network, policies=list(vdb, iggi))", "likelihood=network knows Table VII only; policies must be"),
    ("ally(leaf=evalfn, rollout=vdb)", "rollout does not go with leaf"),
    ("ally(kept=maybe)", "kept=maybe is not known"),
    ("ally(iterations=5, time=1s)", "both iterations and time are given"),
]


@pytest.mark.parametrize(("text", "reason"), WRONG, ids=[text for text, _ in WRONG])
def test_bad_words_are_refused_before_a_game(text: str, reason: str) -> None:
    with pytest.raises(SpecError) as raised:
        find_agent(text)
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)


def test_too_many_policies_and_those_for_other_tables_are_refused() -> None:
    with pytest.raises(SpecError, match="can tell 1 to 64 policies apart, not 65"):
        Table(Rules(players=2), [find_agent(f"ally(policies=list({', '.join(['vdb'] * 65)}))")])


@whole_games
def test_it_says_who_it_takes_the_others_for() -> None:
    table = Table(parse_rules("goodman", 3), [find_agent("ally-flat(deals=5)"), *map(find_agent, ("piers", "outer"))])
    table.play_explained(1)
    last = [explanation for explanation in table.explanations if explanation is not None][-1]
    likeliest = {entry.seat: entry.policies[0] for entry in last.allies}
    assert f"bob is {likeliest[1][0]} ({100 * likeliest[1][1]:.0f} %), cathy is " in str(last)
    assert likeliest[2][0] == "outer"
    data = last.to_json()["allies"]
    assert [entry["seat"] for entry in data] == [1, 2]
    assert sum(data[0]["policies"].values()) == pytest.approx(1)


@whole_games
def test_how_soon_it_knows_its_partners(tmp_path: Path) -> None:
    rules = parse_rules("goodman", 3)
    agent = find_agent("ally(iterations=1, policies=list(vdb, outer, random))")
    found = play_recognition(agent, rules, 16, 1)
    assert found.mean(0) == pytest.approx(1 / 3)
    assert found.mean(5) > 0.9
    assert sum(found.first) <= sum(found.asked)
    assert 0 <= found.error(5) < 0.1
    recognition_figure({agent.text: found}, "", tmp_path / "posterior.svg")
    assert (tmp_path / "posterior.svg").stat().st_size > 1000
    with pytest.raises(RecognitionError, match="vdb does not infer who the others are"):
        play_recognition(find_agent("vdb"), rules, 1, 1)


def test_points_of_few_long_games_are_left_out() -> None:
    found = Recognition([300, 300, 151, 149, 30], [30, 200, 60, 70, 29], [9, 150, 50, 66, 28], [30, 200, 60, 70, 29])
    assert recognition_curve("ally", found).x == [0, 1, 2]


@pytest.mark.parametrize(("turn", "seat", "moves"), [(0, 1, 0), (1, 1, 0), (2, 1, 1), (4, 1, 1), (5, 1, 2), (3, 0, 1)])
def test_moves_of_a_seat_before_a_turn(turn: int, seat: int, moves: int) -> None:
    assert moves_before(turn, Seat(seat), 3) == moves
