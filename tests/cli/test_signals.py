"""SIGTERM does what Ctrl-C does; nobody waits for a player that does not answer; no process outlives its parent."""

import json
import os
import signal
import time
from pathlib import Path

import pytest

from kagiya.lab.store.store import Store
from tests.children import LONGEST, PROJECT, finish, start_python
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


@pytest.mark.parametrize("player", ["Waits", "Sleeps"])
def test_a_player_that_never_answers_does_not_hold_up_the_end(player: str) -> None:
    process = start("match", f"tests.cli.players:{player}", "--games", "5", "--json")
    output, errors = interrupt(process, THINKING)
    assert json.loads(output)["games"] == 0
    assert "kagiya: interrupted; no game was finished" in errors


# A match of Python seats in worker processes, which the parent names as soon as they have played something.
IN_PROCESSES = """
if __name__ == "__main__":
    import kagiya.lab.match.workers as workers
    from kagiya import Match, Rules, find_agent
    from kagiya.lab.match.runner import run
    from kagiya.lab.match.match_result import CountGames
    workers.PATIENCE = -1.0
    def name_them(games):
        children = list(pool.processes._processes)
        print("playing", *children, file=sys.stderr, flush=True)
    pool = workers.LocalWorkers(2, processes=True)
    run([Match.of(Rules(), [find_agent("careful-python")], 10**9)], pool, CountGames(), progress=name_them)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks Linux how processes are")
def test_worker_processes_do_not_outlive_a_parent_that_was_killed() -> None:
    process = start_python(IN_PROCESSES, folder=PROJECT)
    assert process.stderr is not None
    line = process.stderr.readline()
    assert line.startswith("playing "), line + process.stderr.read()
    children = [int(word) for word in line.split()[1:]]
    assert len(children) == 2
    assert all(is_alive(child) for child in children)
    process.kill()
    deadline = time.monotonic() + LONGEST
    while any(is_alive(child) for child in children):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def is_alive(process: int) -> bool:
    """Whether there is such a process, and not only its exit code that nobody has asked for."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_server_that_has_closed_everything_leaves_without_taking_the_interpreter_apart() -> None:
    code = "import atexit; from kagiya.cli.signals import leave_at_once; atexit.register(print, 'apart')"
    assert finish(start_python(f"{code}; print('said'); leave_at_once(130)")) == (130, "said\n", "")
