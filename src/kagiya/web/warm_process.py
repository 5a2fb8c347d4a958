"""The process that compiles what reviews need and no table does: a judge, chances and continuations, tried once."""

from __future__ import annotations

from typing import Any

from kagiya._jit import JIT_OFF, is_cached, kernels
from kagiya.engine.game import Game
from kagiya.lab.review.card_chances import chances
from kagiya.lab.review.judging import MIN_DEALS, judge
from kagiya.lab.review.outcomes import AGAIN, play_on
from kagiya.runtime.child import Parent
from kagiya.runtime.jobs import Task
from kagiya.web.compile_jobs import MAX_STEP_SECONDS, compiler

MODULE = "kagiya.web.warm_process"
SIMPLE = "careful"
LAST = ("kagiya.lab.review.judging.judge_on", "kagiya.lab.review.card_chances.weigh_on")


def is_warm() -> bool:
    """Whether all of it lies on disk."""
    return JIT_OFF or all(is_cached(kernels[name]) for name in LAST)


def warm_up(task: Task[Any]) -> None:
    """Compile it in another process, and wait for that."""
    if is_warm():
        return
    task.report(0.0, "Compiling the judge, once on this machine.")
    with compiler(MODULE) as child:
        child.receive(MAX_STEP_SECONDS, lambda: not task.stopped.is_set())


def main() -> None:
    """Try everything once."""
    parent, game = Parent(), Game()
    judge(game, SIMPLE, MIN_DEALS)
    chances(game, 0, SIMPLE, past_moves=True, samples=1)
    play_on(game, SIMPLE, 1, AGAIN, eyes=0)
    parent.answer(ready=True)


if __name__ == "__main__":
    main()
