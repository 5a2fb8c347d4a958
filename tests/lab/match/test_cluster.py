"""A real scheduler and real worker processes on this machine, which are killed or have other code."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from kagiya import Match, Rules, find_agent, parse_rules, play_match
from kagiya.lab.match import chunk, cluster as clusters
from kagiya.lab.match.chunk import Chunk, ChunkError, play_chunk
from kagiya.lab.match.cluster import ClusterError, ClusterWorkers, connect
from kagiya.lab.match.runner import KeepGames, Runner
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.lab.training.data import DataFolder, DataGame, DataOrder, HarvestTerms, make_data
from tests.children import PROJECT
from tests.cli.command import complaint, run

distributed = pytest.importorskip("distributed")
SECONDS = 600  # no more than a bound for what hangs
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


def start(*words: str, path: str = "") -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]]
    silent = subprocess.DEVNULL
    found = os.pathsep.join([*([path] if path else []), str(PROJECT / "src"), str(PROJECT)])
    environment = os.environ | QUIET | {"PYTHONPATH": found}
    return subprocess.Popen(command, cwd=PROJECT, stdout=silent, stderr=silent, env=environment)


class Cluster:
    """A scheduler, and workers as they are wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "scheduler.json"
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        self.scheduler = start("dask_scheduler", *words)
        self.workers: list[subprocess.Popen[bytes]] = []
        wait_until(lambda: self.file.exists() and self.file.stat().st_size > 0)

    def add_worker(self, path: str = "") -> None:
        options = ("--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")
        places = ("--scheduler-file", str(self.file), "--local-directory", str(self.folder))
        self.workers.append(start("dask_worker", *options, *places, "--death-timeout", str(SECONDS), path=path))

    def wait(self) -> str:
        """The address, once all workers are there."""
        with distributed.Client(scheduler_file=str(self.file), timeout=SECONDS, set_as_default=False) as client:
            client.wait_for_workers(len(self.workers), timeout=SECONDS)
            return str(client.scheduler.address)

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cluster]:
    """A cluster whose processes may take long to answer, as on a busy machine."""
    for name in ("WAIT_SECONDS", "ANSWER_SECONDS"):
        monkeypatch.setattr(clusters, name, SECONDS)
    found = Cluster(tmp_path)
    try:
        yield found
    finally:
        found.end()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_a_worker_gives_the_same_games(
    cluster: Cluster, games: Callable[[int], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk, "MAX_CHUNK", games(1000))
    for _ in range(2):
        cluster.add_worker()
    address = cluster.wait()
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
        report = run_matches(matches, store, "", ClusterWorkers(address), kill_one_half_way)
        assert report.outcome == "complete"
        assert report.computed == sum(match.games for match in matches)
        for match, seating in zip(matches, report.seatings, strict=True):
            stored = store.results(seating.id, match.seed, match.games)
            assert np.array_equal(stored, play_match(match).results)
    assert cluster.workers[0].wait(SECONDS) < 0
    assert cluster.workers[1].poll() is None


OWN = """
from kagiya import Move

class Mine:
    def act(self, observation):
        return Move.play({slot})
"""


@pytest.mark.filterwarnings("ignore")
def test_workers_that_cannot_play_are_named_and_left_out_and_others_may_join(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, slot in (("right", 0), ("edited", 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "own_remote.py").write_text(OWN.format(slot=slot))
    (tmp_path / "bare" / "kagiya").mkdir(parents=True)
    (tmp_path / "bare" / "kagiya" / "__init__.py").write_text("raise ImportError('no kagiya here')")
    monkeypatch.syspath_prepend(str(tmp_path / "right"))
    for path in ("right", "edited", "bare", ""):
        cluster.add_worker(str(tmp_path / path) if path else "")
    match = Match.of(Rules(), [find_agent("own_remote:Mine")], 200, 1)
    said: list[str] = []
    with ClusterWorkers(cluster.wait(), said.append) as workers:
        wait_until(lambda: workers.capacity == 3)  # one has no Kagiya
        sink = KeepGames()
        Runner(workers).play([match], sink)
        assert np.array_equal(sink.of(0).results(), play_match(match).results)
        assert all(line.startswith("worker tcp://127.0.0.1:") for line in said)
        reasons = " ".join(said)
        for reason in ("no kagiya here", "the code of own_remote:Mine or of the table differs", "own_remote"):
            assert reason in reasons
        assert workers.capacity == 1
        cluster.add_worker(str(tmp_path / "right"))
        wait_until(lambda: workers.capacity == 2)
    sys.modules.pop("own_remote")


@pytest.mark.filterwarnings("ignore")
def test_without_a_worker_that_can_play_the_run_ends(cluster: Cluster) -> None:
    cluster.add_worker()
    match = Match.of(Rules(), [find_agent("tests.cli.players:Illegal")], 5, 1)
    with ClusterWorkers(cluster.wait()) as workers:
        match.__dict__["code"] = "other"
        with pytest.raises(ClusterError, match=r"no worker of the cluster at .* can play .*the code of"):
            Runner(workers).play([match], KeepGames())


@pytest.mark.filterwarnings("ignore")
def test_when_the_scheduler_dies_the_run_ends_and_finished_games_are_stored(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster.add_worker()
    workers = ClusterWorkers(cluster.wait())
    done = 0

    def kill_it(count: int) -> None:
        nonlocal done
        done += count
        cluster.scheduler.kill()
        # Not before: a scheduler that is busy must not pass for a dead one.
        monkeypatch.setattr(clusters, "ANSWER_SECONDS", 1.0)
        monkeypatch.setattr(clusters, "WAIT_SECONDS", 1.0)

    with Store.in_memory() as store:
        with pytest.raises(ClusterError, match=r"the Dask scheduler at .* is lost"):
            run_matches([Match.of(Rules(), [find_agent("careful")], 10**9)], store, "", workers, kill_it)
        assert store.rows("SELECT count(*) FROM game")[0][0] >= done > 0
        assert store.rows("SELECT outcome FROM run") == [("failed",)]
    assert not workers.watcher.is_alive()  # else DuckDB lists what it takes for leaks when Python ends


@pytest.mark.parametrize("address", ["nonsense", "nonsense:", "http://x:1", "tcp://127.0.0.1:99999", ""])
def test_what_is_not_an_address_is_said_at_once(address: str) -> None:
    with pytest.raises(ClusterError, match="the address of its Dask scheduler, like tcp://host:8786"):
        connect(address, 0.5)


def test_no_scheduler_is_said_in_one_sentence() -> None:
    with pytest.raises(ClusterError, match=r"there is no Dask scheduler at tcp://127.0.0.1:9: Connection refused"):
        connect("tcp://127.0.0.1:9", 0.5)


def certificate(folder: Path, name: str) -> dict[str, str]:
    """The files of a certificate that signs itself."""
    own, key = folder / f"{name}.pem", folder / f"{name}-key.pem"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
    words += ["-nodes", "-days", "2", "-subj", "/CN=kagiya"]
    subprocess.run(["openssl", *words, "-keyout", key, "-out", own], check=True, capture_output=True)
    return {"tls_ca_file": str(own), "tls_client_cert": str(own), "tls_client_key": str(key)}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl, which makes the certificates")
@pytest.mark.filterwarnings("ignore")
def test_an_encrypted_cluster_plays_for_those_who_have_its_certificate(tmp_path: Path) -> None:
    own, other = (certificate(tmp_path, name) for name in ("own", "other"))
    theirs = {name.replace("client", who): file for who in ("scheduler", "worker") for name, file in own.items()}
    security = distributed.Security(require_encryption=True, **own | theirs)
    place = {"protocol": "tls://", "local_directory": str(tmp_path), "dashboard_address": None}
    with distributed.LocalCluster(1, threads_per_worker=1, processes=False, security=security, **place) as cluster:
        address, match, sink = cluster.scheduler_address, Match.of(Rules(), [find_agent("random")], 20), KeepGames()
        with ClusterWorkers(address, tls=own) as workers:
            Runner(workers).play([match], sink)
        assert np.array_equal(sink.of(0).results(), play_match(match).results)
        plain = address.replace("tls", "tcp")
        for where, shown, reason in (
            (address, other, "TLS certificate does not match"),
            (address, {}, "is encrypted: give --tls-ca, --tls-cert and --tls-key"),
            (
                address,
                own | {"tls_client_key": other["tls_client_key"]},
                r"the certificates .*own.pem, .* cannot be used: .*mismatch",
            ),
            (plain, own, "are for an address like tls://host:8786"),
            (plain, {}, "there is no Dask scheduler at tcp"),
        ):
            with pytest.raises(ClusterError, match=reason):
                connect(where, SECONDS, shown)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("--tls-ca a.pem", "an encrypted cluster takes --cluster tls://host:8786, --tls-ca, --tls-cert and --tls-key"),
        ("--cluster tls://127.0.0.1:9 --tls-ca no.pem --tls-cert no.pem", "no.pem"),
    ],
)
def test_certificates_that_are_missing_are_named(words: str, reason: str) -> None:
    assert reason in complaint(run("match", "random", *words.split()))


def test_other_code_does_not_play_a_chunk() -> None:
    match = Match.of(Rules(), [find_agent("random")], 5)
    with pytest.raises(ChunkError, match="the code of random or of the table differs"):
        play_chunk(Chunk(match, 0, 5, code="other"))


@pytest.mark.filterwarnings("ignore")
def test_training_data_from_a_cluster_is_that_of_threads(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add_worker()
    order = DataOrder(parse_rules("goodman", 3), find_agent("ris-mcts(iterations=20)"), 2, terms=HarvestTerms(5))
    with ClusterWorkers(cluster.wait()) as workers:
        assert make_data(order, tmp_path / "there", cluster=workers).played == 2
    make_data(order, tmp_path / "here", workers=1)
    columns = ("seed", "turn", "depth", "move", "visits", "target")
    there, here = (DataFolder(tmp_path / name).read("moves", columns) for name in ("there", "here"))
    assert len(here["seed"]) > 0
    assert all(np.array_equal(there[name], here[name]) for name in columns)


@pytest.mark.filterwarnings("ignore")
def test_a_worker_with_other_code_makes_no_training_data(cluster: Cluster, tmp_path: Path) -> None:
    cluster.add_worker()
    order = DataOrder(parse_rules("goodman", 3), find_agent("ris-mcts(iterations=20)"), 1)
    with ClusterWorkers(cluster.wait()) as workers:
        future = workers.submit(DataGame(order, 1, "other"))
        with pytest.raises(ClusterError, match=r"no worker .* can play .*differs here from where the run was started"):
            future.result(SECONDS)
