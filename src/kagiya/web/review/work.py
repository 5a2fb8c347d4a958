"""Work on a game that takes longer than a page may wait: the zoo's opinions, the agents' thoughts, judgements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from kagiya.agents._base import Agent
from kagiya.agents.register import prompt_agents, rebuild_agent
from kagiya.cards import Seat
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.provenance.genuine import Recollection
from kagiya.lab.review.opinions import opinions
from kagiya.rules import Rules
from kagiya.web.processes.warming import warm_up
from kagiya.web.review.asking import judge_agent, seated_agents
from kagiya.web.review.beliefs import Beliefs, believer, work_out
from kagiya.web.review.passes import Passes
from kagiya.web.review.study import Study
from kagiya.web.review.trying import Attempt, try_out
from kagiya.web.server.state import ServerState
from kagiya.web.tables.bots import depth_one
from kagiya.web.thinking import CLOSER, STUDY, Task
from kagiya.web.views import RefusedError

ZOO, THOUGHTS, TRYING = "zoo", "thoughts", "trying"


class Desk:
    """Where a visitor has work done on a game. The same work is never begun twice."""

    def __init__(self, state: ServerState, visitor: str, study: Study) -> None:
        self._house, self._visitor, self._study = state, visitor, study
        self._rules: Rules = study.story.rules

    def begin_by_itself(self, judges: Sequence[str], deals: int) -> None:
        """What costs little is found out whenever somebody looks: opinions, rule agents' thoughts, what was kept."""
        with suppress(RefusedError):  # too much is waiting: the page is shown nevertheless
            for text in judges:
                self._begin(f"kept {text} {deals}", partial(self._read_kept, text, deals))
            if THOUGHTS not in self._study.tasks and self._are_seats_quick():
                self._begin(THOUGHTS, self._recall)
            self._begin(ZOO, self._ask_zoo)

    def recall(self) -> None:
        """Let the agents think again, move by move: searches take the time they took."""
        self._study.tasks.pop(THOUGHTS, None)
        self._begin(THOUGHTS, self._recall)

    def judge(self, text: str, deals: int, turns: Iterable[int]) -> None:
        """Judge some turns by an evaluator, then those of them that are in doubt on more samples; nothing twice."""
        study, evaluator = self._study, judge_agent(text, self._house.limits, self._rules)
        if any(study.is_busy(about) for about in judging(text, deals)):
            return  # the page shows how far it is, and how to stop it
        passes = Passes(study, evaluator, study.judged(text, deals))
        study.tasks[judging(text, deals)[0]] = self._start(partial(self._judge, passes, list(turns)), study)

    def believe(self, seat: Seat, usual: str) -> None:
        """Work out what a seat could know at every turn."""
        limits, about = self._house.limits, f"beliefs {seat}"
        agents, _ = seated_agents(self._study.story.seats, limits, self._rules)
        agent = believer(dict(enumerate(agents)), seat, judge_agent(usual, limits, self._rules))

        def work(task: Task[Any]) -> None:
            def go_on(progress: float) -> bool:
                task.tell(progress, f"what {self._study.story.called[seat]} could know")
                return not task.stopped.is_set()

            self._prepare_judge(task, agent)
            found = self._study.beliefs[seat] = Beliefs(seat, agent.text)
            work_out(found, self._study.story, agent, go_on)

        if not self._study.is_busy(about):
            self._study.tasks[about] = self._start(work, self._study)

    def try_out(self, attempt: Attempt, root: Study) -> None:
        """Play on from a turn in another way; the branch is kept with the game that all branches leave."""
        root.branches.check_room()
        if root.is_busy(TRYING):
            raise RefusedError("Something is being tried already; wait for it, or stop it.")

        def work(task: Task[Any]) -> str | None:
            self._prepare(task, [*attempt.agents, *attempt.original])
            return None if task.stopped.is_set() else try_out(task, attempt, root.branches)

        root.tasks[TRYING] = self._start(work, root)

    def _start(self, work: Callable[[Task[Any]], Any], study: Study, lane: str = STUDY) -> Task[Any]:
        return self._house.thinking.start(self._visitor, work, study.changes, lane)

    def _begin(self, about: str, work: Callable[[Task[Any]], Any]) -> None:
        if about not in self._study.tasks:
            self._study.tasks[about] = self._start(work, self._study)

    def _are_seats_quick(self) -> bool:
        """Whether the agents of a record can be asked without anybody waiting for long; who cannot at all is noted."""
        if self._study.story.record is None or self._study.problems:
            return False
        agents, self._study.problems = seated_agents(self._study.story.seats, self._house.limits, self._rules)
        return not any(agent is not None and (agent.is_search or not agent.is_compiled) for agent in agents)

    def ask_all(self) -> None:
        """Ask also the agents that must be compiled first."""
        self._study.tasks.pop(ZOO, None)
        self._begin(ZOO, partial(self._ask_zoo, everybody=True))

    def _ask_zoo(self, task: Task[Any], everybody: bool = False) -> None:
        """Those that are compiled, unless everybody is asked for: the first time on a machine that takes minutes."""
        study, asked = self._study, self._study.story.with_a_last_move
        agents = [rebuild_agent(name) for name in prompt_agents()]
        ready = [agent for agent in agents if self._house.compiling.is_ready(self._rules, [agent])]
        study.opinions = opinions(asked, ready) if ready else None
        study.unasked = [agent.text for agent in agents if agent not in ready]
        for agent in [each for each in agents if everybody and each not in ready]:
            self._prepare(task, [agent])
            if task.stopped.is_set():
                return
            ready.append(agent)
            study.unasked.remove(agent.text)
            study.opinions = opinions(asked, ready)

    def _recall(self, task: Task[Any]) -> None:
        """The thoughts behind the game, turn by turn as they come."""
        study = self._study
        assert study.story.record is not None
        agents, study.problems = seated_agents(study.story.seats, self._house.limits, self._rules)
        self._prepare(task, [agent for agent in agents if agent is not None])
        recollection = Recollection(study.story.record, agents, study.story.code)
        task.on_stop = recollection.stop
        for recalled in recollection:
            study.recalled[recalled.turn + 1] = recalled
            task.tell((recalled.turn + 1) / len(study.story.moves))

    def _read_kept(self, text: str, deals: int, task: Task[Any]) -> None:
        agent = judge_agent(text, self._house.limits, self._rules)
        judged = self._study.judged(text, deals)
        judged.code = judged.code or code_version([agent])
        judged.read(self._study.shelf, self._study.story.key)

    def _judge(self, passes: Passes, turns: Sequence[int], task: Task[Any]) -> None:
        """The quick pass; then the closer look begins by itself, where it keeps nobody waiting."""
        evaluator, judged = passes.evaluator, passes.judged
        self._prepare_judge(task, evaluator)
        self._read_kept(judged.evaluator, judged.deals, task)
        passes.first(task, turns)
        doubtful = [turn for turn in judged.provisional if turn in turns]
        if doubtful and not task.stopped.is_set():
            with suppress(RefusedError):  # too much is waiting: what is in doubt stays provisional, and says so
                closer = self._start(lambda task: passes.second(task, doubtful), self._study, CLOSER)
                self._study.tasks[judging(judged.evaluator, judged.deals)[1]] = closer
                if task.stopped.is_set():  # meanwhile
                    closer.stop()

    def _prepare_judge(self, task: Task[Any], evaluator: Agent) -> None:
        self._prepare(task, [evaluator, depth_one(evaluator)])
        warm_up(task)

    def _prepare(self, task: Task[Any], agents: Sequence[Agent]) -> None:
        """What was never compiled here is compiled elsewhere first."""
        self._house.compiling.wait_for(task, self._visitor, self._rules, agents, self._study.changes)


def judging(text: str, deals: int) -> tuple[str, str]:
    """What the tasks of a judge are called: the quick pass, and the closer look."""
    return f"judge {text} {deals}", f"closer {text} {deals}"
