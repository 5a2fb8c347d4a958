"""The import contracts notice what they forbid: each is broken on purpose in a copy of the package."""

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from tests.children import PROJECT, finish, start_child

pytest.importorskip("importlinter")

CONTRACTS = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LINT = "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"

# For each contract, by the beginning of its name: a module, and an import that it must not have.
FORBIDDEN = {
    "the flow": ("view/view_kernels.py", "from kagiya.agents import register"),
    "only _jit": ("engine/game.py", "import numba"),
    "drawings need": ("drawing/card.py", "import numpy"),
    "the slow twin": ("engine/reference.py", "from kagiya.engine.layout import GAME"),
    "the laboratory": ("lab/summary.py", "from kagiya.lab.match import match"),
    "commands use the plumbing": ("cli/terminal_board.py", "from kagiya.cli.commands import match"),
    "tables are drawn": ("cli/commands/match.py", "from rich.table import Table"),
    "learning, top": ("learn/features.py", "from kagiya.learn import networks"),
    "to play needs": ("learn/networks.py", "import torch"),
    "game files": ("interop/live_game.py", "from kagiya.interop import files"),
    "processes beside": ("web/compile_process.py", "from kagiya.web import server_state"),
    "pages say no SQL": ("web/results_queries.py", "import duckdb"),
    "pages do not know": ("web/review/reviewed_game.py", "from kagiya.web import socket"),
    "the page of a seat": ("web/play/seat_drawing.py", "from kagiya.engine.game import Game"),
    "a seat's page takes": ("web/table_html.py", "from kagiya import Game"),
    "searches, top": ("search/deals/sampling.py", "from kagiya.search import ismcts"),
}


def lint(folder: Path) -> tuple[int, str]:
    """What `lint-imports` says of the package in this folder."""
    process = start_child([sys.executable, "-c", LINT], folder, {"PYTHONPATH": str(folder / "src")})
    code, output, errors = finish(process)
    return code, output + errors


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(PROJECT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_package_keeps_all_contracts(project: Path) -> None:
    code, said = lint(project)
    assert code == 0, said
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in said


def test_each_contract_can_be_broken(project: Path) -> None:
    names = [contract["name"] for contract in CONTRACTS]
    broken = {name: mutant for name in names for key, mutant in FORBIDDEN.items() if name.startswith(key)}
    assert set(names) == set(broken), "a contract has no import here that breaks it"
    for module, line in broken.values():
        file = project / "src/kagiya" / module
        file.write_text(f"{file.read_text()}\n{line}  # the mutant\n")
    code, said = lint(project)
    assert code == 1
    assert [name for name in names if f"{name} BROKEN" not in said] == []
