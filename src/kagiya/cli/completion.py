"""What the shell offers after Tab: agents, rules. It answers at once: only after a change it has to import agents."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import kagiya

PACKAGE = Path(kagiya.__file__).parent
FOLDERS = ("agents", "learn/agents", "search/agents")


def agent_names(incomplete: str) -> list[str]:
    """The ids of agents that begin so."""
    return [name for name in known_names() if name.startswith(incomplete)]


def known_names() -> list[str]:
    """All ids, from the file that the first question after a change of the agents' modules leaves behind."""
    file = names_file()
    if file.exists():
        return file.read_text(encoding="utf-8").split()
    from kagiya.agents.register import agent_types

    with suppress(OSError):  # a package that cannot be written to is asked again
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(agent_types()), encoding="utf-8")
    return list(agent_types())


def names_file() -> Path:
    """Where the ids are kept: beside Python's own cache, under a stamp of the modules that define agents."""
    modules = sorted(path for folder in FOLDERS for path in (PACKAGE / folder).glob("*.py"))
    stamp = hashlib.sha256(repr([(path.name, path.stat().st_mtime_ns) for path in modules]).encode()).hexdigest()
    return PACKAGE / "__pycache__" / f"agents-{stamp[:16]}.txt"


def rules_names(incomplete: str) -> list[str]:
    """The presets that begin so."""
    from kagiya.rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]
