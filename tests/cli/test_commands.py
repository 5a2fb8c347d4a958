import json
import re
import threading
from functools import partial
from types import SimpleNamespace

import pytest
import typer

import kagiya
from kagiya._jit import JIT_OFF
from kagiya.agents.register import agent_types, find_agent
from kagiya.cli import run_options
from kagiya.cli.command_line import app
from kagiya.lab.table import compilation
from tests.cli.command import complaint, run
from tests.searches import SEARCHES

COMMANDS = ["agents", "play", "show", "replay", "match", "compare", "figure", "warm"]


def test_help_tells_of_every_command_on_one_screen() -> None:
    result = run("--help")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) < 24  # one is left for the prompt
    assert max(map(len, lines)) <= 80
    words = set(re.findall(r"[\w-]+", result.stdout))
    assert set(typer.main.get_command(app).commands) <= words  # type: ignore[attr-defined]
    assert {"Play", "Measure", "Compare", "Data", "More"} <= words
    assert run().stdout == result.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_examples(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Examples" in result.stdout
    assert f"kagiya {command}" in result.stdout


def test_version() -> None:
    assert run("--version").stdout == f"kagiya {kagiya.__version__}\n"


def test_agents_are_listed_with_all_that_their_labels_say() -> None:
    data = json.loads(run("agents", "--json").stdout)
    shown = run("agents", *agent_types()).stdout
    assert [agent["id"] for agent in data["agents"]] == list(agent_types())
    assert [agent["id"] for agent in data["agents"] if agent["is_search"]] == SEARCHES
    for agent in data["agents"]:
        assert agent["id"] in shown
        assert agent["paper"] in shown
        assert all(parameter["name"] in shown for parameter in agent["parameters"])


def test_the_list_of_agents_has_a_line_for_each_with_its_mean() -> None:
    lines = run("agents").stdout.splitlines()
    data = {agent["id"]: agent for agent in json.loads(run("agents", "--json").stdout)["agents"]}
    rows = {line.split()[0]: line for line in lines if line.split() and line.split()[0] in data}
    assert set(rows) == set(data)
    for name, agent in data.items():
        found = re.search(r" (\d+\.\d\d|-)  ", rows[name])
        assert found is not None, rows[name]
        means = [cell["mean"] for cell in agent["measured"].values()]
        assert found[1] == (f"{sum(means) / len(means):.2f}" if means else "-")
    assert not data["ris-mcts"]["measured"]
    assert set(data["vdb"]["measured"]) == {"2", "3", "4", "5"}


def test_one_agent_is_described_with_what_can_be_set() -> None:
    (label,) = json.loads(run("agents", "ris-mcts", "--json").stdout)["agents"]
    values = {parameter["name"]: parameter["values"] for parameter in label["parameters"]}
    assert values["rollout"] == "a compiled agent"
    assert values["time"] == "a duration such as 40ms, 2s or 0.04, at most 3600s"
    assert values["rules"] == "goodman or brooks or all or list(tactic, ...)"
    assert values["iterations"] == "from 1 to 10000000, whole"
    text = run("agents", "ris-mcts").stdout
    assert "iterations=1000" in text
    assert "vdb  plays" not in text
    assert "no agent named 'nobody'" in complaint(run("agents", "nobody"))


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_a_search_is_compiled_with_what_it_thinks_with() -> None:
    steps = compilation.compile_steps([find_agent("ris-mcts(rollout=iggi, rules=goodman)"), find_agent("mo-ismcts")])
    labels = [step.label for step in steps]
    assert {"iggi", "ris-mcts", "vdb", "mo-ismcts", "ris-mcts(rollout=iggi, rules=goodman)"} <= set(labels)
    assert len(labels) == len(set(labels))
    for step in steps:
        step.run()
    assert all(
        step.is_done for step in compilation.compile_steps([find_agent("ris-mcts(rollout=iggi, rules=goodman)")])
    )


@pytest.mark.parametrize(
    ("on_disk", "steps"), [(False, ["the deck", "the moves", "many games", "vdb"]), (True, ["many games", "vdb"])]
)
def test_a_match_is_made_ready_without_what_only_single_games_need(
    on_disk: bool, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compilation, "is_cached", lambda kernel: on_disk)
    labels = [step.label for step in compilation.compile_steps([find_agent("vdb")], for_chunks=True)]
    assert labels == steps
    assert set(labels) < {step.label for step in compilation.compile_steps([find_agent("vdb")])}


@pytest.mark.parametrize("name", ["cox-recommendation", "kagiya-two"])
def test_a_search_over_an_agent_that_not_every_table_seats_is_made_ready(name: str) -> None:
    for step in compilation.compile_steps([find_agent(f"sparta(blueprint={name}, deals=1)")]):
        step.run()


def test_compiling_is_announced_and_loading_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done: list[str] = []
    names = ("old", "new")
    steps = [compilation.CompileStep(name, name == "old", partial(done.append, name)) for name in names]
    monkeypatch.setattr(run_options, "all_steps", lambda agents, for_chunks: steps[:1])
    run_options.make_ready([])
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(run_options, "all_steps", lambda agents, for_chunks: steps)
    run_options.make_ready([])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "compiling, once: 0 kernels, about 1 s on 1 free processor ..." in captured.err
    assert done == ["old", "old", "new"]


def wait_for(event: threading.Event) -> None:
    assert event.wait(60)


def test_compiling_without_a_terminal_says_how_much_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left, said = iter([200]), threading.Event()

    def count(steps: object) -> int:
        found = next(left, 70)
        if found == 70:
            said.set()
        return found

    monkeypatch.setattr(compilation, "kernels_left", count)
    monkeypatch.setattr(run_options, "LINE_SECONDS", 0.01)
    run_options.run_steps([compilation.CompileStep("vdb", False, partial(wait_for, said))], 2)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == [
        "compiling, once: 200 kernels, about 10 s on 2 free processors ...",
        "compiling vdb: 70 of 200 kernels left",
    ]


def test_warm_says_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    steps = [
        compilation.CompileStep("old", True, lambda: done.append("old")),
        compilation.CompileStep("new", False, lambda: None),
    ]
    monkeypatch.setattr("kagiya.cli.commands.dev.all_steps", lambda agents: steps)
    monkeypatch.setattr(compilation, "prune", lambda: 7)
    built = SimpleNamespace(stats=SimpleNamespace(cache_misses={"signature": 1}, cache_hits={}))
    found = SimpleNamespace(stats=SimpleNamespace(cache_misses={}, cache_hits={"signature": 1}))
    monkeypatch.setattr(
        compilation, "kernels", {"built": built, "found": found, "also found": found, "never used": print}
    )
    result = run("warm")
    assert result.exit_code == 0, result.output
    assert "compiled 1 kernels and loaded 2 from disk in" in result.stdout
    assert "deleted" not in result.stdout
    assert done == ["old"]
    assert "7 older versions" in run("dev", "prune").stdout


def test_prose_in_help_fills_the_line() -> None:
    """Line ends of a docstring would stand in the middle of paragraphs at 80 columns."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    paragraphs = [each for command in commands.values() for each in (command.help or "").split("\n\n")]
    assert len(paragraphs) > 2 * len(commands)
    assert [each for each in paragraphs if "\n" in each.strip() and "\n  " not in each] == []
    assert "\n  kagiya play careful --players 4 --seat bob\n" in commands["play"].help
