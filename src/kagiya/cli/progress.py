"""A progress bar for work that may take long: it stays away if the work is done at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from kagiya.cli.console import err

DELAY = 0.7  # seconds before the bar appears


@contextmanager
def late_bar(label: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Gives a function to call with the number of things done; without a total the bar only moves."""
    counted: tuple[ProgressColumn, ...] = (MofNCompleteColumn(), TimeRemainingColumn()) if total else ()
    columns = (TextColumn("{task.description}", style="dim"), BarColumn(32), *counted)
    progress = Progress(*columns, console=err, transient=True, redirect_stdout=False, redirect_stderr=False)
    task = progress.add_task(label, total=total)
    timer = threading.Timer(DELAY, progress.start)
    timer.daemon = True
    timer.start()
    try:
        yield lambda count: progress.advance(task, count)
    finally:
        timer.cancel()
        timer.join()
        if progress.live.is_started:
            progress.stop()
