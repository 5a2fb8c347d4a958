"""Programs written for HLE run on the drop-in as they are; those here were written anew after the public ones."""

import runpy
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kagiya.interop.hle import HLE, MODULES, replace_hle, rl_env

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture
def replaced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The drop-in in HLE's place, for one test, with or without HLE being here."""
    for name in [name for name in sys.modules if name.split(".")[0] in (HLE, *MODULES)]:
        monkeypatch.delitem(sys.modules, name)
    before = set(sys.modules)
    replace_hle()
    yield
    for name in set(sys.modules) - before:
        if name.split(".")[0] in (HLE, *MODULES):
            del sys.modules[name]


@pytest.mark.parametrize("program", ["episodes", "states", "search", "stacks", "in_turn"])
def test_programs_run_as_they_are(program: str, replaced: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", [program, "3"])
    found = runpy.run_path(str(PROGRAMS / f"{program}.py"), run_name="__main__")
    assert found.get("rl_env", rl_env) is rl_env


@pytest.mark.peers
def test_hles_own_agents_are_found_beside_the_drop_in(replaced: None, peer: Callable[[str], Any]) -> None:
    """They are made without arguments of our own and have no `reset`."""
    agents = [peer(f"{HLE}.agents.{name}_agent") for name in ("simple", "random")]
    assert all(issubclass(kind.Agent, rl_env.RlAgent) for kind in agents)
    players = [agents[0].SimpleAgent({}), agents[1].RandomAgent({})]
    env = rl_env.make()
    seen, done = env.reset(), False
    while not done:
        actions = [player.act(view) for player, view in zip(players, seen["player_observations"], strict=True)]
        seen, _, done, _ = env.step(actions[seen["current_player"]])


def test_a_program_is_run_with_its_arguments(
    replaced: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["hle", str(PROGRAMS / "episodes.py"), "4"])
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    runpy.run_module("kagiya.interop.hle", run_name="__main__")
    assert (capsys.readouterr().out, sys.path[0]) == ("3 episodes\n", str(PROGRAMS))
    monkeypatch.setattr(sys, "argv", ["hle", "-m", "tests.interop.hle.programs.stacks"])
    runpy.run_module("kagiya.interop.hle", run_name="__main__")
    assert sys.modules["rl_env"] is rl_env


@pytest.mark.parametrize(("arguments", "message"), [(["nothing.py"], "there is no file nothing.py"), ([], "usage: ")])
def test_what_cannot_be_run_is_named(arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["hle", *arguments])
    with pytest.raises(SystemExit, match=message):
        runpy.run_module("kagiya.interop.hle", run_name="__main__")
