"""What the commands that play into the store share: its options, the run with its bar, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli.compiling import make_ready
from kagiya.cli.console import err
from kagiya.cli.errors import FAILED, INTERRUPTED, complain, sentence
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.lab.match.match import Match
    from kagiya.lab.match.workers import Workers
    from kagiya.lab.store.recording import RunReport
    from kagiya.lab.store.store import Store

DEFAULT, MEMORY = "default", ":memory:"

StoreFile = Annotated[
    Path | None,
    typer.Option(
        "--store",
        envvar="KAGIYA_STORE",
        help="The folder that keeps every game. Default: kagiya/results in the user's data folder.",
        show_default=False,
    ),
]
WorkerCount = Annotated[int | None, typer.Option("--workers", "-w", help="Threads. Default: all processors.")]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Play on the Dask cluster at this address, e.g. tcp://host:8786."
    ),
]


@contextmanager
def open_store(path: Path | None) -> Iterator[Store]:
    """The store, to write to."""
    from kagiya.lab.store.store import Store

    with Store.open(None if path == Path(DEFAULT) else path) as store:
        yield store


def play_into(
    store: Store, matches: Sequence[Match], workers: int | None = None, cluster: str | None = None
) -> RunReport:
    """Play what is missing, with a bar, here or on a cluster."""
    if workers is not None and workers < 1:
        raise ValueError(f"the number of workers must be a whole number from 1 on, not {workers}")
    if cluster is None:
        make_ready(list(dict.fromkeys(agent for match in matches for agent in match.agents)))
    return run_into(store, matches, staff_for(matches, workers, cluster))


def run_into(store: Store, matches: Sequence[Match], staff: Workers) -> RunReport:
    """The run itself."""
    from kagiya.lab.provenance.result_files import command_line
    from kagiya.lab.store.recording import run_matches

    with late_bar("playing", sum(match.games for match in matches)) as advance:
        return run_matches(matches, store, command_line(), staff, advance)


def staff_for(matches: Sequence[Match], workers: int | None, cluster: str | None) -> Workers:
    """Who plays: this machine, or a cluster."""
    if cluster is not None:
        from kagiya.lab.match.cluster import ClusterWorkers

        return ClusterWorkers(cluster)
    from kagiya.lab.match.workers import LocalWorkers

    return LocalWorkers(matches, workers)


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
        raise typer.Exit(INTERRUPTED)
    if report.errors:
        raise typer.Exit(FAILED)
