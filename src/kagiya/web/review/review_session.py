"""A game under review: all that was found out about it so far, and the background work that finds out more."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.register import prompt_agents, rebuild_agent
from kagiya.cards import Seat
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.provenance.genuine import Recalled, Recollection
from kagiya.lab.review.opinions import Opinions, opinions
from kagiya.lab.table.persons import PERSON
from kagiya.rules import Rules
from kagiya.runtime.jobs import REVIEW, SECOND_PASS, Remembered, Task
from kagiya.web.notifier import Notifier
from kagiya.web.play.table_agents import AgentRunner, Partners
from kagiya.web.review.beliefs import Beliefs, belief_task, believer, work_out
from kagiya.web.review.game_judgements import GameJudgements, TwoPassJudge, judge_agent
from kagiya.web.review.reviewed_game import NOBODY, ReviewedGame, ReviewFolder
from kagiya.web.review.what_if import Attempt, Branches, try_out
from kagiya.web.views import RefusedError

MAX_OPEN = 40  # games whose positions are kept at hand
ZOO, THOUGHTS, TRYING = "zoo", "thoughts", "trying"  # what tasks are about, like `judging` and `belief_task`


class ReviewSession:
    """One game. All who look at it see the same work and the same results; the same work is not begun twice."""

    def __init__(self, story: ReviewedGame, sessions: ReviewSessions, changes: Notifier | None = None) -> None:
        self.story, self.folder = story, sessions.folder
        self.partners, self._runner = sessions.partners, sessions.runner
        self.changes = changes or Notifier()
        self.tasks: Remembered[str, Any] = Remembered(self._runner.jobs, self.changes.announce)
        self.opinions: Opinions | None = None
        self.unasked: list[str] = []  # agents that must be compiled before they can be asked
        self.recalled: dict[int, Recalled] = {}  # by turn number
        self.problems: list[str] = []  # by seat, why its agent cannot be asked
        self.beliefs: dict[int, Beliefs] = {}  # by seat
        self._judged: dict[tuple[str, int], GameJudgements] = {}

    @property
    def _rules(self) -> Rules:
        return self.story.rules

    @cached_property
    def branches(self) -> Branches:
        """What else was tried, from this game on."""
        return Branches(self.folder, self.story.key)

    def judged(self, evaluator: str, deals: int) -> GameJudgements:
        """What this judge found so far."""
        return self._judged.setdefault((evaluator, deals), GameJudgements(evaluator, deals))

    @property
    def asked_agents(self) -> int:
        """How many agents of the zoo have said what they would have done."""
        return len(self.opinions.agents) if self.opinions else 0

    def otherwise(self, turn: int) -> int | None:
        """How many agents would have moved otherwise; None as long as they were not asked, and at the end."""
        if self.opinions is None or self.story.move_of(turn) is None:
            return None
        return self.opinions.otherwise(turn - self.story.first_turn)

    def begin(self, visitor: str, judges: Sequence[str], deals: int) -> None:
        """What costs little is found out when the game is opened: opinions, rule agents' thoughts, what was kept."""
        with suppress(RefusedError):  # too much is waiting: the page is shown nevertheless
            for text in judges:
                self._begin(kept_task(text, deals), visitor, partial(self._read_kept, text, deals))
            if self.tasks.get(THOUGHTS) is None and self._are_seats_quick():
                self._begin(THOUGHTS, visitor, partial(self._recall, visitor))
            self._begin(ZOO, visitor, partial(self._ask_zoo, visitor, False))

    def _begin(self, about: str, visitor: str, work: Callable[[Task[Any]], Any]) -> None:
        """Work that was stopped or failed is not begun again by itself."""
        if self.tasks.get(about) is None:
            self.tasks.ask(about, visitor, work, REVIEW)

    def _are_seats_quick(self) -> bool:
        """Whether the agents of a record can be asked without a long wait; those that cannot at all are noted."""
        if self.story.record is None or self.problems:
            return False
        return not any(agent is not None and (agent.is_search or not agent.is_compiled) for agent in self._seated())

    def _seated(self) -> list[Agent | None]:
        """The agents of the record, None for a person and for those that cannot be asked; `problems` says why."""
        found: list[Agent | None] = []
        problems = []
        for text in self.story.seats:
            try:
                found.append(None if text in (PERSON, NOBODY) else self.partners.for_review(text, self._rules))
                problems.append("")
            except RefusedError as refusal:
                found.append(None)
                problems.append(str(refusal))
        self.problems = problems
        return found

    def recall(self, visitor: str) -> None:
        """Let the agents think again, move by move: searches take the time they took."""
        self.tasks.ask_again(THOUGHTS, visitor, partial(self._recall, visitor), REVIEW)

    def _recall(self, visitor: str, task: Task[Any]) -> None:
        """The thoughts behind the game, turn by turn as they come."""
        assert self.story.record is not None
        agents = self._seated()
        self._prepare(task, visitor, [agent for agent in agents if agent is not None])
        recollection = Recollection(self.story.record, agents, self.story.code)
        task.on_stop = recollection.stop
        for recalled in recollection:
            self.recalled[recalled.turn + 1] = recalled
            task.report((recalled.turn + 1) / len(self.story.moves))

    def ask_all(self, visitor: str) -> None:
        """Ask also the agents that must be compiled first."""
        self.tasks.ask_again(ZOO, visitor, partial(self._ask_zoo, visitor, True), REVIEW)

    def _ask_zoo(self, visitor: str, with_all: bool, task: Task[Any]) -> None:
        """Those that are compiled, unless all are asked for: the first time on a machine that takes minutes."""
        asked = self.story.with_a_last_move
        agents = [rebuild_agent(name) for name in prompt_agents()]
        ready = [agent for agent in agents if self._runner.compiling.is_ready(self._rules, [agent])]
        self.opinions = opinions(asked, ready) if ready else None
        self.unasked = [agent.text for agent in agents if agent not in ready]
        for agent in [each for each in agents if with_all and each not in ready]:
            self._prepare(task, visitor, [agent])
            if task.stopped.is_set():
                return
            ready.append(agent)
            self.unasked.remove(agent.text)
            self.opinions = opinions(asked, ready)

    def judge(self, visitor: str, text: str, deals: int, turns: Iterable[int]) -> None:
        """Judge some turns by an evaluator, then those of them that are in doubt on more samples; nothing twice."""
        evaluator = judge_agent(text, self.partners, self._rules)
        first, second = judging(text, deals)
        if not self.tasks.is_busy(second):  # the page shows how far it is, and how to stop it
            judge = TwoPassJudge(self.story, self.folder, evaluator, self.judged(text, deals))
            self.tasks.ask_again(first, visitor, partial(self._judge, visitor, judge, list(turns)), REVIEW)

    def _judge(self, visitor: str, judge: TwoPassJudge, turns: Sequence[int], task: Task[Any]) -> None:
        """The quick pass; then the second begins by itself, in a lane where nothing waits for it."""
        judged = judge.judged
        self._runner.make_judge_ready(task, visitor, self._rules, judge.evaluator)
        self._read_kept(judged.evaluator, judged.deals, task)
        judge.first(task, turns)
        doubtful = [turn for turn in judged.provisional if turn in turns]
        if doubtful and not task.stopped.is_set():
            with suppress(RefusedError):  # too much is waiting: what is in doubt stays provisional, and says so
                about = judging(judged.evaluator, judged.deals)[1]
                closer = self.tasks.ask_again(about, visitor, lambda task: judge.second(task, doubtful), SECOND_PASS)
                if task.stopped.is_set():  # meanwhile
                    closer.stop()

    def _read_kept(self, text: str, deals: int, task: Task[Any]) -> None:
        agent, judged = judge_agent(text, self.partners, self._rules), self.judged(text, deals)
        judged.code = judged.code or code_version([agent])
        judged.read(self.folder, self.story.key)

    def believe(self, visitor: str, seat: Seat, usual: str) -> None:
        """Work out what a seat could know at every turn."""
        agents = dict(enumerate(self._seated()))
        agent = believer(agents, seat, judge_agent(usual, self.partners, self._rules))

        def work(task: Task[Any]) -> None:
            def go_on(progress: float) -> bool:
                task.report(progress, f"what {self.story.display_names[seat]} could know")
                return not task.stopped.is_set()

            self._runner.make_judge_ready(task, visitor, self._rules, agent)
            found = self.beliefs[seat] = Beliefs(seat, agent.text)
            work_out(found, self.story, agent, go_on)

        self.tasks.ask_again(belief_task(seat), visitor, work, REVIEW)

    def try_out(self, visitor: str, attempt: Attempt) -> None:
        """Play on from a turn of this game, or of a branch of it, in another way."""
        self.branches.check_room()
        if self.tasks.is_busy(TRYING):
            raise RefusedError("Something is being tried already; wait for it, or stop it.")

        def work(task: Task[Any]) -> str | None:
            self._prepare(task, visitor, [*attempt.agents, *attempt.original])
            return None if task.stopped.is_set() else try_out(task, attempt, self.branches)

        self.tasks.ask_again(TRYING, visitor, work, REVIEW)

    def _prepare(self, task: Task[Any], visitor: str, agents: Sequence[Agent]) -> None:
        self._runner.make_ready(task, visitor, self._rules, agents)


