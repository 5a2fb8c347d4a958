"""The store in real processes: killed, interrupted, two at once, on a disk that is full."""

import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kagiya import Match, Rules, find_agent
from kagiya.lab.match.chunk import Chunk, play_chunk
from kagiya.lab.store.journal import StoreError
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from tests.children import finish, read_until, start_python
from tests.cli.command import start
from tests.cli.moments import interrupt

KILLS = 3  # tests/lab/store/test_repair.py kills at every step
CHUNK = 20  # games
CHUNKS_IN_A_LIFE = 8  # that the child may store before it waits for leave to store more

# Stores after every chunk, says so, and waits for leave: however slow or fast the machine, a child that was given
# leave for N chunks has stored at most N when it is killed.
ANNOUNCED_COMMITS = f"""
import sys, kagiya.lab.match.chunk as chunk, kagiya.lab.match.runner as runner
from kagiya.lab.store.store import Store
runner.COMMIT_SECONDS, chunk.MAX_CHUNK, chunk.FIRST_CHUNK = 0, {CHUNK}, {CHUNK}
add = Store.add
def announced(*words):
    assert sys.stdin.readline()
    add(*words)
    print("committed", file=sys.stderr, flush=True)
Store.add = announced
"""


def contents(file: Path) -> list[tuple[Any, ...]]:
    with Store.read(file) as store:
        query = "SELECT team, game.* EXCLUDE (seating) FROM game JOIN seating USING (seating) ORDER BY team, seed"
        return store.rows(query)


@pytest.fixture
def experiment(tmp_path: Path) -> Path:
    """Games enough to outlast all kills."""
    games = CHUNK * (KILLS + 1) * CHUNKS_IN_A_LIFE
    file = tmp_path / "experiment.toml"
    file.write_text(f'agents = ["careful", "random"]\nplayers = 2\ngames = {games}\n')
    return file


def give_leave(process: subprocess.Popen[str], chunks: int) -> None:
    """Let the child store so many more chunks."""
    assert process.stdin is not None
    process.stdin.write("\n" * chunks)
    process.stdin.flush()


def live_and_be_killed(words: tuple[str, ...], rng: random.Random) -> None:
    """Run the command until it has committed a random number of times, and kill it in what it does next."""
    process = start(*words, before=ANNOUNCED_COMMITS)
    give_leave(process, CHUNKS_IN_A_LIFE)
    for _ in range(rng.randrange(1, CHUNKS_IN_A_LIFE)):
        read_until(process, "committed")
    time.sleep(rng.random() / 100)  # any moment of the next chunks will do
    process.kill()
    assert finish(process)[0] == -signal.SIGKILL


def test_killed_again_and_again_and_resumed_it_has_the_rows_of_an_undisturbed_run(
    tmp_path: Path, experiment: Path, rng: random.Random
) -> None:
    killed, calm = tmp_path / "killed", tmp_path / "calm"
    for _ in range(KILLS):
        live_and_be_killed(("run", str(experiment), "--store", str(killed)), rng)
    for file in (killed, calm):
        code, _, errors = finish(start("run", str(experiment), "--store", str(file)))
        assert code == 0, errors
    assert contents(killed) == contents(calm)
    with Store.read(killed) as store:
        assert store.rows("SELECT sum(games) FROM chunk") == [(len(contents(calm)),)]
        assert store.rows("SELECT count(*) FROM run WHERE outcome = 'running'") == [(KILLS,)]
        assert store.rows("SELECT count(DISTINCT run) FROM chunk") == [(KILLS + 1,)]  # every life has left games


def test_what_was_announced_as_stored_is_there_after_a_kill(tmp_path: Path, experiment: Path) -> None:
    file = tmp_path / "store"
    process = start("run", str(experiment), "--store", str(file), before=ANNOUNCED_COMMITS)
    give_leave(process, 3)
    for _ in range(3):
        read_until(process, "committed")
    process.kill()
    assert finish(process)[0] == -signal.SIGKILL
    with Store.read(file) as store:
        assert store.rows("SELECT count(*) FROM game")[0][0] >= 3 * CHUNK


# Stores after every chunk, and says so.
OFTEN = ANNOUNCED_COMMITS.replace("    assert sys.stdin.readline()\n", "")


