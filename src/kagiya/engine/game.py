"""`Game`: one game with a friendly, checking face, and its public history. What people and Python code play with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import SEAT_NAMES, Card, Seat, Slot, parse_cards
from kagiya.engine import game_kernels
from kagiya.engine.batch import write_deck, write_log, write_template
from kagiya.engine.dice import DECK_STREAM, seed_stream
from kagiya.engine.layout import MAX_TURNS, States, new_states, new_streams
from kagiya.engine.position import parse_position, position_text, table_text
from kagiya.moves import MOVES, NUM_MOVES, Move, MoveError, move_name, parse_move
from kagiya.rules import Rules

LANE = 0
MAX_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Event:
    """One move as all saw it."""

    turn: int
    seat: Seat
    move: Move
    touched: tuple[Slot, ...]  # slots of the receiver that a hint pointed at
    card: Card | None  # the card that a play or discard turned up
    receiver: Seat | None = None  # of a hint


class Log:
    """Moves and what they showed, by turn number; kernels write it, `Observation.history` reads it.

    `shown` holds the mask of touched slots for a hint, the card for a play or discard.
    """

    __slots__ = ("first", "moves", "players", "shown")

    def __init__(self, players: int, first: int = 0) -> None:
        self.players = players
        self.first = first  # the turn at which the history begins: later than 0 for a game set up from a position
        self.moves: npt.NDArray[np.uint8] = np.zeros(MAX_TURNS, np.uint8)
        self.shown: npt.NDArray[np.int64] = np.zeros(MAX_TURNS, np.int64)

    def copy(self) -> Log:
        other = Log(self.players, self.first)
        other.moves[:], other.shown[:] = self.moves, self.shown
        return other

    def event(self, turn: int) -> Event:
        move, shown = MOVES[self.moves[turn]], int(self.shown[turn])
        seat = Seat(turn % self.players)
        if move.is_hint:
            touched = tuple(Slot(s) for s in range(5) if shown >> s & 1)
            return Event(turn, seat, move, touched, None, Seat((seat + (move.offset or 0)) % self.players))
        return Event(turn, seat, move, (), Card(shown))

    def events(self, first: int, end: int) -> tuple[Event, ...]:
        """The events of turns first, ..., end - 1, as far as the history goes back."""
        return tuple(self.event(turn) for turn in range(max(first, self.first), end))


class Game:
    """A game in progress. Every move is checked; an illegal one is refused with the reason.

    >>> game = Game(Rules(players=2), seed=7)
    >>> game.make("hint bob 1")
    >>> game.tokens
    7
    """

    def __init__(self, rules: Rules | None = None, seed: int = 0, deck: Sequence[int] | str | None = None) -> None:
        """Deal by a seed, or from a deck given top card first, as cards or as text like that of a record."""
        self.rules = rules or Rules()
        self.states: States = new_states(1)
        self.log = Log(self.rules.players)
        if deck is not None:
            write_deck(self.rules, self.states, LANE, parse_cards(deck) if isinstance(deck, str) else deck)
        else:
            self._shuffle(seed)
        self.deck: tuple[Card, ...] | None = tuple(self.states[LANE]["deck"][: self.rules.deck_size].tolist())
        game_kernels.deal_hands(self.states, LANE)
        self._first_states = self.states.copy()

    @classmethod
    def from_state(cls, rules: Rules, states: States, i: int) -> Game:
        """A game that continues from a copy of a state record; its past is unknown."""
        game = cls.__new__(cls)
        game.rules, game.deck = rules, None
        game.states = states[i : i + 1].copy()
        game.log = Log(rules.players, first=int(states[i]["turn"]))
        game._first_states = game.states.copy()
        return game

    @classmethod
    def from_position(cls, text: str) -> Game:
        """A game that continues from a position written as text (see `kagiya.engine.position`)."""
        return cls.from_state(*parse_position(text), LANE)

    def _shuffle(self, seed: int) -> None:
        check_seed(seed)
        write_template(self.rules, self.states, LANE)
        rng = new_streams(1)
        seed_stream(rng, LANE, DECK_STREAM, seed)
        game_kernels.shuffle(self.states, LANE, rng)

    def copy(self) -> Game:
        """An independent game at the same position."""
        other = Game.from_state(self.rules, self.states, LANE)
        other.deck = self.deck
        other.log = self.log.copy()
        other._first_states = self._first_states
        return other

    def beginning(self) -> Game:
        """An independent game at the point where this one was dealt or set up."""
        other = Game.from_state(self.rules, self._first_states, LANE)
        other.deck = self.deck
        return other

    def position(self) -> str:
        """The position as text, the inverse of `from_position`."""
        return position_text(self.rules, self.states, LANE)

    def __str__(self) -> str:
        """The whole table, all hands open."""
        return table_text(self.rules, self.states[LANE])

    def __repr__(self) -> str:
        """The position, as Python that sets it up again."""
        return f"Game.from_position({'; '.join(self.position().splitlines())!r})"

    def _repr_svg_(self) -> str:
        """The whole table for a notebook, all hands open."""
        # Imported here: compiled code depends on all that is imported above, and on no drawing.
        from kagiya.view.notebook_pictures import game_svg

        return game_svg(self)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """What the seat to act may do; nothing once the game is over."""
        mask = game_kernels.legal_moves(self.states, LANE)
        return tuple(move for move in MOVES if mask >> move & 1)

    def make(self, move: int | str) -> None:
        """Carry out a move of the seat to act, given as a `Move` or in words."""
        if isinstance(move, str):
            move = parse_move(move, self.seat, self.rules.players)
        if reason := self.why_illegal(move):
            raise MoveError(f"turn {self.turn + 1}, {SEAT_NAMES[self.seat]}: {reason}")
        write_log(self.states, LANE, self.log.moves, self.log.shown, int(move))
        game_kernels.apply_move(self.states, LANE, int(move))

    def undo(self) -> Move:
        """Take back the last move, which is returned; a game set up from a position goes back no further than that."""
        if not self.moves:
            raise MoveError("there is no move to take back")
        *earlier, last = self.moves
        self.states[LANE] = self._first_states[LANE]
        for move in earlier:
            game_kernels.apply_move(self.states, LANE, int(move))
        return last

    def why_illegal(self, move: Any) -> str | None:
        """The reason why the seat to act may not make this move; None if it may."""
        if isinstance(move, bool) or not isinstance(move, int | np.integer) or not 0 <= move < NUM_MOVES:
            return f"{move!r} is not a move; a move is a Move or a number from 0 to {NUM_MOVES - 1}"
        if game_kernels.is_legal(self.states, LANE, int(move)):
            return None
        return f"{move_name(int(move), self.seat, self.rules.players)!r} is illegal: {self._broken_rule(MOVES[move])}"

    def _broken_rule(self, move: Move) -> str:
        if self.is_over:
            return "the game is over"
        if move.is_hint:
            if move.offset is not None and move.offset >= self.rules.players:
                return f"there are only {self.rules.players} players"
            if self.tokens == 0:
                return "no hint token is left"
            named = (move.color or 0) < self.rules.colors and (move.rank or 0) < self.rules.ranks
            return "the hint touches no card" if named else f"this game has no {str(move).split()[-1]}"
        if move.is_discard and (reason := self.rules.why_no_discard(self.tokens)):
            return reason
        return "there is no card in that slot"

    def _field(self, name: str) -> int:
        return int(self.states[LANE][name])

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return Seat(self._field("seat"))

    @property
    def turn(self) -> int:
        """How many moves were made since the deal."""
        return self._field("turn")

    @property
    def tokens(self) -> int:
        """Hint tokens left."""
        return self._field("tokens")

    @property
    def lives(self) -> int:
        """Lives left."""
        return self._field("lives")

    @property
    def deck_left(self) -> int:
        """Cards still in the deck."""
        return self.rules.deck_size - self._field("drawn")

    @property
    def is_over(self) -> bool:
        """Whether the game is over by its rules."""
        return bool(game_kernels.is_over(self.states, LANE))

    @property
    def is_bombed(self) -> bool:
        """Whether the last life is lost."""
        return self.lives == 0

    @property
    def points(self) -> int:
        """Cards on the fireworks, whatever became of the lives."""
        return int(game_kernels.points(self.states, LANE))

    @property
    def score(self) -> int:
        """What the game counts by its rules: the points, or 0 after a bomb if the rules say so."""
        return int(game_kernels.score(self.states, LANE))

    @property
    def reachable_points(self) -> int:
        """The most points that the discards still allow."""
        return int(game_kernels.reachable_points(self.states, LANE))

    @property
    def fireworks(self) -> tuple[int, ...]:
        """For each color how many cards are played, which is also the next rank needed."""
        return tuple(self.states[LANE]["fireworks"][: self.rules.colors].tolist())

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """All hands, open, by seat and slot."""
        hands = self.states[LANE]["hands"][: self.rules.players, : self.rules.hand_size]
        return tuple(tuple(hand) for hand in hands.tolist())

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves made so far; from a position on, those made since."""
        return tuple(MOVES[number] for number in self.log.moves[self.log.first : self.turn])

    @property
    def events(self) -> tuple[Event, ...]:
        """The moves so far with what each showed; a game set up from a position starts with none."""
        return self.log.events(0, self.turn)


def check_seed(seed: int) -> None:
    """Refuse what cannot seed a game."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"a seed is an integer from 0 to 2**63 - 1, not {seed!r}")
