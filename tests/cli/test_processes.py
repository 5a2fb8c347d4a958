"""What only a process of its own can show: Ctrl-C, closed pipes, what is loaded for a page of help.

The children say when the moment for Ctrl-C has come, so that no test depends on how fast the machine is.
"""

import json
import signal
from pathlib import Path

import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya._jit import HAS_CLOCK
from tests.children import finish, run_python
from tests.cli.command import start
from tests.cli.moments import PLAYED, SAY_PLAYED, SAY_THINKING, THINKING, interrupt
from tests.searches import quick


def test_ctrl_c_keeps_the_games_already_played() -> None:
    process = start("match", "careful", "--games", "1000000000", "--json", before=SAY_PLAYED)
    output, errors = interrupt(process, PLAYED)
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["games"] == sum(data["histogram"]) > 0
    assert f"kagiya: interrupted; the result is of {data['games']:,} of 1,000,000,000 games" in errors


def test_ctrl_c_compares_what_was_played() -> None:
    process = start("compare", "careful", "random", "--games", "1000000000", "--json", before=SAY_PLAYED)
    output, errors = interrupt(process, PLAYED)
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["decks"] > 0
    assert data["comparisons"][0]["verdict"].startswith("careful is better than random by ")
    assert f"kagiya: interrupted; the comparison is of {data['decks']:,} of 1,000,000,000 decks" in errors


def test_ctrl_c_draws_the_matches_that_are_finished(tmp_path: Path) -> None:
    words = ("figure", "scores", "careful", "--games", "1000000000", "--out", str(tmp_path / "a.png"))
    _, errors = interrupt(start(*words, before=SAY_PLAYED), PLAYED)
    assert "kagiya: interrupted; nothing is drawn" in errors


def test_ctrl_c_with_a_python_player_shows_the_table() -> None:
    process = start("match", "tests.cli.players:Tells", "--games", "1000000", "--players", "2")
    output, errors = interrupt(process, PLAYED)
    assert "tests.cli.players:Tells, 2 players" in output
    assert "perfect" in output
    assert "kagiya: interrupted" in errors


def test_ctrl_c_while_a_player_thinks() -> None:
    output, errors = interrupt(start("show", "tests.cli.players:Waits", "--brief"), THINKING)
    assert "Broken off: alice is to move." in output
    assert "kagiya: interrupted in turn 1" in errors


needs_clock = pytest.mark.skipif(not HAS_CLOCK, reason="no clock for compiled code here")
THINKER = "ris-mcts(rules=all, time=3000s)"  # whoever waits for the end of its move is killed before


@needs_clock
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_does_not_wait_for_a_search_and_does_not_count_its_game(workers: str) -> None:
    words = ("match", "random", THINKER, "--games", "9", "--workers", workers, "--json")
    output, errors = interrupt(start(*words, before=SAY_THINKING), THINKING)
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["games"] == 0
    assert "kagiya: interrupted; no game was finished" in errors


@needs_clock
def test_ctrl_c_reaches_a_search_whose_games_are_stored(tmp_path: Path) -> None:
    words = ("match", "random", THINKER, "--games", "9", "--store", str(tmp_path / "games.duckdb"), "--json")
    output, _ = interrupt(start(*words, before=SAY_THINKING), THINKING)
    assert json.loads(output)["games"] == 0


@needs_clock
@pytest.mark.parametrize(
    "words", [("show", "random", THINKER, "--brief"), ("show", "careful-python", THINKER, "--why")]
)
def test_ctrl_c_in_a_search_shows_the_game_without_its_hasty_moves(words: tuple[str, ...]) -> None:
    output, errors = interrupt(start(*words, before=SAY_THINKING), THINKING)
    assert "Broken off: bob is to move." in output
    assert "kagiya: interrupted in turn 2" in errors


def test_an_interrupted_match_of_searches_has_the_games_of_an_undisturbed_one() -> None:
    agent = quick("mo-ismcts").text
    words = ("match", agent, "--players", "2", "--games", "1000000000", "--workers", "1", "--json")
    output, _ = interrupt(start(*words, before=SAY_PLAYED), PLAYED)
    data = json.loads(output)
    assert data["games"] > 0
    calm = play_match(Match.of(Rules(players=2), [find_agent(agent)], data["games"], seed=1))
    assert calm.to_json()["histogram"] == data["histogram"]


def test_ctrl_c_at_the_prompt(tmp_path: Path) -> None:
    process = start("play", "careful", "--seed", "3", environment={"XDG_DATA_HOME": str(tmp_path)})
    assert process.stdout is not None
    while "useless" not in (line := process.stdout.readline()):
        assert line, finish(process)
    process.send_signal(signal.SIGINT)
    code, _, errors = finish(process)
    assert code == 130
    assert "kagiya: interrupted; go on with: kagiya play --resume" in errors
    assert "Traceback" not in errors


def test_a_closed_pipe_is_no_error_to_talk_about() -> None:
    process = start("show", "careful", "--players", "5")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.wait()
    assert "Traceback" not in errors
    assert "Exception" not in errors
    assert "kagiya:" not in errors


def test_what_players_print_is_not_on_stdout() -> None:
    """In `show` they sit in the process of the command itself."""
    code, output, errors = finish(start("show", "tests.cli.players:Exits", "--json"))
    assert code == 0, errors
    assert json.loads(output)["rules"]
    assert "a move of mine" in errors
    assert "another" in errors


def test_help_loads_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "matplotlib", "scipy"}
    code = f"import sys, kagiya.cli.command_line; print(sorted({heavy} & set(sys.modules)))"
    assert run_python(code).strip() == "[]"
