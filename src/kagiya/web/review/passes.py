"""A game judged in two passes: quickly at every turn, then on more samples where the verdict is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.agents.api import Agent
from kagiya.lab.review.judgement import Judgement
from kagiya.lab.review.judging import Budget, Judge
from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.jobs import Task
from kagiya.web.review.judged import Judged
from kagiya.web.review.study import Study

SEED = 0  # of the judges' samples


@dataclass(frozen=True)
class Passes:
    """One judge at work on one game."""

    study: Study
    evaluator: Agent
    judged: Judged

    def first(self, task: Task[Any], turns: Sequence[int]) -> None:
        """Try every move of the turns that were not judged yet, on as many samples as were asked for."""
        wanted = [turn for turn in turns if turn not in self.judged.by_turn]
        self._judge(task, wanted, self.judged.deals, "turns")

    def second(self, task: Task[Any], turns: Sequence[int]) -> None:
        """Try the move that was made, and those that may be better, on more samples, until it is clear which it is."""
        self._judge(task, turns, self.judged.most_deals, "doubtful turns, on more samples")

    def _judge(self, task: Task[Any], turns: Sequence[int], most: int, what: str) -> None:
        table = Judge(self.study.story.rules, self.evaluator)
        for done, turn in enumerate(turns, start=1):
            found = self._judgement(table, task, turn, most)
            if found is None:
                break
            self.judged.by_turn[turn] = found
            task.report(done / len(turns), f"{done} of {len(turns)} {what}")
        self.judged.keep(self.study.shelf, self.study.story.key)

    def _judgement(self, table: Judge, task: Task[Any], turn: int, most: int) -> Judgement | None:
        """None if it was stopped: what was found on fewer samples than asked for is not kept."""
        story = self.study.story
        table.watch(story.before(turn))
        try:
            found = table.judge_made(Budget(self.judged.deals, most, task.stopped), SEED, story.move_of(turn))
        except StoppedError:
            return None
        return None if task.stopped.is_set() else found