def judging(text: str, deals: int) -> tuple[str, str]:
    """What the tasks of a judge are called: the quick pass, and the one on more samples."""
    return f"judge {text} {deals}", f"closer {text} {deals}"


def kept_task(text: str, deals: int) -> str:
    """What the task is called that reads what a judge found before."""
    return f"kept {text} {deals}"


class ReviewSessions:
    """The games that are looked at, the most recent ones kept at hand."""

    def __init__(self, folder: ReviewFolder, partners: Partners, runner: AgentRunner) -> None:
        self.folder, self.partners, self.runner = folder, partners, runner
        self._open: OrderedDict[str, ReviewSession] = OrderedDict()

    def of(self, key: str, read: Callable[[], ReviewedGame], changes: Notifier | None = None) -> ReviewSession:
        """The session of the game with this key, which is read if it is not at hand."""
        if key not in self._open:
            self._open[key] = ReviewSession(read(), self, changes)
            self._forget()
        self._open.move_to_end(key)
        return self._open[key]

    def of_story(self, story: ReviewedGame) -> ReviewSession:
        """The session of a game that is at hand."""
        return self.of(story.key, lambda: story)

    def of_branch(self, root: ReviewSession, name: str) -> ReviewSession:
        """The session of a branch; its page is also redrawn when the tree changes."""
        story = root.branches.get(name).story
        return self.of(story.key, lambda: story, root.changes)

    def _forget(self) -> None:
        """Let go of the games that no page shows, the oldest first."""
        for key in list(self._open):
            if len(self._open) <= MAX_OPEN:
                return
            if self._open[key].changes.listeners == 0:
                self._open.pop(key).tasks.stop()
