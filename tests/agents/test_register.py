"""Whose an agent is, where it is found, and who may name a module.

Texts that a person typed may, nested ones with a notice, files only when they are trusted.
"""

import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kagiya import Move, Observation, as_agent, find_agent
from kagiya.agents import register
from kagiya.agents.register import agent_types, is_users_own
from kagiya.lab.experiment import read_experiment
from kagiya.lab.papers.paper_tables import read_table
from kagiya.spec import SpecError
from tests.children import run_python
from tests.cli.command import complaint, run
from tests.sketches.hat import HAT, act


@pytest.mark.parametrize(
    "text", ["iggi", "iggi(forgets_own=yes)", "rules(play-safe)", "rules(play-just-hinted(0))", "canaan-mirror"]
)
def test_an_agent_of_ours_is_ours_with_any_parameters(text: str) -> None:
    assert not is_users_own(find_agent(text).compiled)


def test_a_users_agent_is_its_own_even_by_a_name_of_ours() -> None:
    ours = find_agent("iggi").compiled
    assert is_users_own(HAT)
    assert is_users_own(replace(ours, act=act))
    assert is_users_own(replace(HAT, info=ours.info))


@pytest.mark.parametrize(
    "name",
    [name for name, kind in agent_types().items() if kind.info.family in ("convention bots", "hat players")],
)
def test_an_agent_with_a_convention_says_what_it_is(name: str) -> None:
    """`kagiya play` tells it to the person who sits down with the agent."""
    info = find_agent(name).info
    assert info.mark or len(info.convention) > 60


FIND_ONE = """
import sys
from kagiya import agent_types, find_agent
found = find_agent(sys.argv[1]).type
print(*(name for name in sys.modules if name.startswith(("kagiya.agents.", "kagiya.search."))))
print(found is agent_types()[sys.argv[1]])
"""


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("vdb-useless", "vdb"),
        ("smartbot", "smartbot"),
        ("brooks-mute", "brooks"),
        ("iggi2", "iggi"),
        ("random", "random_"),
    ],
)
def test_an_agent_is_found_by_name_as_in_the_list_of_all(name: str, module: str) -> None:
    loaded, is_the_same = run_python(FIND_ONE, name).splitlines()
    assert f"kagiya.agents.{module}" in loaded.split()
    assert is_the_same == "True"
    assert "kagiya.search.sparta" not in loaded.split()


def test_a_search_that_is_not_named_after_its_module_is_found_among_the_searches() -> None:
    loaded, is_the_same = run_python(FIND_ONE, "predictor").splitlines()
    assert is_the_same == "True"
    assert "kagiya.agents.clivej" not in loaded.split()


