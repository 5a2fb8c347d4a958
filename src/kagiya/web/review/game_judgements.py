"""The judgements of a game by one judge: made in two passes, as far as they have come, and kept for the next visit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.register import agent_types, rebuild_agent
from kagiya.lab.review.judgement import Judgement
from kagiya.lab.review.judging import Budget, Judge
from kagiya.lab.review.samples import as_evaluator
from kagiya.lab.table.table import SeatingError
from kagiya.rules import Rules
from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.jobs import Task
from kagiya.web.play.table_agents import Partners
from kagiya.web.review.reviewed_game import ReviewedGame, ReviewFolder
from kagiya.web.views import RefusedError, sentence

MAX_DEALS = 4_000  # samples, where fewer do not say whether a move was a mistake
SEED = 0  # of the judges' samples


@dataclass
class GameJudgements:
    """What one judge found, by turn number."""

    evaluator: str
    deals: int
    by_turn: dict[int, Judgement] = field(default_factory=dict)
    code: str = ""  # of the evaluator, once it was asked for

    @property
    def max_deals(self) -> int:
        """On how many samples a doubtful move is tried at most."""
        return max(self.deals, MAX_DEALS)

    @property
    def file(self) -> str:
        """Its name on the folder."""
        return f"judged-{hashlib.sha256(self.evaluator.encode()).hexdigest()[:12]}-{self.deals}"

    def read(self, folder: ReviewFolder, key: str) -> None:
        """Take over what was kept, if the same code found it."""
        data = folder.read(key, self.file)
        if not isinstance(data, dict) or data.get("code") != self.code or data.get("evaluator") != self.evaluator:
            return
        found = {judgement.turn + 1: judgement for judgement in _judgements(data.get("judgements"))}
        self.by_turn = found | self.by_turn

    def keep(self, folder: ReviewFolder, key: str) -> None:
        """Write what was found, all of it."""
        judgements = [self.by_turn[turn].to_json() for turn in sorted(self.by_turn)]
        folder.write(key, self.file, {"code": self.code, "evaluator": self.evaluator, "judgements": judgements})

    def is_provisional(self, turn: int) -> bool:
        """Whether more samples may change what is said of the move that was made."""
        found = self.by_turn.get(turn)
        return found is not None and found.deals < self.max_deals and not found.is_clear

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


@dataclass(frozen=True)
class TwoPassJudge:
    """One judge at work on one game."""

    story: ReviewedGame
    folder: ReviewFolder
    evaluator: Agent
    judged: GameJudgements

    def first(self, task: Task[Any], turns: Sequence[int]) -> None:
        """Try every move of the turns that were not judged yet, on as many samples as were asked for."""
        wanted = [turn for turn in turns if turn not in self.judged.by_turn]
        self._judge(task, wanted, self.judged.deals, "turns")

    def second(self, task: Task[Any], turns: Sequence[int]) -> None:
        """Try the move that was made, and those that may be better, on more samples, until it is clear which it is."""
        self._judge(task, turns, self.judged.max_deals, "doubtful turns, on more samples")

    def _judge(self, task: Task[Any], turns: Sequence[int], max_deals: int, what: str) -> None:
        table = Judge(self.story.rules, self.evaluator)
        for done, turn in enumerate(turns, start=1):
            found = self._judgement(table, task, turn, max_deals)
            if found is None:
                break
            self.judged.by_turn[turn] = found
            task.report(done / len(turns), f"{done} of {len(turns)} {what}")
        self.judged.keep(self.folder, self.story.key)

    def _judgement(self, table: Judge, task: Task[Any], turn: int, max_deals: int) -> Judgement | None:
        """None if it was stopped: what was found on fewer samples than asked for is not kept."""
        table.watch(self.story.before(turn))
        try:
            found = table.judge_made(Budget(self.judged.deals, max_deals, task.stopped), SEED, self.story.move_of(turn))
        except StoppedError:
            return None
        return None if task.stopped.is_set() else found


def judge_agent(text: str, partners: Partners, rules: Rules) -> Agent:
    """An agent that can play on for a judge."""
    try:
        return as_evaluator(partners.for_review(text, rules))
    except SeatingError as error:
        raise RefusedError(sentence(error)) from None


@lru_cache(maxsize=64)
def possible_judges(rules: Rules) -> tuple[str, ...]:
    """The agents of Kagiya that can judge by these rules: compiled, and answering at once."""
    names = [name for name, kind in agent_types().items() if not kind.is_search]
    agents = [(name, rebuild_agent(name)) for name in names]
    return tuple(sorted(name for name, agent in agents if agent.is_compiled and not agent.why_not(rules)))
