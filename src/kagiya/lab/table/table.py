"""A table with agents seated: plays games by seed, compiled seats at full speed, Python seats by turns.

A single kernel call leads from one Python move to the next. The seats' addresses, memories, parameters and random
streams live here, one set per table; each worker of a match has a table of its own.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import KernelError, address, kernel
from kagiya.agents.api import Agent, AgentInfo, CompiledAgent, Player, PythonAgentType, raised
from kagiya.agents.convention_reader import Heard
from kagiya.agents.register import as_agent
from kagiya.cards import MAX_PLAYERS, NO_MOVE, SEAT_NAMES, MoveNumber, Seat
from kagiya.engine import batch, layout
from kagiya.engine.game import Game, Log, check_seed
from kagiya.engine.game_kernels import deal
from kagiya.engine.memory import Memories, Words, clear_memory
from kagiya.engine.record import GameRecord
from kagiya.lab.table.decision import answer, hear_move
from kagiya.lab.table.inspection import can_be_inspected, inspect_game, inspect_newcomers
from kagiya.moves import NUM_MOVES, Move
from kagiya.rules import Rules
from kagiya.runtime.timeouts import asking
from kagiya.view.observation import Observation
from kagiya.view.view_kernels import censor

ROW = 0  # of the results: a game with Python seats has a row of its own


@kernel
def advance(
    states: layout.States,
    memory: layout.Memory,
    params: layout.Params,
    rng: layout.Streams,
    acts: batch.Addresses,
    observes: batch.Addresses,
    moves: batch.Moves,
    shown: Words,
    results: batch.Results,
    move: int,
) -> int:
    """Make a Python seat's move (NO_MOVE for none), play on, and write what the next Python seat sees."""
    stopped = batch.play_on(
        states, layout.GAME, memory, params, rng, acts, observes, moves, shown, results, ROW, MoveNumber(move)
    )
    if stopped == batch.PYTHON_TO_MOVE:
        censor(states, layout.GAME, layout.SEEN, states[layout.GAME]["seat"])
    return stopped


GameResults = npt.NDArray[Any]
KernelArrays = tuple[layout.States, layout.Memory, layout.Params, layout.Streams, batch.Addresses, batch.Addresses]
SEAT, DECK = layout.STATE_OFFSETS["seat"], layout.STATE_OFFSETS["deck"]
NOTHING_SHOWN = np.zeros(0, np.int64)


class SeatingError(ValueError):
    """Agents that cannot sit at this table."""


class AgentError(RuntimeError):
    """An agent raised, returned nonsense or moved illegally; says which, where and why."""

    def __init__(self, agent: str, seat: int, turn: int, seed: int, reason: str) -> None:
        self.agent, self.seat, self.turn, self.seed, self.reason = agent, seat, turn, seed, reason
        self.is_refusal = False  # before its first game: no game was played
        self.finished: GameResults = np.zeros(0, batch.RESULT)  # of the same chunk, the games before
        super().__init__(f"{SEAT_NAMES[seat]} (seat {seat + 1}, {agent}), turn {turn + 1} of game {seed}: {reason}")

    def __reduce__(self) -> tuple[type[AgentError], tuple[Any, ...]]:
        return type(self), (self.agent, self.seat, self.turn, self.seed, self.reason)


class AccessError(AgentError):
    """A compiled agent read or wrote outside its memory; its games count for nothing."""


class PeekError(AgentError):
    """A compiled agent saw cards that its seat cannot see and did not declare it; its games count for nothing."""


Agents = object  # an agent for all seats, or a sequence with one for each: texts, and what `as_agent` takes
PERSON = "human"  # in the seats of a record


class Absent:
    """Stands for a person, who is not asked by the table."""

    def act(self, observation: Observation) -> Move:
        raise RuntimeError("this is a person's seat: the person's move is made, not asked for")


SEATED_PERSON = Agent(PERSON, PythonAgentType(AgentInfo(PERSON, "a person", "people", "none"), Absent))


def is_person(agent: Agent) -> bool:
    """Whether a seat is a person's."""
    return agent.info.id == PERSON


def as_agents(agents: Agents) -> list[Agent]:
    """One agent or several, each a text or what `as_agent` takes."""
    return [as_agent(each) for each in as_list(agents)]


def as_list(seats: object) -> Sequence[object]:
    """What sits in each seat, or what sits in all of them."""
    return seats if isinstance(seats, Sequence) and not isinstance(seats, str) else [seats]


