"""The store in real processes: killed, interrupted, two at once, on a disk that is full."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kagiya import Match, Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from tests.cli.command import LISTEN, PROJECT, RUN

SECONDS = 120
KILLS = 10
LONGEST_LIFE = 1.0 if JIT_OFF else 0.15  # seconds of play before a kill
TEAMS = 2
CHUNKS = 100  # of a team's games, at least

# Chunks so small that ten kills find something to destroy, a pause after each so that the games outlast all ten on
# the fastest machine, and a word when the games begin.
SMALL_CHUNKS = """
import sys, time, kagiya.lab.match.match, kagiya.lab.store.recording as runner
runner.COMMIT_SECONDS, runner.LARGEST_CHUNK, kagiya.lab.match.match.FIRST_CHUNK = 0.01, {size}, {size}
go, take = runner._Run.go, runner._Run._take
def unhurried(*words):
    time.sleep({pause})
    take(*words)
runner._Run._take = unhurried
def announced(*words):
    print("playing", file=sys.stderr, flush=True)
    go(*words)
runner._Run.go = announced
"""


def command(*words: str, before: str = "") -> subprocess.Popen[str]:
    code = LISTEN + before + RUN
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "KAGIYA_STORE": ""},
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    output, errors = process.communicate(timeout=SECONDS)
    return process.returncode, output, errors


def contents(file: Path) -> list[tuple[Any, ...]]:
    with Store.read(file) as store:
        query = "SELECT team, game.* EXCLUDE (seating) FROM game JOIN seating USING (seating) ORDER BY team, seed"
        return store.rows(query)


@pytest.fixture
def length(games: Callable[[int], int]) -> int:
    """Games that outlast several kills, at whatever scale the tests are run."""
    return games(20_000) if JIT_OFF else 20_000


@pytest.fixture
def experiment(tmp_path: Path, length: int) -> Path:
    file = tmp_path / "experiment.toml"
    file.write_text(f'agents = ["careful", "random"]\nplayers = 2\ngames = {length}\n')
    return file


def test_killed_ten_times_and_resumed_it_has_the_rows_of_an_undisturbed_run(
    tmp_path: Path, experiment: Path, length: int, rng: random.Random
) -> None:
    file, calm = tmp_path / "killed.duckdb", tmp_path / "calm.duckdb"
    pause = KILLS * LONGEST_LIFE / (TEAMS * CHUNKS)
    before = SMALL_CHUNKS.format(size=length // CHUNKS, pause=pause)
    code, _, errors = finish(command("run", str(experiment), "--store", str(calm)))
    assert code == 0, errors
    for _ in range(KILLS):
        process = command("run", str(experiment), "--store", str(file), before=before)
        assert process.stderr is not None
        while "playing" not in process.stderr.readline():
            assert process.poll() is None
        time.sleep(rng.random() * LONGEST_LIFE)
        process.kill()
        process.communicate()
    code, _, errors = finish(command("run", str(experiment), "--store", str(file), before=before))
    assert code == 0, errors
    assert contents(file) == contents(calm)
    with Store.read(file) as store:
        assert store.rows("SELECT sum(games) FROM chunk") == [(TEAMS * length,)]
        killed = store.rows("SELECT run FROM run WHERE outcome = 'running'")
        assert len(killed) == KILLS
        assert store.rows("SELECT count(DISTINCT run) > 1 FROM chunk") == [(True,)]


PRESS = """
import os, threading, kagiya.cli.running as command
run_into = command.run_into
def interrupted(*words):
    threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
    return run_into(*words)
command.run_into = interrupted
"""


def test_ctrl_c_keeps_finished_chunks_and_the_next_run_goes_on(tmp_path: Path) -> None:
    file, experiment = tmp_path / "store.duckdb", tmp_path / "long.toml"
    experiment.write_text('agents = ["careful"]\nplayers = 2\ngames = 1000000000\n')
    code, output, errors = finish(command("run", str(experiment), "--store", str(file), "--json", before=PRESS))
    assert code == 130, errors
    assert "kagiya: interrupted; finished games are stored" in errors
    assert "Traceback" not in errors
    data = json.loads(output)
    assert data["interrupted"] is True
    with Store.open(file) as store:
        assert store.rows("SELECT count(*) FROM game") == [(data["computed"],)]
        assert store.rows("SELECT outcome, computed FROM run") == [("interrupted", data["computed"])]
        match = Match.of(Rules(players=2), [find_agent("careful")], data["computed"], 1)
        assert data["computed"] > 0
        # Chunks are finished out of order: at most the few in hand are missing from the beginning.
        assert run_matches([match], store).stored_before > 0


def test_the_second_process_is_told_who_holds_the_store_or_waits(tmp_path: Path) -> None:
    file = tmp_path / "store.duckdb"
    words = ("match", "random", "--games", "20", "--players", "2", "--json", "--store", str(file))
    with Store.open(file):
        code, _, errors = finish(command(*words))
        assert code == 1
        assert f"{file} is in use by process {os.getpid()}" in errors
        waiting = command("crossplay", "random", "--games", "20", "--wait", "60", "--store", str(file))
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(2)
    code, _, errors = finish(waiting)
    assert code == 0, errors
    with Store.read(file) as store:
        assert store.rows("SELECT count(*) FROM game") == [(21,)]


FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "


def test_a_full_disk_is_named_and_the_old_games_stay(tmp_path: Path, games: Callable[[int], int]) -> None:
    file = tmp_path / "store.duckdb"
    old = Match.of(Rules(players=2), [find_agent("random")], 100, 1)
    with Store.open(file) as store:
        run_matches([old], store)
    before = contents(file)
    limit = FULL.format(size=20_000)  # no file can grow beyond that: a full disk, as programs see it
    words = ("match", "random", "--games", str(games(100_000)), "--players", "3", "--store", str(file))
    process = command(*words, before="import kagiya.lab.store.store, kagiya.cli.commands.match; " + limit)
    code, _, errors = finish(process)
    assert code == 1, errors
    assert f"kagiya: {file}" in errors
    assert "Traceback" not in errors
    assert [row for row in contents(file) if row[0] == "random + random"] == before
    with Store.open(file) as store:
        assert run_matches([old], store).computed == 0


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RuntimeError, match="ermission denied"):
        Store.open(tmp_path / "store.duckdb")


def test_after_a_kill_the_store_can_be_read_at_once(tmp_path: Path) -> None:
    file = tmp_path / "store.duckdb"
    code = f"""
import os, signal
from kagiya import Match, Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
store = Store.open({str(file)!r})
run_matches([Match.of(Rules(), [find_agent("random")], 50)], store)
os.kill(os.getpid(), signal.SIGKILL)
"""
    killed = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    with Store.read(file) as store:
        assert store.rows("SELECT count(*) FROM game") == [(50,)]
