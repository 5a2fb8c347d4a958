"""Whoever edits anything that an agent is made from gets new games, whatever the store and the cache have."""

import json
import re
from dataclasses import dataclass
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
RUN = "from kagiya.cli import main; main()"
# Both agents in one process, which takes longer to start than to play: with the store, then without.
MODULES = ("python", "compiled")
PLAY_ALL = """
from kagiya.cli import main
for module in ("python", "compiled"):
    for words in (["--store", "games"], []):
        sys.argv = ["kagiya", "match", f"mine.{module}:AGENT", "--games", "40", "--players", "2", "--json", *words]
        try:
            main()
        except SystemExit as end:
            assert not end.code
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    for name, text in FILES.items():
        (tmp_path / "mine" / name).write_text(text)
    return tmp_path


@dataclass(frozen=True)
class Played:
    """What some games of an agent came to, with a store and without, and how many of them were in the store."""

    stored: dict[str, Any]
    plain: dict[str, Any]
    were_stored: int


def play(folder: Path) -> dict[str, Played]:
    """The games of both agents in a fresh process."""
    # Python's own cache goes by the second in which a file was written, which two edits may share.
    process = start_python(PLAY_ALL, folder=folder, environment={"PYTHONDONTWRITEBYTECODE": "1"})
    code, output, errors = finish(process)
    assert code == 0, errors
    games = [{key: data[key] for key in data if key != "seconds"} for data in map(json.loads, output.splitlines())]
    counts = [int(count) for count in re.findall(r"(\d+) were stored", errors)]
    results = zip(MODULES, games[::2], games[1::2], counts, strict=True)
    return {module: Played(stored, plain, count) for module, stored, plain, count in results}


def write(folder: Path, name: str, text: str) -> None:
    (folder / "mine" / name).write_text(text)


# A file, what it is changed to, and whose games are others then.
EDITS = [
    ("consts.py", "CHOSEN = 1", {"python", "compiled"}),
    ("later.py", "def extra():\n    return 1", {"python"}),  # imported in a function
    ("slot.txt", "1", {"compiled"}),  # data
]


def test_an_edit_is_seen_with_a_store_and_without(folder: Path) -> None:
    before = play(folder)
    assert [each.were_stored for each in before.values()] == [0, 0]
    for file, text, edited in EDITS:
        write(folder, file, text)
        after = play(folder)
        for module in MODULES:
            assert after[module].were_stored == (0 if module in edited else 40), (file, module)
            assert (after[module].stored != before[module].stored) == (module in edited), (file, module)
            assert after[module].plain == after[module].stored, (file, module)
        write(folder, file, FILES[file] + ("\n# as it was\n" if file.endswith(".py") else ""))
    again = play(folder)
    assert [each.were_stored for each in again.values()] == [40, 40]
    for module in MODULES:
        assert again[module].plain == again[module].stored == before[module].stored


def test_a_data_file_that_is_not_there_is_named(folder: Path) -> None:
    (folder / "mine" / "slot.txt").rename(folder / "mine" / "other.txt")
    (folder / "mine" / "compiled.py").write_text(COMPILED.replace('slot.txt").read', 'other.txt").read'))
    process = start_python(RUN, "match", "mine.compiled:AGENT", "--games", "4", "--players", "2", folder=folder)
    code, _, errors = finish(process)
    assert code == 1
    assert "slot.txt in DATA_FILES, but there is no such file" in errors
