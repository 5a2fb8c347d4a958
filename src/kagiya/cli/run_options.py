"""What all commands that play matches share: their options, compiling, the runner with its progress, how a run ends.

Whatever is not on disk yet is compiled here and nowhere else, in sight of the user. Progress is a bar on a terminal, a
line now and then in a log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich import progress as bars

import kagiya
from kagiya.cli import options
from kagiya.cli.console import FAILED, complain, detail, err, interruption, sentence, typed_command

if TYPE_CHECKING:
    from kagiya.lab.match.cluster import ClusterWorkers
    from kagiya.lab.match.runner import Runner
    from kagiya.lab.store.recording import RunReport
    from kagiya.lab.store.store import Store
    from kagiya.lab.table.compilation import CompileStep
    from kagiya.runtime.workers import WorkerPool


KERNEL_CALLERS = str(Path("kagiya", "lab", "table"))


def make_ready(agents: Sequence[kagiya.Agent], for_chunks: bool = False, for_processes: bool = False) -> None:
    """Load what these agents need; if some of it was never compiled, say so and show how far it is.

    `for_chunks`: to play chunks of a match, and nothing turn by turn. `for_processes`: they load what lies on disk.
    """
    from kagiya.lab.table.compilation import helpers
    from kagiya.runtime.interrupts import explain_crashes

    in_python = dict.fromkeys(agent.text for agent in agents if not agent.is_compiled and ":" in agent.text)
    explain_crashes(users_own(agents), list(in_python), KERNEL_CALLERS)
    steps = all_steps(agents, for_chunks)
    if for_processes and all(step.is_done for step in steps):
        return
    with helpers(agents, steps, for_chunks) as others:
        run_steps(steps, 1 + len(others))


def users_own(agents: Sequence[kagiya.Agent]) -> list[str]:
    """The texts of compiled agents that did not come with Kagiya, models of searches included."""
    from kagiya.agents.register import is_users_own

    found = (each for agent in agents for each in (agent, *agent.models))
    return list(dict.fromkeys(each.text for each in found if each.is_compiled and is_users_own(each.compiled)))


def all_steps(agents: Sequence[kagiya.Agent], for_chunks: bool = False) -> list[CompileStep]:
    """What to compile or load for games between these agents; nothing when the JIT is off."""
    from kagiya._jit import JIT_OFF, cache_root
    from kagiya.lab.table.compilation import compile_steps

    detail(f"compiled code is kept in {cache_root()}")
    return [] if JIT_OFF else compile_steps(agents, for_chunks)


def run_steps(steps: Sequence[CompileStep], processors: int = 1) -> None:
    """Load what lies on disk; compile the rest with a bar, or in a log with a line now and then."""
    from kagiya.lab.table.compilation import kernels_left
    from kagiya.runtime.timeouts import call_every

    if all(step.is_done for step in steps):
        for step in steps:
            step.run()
        return
    total = kernels_left(steps)
    seconds = duration(max(1.0, total * KERNEL_SECONDS / processors))
    where = f"{processors} free processor{'s' * (processors > 1)}"
    err.print(f"compiling, once: {total} kernel{'s' * (total != 1)}, about {seconds} on {where} ...", style="dim")
    counted = bars.TextColumn("{task.completed:.0f}/{task.total:.0f}")
    columns = (bars.SpinnerColumn("line"), bars.BarColumn(24), counted, bars.TimeElapsedColumn())
    with bars.Progress(*columns, bars.TextColumn("{task.description}"), console=err, transient=True) as progress:
        task = progress.add_task("", total=len(steps))
        now = progress.tasks[0]

        def say_how_far() -> None:
            err.print(f"compiling {now.description}: {kernels_left(steps)} of {total} kernels left", style="dim")

        with nullcontext() if err.is_terminal else call_every(LINE_SECONDS, say_how_far):
            for step in steps:
                progress.update(task, description=step.label)
                started = time.monotonic()
                step.run()
                progress.advance(task)
                detail(f"{step.label}: {time.monotonic() - started:.1f} s")


DELAY = 0.7  # seconds before the bar appears: it stays away if the work is done at once
LINE_SECONDS = 10.0  # between two lines of a log
KERNEL_SECONDS = 0.1  # of a processor for the average kernel, before it is known how fast the machine is

Advance = Callable[[int], None]  # to be called with the number of things done


def late_bar(label: str, total: int | None) -> AbstractContextManager[Advance]:
    """Shows progress on stderr; without a total it only shows that there is some."""
    return _bar(label, total) if err.is_terminal else nullcontext(ProgressLines(label, total).advance)


@contextmanager
def _bar(label: str, total: int | None) -> Iterator[Advance]:
    from kagiya.runtime.timeouts import call_after  # help comes without it

    counted: tuple[bars.ProgressColumn, ...] = (bars.MofNCompleteColumn(), bars.TimeRemainingColumn()) if total else ()
    columns = (bars.TextColumn("{task.description}", style="dim"), bars.BarColumn(32), *counted)
    progress = bars.Progress(*columns, console=err, transient=True, redirect_stdout=False, redirect_stderr=False)
    task = progress.add_task(label, total=total)
    try:
        with call_after(DELAY, progress.start):
            yield lambda count: progress.advance(task, count)
    finally:
        if progress.live.is_started:
            progress.stop()


class ProgressLines:
    """Writes a line about every ten seconds, when something was done in them."""

    def __init__(self, label: str, total: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        self.label, self.total, self.clock = label, total, clock
        self.done, self.started = 0, clock()
        self.last = self.started
        self.first: tuple[int, float] | None = None  # things done in the first chunk, which is slow, and when

    def advance(self, count: int) -> None:
        """Note that some more is done."""
        self.done += count
        self.first = self.first or (count, self.clock())
        if self.clock() - self.last >= LINE_SECONDS:
            self.last = self.clock()
            err.print(self.line(), style="dim", soft_wrap=True, highlight=False)

    def line(self) -> str:
        """How far it is, and how long it may still take."""
        spent = self.clock() - self.started
        if not self.total or self.done > self.total:  # comparisons may have to play again what was measured before
            return f"{self.label}: {self.done:,} done in {duration(spent)}"
        share = (
            f"{self.label}: {self.done:,} of {self.total:,} ({100 * self.done / self.total:.1f} %) in {duration(spent)}"
        )
        done, since = self.first or (self.done, 0.0)
        if self.done == done:
            return share
        left = (self.started + spent - since) * (self.total - self.done) / (self.done - done)
        return f"{share}, about {duration(left)} left"


def duration(seconds: float) -> str:
    """Hours and minutes, or minutes and seconds, or seconds."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


