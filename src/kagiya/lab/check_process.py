"""An agent is checked in a process of its own, so that a crash or an endless loop is a finding like any other."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict

from kagiya.agents.register import rebuild_agent
from kagiya.lab.checks import Finding, Size, Stage, Step, check_agent
from kagiya.runtime.child import Child, ChildEndedError, Parent
from kagiya.runtime.timeouts import NoAnswerError, kernel_timeout

STAGE_TIMEOUTS = 10  # of one kernel, that a stage may take without a word: it plays many games


def check_apart(text: str, size: Size) -> Iterator[Step]:
    """The steps of `check_agent`, made elsewhere; the last finding says if the process did not live to the end."""
    child = Child("kagiya.lab.check_process", text, str(size.games), str(size.seed), keep_errors=True)
    stage, limit = Stage("starts"), STAGE_TIMEOUTS * kernel_timeout()
    try:
        while True:
            step = _step(**child.receive(limit))
            stage = step if isinstance(step, Stage) else stage
            yield step
    except NoAnswerError:
        reason = f"no answer for {limit:g} s; it may loop for ever (KAGIYA_KERNEL_TIMEOUT allows more)"
        yield Finding(stage.check, False, _at(stage, reason))
    except ChildEndedError as error:
        if error.code:
            yield Finding(stage.check, False, _at(stage, _end(error.code, error.complaint)))
    finally:
        child.kill()


def _step(kind: str, **words: str) -> Step:
    return Finding(**words) if kind == Finding.__name__ else Stage(**words)  # type: ignore[arg-type]


def _at(stage: Stage, reason: str) -> str:
    return f"{stage.where}: {reason}" if stage.where else reason


def _end(code: int, complaint: str) -> str:
    """How a process ended that did not come to its end."""
    if code < 0:
        name = signal.strsignal(-code) or f"signal {-code}"
        return f"it crashed in machine code ({name}), by an index far outside an array or by calling itself for ever"
    last = complaint.strip().splitlines()[-1:] or ["without a word"]
    return f"the process ended with code {code}: {last[0]}"


def main() -> None:
    """In the child: check the agent named by the arguments, its text, the games by each rules, the first seed."""
    parent = Parent()
    text, games, seed = sys.argv[1:]
    for step in check_agent(rebuild_agent(text), Size(int(games), int(seed))):
        parent.answer(kind=type(step).__name__, **asdict(step))
    parent.finish()


if __name__ == "__main__":
    main()
