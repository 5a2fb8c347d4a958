"""ARCHITECTURE.md lists every room and every module, and nothing that is not there."""

import re
from pathlib import Path

import kagiya
from kagiya.agents.register import agent_modules

PACKAGE = Path(kagiya.__file__).parent
PAGE = Path(__file__).parents[1] / "ARCHITECTURE.md"
ROW = re.compile(r"^\| (`[\w/]+/`|\.) \| .+? \| (.+) \|$", re.MULTILINE)
AND_THE_AGENTS = "and the agents"


def listed() -> dict[str, set[str]]:
    rooms = {}
    for folder, modules in ROW.findall(PAGE.read_text(encoding="utf-8")):
        names = re.findall(r"`(\w+)`", modules)
        assert len(names) == len(set(names)), f"{folder} names a module twice"
        rooms[folder.strip("`").rstrip("/")] = set(names)
    return rooms


def there() -> dict[str, set[str]]:
    rooms: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        if not file.name.startswith("__"):
            rooms.setdefault(str(file.parent.relative_to(PACKAGE)), set()).add(file.stem)
    return rooms


def test_every_room_and_module_is_listed() -> None:
    agents = {module.rpartition(".")[2] for module in agent_modules()}
    assert AND_THE_AGENTS in PAGE.read_text(encoding="utf-8")
    found = there()
    found["agents"] -= agents
    assert listed() == found
