"""Moves: a small int for kernels, an object with words for people, and the text form of both.

Plays are 0-4, discards 5-9, then eleven hints for each of the four other seats: six colors, five
ranks. A hint names its receiver by the offset from the giver (1 is the next seat), so the same number
means the same thing at every seat and all 54 moves fit one 64-bit mask.
"""

from __future__ import annotations

from functools import cache
from operator import index
from typing import Final

from kagiya.cards import (
    COLOR_LETTERS,
    COLOR_NAMES,
    MAX_COLORS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_RANKS,
    SEAT_NAMES,
    Color,
    Rank,
    Seat,
    Slot,
)

FIRST_DISCARD: Final = MAX_HAND
FIRST_HINT: Final = 2 * MAX_HAND
HINTS_PER_SEAT: Final = MAX_COLORS + MAX_RANKS
NUM_MOVES: Final = FIRST_HINT + (MAX_PLAYERS - 1) * HINTS_PER_SEAT


class MoveError(ValueError):
    """text or a number that is not a move, or a move that is not legal now."""


class Move(int):
    """A move. Make one with `play`, `discard`, `hint_color` or `hint_rank`; it *is* the kernels' int."""

    __slots__ = ()

    def __new__(cls, number: int) -> Move:
        if not 0 <= number < NUM_MOVES:
            raise MoveError(f"moves are numbered 0-{NUM_MOVES - 1}, not {number!r}")
        return super().__new__(cls, number)

    @staticmethod
    def play(slot: int) -> Move:
        """Play the card in a slot."""
        return MOVES[_checked("slots", slot, 0, MAX_HAND)]

    @staticmethod
    def discard(slot: int) -> Move:
        """Discard the card in a slot."""
        return MOVES[FIRST_DISCARD + _checked("slots", slot, 0, MAX_HAND)]

    @staticmethod
    def hint_color(offset: int, color: Color) -> Move:
        """Tell the seat `offset` places on which of its cards have this color."""
        return MOVES[_first_hint_to(offset) + _checked("colors", color, 0, MAX_COLORS)]

    @staticmethod
    def hint_rank(offset: int, rank: Rank) -> Move:
        """Tell the seat `offset` places on which of its cards have this rank (0 is the one)."""
        return MOVES[_first_hint_to(offset) + MAX_COLORS + _checked("ranks (0 is the one)", rank, 0, MAX_RANKS)]

    @property
    def is_play(self) -> bool:
        """Whether it plays a card."""
        return self < FIRST_DISCARD

    @property
    def is_discard(self) -> bool:
        """Whether it discards a card."""
        return FIRST_DISCARD <= self < FIRST_HINT

    @property
    def is_hint(self) -> bool:
        """Whether it is a hint."""
        return self >= FIRST_HINT

    @property
    def slot(self) -> Slot | None:
        """The slot played or discarded; None for a hint."""
        return None if self.is_hint else Slot(self % MAX_HAND)

    @property
    def offset(self) -> int | None:
        """How many seats on the receiver of a hint sits; None for a play or discard."""
        return (self - FIRST_HINT) // HINTS_PER_SEAT + 1 if self.is_hint else None

    @property
    def color(self) -> Color | None:
        """The color that a hint tells; None for all other moves."""
        value = self._hint_value
        return Color(value) if value is not None and value < MAX_COLORS else None

    @property
    def rank(self) -> Rank | None:
        """The rank that a hint tells (0 is the one); None for all other moves."""
        value = self._hint_value
        return Rank(value - MAX_COLORS) if value is not None and value >= MAX_COLORS else None

    @property
    def _hint_value(self) -> int | None:
        return (self - FIRST_HINT) % HINTS_PER_SEAT if self.is_hint else None

    def __str__(self) -> str:
        return move_name(self)

    def __repr__(self) -> str:
        return f"<Move {move_name(self)}>"

    def __reduce__(self) -> tuple[type[Move], tuple[int]]:
        return Move, (int(self),)


MOVES: Final = tuple(Move(number) for number in range(NUM_MOVES))
"""Every move, by its number."""


