"""Sessions: a game that goes one move at a time, persons and agents in any seats, moves made, asked for and taken back.

It may begin with a seed, a given deck, a game in progress or a position. When a move is taken back, the game is told
again to new agents; what the old ones rolled and wrote down is put back, so that the new ones go on alike. A decision
in progress can be looked at while it runs, and stopped from another thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import replace

from kagiya.agents.api import Agent
from kagiya.agents.convention_reader import Heard
from kagiya.agents.register import as_agent
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.engine.batch import make_move
from kagiya.engine.game import LANE, Event, Game, check_seed
from kagiya.engine.layout import GAME, SEEN
from kagiya.engine.record import GameRecord
from kagiya.lab.table.decision import Decision, decide_at, hear_move
from kagiya.lab.table.table import PERSON, SEATED_PERSON, AgentError, Agents, Table, as_agents, as_list, is_person
from kagiya.lab.table.undo import AgentState, RolledDice, Written
from kagiya.moves import Move, MoveError, parse_move
from kagiya.runtime.interrupts import at_interrupt
from kagiya.runtime.timeouts import call_in_thread
from kagiya.search.explanation import Explanation, explain_plainly, look_at, share_of_budget
from kagiya.search.search_options import all_values
from kagiya.search.workspace import SearchWorkspace
from kagiya.view.observation import Observation, observe
from kagiya.view.view_kernels import censor


class PendingDecision:
    """What the agent to act at a table is thinking; `GameSession.start` makes one, which runs in a thread of its own.

    >>> thinking = session.start()
    >>> thinking.look()  # what a search has found so far; None before its first iteration is done
    >>> thinking.stop()  # it answers with what it has found
    >>> session.make(thinking.result().move)
    """

    def __init__(self, table: Table, seed: int, eyes: Seat | None, then: Callable[[PendingDecision], None]) -> None:
        """`then` is called when it is done, in the thread that it runs in, before the result is handed out."""
        self.seat, self.turn = Seat(int(table.states[GAME]["seat"])), int(table.states[GAME]["turn"])
        self.thought: Decision | None = None  # once it is done, unless the agent failed
        self.written: Written = ()  # into its memory by a compiled agent, once it is done
        self.is_stopped = False
        self._table, self._seed, self._eyes, self._then = table, seed, eyes, then
        self._workspace = table.workspaces[self.seat]
        self._lock = threading.Lock()
        self._answer: Future[Decision] = Future()
        self._started, self._ended = time.perf_counter(), 0.0

    def start(self) -> None:
        """Run in a thread of its own."""
        call_in_thread(self.run, f"thinking about turn {self.turn + 1}")

    def run(self) -> None:
        """Run here; `result` has what comes of it."""
        try:
            thought = self._think()
        except BaseException as error:  # raised where the result is asked for
            self._end()
            self._answer.set_exception(error)
        else:
            self.finish(thought)

    def finish(self, thought: Decision) -> None:
        """It is decided; also without a run, if the agent has said before what it thinks."""
        self.thought = thought
        self._end()
        self._answer.set_result(thought)

    def _end(self) -> None:
        with self._lock:
            self._ended = time.perf_counter()
            if self._workspace is not None:
                self._workspace.resume()
        self._then(self)

    def _think(self) -> Decision:
        table, memory = self._table, self._table.memory[GAME, self.seat]
        before = memory.copy()
        censor(table.states, GAME, SEEN, self.seat)  # for a player in Python
        thought = decide_at(table, self._seed, self._eyes, lambda: self.is_stopped)
        self.written = tuple((int(word), int(memory[word])) for word in (memory != before).nonzero()[0])
        return thought

    @property
    def seconds(self) -> float:
        """How long it has been thinking, or has thought."""
        return (self._ended or time.perf_counter()) - self._started

    @property
    def is_done(self) -> bool:
        """Whether it is decided, or has failed."""
        return self._answer.done()

    @property
    def share(self) -> float | None:
        """How much of its budget a search has used, from 0 to 1; None for agents that do not search."""
        workspace = self._workspace
        if not isinstance(workspace, SearchWorkspace):
            return None
        if self.is_done:
            return 1.0
        return share_of_budget(workspace, self.seconds) if workspace.work["turns"] == self.turn else 0.0

    def look(self) -> Explanation | None:
        """What a search has found so far; None if it has nothing to show yet, or the agent does not search."""
        if self.thought is not None:
            return self.thought.explanation
        workspace = self._workspace
        return (
            look_at(workspace, self.seat, self.turn, self.seconds) if isinstance(workspace, SearchWorkspace) else None
        )

    def stop(self) -> None:
        """Let a search answer with what it has found; other agents cannot be stopped."""
        with self._lock:
            if self._workspace is not None and not self._ended:
                self.is_stopped = True
                self._workspace.stop()

    def result(self, timeout: float | None = None) -> Decision:
        """Wait for the decision; an agent that failed raises its `AgentError` here.

        A TimeoutError says that there was none after `timeout` seconds; it goes on.
        """
        if wait([self._answer], timeout).not_done:
            raise TimeoutError(f"still thinking after {self.seconds:.1f} s")
        return self._answer.result()


NOTHING_WRITTEN: Mapping[int, Written] = {}


def play_from(game: Game | str, agents: Agents, seed: int = 0) -> Game:
    """Let agents, one for all seats or one for each, play a game to its end from where it stands.

    The game may begin with a given deck (``Game(rules, deck=...)``), be in progress, or be a position, also as
    text. It stays as it is; the one returned is over. A game played from its deal is told to every seat move by
    move. A position has no history, so agents that remember begin with nothing. The agents' dice follow from `seed`.
    """
    begun = Game.from_position(game) if isinstance(game, str) else game
    table = Table(begun.rules, as_agents(agents))
    watch(table, begun, seed)
    table.play_on(seed)
    return table.game()


def watch(table: Table, game: Game, seed: int, written: Mapping[int, Written] = NOTHING_WRITTEN) -> None:
    """Bring the table to where the game stands, every seat having heard of each move that is known.

    What compiled agents wrote down as they thought, by turn, is written again.
    """
    table.start_game(seed)
    table.log, table.beginning = game.log.copy(), game.beginning()
    table.states[GAME] = table.beginning.states[LANE]
    for turn, move in enumerate(game.moves, game.log.first):
        for word, value in written.get(turn, ()):
            table.memory[GAME, table.states[GAME]["seat"], word] = value
        make_move(table.states, GAME, table.memory, table.params, table.observes, int(move))
    censor(table.states, GAME, SEEN, game.seat)  # for a player in Python


NOTHING_DONE = AgentState()
Seated = object  # a person (None, or "human"), or what `as_agent` takes; for all seats, or a sequence with one for each


class GameSession:
    """A table that stands where a game stands and goes one move at a time.

    >>> session = GameSession(Game(Rules(players=3), seed=7), [None, "smartbot", "vdb"])
    >>> session.make("hint bob 1").touched  # by alice, a person
    (4,)
    >>> session.step().words  # bob moves, and says why
    'plays slot 5, which must fit'

    The game may be dealt by a seed or a deck, be in progress, be a record or the text of a position. A game known from
    its deal is told to every seat move by move. What agents do follows from the moves, from `seed` and from what they
    have rolled since they sat down, so a move taken back comes again (but for searches that are given a time, or keep a
    list of hands). A player in Python is made again when moves are taken back, and finds all that happened in its
    observations; one given as an object, not as a class, should sit at one table only.
    """

    def __init__(
        self, game: Game | GameRecord | str, seats: Seated, seed: int = 0, past: AgentState = NOTHING_DONE
    ) -> None:
        """`past`: what the agents did in this game before, if it is that of another session."""
        check_seed(seed)
        self.seed = seed
        self._game = _as_game(game)
        self._table = Table(self._game.rules, _as_seats(seats))
        watch(self._table, self._game, seed, past.written)
        self._table.log = self._game.log  # one log, which the game writes
        self._fresh = RolledDice.at(self._table)
        self._rolled, self._written = dict(past.rolled), dict(past.written)
        self._last_rolled().put_back(self._table)
        self._thought: Decision | None = None  # of the seat to move, once asked
        self._thinking: PendingDecision | None = None  # while it is being asked
        self._is_closed = False

    @classmethod
    def retraced(cls, game: Game | GameRecord | str, seats: Seated, seed: int = 0) -> GameSession:
        """A session whose compiled agents have rolled and written down what they did when they made their moves.

        They are asked again at every turn of theirs, a search in haste, and then the move of the game is made. Without
        this, as when a stored game is played on, their dice are those of a game that begins.
        """
        wanted = _as_game(game)
        session = cls(wanted.beginning(), seats, seed)
        for move in wanted.moves:
            if session._table.agents[session.seat].is_compiled:
                thinking = session._new_thinking(None)
                thinking.stop()
                thinking.run()
                with suppress(AgentError):  # it may fail now: its move is known
                    thinking.result()
            session.make(move)
        return session

    def _last_rolled(self) -> RolledDice:
        return self._rolled[max(self._rolled)] if self._rolled else self._fresh

    @property
    def past(self) -> AgentState:
        """What the agents rolled and wrote down so far."""
        return AgentState(dict(self._rolled), dict(self._written)).until(self.turn)

    @property
    def game(self) -> Game:
        """The game as it stands, a copy."""
        return self._game.copy()

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self._game.seat

    @property
    def turn(self) -> int:
        """How many moves were made."""
        return self._game.turn

    @property
    def first_turn(self) -> int:
        """Where the game begins: 0, or the turn of the position it was set up from."""
        return self._game.log.first

    @property
    def is_over(self) -> bool:
        """Whether the game is over by its rules."""
        return self._game.is_over

    @property
    def seats(self) -> tuple[Agent | None, ...]:
        """The agent in each seat; None for a person."""
        return tuple(None if is_person(agent) else agent for agent in self._table.agents)

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where, as a record has it: agents as written, a person as "human"."""
        return tuple(agent.text for agent in self._table.agents)

    @property
    def is_person_to_move(self) -> bool:
        """Whether the game waits for a person."""
        return not self.is_over and is_person(self._table.agents[self.seat])

    def observation(self, seat: int) -> Observation:
        """What a seat may know now, with all that happened; whichever seat is to move."""
        return observe(self._game.copy(), Seat(seat))

    def record(self) -> GameRecord:
        """The game so far as plain data, with the seed if the deck is that seed's."""
        is_dealt = self._game.deck == Game(self._game.rules, self.seed).deck
        return GameRecord.of(self._game, self.names, self.seed if is_dealt else None)

    def make(self, move: int | str) -> Event:
        """Make a move of the seat to act, a person's or an agent's; every seat is told. Returns what all saw."""
        self._check_idle()
        game, turn = self._game, self.turn
        if isinstance(move, str):
            move = parse_move(move, game.seat, game.rules.players)
        if reason := game.why_illegal(move):
            raise MoveError(f"turn {turn + 1}, {SEAT_NAMES[game.seat]}: {reason}")
        self._tell(int(move))
        game.make(move)
        self._rolled[self.turn] = RolledDice.at(self._table).after(self._last_rolled())
        self._thought = None
        return game.log.event(turn)

    def _tell(self, move: int) -> None:
        """Every seat hears of the move, and the table carries it out."""
        table = self._table
        try:
            make_move(table.states, GAME, table.memory, table.params, table.observes, move)
        except (IndexError, ArithmeticError, ValueError) as error:
            raise table.error(self.seed, f"raised {type(error).__name__}: {error}") from error
        table.check_memory()

    def decide(self, eyes: Seat | None = None) -> Decision:
        """What the agent to act decides; nothing is moved yet, and asked again it says the same.

        An agent that raises or would move illegally is an `AgentError`; another may take its seat (`replace`).
        With `eyes`, the reason is put in words that show that seat none of its hidden cards.
        """
        if self._thought is None:
            thinking = self._new_thinking(eyes)
            thinking.run()
            return thinking.result()
        return self._thought

    def start(self) -> PendingDecision:
        """Let the agent to act decide in a thread of its own; the session waits for it, or stops it, before a move."""
        thinking = self._new_thinking(None)
        if self._thought is None:
            thinking.start()
        else:
            thinking.finish(self._thought)
        return thinking

    def _new_thinking(self, eyes: Seat | None) -> PendingDecision:
        if self.is_over:
            raise ValueError("the game is over, so nobody is to move")
        if self.is_person_to_move:
            name = SEAT_NAMES[self.seat]
            raise ValueError(f"it is {name}'s turn, a person: make the move, or let an agent take the seat")
        self._check_idle()
        thinking = self._thinking = PendingDecision(self._table, self.seed, eyes, self._settle)
        if self._is_closed:
            thinking.stop()
        return thinking

    def _settle(self, thinking: PendingDecision) -> None:
        """Keep what an agent has decided, unless its seat has been taken or its move taken back meanwhile."""
        if thinking is self._thinking:
            self._thinking = None
            if thinking.thought is not self._thought:
                self._thought = thinking.thought
                self._written[thinking.turn] = thinking.written

    def _check_idle(self) -> None:
        if self._thinking is not None:
            raise ValueError(f"{SEAT_NAMES[self.seat]} is thinking; wait for the result, or stop it")

    def step(self) -> Decision:
        """Let the agent to act decide, and make its move."""
        thought = self.decide()
        self.make(thought.move)
        return thought

    def hear(self, move: int) -> tuple[Heard, ...]:
        """What the seats would hear in a move of the seat to act, each by its agent's convention."""
        table = self._table
        return hear_move(table.states, table.memory, table.params, table.agents, int(move))

    @property
    def thinking(self) -> PendingDecision | None:
        """The decision in progress, if an agent is being asked in another thread."""
        return self._thinking

    def stop(self) -> None:
        """Let a search that is thinking answer at once, from another thread; nothing happens if none is."""
        if (thinking := self._thinking) is not None:
            thinking.stop()

    def close(self) -> None:
        """Let the search that is thinking, and all later ones, answer at once, from another thread."""
        self._is_closed = True
        self.stop()

    def at(self, turn: int) -> GameSession:
        """Another session, with the same seats, where this one stood after `turn` moves: a branch."""
        if not self.first_turn <= turn <= self.turn:
            raise ValueError(f"turns of this game are {self.first_turn} to {self.turn}, not {turn}")
        game = self._game.beginning()
        for move in self._game.moves[: turn - self.first_turn]:
            game.make(move)
        return GameSession(game, self._table.agents, self.seed, self.past.until(turn))

    def take_back(self, turns: int = 1) -> None:
        """Take back the last `turns` moves, as if they had not been made."""
        if not 0 <= turns <= self.turn - self.first_turn:
            raise ValueError(f"{self.turn - self.first_turn} moves can be taken back, not {turns}")
        self._become(self.at(self.turn - turns))

    def replace(self, seat: int, agent: object) -> None:
        """Let another agent, or a person (None), take a seat; the newcomer is told all that happened.

        The other seats' dice, and their players in Python, stay what they are.
        """
        players = self._game.rules.players
        if not 0 <= seat < players:
            raise ValueError(f"the seats of this game are 0 to {players - 1}, not {seat}")
        agents: list[object] = list(self._table.agents)
        agents[seat] = agent
        past = self.past.with_newcomer(Seat(seat), players, self._fresh)
        other = GameSession(self._game, agents, self.seed, past)
        other._keep_players(self._table, seat)
        self._become(other)

    def _become(self, other: GameSession) -> None:
        self.stop()
        self._thinking = None
        self._game, self._table, self._thought = other._game, other._table, None
        self._fresh, self._rolled, self._written = other._fresh, other._rolled, other._written

    def _keep_players(self, before: Table, newcomer: int) -> None:
        """The players in Python stay seated, but for one seat; one that sits at both tables was started again."""
        table = self._table
        for seat, player in enumerate(before.players):
            if seat != newcomer and player is not table.players[seat]:
                table.players[seat], table.dice[seat] = player, before.dice[seat]
        self._last_rolled().put_back(table)


