"""Whoever edits anything that an agent is made from gets new games, whatever the store and the cache have."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.children import finish, start_python

PYTHON = """
try:
    from .consts import CHOSEN
except ImportError:
    raise

class Bot:
    def act(self, observation):
        from .later import extra
        moves = observation.legal_moves
        return moves[(CHOSEN + extra()) % len(moves)]

AGENT = Bot()
"""
COMPILED = """
from pathlib import Path
from kagiya import AgentInfo, CompiledAgent
from kagiya.kernels import kernel, play_move
from .consts import CHOSEN

DATA_FILES = ["slot.txt"]
SLOT = CHOSEN + int(Path(__file__).with_name("slot.txt").read_text())

@kernel
def act(states, i, seat, memory, params, rng):
    return play_move(SLOT)

AGENT = CompiledAgent(AgentInfo(id="bot", summary="x", family="x", paper="x"), act)
"""
FILES = {
    "__init__.py": "",
    "python.py": PYTHON,
    "compiled.py": COMPILED,
    "consts.py": "CHOSEN = 0",
    "later.py": "def extra():\n    return 0",
    "slot.txt": "0",
}
EDITS = {
    "python": ("consts.py", "CHOSEN = 1"),
    "python, an import in a function": ("later.py", "def extra():\n    return 1"),
    "compiled": ("consts.py", "CHOSEN = 1"),
    "compiled, a data file": ("slot.txt", "1"),
}
RUN = "from kagiya.cli import main; main()"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    for name, text in FILES.items():
        (tmp_path / "mine" / name).write_text(text)
    return tmp_path


def play(folder: Path, module: str, *words: str) -> tuple[dict[str, Any], str]:
    """What some games come to in a fresh process, and what it said about the store."""
    command = ("match", f"mine.{module}:AGENT", "--games", "40", "--players", "2", "--json", *words)
    # Python's own cache goes by the second in which a file was written, which two edits may share.
    process = start_python(RUN, *command, folder=folder, environment={"PYTHONDONTWRITEBYTECODE": "1"})
    code, output, errors = finish(process)
    assert code == 0, errors
    data = json.loads(output)
    return {key: data[key] for key in data if key != "seconds"}, errors


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_is_seen_with_a_store_and_without(folder: Path, what: str) -> None:
    module, (file, text) = what.split(",")[0], EDITS[what]
    before, said = play(folder, module, "--store", "games")
    assert "40 games computed, 0 were stored" in said
    (folder / "mine" / file).write_text(text)
    after, said = play(folder, module, "--store", "games")
    assert "40 games computed, 0 were stored" in said
    assert after != before
    assert play(folder, module)[0] == after
    (folder / "mine" / file).write_text(FILES[file] + ("\n# as it was\n" if file.endswith(".py") else ""))
    again, said = play(folder, module, "--store", "games")
    assert "0 games computed, 40 were stored" in said
    assert again == before


def test_a_data_file_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "mine" / "slot.txt").rename(folder / "mine" / "other.txt")
    (folder / "mine" / "compiled.py").write_text(COMPILED.replace('slot.txt").read', 'other.txt").read'))
    process = start_python(RUN, "match", "mine.compiled:AGENT", "--games", "4", "--players", "2", folder=folder)
    code, _, errors = finish(process)
    assert code == 1
    assert "slot.txt in DATA_FILES, but there is no such file" in errors