def test_ctrl_c_keeps_finished_chunks_and_the_next_run_goes_on(tmp_path: Path) -> None:
    file, experiment = tmp_path / "store", tmp_path / "long.toml"
    experiment.write_text('agents = ["careful"]\nplayers = 2\ngames = 1000000000\n')
    process = start("run", str(experiment), "--store", str(file), "--json", before=OFTEN)
    output, errors = interrupt(process, "committed")
    assert "kagiya: interrupted; finished games are stored" in errors
    data = json.loads(output)
    assert data["interrupted"] is True
    with Store.open(file) as store:
        assert store.rows("SELECT count(*) FROM game") == [(data["computed"],)]
        assert store.rows("SELECT outcome, computed FROM run") == [("interrupted", data["computed"])]
        assert data["computed"] > 0
        ((last,),) = store.rows("SELECT max(seed) FROM game")  # chunks are finished out of order
        report = run_matches([Match.of(Rules(players=2), [find_agent("careful")], last, 1)], store)
        assert (report.stored_before, report.computed) == (data["computed"], last - data["computed"])


def test_two_processes_write_at_once_and_a_third_reads(tmp_path: Path) -> None:
    file, length = tmp_path / "store", 5 * CHUNK
    words = ("--games", str(length), "--players", "2", "--json", "--store", str(file))
    with Store.open(file) as mine:
        writers = [start("match", agent, *words, before=ANNOUNCED_COMMITS) for agent in ("random", "careful")]
        for number, writer in enumerate(writers, 1):
            give_leave(writer, 1)
            read_until(writer, "committed")
            with Store.read(file) as store:  # both are in the midst of it
                stored = store.rows("SELECT count(*) FROM game")
                assert store.rows("SELECT sum(games) FROM chunk") == stored
                assert number * CHUNK <= stored[0][0] < 2 * length
        for writer in writers:
            give_leave(writer, length)
            code, _, errors = finish(writer)
            assert code == 0, errors
        match = Match.of(Rules(players=3), [find_agent("random")], 10)
        assert run_matches([match], mine).computed == 10
        assert mine.rows("SELECT team, count(*), count(DISTINCT seed) FROM games GROUP BY 1 ORDER BY 1") == [
            ("careful + careful", length, length),
            ("random + random", length, length),
            ("random + random + random", 10, 10),
        ]
        assert mine.rows("SELECT run, outcome FROM run ORDER BY 1") == [(run, "complete") for run in (1, 2, 3)]


def test_of_two_that_play_the_same_games_one_is_refused(tmp_path: Path) -> None:
    match = Match.of(Rules(players=2), [find_agent("random")], 10)
    with Store.open(tmp_path / "store") as first, Store.open(tmp_path / "store") as second:
        runs = [store.begin("", [match]) for store in (first, second)]
        assert runs == [(1, runs[0][1]), (2, runs[0][1])]
        played = play_chunk(Chunk(match, 0, 10))
        first.add(1, [(1, played)])
        with pytest.raises(StoreError, match="games from seed 0 of seating 1 are stored already"):
            second.add(2, [(1, played)])
        assert second.rows("SELECT count(*) FROM game") == [(10,)]
    assert len(list((tmp_path / "store" / "games").iterdir())) == 1


FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "


def test_a_full_disk_is_named_and_the_old_games_stay(tmp_path: Path, games: Callable[[int], int]) -> None:
    file = tmp_path / "store"
    old = Match.of(Rules(players=2), [find_agent("random")], 100, 1)
    with Store.open(file) as store:
        run_matches([old], store)
    before = contents(file)
    limit = FULL.format(size=20_000)  # no file can grow beyond that: a full disk, as programs see it
    words = ("match", "random", "--games", str(games(100_000)), "--players", "3", "--store", str(file))
    process = start(*words, before="import kagiya.lab.store.store, kagiya.cli.commands.match; " + limit)
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
        Store.open(tmp_path / "store")


def test_after_a_kill_the_store_can_be_read_at_once(tmp_path: Path) -> None:
    file = tmp_path / "store"
    code = f"""
import os, signal
from kagiya import Match, Rules, find_agent
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
store = Store.open({str(file)!r})
run_matches([Match.of(Rules(), [find_agent("random")], 50)], store)
os.kill(os.getpid(), signal.SIGKILL)
"""
    returned, _, errors = finish(start_python(code))
    assert returned == -signal.SIGKILL, errors
    with Store.read(file) as store:
        assert store.rows("SELECT count(*) FROM game") == [(50,)]