def _as_game(game: Game | GameRecord | str) -> Game:
    if isinstance(game, str):
        return Game.from_position(game)
    if isinstance(game, GameRecord):
        *_, game = game.deal(), *game.replay()
    return game.copy()


def _as_seats(seats: Seated) -> list[Agent]:
    return [SEATED_PERSON if each is None or each == PERSON else as_agent(each) for each in as_list(seats)]


NO_REASON = "gives no reason"
NO_SAFE_REASON = "gives no reason, or one that might show your cards"


def ask(game: Game | str, agent: Agents, seed: int = 0) -> Move:
    """The move that an agent, compiled or not, would make as the seat to act in this game.

    >>> game = Game(Rules(players=3), seed=7)
    >>> game.make(ask(game, "smartbot"))

    `agent` and `seed` are those of `explain`.
    """
    return explain(game, agent, seed).chosen


def explain(game: Game | str, agent: Agents, seed: int = 0, eyes: Seat | None = None) -> Explanation:
    """What an agent would do as the seat to act in this game, and why. Its dice follow from `seed`.

    A search tells what it found (`moves`, `line`), other agents their reason (`reason`), a hat player what the other
    seats hear (`heard`). `agent` is one agent for all seats, or one for each: a text, or what `as_agent` takes. A game
    that was played from its deal is told to every seat move by move, so that conventions and models with a memory know
    what happened. A position (a `Game` made from one, or its text) has no history: what its earlier hints meant by a
    convention is not known, and models with a memory play as if they had seen nothing.
    With `eyes`, the reason is put in words that show that seat none of its hidden cards.
    """
    thought = decide(game, agent, seed, eyes)
    if thought.explanation is not None:
        found = replace(thought.explanation, heard=thought.heard)
        return replace(found, own_reason=own_reason(found, game, agent, seed, eyes)) if found.keeps_own else found
    words = thought.words or (NO_REASON if eyes is None else NO_SAFE_REASON)
    return explain_plainly(thought.seat, thought.players, thought.move, words, thought.heard)


