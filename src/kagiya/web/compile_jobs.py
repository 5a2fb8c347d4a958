"""What was never compiled on this machine is compiled in another process: here it would stop every page."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from kagiya import Agent, Rules
from kagiya._jit import JIT_OFF
from kagiya.lab.table.compilation import compile_steps
from kagiya.lab.table.inspection import is_accepted, needs_inspection
from kagiya.runtime.child import Child, ChildEndedError
from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.jobs import JobQueue, Task
from kagiya.runtime.timeouts import NoAnswerError
from kagiya.web.compile_process import REVIEW_KERNELS, are_cached, page_steps
from kagiya.web.pages import Notifier, RefusedError

MAX_STEP_SECONDS = 600.0  # of the compiler; the longest take about 20 on an idle machine
POLL_SECONDS = 0.1  # between two looks at how far it is


class Compiling:
    """Which agents can sit down at once, and the work for those that cannot yet."""

    def __init__(self) -> None:
        self._jobs = JobQueue(1, RefusedError)
        self._lock = threading.Lock()
        self._ready: set[tuple[str, str, int]] = set()  # agents with the rules they can play by

    def prepare(self, visitor: str, rules: Rules, agents: Sequence[Agent], changes: Notifier) -> Task[None] | None:
        """What to wait for before these agents sit down; None if they can at once.

        Its `progress` and `words` say how far it is, and its `error` why an agent cannot be had.
        """
        if self.is_ready(rules, agents):
            return None
        return self._jobs.start(visitor, lambda task: self._compile(task, rules, agents), changes.announce)

    def wait_for(self, task: Task[Any], visitor: str, rules: Rules, agents: Sequence[Agent]) -> None:
        """The same inside of another task, which shows how far it is and can be stopped."""
        waited = self.prepare(visitor, rules, agents, Notifier())
        while waited is not None and not waited.is_over:
            if task.stopped.wait(POLL_SECONDS):
                waited.stop()
                raise StoppedError
            if (waited.progress, waited.words) != (task.progress, task.words):
                task.report(waited.progress, waited.words)
        if waited is not None and waited.error is not None:
            raise waited.error

    def is_ready(self, rules: Rules, agents: Sequence[Agent]) -> bool:
        """Whether all these agents need is on disk, and none must be inspected first."""
        missing = set(_keys(rules, agents)) - self._ready
        if missing and not _is_on_disk(rules, agents):
            return False
        self._ready |= missing
        return True

    def close(self) -> None:
        """Compile no more; what is compiled is on disk."""
        self._jobs.close()

    def _compile(self, task: Task[None], rules: Rules, agents: Sequence[Agent]) -> None:
        if self.is_ready(rules, agents):
            return  # compiled meanwhile, for another visitor
        words = (rules.text(), str(rules.players), *dict.fromkeys(agent.text for agent in agents if agent.is_compiled))
        with compiler(*words) as child:
            self._listen(child, task)
        load_tables(agents)
        self._ready |= set(_keys(rules, agents))

    def _listen(self, child: Child, task: Task[None]) -> None:
        while not (answer := child.receive(MAX_STEP_SECONDS, lambda: not task.stopped.is_set())).get("ready"):
            if "error" in answer:
                raise RefusedError(str(answer["error"]))
            done, steps, label = answer["done"], answer["steps"], answer["label"]
            words = f"Compiling, once on this machine: {label}, {done} of {steps} done."
            task.report(done / max(steps, 1), words if steps else f"Preparing {label}.")


@contextmanager
def compiler(*words: str) -> Iterator[Child]:
    """A process that compiles, until the block ends; its failures are refused in a sentence."""
    child = Child("kagiya.web.compile_process", *words)
    try:
        yield child
    except NoAnswerError:
        raise RefusedError(f"The compiler has not come further for {MAX_STEP_SECONDS:g} s and was stopped.") from None
    except ChildEndedError as error:
        raise RefusedError(f"The compiler crashed: {error}.") from None
    finally:
        child.kill()


def are_reviews_compiled() -> bool:
    """Whether a judge, chances and continuations lie on disk, which reviews need and no table does."""
    return JIT_OFF or are_cached(REVIEW_KERNELS)


def compile_reviews(task: Task[Any]) -> None:
    """Compile them in another process, and wait for that."""
    if not are_reviews_compiled():
        task.report(0.0, "Compiling the judge, once on this machine.")
        with compiler() as child:
            child.receive(MAX_STEP_SECONDS, lambda: not task.stopped.is_set())


def load_tables(agents: Sequence[Agent] = ()) -> None:
    """Load from disk what was compiled."""
    for step in () if JIT_OFF else (*compile_steps(agents), *page_steps()):
        step.run()


def _keys(rules: Rules, agents: Sequence[Agent]) -> list[tuple[str, str, int]]:
    """What is ready or not; without any agent it is the table itself."""
    return [(text, rules.text(), rules.players) for text in ("", *(agent.text for agent in agents))]


def _is_on_disk(rules: Rules, agents: Sequence[Agent]) -> bool:
    """Whether nothing must be compiled; without the compiler nothing ever is."""
    if JIT_OFF:
        return True
    newcomers = [each for seated in agents for each in (seated, *seated.models)]
    return all(step.is_done for step in (*compile_steps(agents), *page_steps())) and not any(
        needs_inspection(rules, agent) and not is_accepted(agent, rules) for agent in newcomers
    )