@dataclass(frozen=True)
class ClusterOptions:
    """The cluster that a command plays on, if it does."""

    cluster: options.Cluster = None
    tls_ca: options.Authority = None
    tls_cert: options.Certificate = None
    tls_key: options.CertificateKey = None

    @property
    def tls(self) -> dict[str, str]:
        """The files for an encrypted cluster that are given, by Dask's names."""
        files = {"tls_ca_file": self.tls_ca, "tls_client_cert": self.tls_cert, "tls_client_key": self.tls_key}
        given = {name: path for name, path in files.items() if path is not None}
        if given and None in (self.cluster, self.tls_ca, self.tls_cert):
            raise ValueError("an encrypted cluster takes --cluster tls://host:8786, --tls-ca, --tls-cert and --tls-key")
        for path in given.values():
            path.open("rb").close()
        return {name: str(path) for name, path in given.items()}


@dataclass(frozen=True)
class RunOptions(ClusterOptions):
    """Where a command plays, and where it keeps the games."""

    workers: options.WorkerCount = None
    store: options.OptionalStore = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"the number of workers must be an integer of at least 1, not {self.workers}")
        _ = self.tls  # said before anything is compiled

    def make_ready(self, agents: Sequence[kagiya.Agent]) -> None:
        """Compile what will be played here; a cluster compiles for itself."""
        if self.cluster is None:
            are_compiled = [agent.is_compiled for agent in agents]
            make_ready(list(dict.fromkeys(agents)), for_chunks=all(are_compiled), for_processes=not any(are_compiled))


@dataclass(frozen=True)
class StoredRunOptions(RunOptions):
    """The same of a command that keeps every game."""

    store: options.StoreFile = None


@contextmanager
def open_runner(means: RunOptions, games: int | None, label: str = "playing") -> Iterator[Runner]:
    """A runner with a progress bar over this number of games, which keeps them in the store if one is given."""
    from kagiya.lab.match.runner import Runner

    with open_workers(means) as pool:
        if means.store is None:
            with late_bar(label, games) as advance:
                yield Runner(pool, advance)
            return
        from kagiya.lab.store.recording import Recording

        with open_store(means.store) as store:
            with late_bar(label, games) as advance, Recording(store, pool, typed_command(), advance) as recording:
                yield recording
            for report in recording.reports:
                say_what_was_done(report, store)


def open_workers(means: RunOptions) -> WorkerPool:
    """Who plays: this machine, or a cluster."""
    if means.cluster is not None:
        return open_cluster(means)
    from kagiya.runtime.workers import LocalWorkers

    pool = LocalWorkers(means.workers, processes=True, say=complain)
    detail(f"played by {pool.capacity} threads")
    return pool


def open_cluster(chosen: ClusterOptions) -> ClusterWorkers:
    """The cluster at the address that was given; workers that are left out are named on stderr."""
    from kagiya.lab.match.cluster import ClusterWorkers

    return ClusterWorkers(chosen.cluster or "", lambda text: err.print(text, soft_wrap=True), chosen.tls)


def open_store(path: Path | None) -> Store:
    """The store, to write to."""
    from kagiya.lab.store.store import Store

    opened = Store.open(None if path == Path(options.DEFAULT) else path)
    detail(f"the store is {opened.path}")
    return opened


def play_into(store: Store, matches: Sequence[kagiya.Match], means: RunOptions) -> RunReport:
    """Play what the store does not have, with a bar, here or on a cluster."""
    from kagiya.lab.store.recording import run_matches

    means.make_ready([agent for match in matches for agent in match.agents])
    with open_workers(means) as pool, late_bar("playing", sum(match.games for match in matches)) as advance:
        return run_matches(matches, store, typed_command(), pool, advance)


def say_what_was_done(report: RunReport, store: Store) -> None:
    """A line on stderr: how many games were there, how many were computed."""
    noted = f"run {report.run} in {store.path}"
    if report.run in store.unnoted:
        noted = f"{store.path} cannot be written, so the run is not noted there"
    text = f"{report.computed:,} games computed, {report.stored_before:,} were stored; {noted}"
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
