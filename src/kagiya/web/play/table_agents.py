"""The agents of a table: who may be asked to sit down, and how they move, one by one with a pause."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from operator import ne
from typing import Any, TypeVar

from kagiya import AgentError, Decision, Game, GameSession, Move, Rules
from kagiya.agents.api import Agent, AgentType
from kagiya.agents.register import agent_types, load_agent_type, rebuild_agent
from kagiya.lab.league import measured_league
from kagiya.lab.replayed_decisions import seats_code
from kagiya.lab.table.players import Players
from kagiya.lab.table.table import PERSON
from kagiya.runtime.jobs import QUICK, SEARCH, SUBPROCESS, JobQueue, Task
from kagiya.runtime.timeouts import call_after
from kagiya.spec import SpecError
from kagiya.web.compile_jobs import Compiling, are_reviews_compiled, compile_reviews
from kagiya.web.pages import Notifier, RefusedError, sentence
from kagiya.web.play.resource_limits import why_refused
from kagiya.web.play.web_table import WebTable

log = logging.getLogger("kagiya.web")
T = TypeVar("T")
MAX_AGENT_TEXT = 2_000  # characters
USUAL_PARTNER = "careful"  # who fits a person best: one whose hints mean what they say
RETRY = 1.0  # seconds until something that was refused is tried again


@dataclass(frozen=True)
class Offer:
    """An agent that can be chosen, and its mean score in self-play by the standard rules."""

    id: str
    kind: AgentType
    mean: float | None

    @property
    def label(self) -> str:
        """As it stands in a list."""
        mark = f", {self.kind.info.mark}" if self.kind.info.mark else ""
        pace = ", thinks" if self.kind.is_search else ""
        return f"{self.id}{'' if self.mean is None else f' ({self.mean:.1f} points)'}{pace}{mark}"


class AgentCatalog:
    """The agents that visitors may choose: those of Kagiya, and those that `--agent` names."""

    def __init__(self, own: Sequence[str] = (), think: float = 2.0) -> None:
        self.own, self.think = tuple(own), think
        self._loaded: set[str] = set()
        self._found: dict[str, Agent] = {}

    def find(self, text: str) -> Agent:
        """The agent of a text; modules not named with `--agent` are refused and not imported."""
        if text in self._found:
            return self._found[text]
        agent = named_agent(text, self.think, self.own)
        if len(self._found) < 1_000:
            self._found[text] = agent
        return agent

    def convention(self, text: str) -> str:
        """What an agent's hints mean beyond their words; nothing if there is no such agent any more."""
        try:
            return self.find(text).info.convention
        except RefusedError:
            return ""

    def check(self, text: str, rules: Rules) -> Agent:
        """The agent of a text, if it can play by these rules."""
        return check_rules(self.find(text), rules)

    def for_review(self, text: str, rules: Rules) -> Agent:
        """The same, if it may be asked about a game in this process."""
        agent = self.find(text)
        if ":" in text and not agent.is_compiled:
            raise RefusedError(
                f"{text} is Python code that could hang the server, so it may play here, but is not asked in reviews; "
                "they ask compiled agents and those of Kagiya."
            )
        return check_rules(agent, rules)

    def is_quick(self, text: str) -> bool:
        """Whether it surely answers so soon that the page can wait for it: rules of ours, not a user's module."""
        agent = self.find(text)
        return agent.is_compiled and not agent.is_search and ":" not in text

    def loaded(self, seats: Sequence[str]) -> None:
        """These agents have sat at a table of this process, so that nothing of theirs must be loaded or compiled."""
        self._loaded.update(seats)

    def are_loaded(self, seats: Sequence[str]) -> bool:
        """Whether all of them have."""
        return all(seat == PERSON or seat in self._loaded for seat in seats)

    def offers(self, players: int) -> list[Offer]:
        """All that play with this number of players, the strongest first."""
        found = [Offer(name, kind, strength(name, players)) for name, kind in self._types().items()]
        found = [offer for offer in found if players in offer.kind.info.players]
        return sorted(found, key=lambda offer: (-(offer.mean or 0), offer.id))

    def _types(self) -> dict[str, AgentType]:
        return {**agent_types(), **{name: load_agent_type(name) for name in self.own}}


