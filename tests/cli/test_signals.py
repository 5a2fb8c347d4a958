"""SIGTERM does what Ctrl-C does; nobody waits for a player that does not answer."""

import json
import signal
from pathlib import Path

import pytest

from kagiya.lab.store.store import Store
from tests.cli.command import start
from tests.cli.moments import PLAYED, SAY_PLAYED, THINKING, interrupt

ENDLESS = ("--games", "1000000000", "--json")


def test_sigterm_keeps_the_games_already_played() -> None:
    output, errors = interrupt(start("match", "careful", *ENDLESS, before=SAY_PLAYED), PLAYED, signal.SIGTERM)
    data = json.loads(output)
    assert data["interrupted"] is True
    assert data["games"] > 0
    assert f"kagiya: interrupted; the result is of {data['games']:,} of 1,000,000,000 games" in errors


@pytest.mark.parametrize(
    "words", [("compare", "careful", "random"), ("league", "careful"), ("figure", "scores", "vdb")]
)
def test_sigterm_ends_other_commands_too(words: tuple[str, ...], tmp_path: Path) -> None:
    place = {"league": ("--picture", str(tmp_path / "a.png")), "figure": ("--out", str(tmp_path / "a.png"))}
    process = start(*words, *place.get(words[0], ()), *ENDLESS, before=SAY_PLAYED)
    _, errors = interrupt(process, PLAYED, signal.SIGTERM)
    assert "kagiya: interrupted" in errors


def test_sigterm_stores_what_is_finished_and_the_run_says_how_it_ended(tmp_path: Path) -> None:
    experiment = tmp_path / "long.toml"
    experiment.write_text('agents = ["careful"]\nplayers = 2\ngames = 1000000000\n')
    words = ("run", str(experiment), "--store", str(tmp_path / "store"), "--json")
    output, _ = interrupt(start(*words, before=SAY_PLAYED), PLAYED, signal.SIGTERM)
    data = json.loads(output)
    assert data["computed"] > 0
    with Store.read(tmp_path / "store") as store:
        assert store.rows("SELECT count(*) FROM game") == [(data["computed"],)]
        assert store.rows("SELECT outcome, computed FROM run") == [("interrupted", data["computed"])]


@pytest.mark.parametrize(
    ("player", "by"), [("Waits", signal.SIGINT), ("Sleeps", signal.SIGTERM), ("Holds", signal.SIGINT)]
)
def test_a_player_that_never_answers_does_not_hold_up_the_end(player: str, by: signal.Signals) -> None:
    process = start("match", f"tests.cli.players:{player}", "--games", "5", "--json")
    output, errors = interrupt(process, THINKING, by)
    assert json.loads(output)["games"] == 0
    assert "kagiya: interrupted; no game was finished" in errors
