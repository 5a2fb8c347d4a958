"""Which games a folder of training data shall hold."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from kagiya.agents.api import Agent
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.training.harvest import HarvestTerms
from kagiya.learn.feature_kernels import FEATURE_VERSION
from kagiya.rules import Rules

FIRST_SEED = 50_000_001  # far from those of reported games, which begin at 1


@dataclass(frozen=True)
class DataOrder:
    """Which games a folder shall hold."""

    rules: Rules
    agent: Agent
    games: int
    seed: int = FIRST_SEED
    terms: HarvestTerms = field(default_factory=HarvestTerms)

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError(f"the number of games must be an integer of at least 1, not {self.games}")

    def about(self) -> dict[str, Any]:
        """What must stay the same while a folder grows."""
        return {
            "rules": self.rules.text(),
            "players": self.rules.players,
            "agent": self.agent.text,
            "code": code_version([self.agent]),
            "feature_version": FEATURE_VERSION,
            **asdict(self.terms),
        }
