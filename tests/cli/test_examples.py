"""Every example of every page of help works; with fewer games, in a folder that has the files they speak of."""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import typer.main

import kagiya
from kagiya import Match, Rules, find_agent
from kagiya._jit import JIT_OFF
from kagiya.cli.command_line import app
from kagiya.dev import bench as dev_bench
from kagiya.lab import signature
from kagiya.lab.papers.paper_tables import read_tables
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from tests.children import PROJECT
from tests.cli.command import RUNNER, run
from tests.lab.papers.test_measurement import SMALL

# Options that say how much is measured, and how little is enough here.
FEW = {
    **{"--games": "10", "--seconds": "0.01", "--rounds": "1", "--moves": "2", "--positions": "2", "--samples": "50"},
    **{"dev bench search --time": "0.1ms", "dev bench search --games": "1"},
    **{"dev bench web --tables": "1", "dev bench web --seconds": "0.5", "dev bench web --opened": "1"},
    **{"--generations": "1", "--population": "16", "--elite": "4", "--report-games": "10", "--candidates": "200"},
    **{
        "evolve --games": "32",
        "train data --games": "1",
        "train policies --games": "20",
        "train policies --passes": "1",
    },
    **{
        "dev goodman --games": "3,3,3",
        "dev goodman --steps": "900,300,300",
        **{"--epochs": "30", "--patience": "30", "--learning-rate": "0.01", "--batch": "64"},
        "dev goodman --min-visits": "5,5,5",
    },
    "tournament --games": "1",
}
FEW_ITERATIONS = {"steps=93000": "steps=9000"}
# The agent of a user's that the examples speak of.
MY_AGENT = "class MyAgent:\n    def act(self, observation):\n        return observation.legal_moves[0]\n"
EXPERIMENT = 'agents = ["careful", "random"]\nplayers = 2\ngames = 2\n'
SIGNED = ("ris-mcts", "smartbot")  # the agents that `kagiya dev signature` is tried with


def pages() -> Iterator[tuple[str, Any]]:
    """Every command and group, by its words after ``kagiya``."""
    waiting = [("", typer.main.get_command(app))]
    while waiting:
        name, command = waiting.pop()
        yield name, command
        waiting += [(f"{name} {key}".strip(), each) for key, each in getattr(command, "commands", {}).items()]


def examples(command: Any) -> list[str]:
    """The lines of a page that show a command, without what they say of it."""
    lines = [re.sub(r"\[/?bold\]|\[/\]", "", line).strip() for line in (command.help or "").splitlines()]
    found = [re.split(r"\s{2,}", line)[0] for line in lines]
    found += [line.partition(": ")[2] or line.partition("? ")[2] for line in lines]  # as on the first page
    return [line for line in found if re.match(r"(\w+=\S+ )*kagiya [a-z]", line) and not line.endswith(";")]


PAGES = dict(pages())
EXAMPLES = sorted({line for command in PAGES.values() for line in examples(command)})


def test_the_package_is_the_one_that_is_meant() -> None:
    """tests/installed.py runs these examples with the package that a wheel installed."""
    place = Path(kagiya.__file__)
    assert place.is_relative_to(os.environ.get("KAGIYA_PACKAGE") or PROJECT)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_shows_its_command(name: str) -> None:
    assert any(line.startswith(f"kagiya {name}".strip()) for line in examples(PAGES[name])), f"no example of {name}"
    shown = run(*name.split(), "--help")
    assert shown.exit_code == 0
    assert "kagiya" in shown.stdout


