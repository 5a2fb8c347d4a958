"""What the shell offers after Tab: agents, rules. It answers at once, so it imports no agent."""

from __future__ import annotations

import json
from pathlib import Path

import kagiya

NAMES = Path(kagiya.__file__).parent / "lab/contests/measured_league.json"


def agent_names(incomplete: str) -> list[str]:
    """The ids of agents that begin so."""
    found: list[str] = json.loads(NAMES.read_text(encoding="utf-8"))["agents"]
    return [name for name in found if name.startswith(incomplete)]


def rules_names(incomplete: str) -> list[str]:
    """The presets that begin so."""
    from kagiya.rules import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]
