"""What all commands that play matches share: their options, the runner with its progress bar, and how a run ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli.compiling import make_ready
from kagiya.cli.console import err
from kagiya.cli.errors import FAILED, complain, interruption, sentence
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.agents.api import Agent
    from kagiya.lab.match.cluster import ClusterWorkers
    from kagiya.lab.match.match import Match
    from kagiya.lab.match.runner import Runner
    from kagiya.lab.store.recording import RunReport
    from kagiya.lab.store.store import Store
    from kagiya.runtime.workers import WorkerPool

DEFAULT = "default"

StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        envvar="KAGIYA_STORE",
        help="The folder that keeps every game. Default: kagiya/results in the user's data folder.",
        show_default=False,
    ),
]
OptionalStore = Annotated[
    Path | None,
    typer.Option("--store", help="Keep every game in this folder ([bold]default[/]: the user's), and use those there."),
]
WorkerCount = Annotated[int | None, typer.Option("--workers", "-w", help="Threads. Default: all processors.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Play on the Dask cluster at this address, e.g. tcp://host:8786."
    ),
]


@dataclass(frozen=True)
class Means:
    """Where a command plays, and where it keeps the games."""

    workers: int | None = None
    cluster: str | None = None
    store: Path | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"the number of workers must be an integer of at least 1, not {self.workers}")

    def make_ready(self, agents: Sequence[Agent]) -> None:
        """Compile what will be played here; a cluster compiles for itself."""
        if self.cluster is None:
            make_ready(list(dict.fromkeys(agents)), for_chunks=all(agent.is_compiled for agent in agents))


@contextmanager
def open_runner(means: Means, games: int | None, label: str = "playing") -> Iterator[Runner]:
    """A runner with a progress bar over so many games, which keeps them in the store if that is wanted."""
    from kagiya.lab.match.runner import Runner

    with open_workers(means) as pool:
        if means.store is None:
            with late_bar(label, games) as advance:
                yield Runner(pool, advance)
            return
        from kagiya.lab.provenance.result_files import command_line
        from kagiya.lab.store.recording import Recording

        with open_store(means.store) as store:
            with late_bar(label, games) as advance, Recording(store, pool, command_line(), advance) as recording:
                yield recording
            for report in recording.reports:
                say_what_was_done(report, store)


@contextmanager
def open_workers(means: Means) -> Iterator[WorkerPool]:
    """Who plays: this machine, or a cluster."""
    if means.cluster is None:
        from kagiya.runtime.workers import LocalWorkers

        with LocalWorkers(means.workers, processes=True) as pool:
            yield pool
        return
    with open_cluster(means.cluster) as elsewhere:
        yield elsewhere


def open_cluster(address: str) -> ClusterWorkers:
    """The cluster at this address; workers that are left out are named on stderr."""
    from kagiya.lab.match.cluster import ClusterWorkers

    return ClusterWorkers(address, lambda text: err.print(text, soft_wrap=True))


@contextmanager
def open_store(path: Path | None) -> Iterator[Store]:
    """The store, to write to."""
    from kagiya.lab.store.store import Store

    with Store.open(None if path == Path(DEFAULT) else path) as store:
        yield store


def play_into(store: Store, matches: Sequence[Match], means: Means) -> RunReport:
    """Play what the store does not have, with a bar, here or on a cluster."""
    means.make_ready([agent for match in matches for agent in match.agents])
    with open_workers(means) as pool:
        return run_into(store, matches, pool)


def run_into(store: Store, matches: Sequence[Match], pool: WorkerPool) -> RunReport:
    """The run itself."""
    from kagiya.lab.provenance.result_files import command_line
    from kagiya.lab.store.recording import run_matches

    with late_bar("playing", sum(match.games for match in matches)) as advance:
        return run_matches(matches, store, command_line(), pool, advance)


def say_what_was_done(report: RunReport, store: Store) -> None:
    """A line on stderr: how many games were there, how many were computed."""
    text = f"{report.computed:,} games computed, {report.stored_before:,} were stored; run {report.run} in {store.path}"
    err.print(text, style="dim", soft_wrap=True)


def leave(report: RunReport) -> None:
    """Say what is missing, and end the command accordingly."""
    for error in report.errors:
        complain(sentence(error))
    if report.interrupted:
        complain("interrupted; finished games are stored, and the same command goes on from there")
        raise interruption()
    if report.errors:
        raise typer.Exit(FAILED)
