"""Players of recorded games are recognised by what they did, and a search begins with what it saw of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kagiya import Agent, GameRecord, Rules, Table, find_agent, parse_rules
from kagiya._jit import JIT_OFF
from kagiya.engine.layout import GAME
from kagiya.lab.provenance import agent_files, code_version
from kagiya.lab.review.opinions import ask_throughout
from kagiya.search.ally_likelihood import FRAMEWORK, zoo
from kagiya.search.player_styles import USUAL, PlayerStyle, explained_moves, player_styles, weigh_games
from kagiya.spec import SpecError
from tests.search.test_ally import beliefs

THREE = Rules(players=3)
SEED = 7_340_000  # decks of no other test or table
whole_games = pytest.mark.skipif(JIT_OFF, reason="whole games take minutes without the compiler")
RULE_AGENTS = (
    "cautious",
    "evolved",
    "confidence",
    "osawa-internal",
    "outer",
    "piers",
    "smartbot",
    "vdb",
    "hat-information",
)


def played(seats: Sequence[str], games: int, rules: Rules = THREE, seed: int = SEED) -> list[GameRecord]:
    table, records = Table(rules, [find_agent(text) for text in seats]), []
    for number in range(games):
        table.play_game(seed + number)
        records.append(table.record())
    return records


def agents(texts: Sequence[str], rules: Rules = THREE) -> list[Agent]:
    return [agent for agent in map(find_agent, texts) if agent.why_not(rules) is None]


def likeliest(styles: Sequence[PlayerStyle]) -> list[str]:
    return [style.fits[0].agent for style in styles]


@whole_games
@pytest.mark.parametrize("turned", range(3))
def test_the_right_agents_are_found_among_all(turned: int) -> None:
    """Three agents at a table, four games, the whole register asked; osawa-internal rolls dice for most moves."""
    seats = RULE_AGENTS[3 * turned : 3 * turned + 3]
    styles = player_styles(played(seats, 4), agents(zoo()))
    assert likeliest(styles[:3]) == list(seats)
    for style in styles[:3]:
        assert style.is_known
        assert style.fits[0].explained > 0.9
        assert style.fits[0].behind == 0
        assert sum(fit.posterior for fit in style.fits) == pytest.approx(1)
        assert all(one.behind <= other.behind for one, other in zip(style.fits, style.fits[1:], strict=False))


@whole_games
def test_nobody_plays_like_chance_or_like_an_agent_that_was_not_asked() -> None:
    styles = player_styles(played(["random", "hat-information", "vdb"], 4), agents([*FRAMEWORK, "smartbot"]))
    assert [style.is_known for style in styles[:3]] == [False, False, True]
    assert styles[0].fits[0].agent == "random"
    assert styles[0].fits[0].explained == 0


@whole_games
def test_players_are_told_apart_by_name_wherever_they_sit() -> None:
    first, second = (played(seats, 1)[0] for seats in (("vdb", "outer", "iggi"), ("iggi", "vdb", "outer")))
    records = [replace(first, names=("v", "o", "i")), replace(second, names=("i", "v", "o"))]
    styles = player_styles(records, agents(FRAMEWORK))
    assert [(style.player, style.games) for style in styles] == [("v", 2), ("o", 2), ("i", 2), ("all", 2)]
    assert likeliest(styles[:3]) == ["vdb", "outer", "iggi"]


@pytest.mark.parametrize("rules", [THREE, parse_rules("goodman(colors=2, hand_size=2)", 2)])
def test_answers_are_those_of_the_agent_at_a_table_of_its_own(rules: Rules) -> None:
    """The twin: agents with a memory and without are asked by `ask_throughout`; they roll dice as a last resort."""
    texts = ("vdb", "piers", "smartbot", "confidence")
    (record,) = played(["piers"], 1, rules)
    (weighed,) = weigh_games([record], agents(texts), USUAL)
    for place, text in enumerate(texts):
        shares = weighed.shares[:, place]
        answers = np.array(ask_throughout(record, find_agent(text))) == np.array(record.moves)
        sure = (shares == 0) | (shares == 1)
        assert sure.mean() > 0.7
        assert (shares == answers)[sure].all()
    assert weighed.chances[0] == 1 / len(record.deal().legal_moves)
    assert (weighed.nats >= 0).all()
    assert (weighed.nats.min(axis=1) == 0).all()


def test_what_is_explained_is_what_is_left_of_chance() -> None:
    """Of 1,000 moves among ten, 700 are the agent's and so are a tenth of the others; another agent is always right."""
    right = np.arange(1000) < 730
    chances = np.full(1000, 0.1)
    shares = np.column_stack([right, np.ones(1000), chances, np.zeros(1000)])
    assert explained_moves(shares, chances).tolist() == pytest.approx([0.7, 1, 0, 0], abs=1e-3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Two games of piers."""
    path = tmp_path / "seen.json"
    path.write_text(json.dumps([record.to_json() for record in played(["piers"], 2)]))
    return path


def first_beliefs(text: str, rules: Rules = THREE) -> list[dict[str, float]]:
    """What a search takes the others for before any move; the cards do not matter."""
    table = Table(rules, [find_agent(text)])
    table.start_game(SEED)
    table.agents[0].compiled.act(table.states, GAME, 0, table.memory, table.params, table.rng)
    return beliefs(table)


@whole_games
@pytest.mark.parametrize("search", ["ally(iterations=1", "ally-flat(deals=1"])
def test_a_search_begins_with_the_posterior_of_the_games_it_saw(search: str, file: Path) -> None:
    (*_, together) = player_styles(played(["piers"], 2), agents(FRAMEWORK))
    wanted = {fit.agent: fit.posterior for fit in together.fits}
    for belief in first_beliefs(f"{search}, lead=1000, seen={file})"):
        assert belief == pytest.approx(wanted)
    for belief in first_beliefs(f"{search})"):
        assert belief == pytest.approx(dict.fromkeys(FRAMEWORK, 1 / len(FRAMEWORK)))


@whole_games
def test_no_policy_begins_further_behind_than_the_lead(file: Path) -> None:
    rest = len(FRAMEWORK) - 1
    for belief in first_beliefs(f"ally(iterations=1, lead=2, seen={file})", Rules(players=2)):
        assert belief["piers"] == pytest.approx(1 / (1 + rest * np.exp(-2)))
        assert belief["random"] == pytest.approx(np.exp(-2) / (1 + rest * np.exp(-2)))


def test_the_file_is_part_of_the_search(file: Path, tmp_path: Path) -> None:
    agent = find_agent(f"ally(seen={file})")
    assert str(file.resolve()) in agent_files(agent)
    other = tmp_path / "other.json"
    other.write_text(json.dumps(json.loads(file.read_text())[0]))
    assert code_version([agent]) != code_version([find_agent(f"ally(seen={other})")])
    assert agent_files(find_agent("ally(seen=none)")) == agent_files(find_agent("ally"))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read: No such file"),
        ("nothing", "no readable JSON"),
        ("[]", "no move is made in it"),
        ("{}", "format: this version reads formats 1 and 2"),
    ],
)
def test_a_wrong_file_is_refused_with_what_to_do(content: str | None, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SpecError) as raised:
        find_agent(f"ally-flat(seen={path})")
    assert f"ally-flat: seen: {path}" in str(raised.value)
    assert reason in str(raised.value)
    assert content is None or f"kagiya convert {path} games.json" in str(raised.value)
