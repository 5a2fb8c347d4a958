"""How far work has come that may take long: a bar on a terminal, a line now and then in a log."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from kagiya.cli.console import err

DELAY = 0.7  # seconds before the bar appears: it stays away if the work is done at once
LINE_SECONDS = 10.0  # between two lines of a log

Advance = Callable[[int], None]  # to be called with the number of things done


def late_bar(label: str, total: int | None) -> AbstractContextManager[Advance]:
    """Shows progress on stderr; without a total it only shows that there is some."""
    return _bar(label, total) if err.is_terminal else _log(label, total)


@contextmanager
def _bar(label: str, total: int | None) -> Iterator[Advance]:
    from kagiya.runtime.timeouts import call_after  # help comes without it

    counted: tuple[ProgressColumn, ...] = (MofNCompleteColumn(), TimeRemainingColumn()) if total else ()
    columns = (TextColumn("{task.description}", style="dim"), BarColumn(32), *counted)
    progress = Progress(*columns, console=err, transient=True, redirect_stdout=False, redirect_stderr=False)
    task = progress.add_task(label, total=total)
    try:
        with call_after(DELAY, progress.start):
            yield lambda count: progress.advance(task, count)
    finally:
        if progress.live.is_started:
            progress.stop()


@contextmanager
def _log(label: str, total: int | None) -> Iterator[Advance]:
    yield Log(label, total).advance


class Log:
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
