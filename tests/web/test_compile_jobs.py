"""What was never compiled is compiled in a process; how far it is can be seen, and it can be stopped."""

import secrets
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from kagiya._jit import JIT_OFF
from kagiya.agents.api import Agent
from kagiya.agents.register import find_agent
from kagiya.lab.table.compilation import CompileStep, compile_counts, compile_steps
from kagiya.lab.table.table import Table
from kagiya.rules import Rules
from kagiya.runtime.jobs import DONE, FAILED, STOPPED, Task
from kagiya.web import compile_process
from kagiya.web.compile_jobs import Compiling
from kagiya.web.compile_process import page_steps
from kagiya.web.pages import Notifier, RefusedError

pytestmark = pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")

MODULE = """
from kagiya import AgentInfo, CompiledAgent, kernel
from kagiya.agents.careful import act as careful_move

@kernel
def new(states, i, seat, memory, params, rng):
    if {mistake}:
        return 0
    return careful_move(states, i, seat, memory, params, rng)

AGENT = CompiledAgent(AgentInfo(id="new", summary="of a test", family="tests", paper="none"), new)
"""


class Told(Notifier):
    """What was shown, and when it was over."""

    def __init__(self) -> None:
        super().__init__()
        self.task: Task[None] | None = None
        self.words: list[str] = []
        self.over = threading.Event()

    def announce(self) -> None:
        if self.task is not None:
            self.words.append(self.task.words)
            if self.task.is_over:
                self.over.set()


@pytest.fixture
def compiling() -> Iterator[Compiling]:
    compiling = Compiling()
    yield compiling
    compiling.close()


@pytest.fixture
def told() -> Told:
    return Told()


def new_agent(folder: Path, monkeypatch: pytest.MonkeyPatch, mistake: str) -> Agent:
    """An agent of a user's module that no machine has compiled yet."""
    name = f"new_{secrets.token_hex(4)}"
    (folder / f"{name}.py").write_text(MODULE.format(mistake=mistake))
    monkeypatch.syspath_prepend(folder)
    return find_agent(f"{name}:AGENT")


def compile_here(name: str) -> None:
    for step in (*compile_steps([find_agent(name)]), *page_steps()):
        step.run()


def prepare(compiling: Compiling, agent: Agent, told: Told) -> Task[None] | None:
    told.task = compiling.prepare("me", Rules(players=2), [agent], told)
    return told.task


def test_compiled_elsewhere_once(
    compiling: Compiling, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = new_agent(tmp_path, monkeypatch, "states[i]['turn'] == 1000")
    compile_here("careful")
    before = compile_counts()[0]
    task = prepare(compiling, agent, told)
    assert task is not None
    assert told.over.wait(300)
    assert (task.state, task.error) == (DONE, None)
    assert "Compiling, once on this machine: new, 0 of 1 done." in told.words
    Table(Rules(players=2), [agent]).play_game(0)
    assert compile_counts()[0] == before
    assert prepare(compiling, agent, told) is None
    assert Compiling().prepare("me", Rules(players=2), [agent], told) is None


def test_an_agent_that_peeks_is_refused(
    compiling: Compiling, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = new_agent(tmp_path, monkeypatch, "states[i]['playable'] >> states[i]['hands'][seat, 0] & 1")
    task = prepare(compiling, agent, told)
    assert task is not None
    assert told.over.wait(300)
    assert task.state == FAILED
    assert isinstance(task.error, RefusedError)
    assert "sees_own_hand" in str(task.error)
    assert prepare(compiling, agent, told) is not None


def test_compiling_can_be_stopped(
    compiling: Compiling, told: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = new_agent(tmp_path, monkeypatch, "states[i]['turn'] == 1001")
    task = prepare(compiling, agent, told)
    assert task is not None
    task.stop()
    assert told.over.wait(300)
    assert task.state == STOPPED


def test_agents_that_were_compiled_before_sit_down_at_once(compiling: Compiling, told: Told) -> None:
    compile_here("careful")
    for name in ("careful", "careful-python"):
        assert compiling.prepare("me", Rules(players=3), [find_agent(name)], told) is None


def test_the_other_processors_help(monkeypatch: pytest.MonkeyPatch) -> None:
    helped: list[object] = []
    done: list[int] = []
    steps = [CompileStep("the deck", False, lambda: done.append(len(helped)))]
    monkeypatch.setattr(compile_process, "compile_steps", lambda agents: steps)
    monkeypatch.setattr(compile_process, "page_steps", list)
    monkeypatch.setattr(compile_process, "helpers", lambda *words: nullcontext(helped.extend(words)))  # type: ignore[func-returns-value]
    parent = SimpleNamespace(answer=lambda **words: None)
    compile_process.compile_all(parent, Rules(), [])  # type: ignore[arg-type]
    assert (helped, done) == ([[], steps], [2])
