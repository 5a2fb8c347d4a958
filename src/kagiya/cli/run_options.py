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


def make_ready(agents: Sequence[kagiya.Agent], for_chunks: bool = False) -> None:
    """Load what these agents need; if some of it was never compiled, say so and show how far it is.

    `for_chunks`: to play chunks of a match, and nothing turn by turn.
    """
    from kagiya.lab.table.compilation import helpers
    from kagiya.runtime.interrupts import explain_crashes

    explain_crashes(users_own(agents), KERNEL_CALLERS)
    steps = all_steps(agents, for_chunks)
    with helpers(agents, steps, for_chunks):
        run_steps(steps)


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


def run_steps(steps: Sequence[CompileStep]) -> None:
    """Load what lies on disk; compile the rest with a bar, or in a log with a line now and then."""
    from kagiya.runtime.timeouts import call_every

    undone = sum(not step.is_done for step in steps)
    if not undone:
        for step in steps:
            step.run()
        return
    err.print(f"compiling, once: {undone} of {len(steps)} parts ...", style="dim")
    counted = bars.TextColumn("{task.completed:.0f}/{task.total:.0f}")
    columns = (bars.SpinnerColumn("line"), bars.BarColumn(24), counted, bars.TimeElapsedColumn())
    with bars.Progress(*columns, bars.TextColumn("{task.description}"), console=err, transient=True) as progress:
        task = progress.add_task("", total=len(steps))
        now = progress.tasks[0]

        def say_how_far() -> None:
            err.print(f"compiling {now.description}: {now.completed:.0f} of {len(steps)} parts done", style="dim")

        with nullcontext() if err.is_terminal else call_every(LINE_SECONDS, say_how_far):
            for step in steps:
                progress.update(task, description=step.label)
                started = time.monotonic()
                step.run()
                progress.advance(task)
                detail(f"{step.label}: {time.monotonic() - started:.1f} s")


DELAY = 0.7  # seconds before the bar appears: it stays away if the work is done at once
LINE_SECONDS = 10.0  # between two lines of a log

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

    def advance(self, count: int) -> None:
        """Note that some more is done."""
        self.done += count
        if self.clock() - self.last >= LINE_SECONDS:
            self.last = self.clock()
            err.print(self.line(), style="dim", soft_wrap=True, highlight=False)

    def line(self) -> str:
        """How far it is, and how long it may still take."""
        spent = self.clock() - self.started
        if not self.total or self.done > self.total:  # comparisons may have to play again what was measured before
            return f"{self.label}: {self.done:,} done in {duration(spent)}"
        left = spent * (self.total - self.done) / max(self.done, 1)
        share = f"{self.done:,} of {self.total:,} ({100 * self.done / self.total:.1f} %)"
        return f"{self.label}: {share} in {duration(spent)}, about {duration(left)} left"


def duration(seconds: float) -> str:
    """Hours and minutes, or minutes and seconds, or seconds."""
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"


@dataclass(frozen=True)
class RunOptions:
    """Where a command plays, and where it keeps the games."""

    workers: options.WorkerCount = None
    store: options.OptionalStore = None
    cluster: options.Cluster = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"the number of workers must be an integer of at least 1, not {self.workers}")

    def make_ready(self, agents: Sequence[kagiya.Agent]) -> None:
        """Compile what will be played here; a cluster compiles for itself."""
        if self.cluster is None:
            make_ready(list(dict.fromkeys(agents)), for_chunks=all(agent.is_compiled for agent in agents))


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
        return open_cluster(means.cluster)
    from kagiya.runtime.workers import LocalWorkers

    pool = LocalWorkers(means.workers, processes=True)
    detail(f"played by {pool.capacity} threads")
    return pool


def open_cluster(address: str) -> ClusterWorkers:
    """The cluster at this address; workers that are left out are named on stderr."""
    from kagiya.lab.match.cluster import ClusterWorkers

    return ClusterWorkers(address, lambda text: err.print(text, soft_wrap=True))


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
