"""What an agent's text asks for is found without importing anything that it names."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from kagiya import agent_types, find_agent
from kagiya.spec import SpecError
from kagiya.web.play.resource_limits import MAX_WORK, AgentBudget, demands_of, why_refused
from tests.searches import SEARCHES

NESTED = [
    "{}",
    "predictor(model={})",
    "ris-mcts({})",
    "depth-one(past={}, deals=5)",
    "sparta(blueprint={}(depth=3))",
    "ally(policies=list(vdb, rules(play-safe, {})))",
    "ris-mcts(nonsense={})",
    "mine:Other(deeper(and, deeper={}))",
]


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module in the current folder that leaves a file behind if it is imported."""
    left = tmp_path / "imported"
    (tmp_path / "trap_for_demands.py").write_text(f"open({str(left)!r}, 'w').close()\nAGENT = None\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return left


@pytest.mark.parametrize("text", NESTED)
def test_modules_are_found_at_any_depth_and_none_is_imported(text: str, trap: Path) -> None:
    before = set(sys.modules)
    written = text.format("trap_for_demands:AGENT")
    assert "trap_for_demands:AGENT" in demands_of(written).modules
    reason = why_refused(written, seconds=2.0, modules=("mine:Other",))
    assert reason == "trap_for_demands:AGENT is code of a module, which this table does not run"
    assert why_refused(written, 2.0, modules=("mine:Other", "trap_for_demands:AGENT")) is None
    assert not trap.exists()
    assert "trap_for_demands" not in sys.modules
    assert {name for name in set(sys.modules) - before if not name.startswith("kagiya")} == set()


def test_the_trap_works(trap: Path) -> None:
    with pytest.raises(SpecError):
        find_agent("predictor(model=trap_for_demands:AGENT)")
    assert trap.exists()
    del sys.modules["trap_for_demands"]


def test_all_agents_are_named() -> None:
    found = demands_of("depth-one(evaluator=smartbot(safe=yes), past=vdb, leaf=evalfn)")
    assert found.agents == ["depth-one", "smartbot", "vdb", "evalfn"]
    assert demands_of("rules(play-safe, discard-oldest)").agents == ["rules"]


@pytest.mark.parametrize("name", list(agent_types()))
def test_every_agent_may_sit_down_as_it_is_by_default(name: str) -> None:
    assert why_refused(name, seconds=0.0) is None
    asked = demands_of(name)
    assert asked.agents == [name]
    assert len(asked.budgets) == (name in SEARCHES)


@pytest.mark.parametrize("name", SEARCHES)
def test_the_work_of_a_search_is_limited_by_all_its_names(name: str) -> None:
    """A parameter that somebody adds and that costs time has no limit; this says which were thought of."""
    harmless = {"c", "plies", "depth", "confidence", "margin", "caution", "surprise", "lead", "noise"}
    harmless |= {"threshold", "trust"}
    numbers = {each.name for each in agent_types()[name].info.parameters if type(each.default) in (int, float)}
    assert numbers - {"time"} <= harmless | set(MAX_WORK)


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("ris-mcts", AgentBudget("ris-mcts", "iterations", 1000)),
        ("ris-mcts(time=1.5s)", AgentBudget("ris-mcts", "time", 1.5)),
        ("ris-mcts(time=250ms)", AgentBudget("ris-mcts", "time", 0.25)),
        ("ris-mcts(vdb, none, goodman, 77)", AgentBudget("ris-mcts", "iterations", 77)),  # by place
        ("mo-ismcts(steps=5000)", AgentBudget("mo-ismcts", "steps", 5000)),
        ("sparta(deals=9)", AgentBudget("sparta", "deals", 9)),
    ],
)
def test_the_budget_of_a_search(text: str, budget: AgentBudget) -> None:
    assert demands_of(text).budgets == [budget]
    assert demands_of(text).seconds == (budget.amount if budget.unit == "time" else 0.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("ris-mcts(time=3s)", "time=3s is more than the 2 s"),
        ("ris-mcts(time=3)", "time=3s is more than the 2 s"),
        ("predictor(model=ris-mcts(time=3600s))", "time=3600s is more than the 2 s"),
        ("ris-mcts(vdb, none, goodman, 10000000)", "iterations=10,000,000 is more than the 100,000"),
        ("ris-mcts(iterations=1e7)", "iterations=10,000,000"),
        ("sparta(endings=1000000)", "endings=1,000,000"),
        ("ally(hands=10000)", "hands=10,000"),
        ("depth-one(leaf=evalfn(model=/etc/passwd))", "/etc/passwd is a file, which this table does not read"),
        ("evalfn(3, none, secret.npz)", "secret.npz is a file"),
    ],
)
def test_what_is_too_much_is_said(text: str, reason: str) -> None:
    assert (why_refused(text, seconds=2.0) or "").startswith(reason)


@pytest.mark.parametrize("text", ["", "smartbott", "ris-mcts(", "(", "a" * 200, "vdb(" * 30 + ")" * 30])
def test_what_cannot_be_read_is_a_sentence(text: str) -> None:
    with pytest.raises(SpecError):
        demands_of(text)
