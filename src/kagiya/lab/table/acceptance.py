"""Which users' agents passed inspection before: remembered by their code, so that only new code is inspected."""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from pathlib import Path

from kagiya._jit import cache_root
from kagiya._jit.cache import stamp
from kagiya.agents.api import Agent
from kagiya.rules import Rules

VERSION = 1  # of the inspection: a stricter one asks everybody again


def is_accepted(agent: Agent, rules: Rules) -> bool:
    """Whether an agent of this code, with these parameters, passed by these rules."""
    mark = _mark(agent, rules)
    return mark is not None and mark.exists()


def remember(agent: Agent, rules: Rules) -> None:
    """Note that it did; where nothing can be written, it is asked again next time."""
    mark = _mark(agent, rules)
    if mark is not None:
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


def _mark(agent: Agent, rules: Rules) -> Path | None:
    """The file that stands for this; None for code that has no hash, like kernels that are not compiled."""
    folders = [getattr(kernel, "kagiya_folder", None) for kernel in agent.kernels]
    if not all(folders):
        return None
    label = (VERSION, agent.text, agent.reasons, agent.memory_words, agent.info.mark, rules.text(), rules.players)
    digest = hashlib.sha256(repr((label, _module_stamp(agent), [each.name for each in folders if each])).encode())
    for file in agent.files:
        digest.update(Path(file).read_bytes())
    return cache_root() / "accepted" / digest.hexdigest()[:32]


def _module_stamp(agent: Agent) -> str:
    """A hash of the module that the agent is named by, where a list of tactics may stand."""
    name, _, attribute = agent.text.partition("(")[0].partition(":")
    path = getattr(sys.modules.get(name), "__file__", None) if attribute else None
    return stamp(path) if path else ""
