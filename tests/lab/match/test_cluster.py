"""A real scheduler and two real worker processes on this machine; one of them is killed half-way."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, Rules, find_agent, play_match
from kagiya.lab.match import runner
from kagiya.lab.match.chunk import Chunk, ChunkError, play_chunk
from kagiya.lab.match.cluster import ClusterError, ClusterWorkers, connect
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from tests.children import PROJECT

distributed = pytest.importorskip("distributed")
SECONDS = 600  # no more than a bound for what hangs
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


@dataclass
class Cluster:
    address: str
    workers: list[subprocess.Popen[bytes]]


def start(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]]
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, cwd=PROJECT, stdout=silent, stderr=silent, env=os.environ | QUIET)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    file = tmp_path / "scheduler.json"
    processes = [
        start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    ]
    try:
        options = (
            "--host",
            "127.0.0.1",
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--death-timeout",
            str(SECONDS),
        )
        folder = ("--local-directory", str(tmp_path))
        processes += [start("dask_worker", "--scheduler-file", str(file), *options, *folder) for _ in range(2)]
        deadline = time.monotonic() + SECONDS
        while not file.exists() or not file.stat().st_size:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with distributed.Client(scheduler_file=str(file), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=SECONDS)
            address = client.scheduler.address
        yield Cluster(address, processes[1:])
    finally:
        for process in reversed(processes):
            process.kill()
            process.wait()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_a_worker_gives_the_same_games(
    cluster: Cluster, games: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LARGEST_CHUNK", games(1000))
    teams = (["careful"], ["careful-python", "random"])
    matches = [
        Match.of(Rules(), [find_agent(text) for text in team], count, 1)
        for team, count in zip(teams, (games(20_000), games(200)), strict=True)
    ]
    done = 0

    def kill_one_half_way(count: int) -> None:
        nonlocal done
        done += count
        if done > matches[0].games / 2:
            cluster.workers[0].kill()

    with Store.in_memory() as store:
        report = run_matches(matches, store, "", ClusterWorkers(cluster.address), kill_one_half_way)
        assert report.outcome == "complete"
        assert report.computed == sum(match.games for match in matches)
        for match, seating in zip(matches, report.seatings, strict=True):
            stored = store.results(seating.id, match.seed, match.games)
            assert np.array_equal(stored, play_match(match).results)
    assert cluster.workers[0].wait(SECONDS) < 0
    assert cluster.workers[1].poll() is None


def test_no_scheduler_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.lab.match.cluster.CONNECT_SECONDS", 0.5)
    with pytest.raises(ClusterError, match=r"there is no Dask scheduler at tcp://127.0.0.1:9"):
        connect("tcp://127.0.0.1:9")


def test_other_code_does_not_play_a_chunk() -> None:
    match = Match.of(Rules(), [find_agent("random")], 5)
    with pytest.raises(ChunkError, match="the code of random or of the table differs"):
        play_chunk(Chunk(match, 0, 5, code="other"))