SOURCE = """
from kagiya.agents.careful import AGENT

with open("loaded", "a") as file:
    file.write("x")
"""
TABLE = """
title = "for tests"
document = "none"
table = "1"
rules = "standard"
games = 10
measure = 10
columns = [{ name = "3", players = 3 }]
[[rows]]
label = "own"
agent = "mine_for_test:AGENT"
printed = ["17.0"]
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a module `mine_for_test`, which leaves the file `loaded` when its code runs."""
    (tmp_path / "mine_for_test.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(register._Trust, "given", False)
    yield tmp_path
    sys.modules.pop("mine_for_test", None)


def test_what_a_person_types_is_loaded_without_ado(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = find_agent("mine_for_test:AGENT")
    assert agent.info.id == "careful"
    assert (mine / "loaded").exists()
    assert capsys.readouterr().err == ""


def test_inside_other_agents_it_is_announced_once(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "depth-one(deals=5, evaluator=mine_for_test:AGENT)"
    agent = find_agent(text)
    assert agent.models[0].info.id == "careful"
    assert capsys.readouterr().err == "kagiya: importing module 'mine_for_test', named in depth-one\n"
    find_agent(text)
    pickle.loads(pickle.dumps(agent))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("agent", ["mine_for_test:AGENT", "depth-one(evaluator=mine_for_test:AGENT)"])
def test_an_experiment_runs_no_code(mine: Path, agent: str) -> None:
    (mine / "experiment.toml").write_text(f'agents = ["{agent}", "careful"]\ngames = 2\n')
    said = complaint(run("run", "experiment.toml", "--store", "s.duckdb"))
    assert "experiment.toml names mine_for_test:AGENT, which runs the code of module 'mine_for_test'" in said
    assert "--trust-modules" in said
    assert not (mine / "loaded").exists()


def test_a_budget_does_not_smuggle_a_module_in(mine: Path) -> None:
    (mine / "experiment.toml").write_text(
        'agents = "depth-one({budget})"\nbudgets = ["evaluator=mine_for_test:AGENT"]\n'
    )
    with pytest.raises(SpecError, match="names mine_for_test:AGENT"):
        read_experiment(mine / "experiment.toml")
    assert not (mine / "loaded").exists()


def test_a_trusted_experiment_does_and_says_so(mine: Path) -> None:
    (mine / "experiment.toml").write_text('agents = "mine_for_test:AGENT"\ngames = 2\n')
    result = run("--trust-modules", "run", "experiment.toml", "--store", "s.duckdb", "--json")
    assert result.exit_code == 0, result.output
    assert "importing module 'mine_for_test', named in experiment.toml" in result.stderr
    assert (mine / "loaded").exists()


def test_a_table_of_a_paper_runs_no_code(mine: Path) -> None:
    (mine / "table.toml").write_text(TABLE)
    with pytest.raises(SpecError, match="names mine_for_test:AGENT"):
        read_table(mine / "table.toml")
    assert not (mine / "loaded").exists()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("../x:y", "'../x' is a path, not a module; start Kagiya in the folder of the file"),
        ("/elsewhere/x:y", "'/elsewhere/x' is a path, not a module"),
        ("bots/mine.py:AGENT", "is a path, not a module; write bots.mine:AGENT"),
        ("mine.py:AGENT", "is a path, not a module; write mine:AGENT"),
        (".mine:AGENT", "the module '.mine' is relative"),
        ("mine.:AGENT", "the module 'mine.' lacks a name"),
        (":AGENT", "the module '' lacks a name"),
        ("mine:", "'' is not a name in a module"),
        ("mine:a:b", "'a:b' is not a name in a module"),
        ("no.such_module:AGENT", "there is no module 'no' here or installed"),
    ],
)
def test_what_cannot_be_a_module_is_said_clearly(text: str, reason: str) -> None:
    with pytest.raises(SpecError) as found:
        find_agent(text)
    assert reason in str(found.value)
    assert str(found.value).startswith(f"{text}: ")


class Patient:
    """An agent of a user's, without a label."""

    def __init__(self, deals: int = 5, risk: float = 0.5, is_loud: bool = False) -> None:
        self.deals, self.risk = deals, risk

    def act(self, observation: Observation) -> Move:
        return observation.legal_moves[0]


def test_a_plain_class_is_given_the_numbers_of_its_init() -> None:
    agent = find_agent(f"{__name__}:Patient(3, risk=0.25)")
    player = agent.new_player()
    assert isinstance(player, Patient)
    assert (player.deals, type(player.deals), player.risk) == (3, int, 0.25)
    with pytest.raises(SpecError, match=r"no parameter 'is_loud'.*deals, risk"):
        find_agent(f"{__name__}:Patient(is_loud=1)")
    with pytest.raises(SpecError, match=r"deals must be a number .*, whole, not 2\.5"):
        find_agent(f"{__name__}:Patient(deals=2.5)")


def test_an_object_is_named_by_what_it_was_given() -> None:
    named = [as_agent(thing).text for thing in (Patient, Patient(), Patient(deals=7), Patient(risk=1.0))]
    assert named == ["Patient", "Patient", "Patient(deals=7)", "Patient(risk=1.0)"]
