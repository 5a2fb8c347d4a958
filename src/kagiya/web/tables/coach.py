"""The coach: what every move of a seat is worth, by samples of the cards that this seat cannot see."""

from __future__ import annotations

from dataclasses import dataclass

from kagiya.agents._base import Agent
from kagiya.lab.review.judgement import Judgement
from kagiya.lab.review.judging import StoppedError, judge
from kagiya.search.options import sees_too_much
from kagiya.view.observation import Observation
from kagiya.web.notifier import Notifier
from kagiya.web.seat.advice import Advice
from kagiya.web.tables.bots import Workers
from kagiya.web.tables.partners import Partners
from kagiya.web.thinking import STOPPED, Task
from kagiya.web.views import RefusedError

DEALS = 200
STEPS = 10  # in which progress is shown
USUAL = "smartbot"
MOST_KEPT = 50


@dataclass(frozen=True)
class Asked:
    """One question: a turn of a branch, and who judges."""

    turn: int
    branch: int
    judge: str


class Coach:
    """All that one seat has asked. Only what this seat sees goes into it."""

    def __init__(self, partners: Partners, workers: Workers, changes: Notifier) -> None:
        self._partners, self._workers, self._changes = partners, workers, changes
        self._tasks: dict[Asked, Task[Judgement]] = {}
        self._judges: dict[tuple[str, ...], tuple[str, ...]] = {}  # by who sits at the table

    def ask(self, view: Observation, branch: int, text: str, visitor: str) -> None:
        """Judge the turn of this view."""
        agent = self._judge(text)
        asked = Asked(view.turn, branch, text)
        if asked in self._tasks and not self._tasks[asked].came_to_nothing:
            return

        def work(task: Task[Judgement]) -> Judgement:
            def tell(done: int, deals: int) -> None:
                if (share := done * STEPS // deals / STEPS) != task.progress:
                    task.tell(share)

            self._workers.make_judge_ready(task, visitor, view.rules, agent)
            return judge(view, agent, DEALS, stop=task.stopped, progress=tell)

        while len(self._tasks) >= MOST_KEPT:
            self._tasks.pop(next(iter(self._tasks))).stop()
        lane = self._workers.lane_of_judge(view.rules, agent)
        self._tasks[asked] = self._workers.thinking.start(visitor, work, self._changes, lane)

    def _judge(self, text: str) -> Agent:
        agent = self._partners.find(text)
        if sees_too_much(agent):
            raise RefusedError(f"{agent.text} {agent.info.mark}, which you cannot; choose another coach.")
        if agent.is_search or not agent.is_compiled:
            raise RefusedError(f"{agent.text} is too slow to judge every move; choose one that answers at once.")
        return agent

    def judges(self, seats: tuple[str, ...], players: int) -> tuple[str, ...]:
        """Who can be asked: the usual one, the partners at this table, then all others."""
        if seats not in self._judges:
            able = [offer.id for offer in self._partners.offers(players) if self._is_able(offer.id)]
            here = [seat for seat in seats if seat in able]
            self._judges[seats] = tuple(dict.fromkeys([*(USUAL,) * (USUAL in able), *here, *able]))
        return self._judges[seats]

    def _is_able(self, text: str) -> bool:
        try:
            self._judge(text)
        except RefusedError:
            return False
        return True

    def stop(self, turn: int, branch: int) -> None:
        """Think no more about a turn; what was found until then is shown."""
        for asked, task in self._tasks.items():
            if (asked.turn, asked.branch) == (turn, branch):
                task.stop()

    def advice(self, turn: int, branch: int) -> tuple[Advice, ...]:
        """What was asked about a turn, the last question first."""
        found = [each for each in self._tasks.items() if (each[0].turn, each[0].branch) == (turn, branch)]
        return tuple(_advice(asked.judge, task) for asked, task in reversed(found))


def _advice(text: str, task: Task[Judgement]) -> Advice:
    error = ""
    if task.came_to_nothing:
        is_stopped = task.state == STOPPED or isinstance(task.error, StoppedError)
        error = "Stopped before there was anything to say." if is_stopped else str(task.error)
    return Advice(text, task.progress, not task.is_over, error, task.result, task.words)