def named_agent(text: str, think: float, own: Sequence[str]) -> Agent:
    """The agent of a text, if this server lets it think as long as it asks for; nothing that is refused is imported."""
    if len(text) > MAX_AGENT_TEXT:
        raise RefusedError(f"An agent's text has at most {MAX_AGENT_TEXT:,} characters.")
    try:
        if reason := why_refused(text, think, own):
            raise RefusedError(f"{text}: {reason}.")
        return rebuild_agent(text)
    except SpecError as error:
        raise RefusedError(sentence(error)) from None


def check_rules(agent: Agent, rules: Rules) -> Agent:
    """The agent, if it and its models can play by these rules."""
    if reason := next(filter(None, (each.why_not(rules) for each in (agent, *agent.models))), None):
        raise RefusedError(f"{reason}.")
    return agent


@cache
def strength(name: str, players: int) -> float | None:
    """The mean score that this agent was measured with, in self-play with this number of players."""
    cell = measured_league().rows.get(name, {}).get(players)
    return None if cell is None or math.isnan(cell.mean) else cell.mean


@dataclass(frozen=True)
class AgentRunner:
    """Who does the work of agents, for all tables of a server."""

    jobs: JobQueue
    compiling: Compiling
    players: Players  # agents in Python, each in a process of its own
    think: float  # seconds that a search may think about a move

    def lane_of_judge(self, rules: Rules, agent: Agent) -> str:
        """Where a judge works: one that must be compiled first only waits, and holds up no search."""
        is_ready = are_reviews_compiled() and self.compiling.is_ready(rules, [agent, depth_one(agent)])
        return SEARCH if is_ready else SUBPROCESS

    def make_judge_ready(self, task: Task[Any], visitor: str, rules: Rules, agent: Agent) -> None:
        """Compile, in another process, what it takes to judge by this agent; the task shows how far that is."""
        self.compiling.wait_for(task, visitor, rules, [agent, depth_one(agent)])
        compile_reviews(task)


def depth_one(agent: Agent) -> Agent:
    """The search that looks one move ahead by an agent's judgement, and needs the same kernels as a judge."""
    return rebuild_agent(f"depth-one({agent.text})")


