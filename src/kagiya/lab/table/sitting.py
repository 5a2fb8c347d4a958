"""A game that goes one move at a time: persons and agents in any seats, moves made, asked for and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from kagiya.agents.api import Agent
from kagiya.agents.conventions.convention_reader import Heard
from kagiya.agents.register import as_agent
from kagiya.cards import SEAT_NAMES, Seat
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.game import Game, check_seed
from kagiya.engine.layout import GAME
from kagiya.engine.log import Event
from kagiya.engine.record import GameRecord
from kagiya.lab.table.answering import Thought
from kagiya.lab.table.continuing import watch
from kagiya.lab.table.hearing import hear_move
from kagiya.lab.table.past import Past, Rolled
from kagiya.lab.table.persons import PERSON, SEATED_PERSON, is_person
from kagiya.lab.table.table import AgentError, Table
from kagiya.lab.table.thinking import Thinking
from kagiya.moves import MoveError, parse_move
from kagiya.view.observation import Observation, observe

NOTHING_DONE = Past()
Seated = object  # a person (None, or "human"), or what `as_agent` takes; for all seats, or a sequence with one for each


class Sitting:
    """A table that stands where a game stands and goes one move at a time.

    >>> sitting = Sitting(Game(Rules(players=3), seed=7), [None, "smartbot", "vdb"])
    >>> sitting.make("hint bob 1").touched  # by alice, a person
    (4,)
    >>> sitting.step().words  # bob moves, and says why
    'plays slot 5, which must fit'

    The game may be dealt by a seed or a deck, be in progress, be a record or the text of a position. A game known from
    its deal is told to every seat move by move. What agents do follows from the moves, from `seed` and from what they
    have rolled since they sat down, so a move taken back comes again (but for searches that are given a time, or keep a
    list of hands). A player in Python is made again when moves are taken back, and finds all that happened in its
    observations; one given as an object, not as a class, should sit at one table only.
    """

    def __init__(self, game: Game | GameRecord | str, seats: Seated, seed: int = 0, past: Past = NOTHING_DONE) -> None:
        """`past`: what the agents did in this game before, if it is that of another sitting."""
        check_seed(seed)
        self.seed = seed
        self._game = _as_game(game)
        self._table = Table(self._game.rules, _as_seats(seats))
        watch(self._table, self._game, seed, past.written)
        self._table.log = self._game.log  # one log, which the game writes
        self._fresh = Rolled.at(self._table)
        self._rolled, self._written = dict(past.rolled), dict(past.written)
        self._last_rolled().put_back(self._table)
        self._thought: Thought | None = None  # of the seat to move, once asked
        self._thinking: Thinking | None = None  # while it is being asked
        self._is_closed = False

    @classmethod
    def retraced(cls, game: Game | GameRecord | str, seats: Seated, seed: int = 0) -> Sitting:
        """A sitting whose compiled agents have rolled and written down what they did when they made their moves.

        They are asked again at every turn of theirs, a search in haste, and then the move of the game is made. Without
        this, as when a stored game is played on, their dice are those of a game that begins.
        """
        wanted = _as_game(game)
        sitting = cls(wanted.beginning(), seats, seed)
        for move in wanted.moves:
            if sitting._table.agents[sitting.seat].is_compiled:
                thinking = sitting._new_thinking(None)
                thinking.stop()
                thinking.run()
                with suppress(AgentError):  # it may fail now: its move is known
                    thinking.result()
            sitting.make(move)
        return sitting

    def _last_rolled(self) -> Rolled:
        return self._rolled[max(self._rolled)] if self._rolled else self._fresh

    @property
    def past(self) -> Past:
        """What the agents rolled and wrote down so far."""
        return Past(dict(self._rolled), dict(self._written)).until(self.turn)

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
        """What a seat may know now, with all that happened; at any moment, whoever is to move."""
        return observe(self._game.copy(), Seat(seat))

    def record(self) -> GameRecord:
        """The game so far as plain data, with the seed if the deck is that seed's."""
        is_dealt = self._game.deck == Game(self._game.rules, self.seed).deck
        return GameRecord.of(self._game, self.names, self.seed if is_dealt else None)

    def make(self, move: int | str) -> Event:
        """Make a move of the seat to act, whoever sits there; every seat is told. Returns what all saw."""
        self._check_idle()
        game, turn = self._game, self.turn
        if isinstance(move, str):
            move = parse_move(move, game.seat, game.rules.players)
        if reason := game.why_illegal(move):
            raise MoveError(f"turn {turn + 1}, {SEAT_NAMES[game.seat]}: {reason}")
        self._tell(int(move))
        game.make(move)
        self._rolled[self.turn] = Rolled.at(self._table).after(self._last_rolled())
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

    def think(self, eyes: Seat | None = None) -> Thought:
        """What the agent to act decides; nothing is moved yet, and asked again it says the same.

        An agent that raises or would move illegally is an `AgentError`; another may take its seat (`replace`).
        With `eyes`, the reason is put in words that show that seat none of its hidden cards.
        """
        if self._thought is None:
            thinking = self._new_thinking(eyes)
            thinking.run()
            return thinking.result()
        return self._thought

    def start(self) -> Thinking:
        """Let the agent to act decide in a thread of its own; the sitting waits for it, or stops it, before a move."""
        thinking = self._new_thinking(None)
        if self._thought is None:
            thinking.start()
        else:
            thinking.finish(self._thought)
        return thinking

    def _new_thinking(self, eyes: Seat | None) -> Thinking:
        if self.is_over:
            raise ValueError("the game is over, so nobody is to move")
        if self.is_person_to_move:
            name = SEAT_NAMES[self.seat]
            raise ValueError(f"it is {name}'s turn, a person: make the move, or let an agent take the seat")
        self._check_idle()
        thinking = self._thinking = Thinking(self._table, self.seed, eyes, self._settle)
        if self._is_closed:
            thinking.stop()
        return thinking

    def _settle(self, thinking: Thinking) -> None:
        """Keep what an agent has decided, unless its seat has been taken or its move taken back meanwhile."""
        if thinking is self._thinking:
            self._thinking = None
            if thinking.thought is not self._thought:
                self._thought = thinking.thought
                self._written[thinking.turn] = thinking.written

    def _check_idle(self) -> None:
        if self._thinking is not None:
            raise ValueError(f"{SEAT_NAMES[self.seat]} is thinking; wait for the result, or stop it")

    def step(self) -> Thought:
        """Let the agent to act decide, and make its move."""
        thought = self.think()
        self.make(thought.move)
        return thought

    def hear(self, move: int) -> tuple[Heard, ...]:
        """What the seats would hear in a move of the seat to act, each by its agent's convention."""
        table = self._table
        return hear_move(table.states, table.memory, table.params, table.agents, int(move))

    @property
    def thinking(self) -> Thinking | None:
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

    def at(self, turn: int) -> Sitting:
        """Another sitting, with the same seats, where this one stood after `turn` moves: a branch."""
        if not self.first_turn <= turn <= self.turn:
            raise ValueError(f"turns of this game are {self.first_turn} to {self.turn}, not {turn}")
        game = self._game.beginning()
        for move in self._game.moves[: turn - self.first_turn]:
            game.make(move)
        return Sitting(game, self._table.agents, self.seed, self.past.until(turn))

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
        other = Sitting(self._game, agents, self.seed, past)
        other._keep_players(self._table, seat)
        self._become(other)

    def _become(self, other: Sitting) -> None:
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
    given = seats if isinstance(seats, Sequence) and not isinstance(seats, str) else [seats]
    return [_as_seat(each) for each in given]


def _as_seat(seated: object) -> Agent:
    return SEATED_PERSON if seated is None or seated == PERSON else as_agent(seated)