def seat_agents(rules: Rules, agents: Sequence[Agent]) -> tuple[Agent, ...]:
    """One agent for every seat: the one given, or exactly as many as there are players."""
    seated = tuple(agents) * rules.players if len(agents) == 1 else tuple(agents)
    if len(seated) != rules.players:
        raise SeatingError(f"{len(agents)} agents for {rules.players} players; give one agent, or one for each seat")
    for agent in seated:
        if reason := agent.why_not(rules):
            raise SeatingError(reason)
    return seated


class Table:
    """Some rules and an agent in every seat."""

    def __init__(self, rules: Rules, agents: Sequence[Agent], is_inspected: bool = False) -> None:
        self.rules = rules
        self.agents = seat_agents(rules, agents)
        self.states = layout.new_states(layout.LANES)
        self.rng = layout.new_streams(layout.LANES)
        batch.write_template(rules, self.states, layout.TEMPLATE)
        self._seen = self.states.view(np.int64).reshape(layout.LANES, layout.STATE_WORDS)[layout.SEEN, :DECK]
        declared, kept = zip(*((agent.memory_words, agent.info.kept_words) for agent in self.agents), strict=True)
        self.memories = Memories(layout.LANES, declared, kept)
        self.memory = self.memories.rows
        self.workspaces = [
            agent.new_workspace(rules, Seat(seat), self.agents) for seat, agent in enumerate(self.agents)
        ]
        self.params = self._parameter_rows()
        self._fixed = self.params.tobytes()
        self.acts = np.full(MAX_PLAYERS, batch.NO_KERNEL, np.int64)
        self.observes = np.full(MAX_PLAYERS, batch.NO_KERNEL, np.int64)
        self.players: list[Player | None] = [None] * rules.players
        self.dice: list[random.Random | None] = [None] * rules.players  # of the players in Python that take some
        # Of the game in progress, or of the last one:
        self.log, self.seed, self.result = Log(rules.players), 0, np.zeros(1, batch.RESULT)
        self.beginning: Game | None = None  # where it began, if not with the deal of the seed
        self._is_inspected = is_inspected
        self.explanations: list[Any] = []  # of a game played explained: a search's for its moves, None for others
        self.hearings: list[tuple[Heard, ...]] = []  # of the same: what the seats heard in each move
        self.seconds: list[float] = []  # of the same: how long each move took
        self.stopped_at: int | None = None  # moves of the game in progress that were made before the word to stop
        self._seat_all()

    def _parameter_rows(self) -> npt.NDArray[np.float64]:
        rows = [
            agent.parameters if workspace is None else [float(workspace.address)]
            for agent, workspace in zip(self.agents, self.workspaces, strict=True)
        ]
        params = np.zeros((MAX_PLAYERS, max(1, *map(len, rows))))
        for seat, row in enumerate(rows):
            params[seat, : len(row)] = row
        return params

    def _seat_all(self) -> None:
        for seat, agent in enumerate(self.agents):
            if agent.is_compiled:
                self._seat_compiled(seat, agent.compiled)
            else:
                self.players[seat] = self._new_player(agent)

    def _new_player(self, agent: Agent) -> Player:
        try:
            return agent.new_player()
        except Exception as error:
            advice = (
                "; give it a default, agents are made without arguments" if "required positional" in str(error) else ""
            )
            raise SeatingError(f"{agent.text} cannot be made: {type(error).__name__}: {error}{advice}") from error

    def _seat_compiled(self, seat: int, kind: CompiledAgent) -> None:
        try:
            self.acts[seat] = address(kind.act, batch.ACT)
            if kind.observe is not None:
                self.observes[seat] = address(kind.observe, batch.OBSERVE)
        except KernelError as error:
            raise SeatingError(f"{self.agents[seat].text}: {error}") from error

    @property
    def arrays(self) -> KernelArrays:
        """What kernels that play take first: states, memory, params, rng, acts and observes."""
        return self.states, self.memory, self.params, self.rng, self.acts, self.observes

    @property
    def is_compiled(self) -> bool:
        """Whether every seat is compiled, so that whole games run without Python."""
        return all(player is None for player in self.players)

    @property
    def has_searches(self) -> bool:
        """Whether some seat searches, so that a move may take long."""
        return any(workspace is not None for workspace in self.workspaces)

    @property
    def stopped(self) -> bool:
        """Whether a search was told to stop in the game on the table."""
        return self.stopped_at is not None

    def stop(self) -> None:
        """End the game in progress soon, from another thread: searches answer at once from here on.

        A game that ends after this must not count, and the table is of no more use.
        """
        self.stopped_at = int(self.states[layout.GAME]["turn"])  # first: whatever the searches then answer is hasty
        for workspace in self.workspaces:
            if workspace is not None:
                workspace.stop()

    def play_chunk(self, seed: int, games: int) -> GameResults:
        """Play games with seeds seed, seed + 1, ...; one row of RESULT each."""
        return self.play_with_moves(seed, games)[0]

    def play_with_moves(self, seed: int, games: int) -> tuple[GameResults, npt.NDArray[np.uint8]]:
        """The same, and a row with the moves of each game, as many as it has turns."""
        check_seed(seed)
        results, moves = np.zeros(games, batch.RESULT), np.zeros((games, layout.MAX_TURNS), np.uint8)
        done = self._play_compiled(seed, results, moves) if self.is_compiled and games else 0
        if damage := self._damage():  # then none of these games counts; one by one, they show which it was
            self._repair()
            done = games if self.has_searches else 0
        # Games with Python seats are played one by one; so is one that broke off, to say why it did.
        for game in range(done, games):
            try:
                self.play_game(seed + game)
            except AgentError as error:
                error.finished = results[:game]
                raise
            self.write_result(seed + game)
            results[game], moves[game] = self.result[0], self.log.moves
        if damage:
            raise self._access_error(seed, *damage)
        return results, moves

    def _play_compiled(self, seed: int, results: GameResults, moves: npt.NDArray[np.uint8]) -> int:
        """Play without Python in the loop; returns the number of games before one that broke off."""
        self._inspect()
        try:
            return batch.play_games(*self.arrays, self.memories.extents, moves, NOTHING_SHOWN, results, seed)
        except (IndexError, ArithmeticError, ValueError):
            return 0

    def write_result(self, seed: int) -> None:
        """The outcome of the game on the table, which is over."""
        batch.write_result(self.states, layout.GAME, seed, self.result, 0)

    def play_game(self, seed: int) -> Log:
        """Play one game to its end; its final state stays in lane GAME."""
        self.start_game(seed)
        return self.play_on(seed)

    def play_on(self, seed: int) -> Log:
        """Play the game on the table to its end."""
        log = self.log
        stopped = self.advance(log, NO_MOVE, seed)
        while stopped == batch.PYTHON_TO_MOVE and not self.stopped:
            stopped = self.advance(log, self.ask_python_seat(log, seed), seed)
        self.check_memory()
        if stopped == batch.ILLEGAL_MOVE:
            raise self.error(seed, self.why_illegal(int(log.shown[self.states[layout.GAME]["turn"]])))
        return log

    def play_explained(self, seed: int) -> list[str]:
        """Play one game as `play_game` does, asking every seat by itself for its move and its reason."""
        reasons: list[str] = []
        self.explanations, self.hearings, self.seconds = [], [], []
        acts, self.acts = self.acts, np.full(MAX_PLAYERS, batch.NO_KERNEL, np.int64)
        try:
            stopped = self.advance(self.start_game(seed), NO_MOVE, seed)
            while stopped == batch.PYTHON_TO_MOVE and not self.stopped:
                started = time.perf_counter()
                move, reason = answer(self, seed)
                if self.stopped:
                    break
                self.seconds.append(time.perf_counter() - started)
                self.hearings.append(hear_move(self.states, self.memory, self.params, self.agents, move))
                stopped = self.advance(self.log, move, seed)
                reasons.append(str(reason))
                self.explanations.append(None if isinstance(reason, str) else reason)
        finally:
            self.acts = acts
        self.check_memory()
        if stopped == batch.ILLEGAL_MOVE:
            raise self.error(seed, self.why_illegal(int(self.log.shown[self.states[layout.GAME]["turn"]])))
        return reasons

    def start_game(self, seed: int) -> Log:
        """Deal, wipe the memories and tell the Python players that a game begins."""
        check_seed(seed)
        self._inspect()
        deal(self.states, layout.TEMPLATE, layout.GAME, self.rng, seed)
        clear_memory(self.memory, layout.GAME, self.memories.extents)
        self.log, self.seed, self.result = Log(self.rules.players), seed, np.zeros(1, batch.RESULT)
        self.beginning = None
        for seat in range(self.rules.players):
            self._start_player(Seat(seat), seed)
        return self.log

    def replace_player(self, seat: Seat, seed: int) -> None:
        """Seat a new Python player of the same kind in the game in progress."""
        self.players[seat] = self._new_player(self.agents[seat])
        self._start_player(seat, seed)

    def _inspect(self) -> None:
        """Before its first game a user's compiled agent shows that it does only what it may."""
        if self._is_inspected:
            return
        fault = inspect_newcomers(self.rules, self.agents, lambda agent: Table(self.rules, [agent], True))
        if fault is not None:
            kind = AccessError if fault.is_access else PeekError
            error = kind(fault.agent, fault.seat, fault.turn, fault.seed, fault.reason)
            error.is_refusal = True
            raise error
        self._is_inspected = True

    def check_memory(self) -> None:
        """Refuse the game in progress, or the last one, if an agent wrote where it may not."""
        if damage := self._damage():
            raise self._access_error(self.seed, *damage)

    def _damage(self) -> tuple[int, str] | None:
        """The seat that most likely wrote where it may not, and what is known of it."""
        if found := self.memories.damage():
            return found.seat or 0, f"wrote where it may not: {found}"
        if self.params.tobytes() != self._fixed:
            changed = np.flatnonzero((self.params != np.frombuffer(self._fixed).reshape(self.params.shape)).any(axis=1))
            return int(changed[0]), "its row of parameters was changed, which nobody may do"
        for seat, workspace in enumerate(self.workspaces):
            if workspace is not None and (reason := workspace.damage()):
                return seat, reason
        return None

    def _repair(self) -> None:
        self.memories.restore()
        self.params[:] = np.frombuffer(self._fixed).reshape(self.params.shape)

    def _access_error(self, seed: int, seat: int, reason: str) -> AccessError:
        """Who it was: played once more, inspected, the game says so, unless it depends on what was overwritten."""
        fault = inspect_game(self.rules, self.agents, seed) if all(map(can_be_inspected, self.agents)) else None
        self._repair()
        if fault is not None:
            return AccessError(fault.agent, fault.seat, fault.turn, seed, fault.reason)
        seat = min(seat, self.rules.players - 1)
        return AccessError(self.agents[seat].text, seat, int(self.states[layout.GAME]["turn"]), seed, reason)

    def _start_player(self, seat: Seat, seed: int) -> None:
        start = getattr(self.players[seat], "start", None)
        if start is None:
            return
        dice = self.dice[seat] = random.Random(seed * MAX_PLAYERS + seat)
        try:
            with asking(seed, seat, 0):
                start(self.rules, seat, dice)
        except (Exception, SystemExit) as error:
            reason = f"{raised(error)} (in start)"
            raise AgentError(self.agents[seat].text, seat, 0, seed, reason) from error

    def game(self) -> Game:
        """The game on the table, as far as it has been played; without the hasty moves after a stop."""
        game = Game(self.rules, self.seed) if self.beginning is None else self.beginning.copy()
        turns = int(self.states[layout.GAME]["turn"]) if self.stopped_at is None else self.stopped_at
        for move in self.log.moves[game.turn : turns]:
            game.make(int(move))
        return game

    def record(self) -> GameRecord:
        """The same as plain data."""
        return GameRecord.of(self.game(), [agent.text for agent in self.agents], self.seed)

    def advance(self, log: Log, move: int, seed: int) -> int:
        """Make a Python seat's move and play on until the next one, an illegal move, or the end."""
        try:
            return advance(*self.arrays, log.moves, log.shown, self.result, move)
        except (IndexError, ArithmeticError, ValueError) as error:
            raise self.error(seed, f"raised {type(error).__name__}: {error}") from error

    def observation(self, log: Log) -> Observation:
        """What the Python seat to move may see."""
        words: list[int] = self._seen.tolist()
        return Observation(words, self.rules, Seat(words[SEAT]), log)

    def ask_python_seat(self, log: Log, seed: int) -> int:
        """The move that the Python player to act chooses; a number of a move, legal or not."""
        observation = self.observation(log)
        player = self.players[observation.seat]
        assert player is not None
        try:
            with asking(seed, observation.seat, observation.turn):
                move = player.act(observation)
        except (Exception, SystemExit) as error:
            raise self.error(seed, raised(error)) from error
        if type(move) is not Move and (isinstance(move, bool) or not isinstance(move, int | np.integer)):
            advice = "; does every path through act return one?" if move is None else ", like Move.play(0)"
            raise self.error(seed, f"returned {move!r}, which is not a move{advice}")
        if not 0 <= move < NUM_MOVES:  # NO_MOVE among them, which would mean to `advance` that no move is made
            raise self.error(seed, self.why_illegal(move))
        return int(move)

    def why_illegal(self, move: int) -> str:
        """The reason why the seat to act may not make a move that is not legal."""
        return str(Game.from_state(self.rules, self.states, layout.GAME).why_illegal(move))

    def error(self, seed: int, reason: str) -> AgentError:
        """An error of the seat to move."""
        seat, turn = int(self.states[layout.GAME]["seat"]), int(self.states[layout.GAME]["turn"])
        return AgentError(self.agents[seat].text, seat, turn, seed, reason)
