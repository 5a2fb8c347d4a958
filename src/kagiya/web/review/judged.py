"""The judgements of a game by one judge, as far as they have come, and how they are kept for the next visit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kagiya.lab.review.judgement import Judgement
from kagiya.web.review.shelf import Shelf

MOST_DEALS = 4_000  # samples at most, where fewer do not say whether a move was a mistake


@dataclass
class Judged:
    """What one judge found, by turn number."""

    evaluator: str
    deals: int
    by_turn: dict[int, Judgement] = field(default_factory=dict)
    code: str = ""  # of the evaluator, once somebody has asked

    @property
    def most_deals(self) -> int:
        """On how many samples a doubtful move is tried at most."""
        return max(self.deals, MOST_DEALS)

    @property
    def file(self) -> str:
        """Its name on the shelf."""
        return f"judged-{hashlib.sha256(self.evaluator.encode()).hexdigest()[:12]}-{self.deals}"

    def read(self, shelf: Shelf, key: str) -> None:
        """Take over what was kept, if the same code found it."""
        data = shelf.read(key, self.file)
        if not isinstance(data, dict) or data.get("code") != self.code or data.get("evaluator") != self.evaluator:
            return
        found = {judgement.turn + 1: judgement for judgement in _judgements(data.get("judgements"))}
        self.by_turn = found | self.by_turn

    def keep(self, shelf: Shelf, key: str) -> None:
        """Write what was found, all of it."""
        judgements = [self.by_turn[turn].to_json() for turn in sorted(self.by_turn)]
        shelf.write(key, self.file, {"code": self.code, "evaluator": self.evaluator, "judgements": judgements})

    def is_provisional(self, turn: int) -> bool:
        """Whether more samples may change what is said of the move that was made."""
        found = self.by_turn.get(turn)
        return found is not None and found.deals < self.most_deals and not found.is_clear

    def is_final(self, turn: int) -> bool:
        """Whether it was judged, and nothing is left to find out."""
        return turn in self.by_turn and not self.is_provisional(turn)

    @property
    def provisional(self) -> list[int]:
        """Those turns, the ones that look worst first."""
        found = [turn for turn in tuple(self.by_turn) if self.is_provisional(turn)]  # a judge may be adding some
        return sorted(found, key=lambda turn: -self._behind(turn))

    def _behind(self, turn: int) -> float:
        verdict = self.by_turn[turn].verdict
        return 0.0 if verdict is None else verdict.behind

    @property
    def mistakes(self) -> list[int]:
        """The turns whose moves were mistakes, the worst first."""
        found = [turn for turn, judgement in tuple(self.by_turn.items()) if judgement.is_mistake]
        return sorted(found, key=lambda turn: -self._behind(turn))

    def to_json(self) -> dict[str, Any]:
        """How far it is, as plain data."""
        return {
            "judge": self.evaluator,
            "deals": self.deals,
            "turns": len(self.by_turn),
            "mistakes": sorted(self.mistakes),
            "provisional": sorted(self.provisional),
        }


def _judgements(data: Any) -> Iterator[Judgement]:
    """What was kept; a damaged entry is left out, for it can be found again."""
    for each in data if isinstance(data, list) else []:
        try:
            yield Judgement.from_json(each)
        except (KeyError, TypeError, ValueError):
            continue
