"""What a check found."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One check: whether the agent passed, and in words what was done or what is wrong."""

    check: str
    passed: bool
    text: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Stage:
    """What is about to be done: a check, and the rules or games it is done with."""

    check: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.check} ({self.where})" if self.where else self.check
