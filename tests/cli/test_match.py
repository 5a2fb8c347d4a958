import json
from collections.abc import Callable
from typing import Any

import pytest

from kagiya import Match, Rules, play_match
from kagiya.cli.contest_tables import BAR_WIDTH, bar
from kagiya.cli.text_table import percent
from tests.cli.command import run

KEYS = ["agents", "players", "rules", "games", "mean", "se", "sd", "perfect_rate", "bomb_rate", "histogram", "seconds"]


def match_json(*words: str) -> dict[str, Any]:
    result = run("match", *words, "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert isinstance(data, dict)
    return data


def test_json_is_one_object_with_all_that_was_promised(games: Callable[[int], int]) -> None:
    count = games(2000)
    data = match_json("careful", "--games", str(count), "--players", "4")
    assert set(KEYS) <= set(data)
    assert data["agents"] == ["careful"] * 4
    assert data["players"] == 4
    assert data["rules"] == "standard"
    assert data["games"] == sum(data["histogram"]) == count
    assert data["mean"] == pytest.approx(sum(s * n for s, n in enumerate(data["histogram"])) / count)


def test_one_agent_plays_with_three_and_several_take_a_seat_each() -> None:
    assert match_json("random", "--games", "5")["players"] == 3
    assert match_json("random", "careful", "--games", "5")["agents"] == ["random", "careful"]


def test_what_was_printed_of_the_same_agent_stands_below() -> None:
    shown = " ".join(run("match", "vdb", "--players", "2", "--games", "5").stdout.split())
    assert "published: 13.8 (2 players); rules goodman" in shown
    assert "17.7" not in shown  # three players
    assert (
        "published" not in run("match", "smartbot(safe=yes)", "--games", "5").stdout
    )  # printed of smartbot, not of it


def test_workers_and_commands_do_not_change_the_games() -> None:
    first, second = (match_json("careful", "--games", "30", "--workers", workers) for workers in "12")
    assert first["histogram"] == second["histogram"]


def test_the_table_never_shows_a_score_without_its_rules() -> None:
    result = run("match", "careful", "--games", "20", "--rules", "bouzy")
    assert result.exit_code == 0
    assert "bouzy: 3 players, 5 cards; a bomb keeps the points; empty hints legal" in result.stdout
    for word in ("careful, 3 players", "mean", "s.e.", "sd", "perfect", "bombs", "turns", "games/s", "seeds from 1"):
        assert word in result.stdout


def test_a_single_game_has_no_standard_error() -> None:
    result = run("match", "careful", "--games", "1")
    assert result.exit_code == 0
    assert "nan" not in result.stdout
    assert match_json("careful", "--games", "1")["se"] is None


def test_games_before_an_error_are_not_lost() -> None:
    result = run("match", "tests.cli.players:Late", "--games", "9", "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert data["games"] == 3
    assert "turn 1 of game 4: raised KeyError" in data["error"]
    assert "the result is of 3 of 9 games" in result.stderr
    shown = run("match", "tests.cli.players:Late", "--games", "9")
    assert shown.exit_code == 1
    assert "perfect" in shown.stdout


def test_bars_and_shares_never_round_to_nothing_or_all() -> None:
    assert bar(1.0) == "█" * BAR_WIDTH
    assert bar(0.0) == ""
    assert bar(1e-6) == "▏"
    assert [percent(rate) for rate in (0, 1, 0.5, 0.00002, 0.99999)] == ["0.0%", "100.0%", "50.0%", "0.002%", "99.999%"]


def test_the_table_says_who_lost_the_points_and_how_well_all_is_known() -> None:
    result = run("match", "random", "careful", "--games", "40")
    regret = ("points lost", "bomb", "direct", "indirect", "total", "random", "team")
    for word in ("95 % intervals: mean", "bootstrap", *regret):
        assert word in result.stdout
    data = match_json("random", "careful", "--games", "40")
    assert data["regret"]["sources"].keys() == {"discard", "play", "bomb"}
    assert len(data["regret"]["seats"]) == 2
    assert data["mean"] == pytest.approx(25 - data["regret"]["direct"] - data["regret"]["indirect"])
    assert data["interval"][0] <= data["mean"] <= data["interval"][1]


def test_few_games_have_no_intervals() -> None:
    assert "no intervals: they take 10 games or more" in run("match", "careful", "--games", "9").stdout
    data = json.loads(run("match", "careful", "--games", "9", "--json").stdout)
    assert data["interval"] == [None, None]


def test_the_worst_games_are_named_with_the_command_that_shows_them() -> None:
    words = ("vdb", "random", "--games", "60", "--rules", "goodman")
    data = match_json(*words)
    worst = data["worst"]
    assert len(worst) == 3
    assert worst == sorted(worst, key=lambda game: (game["score"], game["seed"]))
    assert worst[0]["score"] == next(score for score, count in enumerate(data["histogram"]) if count)
    shown = run("match", *words).stdout
    assert f"lowest scores: seed {worst[0]['seed']} ({worst[0]['score']}), " in shown
    command = next(line for line in shown.splitlines() if line.startswith("see one: kagiya ")).split()
    assert command[2:] == f"kagiya show vdb random --rules goodman --seed {worst[0]['seed']}".split()
    game = json.loads(run(*command[3:], "--json").stdout)
    assert game["score"] == worst[0]["score"]
    assert match_json(*words, "--workers", "1")["worst"] == worst
    played = play_match(Match.of(Rules.preset("goodman", players=2), ["vdb", "random"], 60, 1))
    assert played.to_json()["worst"] == worst


def test_an_agent_with_parameters_is_quoted_in_the_command() -> None:
    shown = run("match", "rules(play-safe, discard-oldest)", "--games", "10", "--players", "2").stdout
    assert "kagiya show 'rules(play-safe, discard-oldest)' --players 2 --seed" in shown