def own_reason(found: Explanation, game: Game | str, agent: Agents, seed: int, eyes: Seat | None = None) -> str:
    """Why the evaluator of a flat search makes the move that the search kept, in its own words."""
    agents = as_agents(agent)
    evaluator = evaluator_of(agents[found.seat % len(agents)])
    if evaluator is None:
        return ""
    told = explain(game, evaluator, seed, eyes)
    return f"{evaluator.text}'s own move: {told.reason}" if told.chosen == found.chosen and told.reason else ""


def evaluator_of(agent: Agent) -> Agent | None:
    """Whose moves a flat search tries to better; None of other agents, and if it sees what no player may."""
    values = all_values(agent.info, agent.values) if agent.is_search else {}
    found = values.get("evaluator") or values.get("blueprint")
    return found if isinstance(found, Agent) and not found.info.mark else None


def decide(game: Game | GameRecord | str, agent: Agents, seed: int = 0, eyes: Seat | None = None) -> Decision:
    """What an agent of any kind decides as the seat to act in this game: its move, why in words, and how long it took.

    >>> thought = decide(Game(Rules(players=3), seed=7), "vdb")
    >>> thought.move, thought.words

    A search's numbers are in `explanation`. The other arguments are those of `explain`. To look at a search while it
    thinks, or to stop it, use `GameSession.start`.
    """
    session = GameSession(game, as_agents(agent), seed)
    if session.is_over:
        raise ValueError("the game is over, so there is no move to ask for")
    with at_interrupt(session.close):
        return session.decide(eyes)
