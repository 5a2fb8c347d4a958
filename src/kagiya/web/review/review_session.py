"""A game under review: all that was found out about it so far, and the background work that finds out more.

A judge works in two passes; its judgements are shown as far as they have come, and kept for the next visit.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any

from kagiya import Agent, Rules, Seat
from kagiya.agents.register import agent_types, prompt_agents, rebuild_agent
from kagiya.lab.provenance import code_version
from kagiya.lab.replayed_decisions import ReplayedDecision, ReplayedDecisions
from kagiya.lab.review.judging import Judge, JudgeBudget, Judgement
from kagiya.lab.review.opinions import Opinions, opinions
from kagiya.lab.review.outcomes import believed
from kagiya.lab.review.samples import as_evaluator
from kagiya.lab.table.table import PERSON, SeatingError
from kagiya.runtime.interrupts import StoppedError
from kagiya.runtime.jobs import REVIEW, SECOND_PASS, Remembered, Task
from kagiya.web.pages import Notifier, RefusedError, sentence
from kagiya.web.play.table_agents import AgentCatalog, AgentRunner
from kagiya.web.review.belief_panel import Beliefs, belief_task, work_out
from kagiya.web.review.reviewed_game import NOBODY, ReviewedGame, ReviewFolder
from kagiya.web.review.what_if import Attempt, Branches, try_out

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
            found = table.judge_made(
                JudgeBudget(self.judged.deals, max_deals, task.stopped), SEED, self.story.move_of(turn)
            )
        except StoppedError:
            return None
        return None if task.stopped.is_set() else found


def judge_agent(text: str, partners: AgentCatalog, rules: Rules) -> Agent:
    """An agent that can play on for a judge."""
    try:
        return as_evaluator(partners.for_review(text, rules))
    except SeatingError as error:
        raise RefusedError(sentence(error)) from None


@lru_cache(maxsize=64)
def known_judges(rules: Rules) -> tuple[str, ...]:
    """The agents of Kagiya that can judge by these rules: compiled, and answering at once."""
    names = [name for name, kind in agent_types().items() if not kind.is_search]
    agents = [(name, rebuild_agent(name)) for name in names]
    return tuple(sorted(name for name, agent in agents if agent.is_compiled and not agent.why_not(rules)))


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
        self.recalled: dict[int, ReplayedDecision] = {}  # by turn number
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
        """Start work that was never started; what was stopped or failed stays so until it is asked for."""
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
        recollection = ReplayedDecisions(self.story.record, agents, self.story.code)
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
        """The quick pass; then the second starts, in a lane where nothing waits for it."""
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
        own, judge = self._seated()[seat], judge_agent(usual, self.partners, self._rules)
        agent = (believed(own) if own is not None else None) or judge  # whose convention the seat believes

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
        self._runner.compiling.wait_for(task, visitor, self._rules, agents)


def judging(text: str, deals: int) -> tuple[str, str]:
    """What the tasks of a judge are called: the quick pass, and the one on more samples."""
    return f"judge {text} {deals}", f"closer {text} {deals}"


def kept_task(text: str, deals: int) -> str:
    """What the task is called that reads what a judge found before."""
    return f"kept {text} {deals}"


class ReviewSessions:
    """The games that are looked at, the most recent ones kept at hand."""

    def __init__(self, folder: ReviewFolder, partners: AgentCatalog, runner: AgentRunner) -> None:
        self.folder, self.partners, self.runner = folder, partners, runner
        self._open: OrderedDict[str, ReviewSession] = OrderedDict()

    def of(self, key: str, read: Callable[[], ReviewedGame], changes: Notifier | None = None) -> ReviewSession:
        """The session of the game with this key, which is read if it is not at hand."""
        if key not in self._open:
            self._open[key] = ReviewSession(read(), self, changes)
            self._forget()
        self._open.move_to_end(key)
        return self._open[key]

    def of_story(self, story: ReviewedGame, changes: Notifier | None = None) -> ReviewSession:
        """The session of a game that is at hand."""
        return self.of(story.key, lambda: story, changes)

    def of_branch(self, root: ReviewSession, name: str) -> ReviewSession:
        """The session of a branch; its page is also redrawn when the tree changes."""
        return self.of_story(root.branches.get(name).story, root.changes)

    def _forget(self) -> None:
        """Let go of the games that no page shows, the oldest first."""
        for key in list(self._open):
            if len(self._open) <= MAX_OPEN:
                return
            if self._open[key].changes.listeners == 0:
                self._open.pop(key).tasks.stop()
