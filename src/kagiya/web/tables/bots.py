"""Agents at a table move one by one, with a pause: quick ones where the page is served, others in threads."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from kagiya.agents._base import Agent
from kagiya.agents.register import rebuild_agent
from kagiya.engine.game import Game
from kagiya.lab.provenance.genuine import seats_code
from kagiya.lab.table.answering import Thought
from kagiya.lab.table.persons import PERSON
from kagiya.lab.table.sitting import Sitting
from kagiya.lab.table.table import AgentError
from kagiya.rules import Rules
from kagiya.web.notifier import Notifier
from kagiya.web.processes.compiling import Compiling
from kagiya.web.processes.players import Players
from kagiya.web.processes.warming import is_warm, warm_up
from kagiya.web.tables.partners import Partners
from kagiya.web.tables.table import Table
from kagiya.web.thinking import ELSEWHERE, QUICK, SEARCH, Task, Thinking
from kagiya.web.views import RefusedError

if TYPE_CHECKING:
    from kagiya.moves import Move

log = logging.getLogger("kagiya.web")
T = TypeVar("T")
RETRY = 1.0  # seconds until something that was refused is tried again


@dataclass(frozen=True)
class Workers:
    """Who does the work of agents, for all tables of a server."""

    thinking: Thinking
    compiling: Compiling
    players: Players  # agents in Python, each in a process of its own
    think: float  # seconds that a search may think about a move

    def lane_of_judge(self, rules: Rules, agent: Agent) -> str:
        """Where a judge works: one that must be compiled first only waits, and holds up no search."""
        return SEARCH if is_warm() and self.compiling.is_ready(rules, [agent, depth_one(agent)]) else ELSEWHERE

    def make_judge_ready(self, task: Task[Any], visitor: str, rules: Rules, agent: Agent) -> None:
        """Compile, in another process, what it takes to judge by this agent; the task shows how far that is."""
        self.compiling.wait_for(task, visitor, rules, [agent, depth_one(agent)], Notifier())
        warm_up(task)


def depth_one(agent: Agent) -> Agent:
    """The search that looks one move ahead by an agent's judgement, and needs the same kernels as a judge."""
    return rebuild_agent(f"depth-one({agent.text})")


class Bots:
    """The agents of one table. They play while it is their turn, as long as somebody or something wakes them."""

    def __init__(self, table: Table, partners: Partners, workers: Workers) -> None:
        self._table, self._partners, self._workers = table, partners, workers
        self._sitting: Sitting | None = None
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
        if self._sitting is not None:
            self._sitting.stop()

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
        self._sitting = None  # whatever state the agent left it in
        self._table.trouble = f"{name} ({agent}) does not move: {reason}."
        self._table.changes.announce()

    async def _ask(self, game: Game) -> Move:
        """The move of the agent to act."""
        seats = self._table.setup.seats
        if self._partners.is_quick(seats[game.seat]) and self._partners.are_loaded(seats):
            return self._decide(game, seats).move
        await self._prepare(game, seats)
        lane = QUICK if self._partners.is_quick(seats[game.seat]) else SEARCH
        lane = lane if self._partners.find(seats[game.seat]).is_compiled else ELSEWHERE
        work = self._timed if lane == SEARCH else self._decide
        thought = await self._done(lambda changes: self._start(lambda: work(game, seats), changes, lane))
        if thought is None:
            raise ValueError("it was stopped before it had thought")
        return thought.move

    async def _prepare(self, game: Game, seats: tuple[str, ...]) -> None:
        """What was never compiled on this machine is compiled first; the page shows how far it is."""
        agents = [self._partners.find(seat) for seat in dict.fromkeys(seats) if seat != PERSON]
        prepare = self._workers.compiling.prepare
        await self._done(lambda changes: prepare(self._table.name, game.rules, agents, changes))

    def _start(self, work: Callable[[], Thought], changes: Notifier, lane: str) -> Task[Thought]:
        task = self._workers.thinking.start(f"table {self._table.name}", lambda _: work(), changes, lane)
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

    def _timed(self, game: Game, seats: tuple[str, ...]) -> Thought:
        """A search is told to answer when its time is over, whatever its budget; to sit down does not count."""
        sitting = self._following(game, seats)
        timer = threading.Timer(self._workers.think, sitting.stop)
        timer.daemon = True
        timer.start()
        try:
            return sitting.think()
        finally:
            timer.cancel()

    def _decide(self, game: Game, seats: tuple[str, ...]) -> Thought:
        """What the agent to act decides, at a table of its own that follows the game."""
        return self._following(game, seats).think()

    def _following(self, game: Game, seats: tuple[str, ...]) -> Sitting:
        sitting = self._sitting
        if sitting is None or self._seated != seats:
            apart = self._workers.players.apart
            agents = [None if seat == PERSON else apart(self._partners.find(seat)) for seat in seats]
            sitting = Sitting.retraced(game, agents, self._table.setup.seed)  # as if the server had never stopped
            self._partners.loaded(seats)
            self._table.played_by(seats_code(sitting.seats))
            self._sitting, self._seated = sitting, seats
            return sitting
        made, wanted = sitting.game.moves, game.moves
        common = next((turn for turn, pair in enumerate(zip(made, wanted, strict=False)) if pair[0] != pair[1]), None)
        if common is None:
            common = min(len(made), len(wanted))
        if len(made) > common:
            sitting.take_back(len(made) - common)
        for move in wanted[common:]:
            sitting.make(move)
        return sitting