@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_eighty_columns_breaks_no_example(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = [line.rstrip() for line in run(*name.split(), "--help").stdout.splitlines()]
    written = [line.replace("\\[", "[") for line in PAGES[name].help.splitlines() if line.startswith("  ")]
    assert written
    assert [line for line in written if f" {line.rstrip()}" not in shown] == []


def test_a_flag_takes_no_value_and_shows_none() -> None:
    shown = run("match", "--help").stdout
    assert "NUMBER" in shown
    assert "<bool>" not in shown


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder of somebody who has followed the examples so far."""
    (tmp_path / "mymodule.py").write_text(MY_AGENT)
    (tmp_path / "experiment.toml").write_text(EXPERIMENT)
    for name in ("README.md", "constraints.txt"):
        shutil.copy(PROJECT / name, tmp_path)
    shutil.copytree(PROJECT / "docs", tmp_path / "docs")
    shutil.copytree(PROJECT / "results", tmp_path / "results")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        "kagiya.lab.table.compilation.prune", lambda: 0
    )  # the compiled code belongs to whoever runs the tests
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def prepare(words: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What single commands need besides."""
    if words[0] in ("results", "sql", "store") or "--run" in words:
        with Store.open("here" if "here" in words else None) as store:
            run_matches([Match.of(Rules(players=3), [find_agent("careful")], 50, 1)], store)
    elif "--resume" in words:
        assert run("play", "--save", "game.json", typed="quit\n").exit_code == 0
    elif words[0] in ("replay", "review", "convert", "analyse", "agree", "who") or "--from" in words:
        assert run("show", "careful", "--brief", "--save", "game.json").exit_code == 0
        if words[0] != "convert" and "game.txt" in words:
            assert run("convert", "game.json", "game.txt").exit_code == 0
    elif words[0] == "reproduce" and (named := tables_meant(words)):
        (folder / "reproductions").mkdir()
        for name in named:
            label = words[words.index("--row") + 1] if "--row" in words else "careful"
            text = re.sub('(label|row) = "careful"', rf'\1 = "{label}"', SMALL)
            (folder / f"reproductions/{name}.toml").write_text(text)
    elif words[0] == "match" and any("mine.safetensors" in word for word in words):
        shutil.copy(PROJECT / "src/kagiya/learn/models/evalfn-3.safetensors", folder / "mine.safetensors")
    elif words[:2] in (["train", "fit"], ["dev", "goodman"]):
        pytest.importorskip("torch", reason="training needs PyTorch, the extra 'train'")
        made = run(
            "train", "data", "rows", "ris-mcts(steps=900)", "--games", "3", "--players", "3", "--min-visits", "20"
        )
        assert made.exit_code == 0, made.output
    elif words == ["warm"]:  # all of them in a cache of its own would be compiled anew; tests/installed.py does
        few_agents = {name: kind for name, kind in kagiya.agent_types().items() if name in ("random", "careful")}
        monkeypatch.setattr(kagiya, "agent_types", lambda: few_agents)
    elif words[0] == "serve":  # the page itself is tried in tests/web
        assert run("show", "careful", "--brief", "--save", "game.json").exit_code == 0
        monkeypatch.setattr("kagiya.web.app.serve", lambda state, listening, hosts, when_ready: when_ready())
        monkeypatch.setattr("kagiya.web.app.open_browser", lambda address: True)
    elif words[:2] == ["dev", "bench"]:
        monkeypatch.setattr(dev_bench, "thread_gain", lambda agent, games: games / games)
    elif words[:2] in (["dev", "signature"], ["dev", "restamp"]):
        few = [each for each in signature.all_seatings() if each.group in SIGNED][-9:]
        monkeypatch.setattr(signature, "all_seatings", lambda: iter(few))
        assert run("dev", "signature", "--write").exit_code == 0


def tables_meant(words: list[str]) -> list[str]:
    """The tables that an example measures, by their true names; one stands for all of them."""
    tables = list(read_tables(PROJECT))
    return tables[:1] if "--tables" in words else [word for word in words if word in tables]


def few_games(words: list[str]) -> list[str]:
    """The words, with the numbers that decide how long they take made small."""
    name = next(name for n in (3, 2, 1) if (name := " ".join(words[:n])) in PAGES)
    options = {option for parameter in PAGES[name].params for option in parameter.opts}
    added = [(key.split()[-1], value) for key, value in FEW.items() if key.startswith(("--", name))]
    words = [reduce(lambda text, each: text.replace(*each), FEW_ITERATIONS.items(), word) for word in words]
    return words + [word for option, value in added if option in options for word in (option, value)]


@pytest.mark.skipif(JIT_OFF, reason="some commands play too many games for the interpreter")
@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_works(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, _, after = line.partition("kagiya ")
    environment = dict(setting.split("=") for setting in before.split())
    words = shlex.split(after)
    if "--cluster" in words:
        pytest.skip("there is no scheduler at that address; tests/lab/match/test_cluster.py starts one")
    prepare(words, folder, monkeypatch)
    typed = "quit\n" if words[0] in ("play", "review") else ""
    result = RUNNER.invoke(app, few_games(words), input=typed, env=environment, prog_name="kagiya")
    assert result.exit_code == 0, f"{result.output}\n{result.exception!r}"


def test_the_examples_are_found() -> None:
    assert len(EXAMPLES) > 50
    assert "kagiya compare vdb iggi" in EXAMPLES
    assert "KAGIYA_CACHE_DIR=cache kagiya warm" in EXAMPLES
