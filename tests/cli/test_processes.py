"""What only a process of its own can show: Ctrl-C, closed pipes, what is loaded for a page of help."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya._jit import HAS_CLOCK
from tests.cli.command import start
from tests.searches import quick

SECONDS = 60

# Press Ctrl-C a moment after the match has begun, however long the loading took.
INTERRUPT_MATCH = """
import os, threading, kagiya.cli.commands.match as command
play = command.play
def interrupted(*words):
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    return play(*words)
command.play = interrupted
"""
INTERRUPT_SHOW = INTERRUPT_MATCH.replace("commands.match", "commands.show").replace("command.play", "command.play_one")


def test_ctrl_c_keeps_the_games_already_played() -> None:
    process = start("match", "careful", "--games", "1000000000", "--json", before=INTERRUPT_MATCH)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["games"] == sum(data["histogram"]) > 0
    assert f"kagiya: interrupted; the result is of {data['games']:,} of 1,000,000,000 games" in errors
    assert "Traceback" not in errors


def test_ctrl_c_compares_what_was_played() -> None:
    before = INTERRUPT_MATCH.replace("commands.match", "commands.compare")
    process = start("compare", "careful", "random", "--games", "1000000000", "--json", before=before)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["decks"] > 0
    assert data["comparisons"][0]["verdict"].startswith("careful is better than random by ")
    assert f"kagiya: interrupted; the comparison is of {data['decks']:,} of 1,000,000,000 decks" in errors


def test_ctrl_c_draws_the_matches_that_are_finished(tmp_path: Path) -> None:
    before = INTERRUPT_MATCH.replace("commands.match", "commands.figures")
    words = ("figure", "scores", "careful", "--games", "1000000000", "--out", str(tmp_path / "a.png"))
    process = start(*words, before=before)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    assert "kagiya: interrupted; nothing is drawn" in errors


def test_ctrl_c_with_a_python_player_shows_the_table() -> None:
    words = ("match", "careful-python", "--games", "1000000", "--players", "2")
    process = start(*words, before=INTERRUPT_MATCH)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    assert "careful-python, 2 players" in output
    assert "perfect" in output
    assert "kagiya: interrupted" in errors
    assert "Traceback" not in errors


def test_ctrl_c_while_a_player_thinks() -> None:
    process = start("show", "tests.cli.players:Waits", "--brief")
    assert process.stderr is not None
    while "thinking" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "Broken off: alice is to move." in output
    assert "kagiya: interrupted in turn 1" in errors
    assert "Traceback" not in errors


needs_clock = pytest.mark.skipif(not HAS_CLOCK, reason="no clock for compiled code here")
THINKER = "ris-mcts(rules=all, time=1000s)"  # so that whoever waits for the end of its move waits too long


@needs_clock
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_does_not_wait_for_a_search_and_does_not_count_its_game(workers: str) -> None:
    words = ("match", THINKER, "--players", "2", "--games", "9", "--workers", workers, "--json")
    process = start(*words, before=INTERRUPT_MATCH)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["games"] == 0
    assert "kagiya: interrupted; the result is of 0 of 9 games" in errors
    assert "Traceback" not in errors


@needs_clock
def test_ctrl_c_reaches_a_search_whose_games_are_stored(tmp_path: Path) -> None:
    before = INTERRUPT_MATCH.replace("kagiya.cli.commands.match as", "kagiya.lab.store.recording as")
    before = before.replace("command.play", "command._Run.go")  # the store is open by then
    words = ("match", THINKER, "--players", "2", "--games", "9", "--store", str(tmp_path / "games.duckdb"), "--json")
    process = start(*words, before=before)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    assert json.loads(output)["games"] == 0
    assert "Traceback" not in errors


@needs_clock
@pytest.mark.parametrize("words", [("show", THINKER, "--brief"), ("show", THINKER, "careful-python", "--why")])
def test_ctrl_c_in_a_search_shows_the_game_without_its_hasty_moves(words: tuple[str, ...]) -> None:
    process = start(*words, before=INTERRUPT_SHOW)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    assert "Broken off: alice is to move." in output
    assert "kagiya: interrupted in turn 1" in errors
    assert "Traceback" not in errors


def test_an_interrupted_match_of_searches_has_the_games_of_an_undisturbed_one() -> None:
    agent = quick("mo-ismcts").text
    words = ("match", agent, "--players", "2", "--games", "1000000000", "--workers", "1", "--json")
    process = start(*words, before=INTERRUPT_MATCH)
    output, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130, errors
    data = json.loads(output)
    if data["games"]:  # on a slow machine perhaps none
        calm = play_match(Match.of(Rules(players=2), [find_agent(agent)], data["games"], seed=1))
        assert calm.to_json()["histogram"] == data["histogram"]


def test_ctrl_c_at_the_prompt() -> None:
    process = start("play", "careful", "--seed", "3", stdin=subprocess.PIPE)
    assert process.stdout is not None
    seen = ""
    while "useless" not in seen:
        seen += process.stdout.readline()
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "kagiya: interrupted; nothing is saved" in errors
    assert "Traceback" not in errors


def test_a_closed_pipe_is_no_error_to_talk_about() -> None:
    process = start("show", "careful", "--players", "5")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=SECONDS)
    assert "Traceback" not in errors
    assert "Exception" not in errors
    assert "kagiya:" not in errors


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, kagiya.cli.app; print(sorted({'numba', 'numpy', 'matplotlib', 'scipy'} & set(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == "[]"