def _checked(what: str, value: int, low: int, end: int) -> int:
    try:
        if low <= index(value) < end:
            return value
    except TypeError:
        raise MoveError(f"{what} are integers from {low} to {end - 1}, not {value!r}{_whole(value)}") from None
    raise MoveError(f"{what} are {low}-{end - 1}, not {value!r}")


def _whole(value: object) -> str:
    """What to do about a number that is whole but not an integer, as a division gives it."""
    return "; divide with //" if isinstance(value, float) and value.is_integer() else ""


def _first_hint_to(offset: int) -> int:
    return FIRST_HINT + (_checked("offsets of the receiver of a hint", offset, 1, MAX_PLAYERS) - 1) * HINTS_PER_SEAT


def move_name(move: int, actor: Seat | None = None, players: int = MAX_PLAYERS) -> str:
    """``play 1``, ``discard 5``, ``hint +1 red``; with the actor's seat known, ``hint bob red``."""
    move = MOVES[move]
    if move.slot is not None:
        return f"{'play' if move.is_play else 'discard'} {move.slot + 1}"
    assert move.offset is not None
    is_seat_known = actor is not None and move.offset < players
    receiver = SEAT_NAMES[((actor or 0) + move.offset) % players] if is_seat_known else f"+{move.offset}"
    value = COLOR_NAMES[move.color] if move.color is not None else str((move.rank or 0) + 1)
    return f"hint {receiver} {value}"


def parse_move(text: str, actor: Seat | None = None, players: int = MAX_PLAYERS) -> Move:
    """The inverse of `move_name`; verbs may be shortened to ``p``, ``d``, ``h``."""
    match text.lower().split():
        case ["play" | "p", slot]:
            return Move.play(_number(text, "slots", slot, MAX_HAND))
        case ["discard" | "d", slot]:
            return Move.discard(_number(text, "slots", slot, MAX_HAND))
        case ["hint" | "h", receiver, value]:
            return _parse_hint(text, _offset(text, receiver, actor, players), value)
    raise MoveError(f"{text!r} is not a move; expected 'play 1', 'discard 2', 'hint bob red' or 'hint +1 3'")


def _number(text: str, what: str, written: str, limit: int) -> int:
    """A number that people count from 1, as code counts it from 0."""
    if written not in map(str, range(1, limit + 1)):
        raise MoveError(f"{text!r:.80} is not a move: {what} are 1-{limit}, not {written:.80}")
    return int(written) - 1


def _offset(text: str, receiver: str, actor: Seat | None, players: int) -> int:
    if receiver.startswith("+"):
        return _number(text, "seats to count on", receiver[1:], MAX_PLAYERS - 1) + 1
    if actor is None:
        raise MoveError(f"{text!r} is not a move: write the receiver as an offset, +1 for the next seat")
    seats = [seat for seat, name in enumerate(SEAT_NAMES[:players]) if name.startswith(receiver)]
    if len(seats) != 1:
        there = ", ".join(SEAT_NAMES[:players])
        raise MoveError(f"{text!r} is not a move: no one here is called {receiver!r}; there are {there}")
    if seats[0] == actor:
        raise MoveError(f"{text!r} is not a move: {SEAT_NAMES[actor]} is to move, and a hint goes to another seat")
    return (seats[0] - actor) % players


def _parse_hint(text: str, offset: int, value: str) -> Move:
    if value.isdecimal():
        return Move.hint_rank(offset, Rank(_number(text, "ranks", value, MAX_RANKS)))
    names = _color_words()
    if value not in names:
        known = ", ".join(COLOR_NAMES)
        raise MoveError(f"{text!r} is not a move: {value!r} is neither a color ({known}) nor a rank (1-5)")
    return Move.hint_color(offset, names[value])


@cache
def _color_words() -> dict[str, Color]:
    pairs = zip(COLOR_NAMES, COLOR_LETTERS, strict=True)
    return {word: Color(color) for color, pair in enumerate(pairs) for word in (pair[0], pair[1].lower())}