class TableAgents:
    """The agents of one table. Once woken, they play while it is their turn."""

    def __init__(self, table: WebTable, partners: AgentCatalog, runner: AgentRunner) -> None:
        self._table, self._partners, self._runner = table, partners, runner
        self._session: GameSession | None = None
        self._seated: tuple[str, ...] = ()
        self._running: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether they are at it."""
        return self._running is not None and not self._running.done()

    def wake(self) -> None:
        """Go on if it is an agent's turn; called where the pages are served."""
        if self._table.is_agent_to_move and not self._table.trouble and not self.is_busy:
            self._running = asyncio.get_running_loop().create_task(self._play())

    def stop(self) -> None:
        """Let a search that is thinking answer at once: what it thinks about is taken back."""
        if self._session is not None:
            self._session.stop()

    def leave(self) -> None:
        """Play no more, whatever is to be decided."""
        self.stop()
        if self._running is not None:
            self._running.cancel()

    async def _play(self) -> None:
        """Until a person is to move. What was decided for a position that is no longer there is forgotten."""
        table, loop = self._table, asyncio.get_running_loop()
        while table.is_agent_to_move and not table.trouble:
            game, branch, started = table.game, table.branch, loop.time()
            try:
                self._check_agents()
                move = await self._ask(game)
                await asyncio.sleep(max(0.0, started + table.setup.pause - loop.time()))
                if table.game is game and table.branch == branch:
                    table.make(game.seat, move, game.turn)
            except RefusedError as refusal:  # a full disk, or too much to think about
                self._show(str(refusal))
                await asyncio.sleep(RETRY)
            except Exception as error:
                if table.game is game and table.branch == branch:
                    self._say(game, error)

    def _check_agents(self) -> None:
        """An agent of a module that this server was not started with cannot play on; another may take its seat."""
        for seat in self._table.setup.seats:
            try:
                if seat != PERSON:
                    self._partners.find(seat)
            except RefusedError as refusal:
                raise ValueError(str(refusal).rstrip(".")) from None

    def _say(self, game: Game, error: Exception) -> None:
        if not isinstance(error, ValueError | AgentError):
            log.exception("an agent could not move")
        name, agent = self._table.setup.names[game.seat], self._table.setup.seats[game.seat]
        reason = error.reason if isinstance(error, AgentError) else f"{error or type(error).__name__}"
        self._session = None  # whatever state the agent left it in
        self._table.trouble = f"{name} ({agent}) does not move: {reason}."
        self._table.changes.announce()

    async def _ask(self, game: Game) -> Move:
        """The move of the agent to act."""
        seats = self._table.setup.seats
        if self._partners.is_quick(seats[game.seat]) and self._partners.are_loaded(seats):
            return self._decide(game, seats).move
        await self._prepare(game, seats)
        lane = QUICK if self._partners.is_quick(seats[game.seat]) else SEARCH
        lane = lane if self._partners.find(seats[game.seat]).is_compiled else SUBPROCESS
        work = self._timed if lane == SEARCH else self._decide
        thought = await self._done(lambda changes: self._start(lambda: work(game, seats), changes, lane))
        if thought is None:
            raise ValueError("it was stopped before it had thought")
        return thought.move

    async def _prepare(self, game: Game, seats: tuple[str, ...]) -> None:
        """What was never compiled on this machine is compiled first; the page shows how far it is."""
        agents = [self._partners.find(seat) for seat in dict.fromkeys(seats) if seat != PERSON]
        prepare = self._runner.compiling.prepare
        await self._done(lambda changes: prepare(self._table.name, game.rules, agents, changes))

    def _start(self, work: Callable[[], Decision], changes: Notifier, lane: str) -> Task[Decision]:
        task = self._runner.jobs.start(f"table {self._table.name}", lambda _: work(), changes.announce, lane)
        task.on_stop = self.stop
        return task

    async def _done(self, start: Callable[[Notifier], Task[T] | None]) -> T | None:
        """Start something and wait until it is done, showing how far it is."""
        changes = Notifier()
        with changes.listening() as changed:
            task = start(changes)
            while task is not None and not task.is_over:
                await changed.wait()
                changed.clear()
                self._show(task.words)
        self._show("")
        if task is not None and task.error is not None:
            raise task.error
        return None if task is None else task.result

    def _show(self, words: str) -> None:
        if words != self._table.waiting:
            self._table.waiting = words
            self._table.changes.announce()

    def _timed(self, game: Game, seats: tuple[str, ...]) -> Decision:
        """A search is told to answer when its time is over, whatever its budget; to sit down does not count."""
        session = self._following(game, seats)
        with call_after(self._runner.think, session.stop):
            return session.decide()

    def _decide(self, game: Game, seats: tuple[str, ...]) -> Decision:
        """What the agent to act decides, at a table of its own that follows the game."""
        return self._following(game, seats).decide()

    def _following(self, game: Game, seats: tuple[str, ...]) -> GameSession:
        session = self._session
        if session is None or self._seated != seats:
            apart = self._runner.players.apart
            agents = [None if seat == PERSON else apart(self._partners.find(seat)) for seat in seats]
            session = GameSession.retraced(game, agents, self._table.setup.seed)  # as if the server had never stopped
            self._partners.loaded(seats)
            self._table.played_by(seats_code(session.seats))
            self._session, self._seated = session, seats
            return session
        made, wanted = session.game.moves, game.moves
        common = [*map(ne, made, wanted), True].index(True)  # so many moves are the same
        if len(made) > common:
            session.take_back(len(made) - common)
        for move in wanted[common:]:
            session.make(move)
        return session
