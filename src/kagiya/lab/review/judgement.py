"""What a judge finds out about the moves of one turn: values in points, distances to the best, mistakes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.moves import MOVES, Move, move_name, parse_move

Values = npt.NDArray[np.float64]  # [sample, move]: final scores
MISTAKE_POINTS = 0.5  # behind the best by more than this
MISTAKE_ERRORS = 2.0  # and by more than this many standard errors
CLEAR_ERRORS = 3.0  # from the limit of a mistake, to have seen enough
NUMBERS = ("value", "error", "behind", "behind_error")


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """One legal move: the final score to expect, and how far that is behind the best move's, with standard errors.

    `behind` compares the move with the best on the same samples, so its error is far smaller than that of `value`. It
    can be negative: of moves that are equally good, the one that was picked as the best may turn out behind others.
    """

    move: Move
    value: float
    error: float
    behind: float
    behind_error: float
    deals: int  # samples in which it was tried

    @property
    def is_mistake(self) -> bool:
        """Whether it is behind by more than half a point and by more than two standard errors."""
        return self.behind > max(MISTAKE_POINTS, MISTAKE_ERRORS * self.behind_error)

    @property
    def is_clear(self) -> bool:
        """Whether it is clear that it is a mistake, or that it is none: more samples would hardly change that."""
        return abs(self.behind - MISTAKE_POINTS) >= CLEAR_ERRORS * self.behind_error

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "move": str(self.move),
            "value": self.value,
            "error": self.error,
            "behind": self.behind,
            "behind_error": self.behind_error,
            "deals": self.deals,
            "mistake": self.is_mistake,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> JudgedMove:
        """The inverse of `to_json`."""
        value, error, behind, behind_error = (float(data[name]) for name in NUMBERS)
        return cls(parse_move(data["move"]), value, error, behind, behind_error, int(data["deals"]))


@dataclass(frozen=True)
class Judgement:
    """Every legal move of one turn, tried on the same samples of the cards that the seat to move cannot see."""

    turn: int
    seat: Seat
    players: int
    evaluator: str  # the agent that played on in all seats
    deals: int  # samples; moves that are surely behind may have been tried in fewer
    seed: int
    moves: tuple[JudgedMove, ...]  # highest value first
    chosen: Move | None  # the evaluator's own
    made: Move | None = None  # in the game that is reviewed

    @property
    def best(self) -> Move:
        """The move with the highest value."""
        return self.moves[0].move

    def of(self, move: int) -> JudgedMove:
        """What is said of one move."""
        found = next((each for each in self.moves if each.move == move), None)
        if found is None:
            raise ValueError(f"{move_name(int(move), self.seat, self.players)!r} was not a legal move of this turn")
        return found

    @property
    def verdict(self) -> JudgedMove | None:
        """What is said of the move that was made, if one is known."""
        return None if self.made is None else self.of(self.made)

    @property
    def is_mistake(self) -> bool:
        """Whether the move that was made was a mistake."""
        return self.verdict is not None and self.verdict.is_mistake

    @property
    def is_clear(self) -> bool:
        """Whether it is clear that the move made is a mistake, or that it is none; True if nothing was made."""
        return self.verdict is None or self.verdict.is_clear

    def __str__(self) -> str:
        name = SEAT_NAMES[self.seat]
        best = self.moves[0]
        words = f"turn {self.turn + 1}, {name}: best {self._name(best.move)}, {best.value:.2f} points to expect"
        if self.verdict is None:
            return words
        behind = f"{self.verdict.behind:.2f} ± {self.verdict.behind_error:.2f}"
        word = "a mistake" if self.is_mistake else "no mistake"
        return f"{words}; made {self._name(self.verdict.move)}, behind by {behind}: {word}"

    def _name(self, move: Move) -> str:
        return move_name(int(move), self.seat, self.players)

    def to_json(self) -> dict[str, Any]:
        """Plain data; moves are written as in the record of a game."""
        return {
            "turn": self.turn,
            "seat": int(self.seat),
            "players": self.players,
            "evaluator": self.evaluator,
            "deals": self.deals,
            "seed": self.seed,
            "best": str(self.best),
            "chosen": None if self.chosen is None else str(self.chosen),
            "made": None if self.made is None else str(self.made),
            "mistake": self.is_mistake,
            "moves": [each.to_json() for each in self.moves],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Judgement:
        """The inverse of `to_json`."""
        chosen, made = (None if data[name] is None else parse_move(data[name]) for name in ("chosen", "made"))
        return cls(
            turn=int(data["turn"]),
            seat=Seat(int(data["seat"])),
            players=int(data["players"]),
            evaluator=str(data["evaluator"]),
            deals=int(data["deals"]),
            seed=int(data["seed"]),
            moves=tuple(map(JudgedMove.from_json, data["moves"])),
            chosen=chosen,
            made=made,
        )


def compare_moves(values: Values, legal: Sequence[int], favourite: int | None = None) -> tuple[JudgedMove, ...]:
    """Every legal move's value and its distance to the best, from at least two samples.

    The best of many moves looks better than it is on the samples that it was picked on. So it is picked on one half of
    the samples and compared with the others on the other half, both ways round, and the two distances are averaged.
    If the halves disagree about the best, the error is half the difference between their distances at least. Ties go
    to the favourite, then to the first.
    """
    order = sorted(legal, key=lambda move: move != favourite)
    columns = values[:, order]
    one, other = columns[::2], columns[1::2]
    picks = int(one.mean(axis=0).argmax()), int(other.mean(axis=0).argmax())
    leads = other[:, [picks[0]]] - other, one[:, [picks[1]]] - one
    first, second = leads[0].mean(axis=0), leads[1].mean(axis=0)
    behind = (first + second) / 2
    errors = np.hypot(standard_errors(leads[0]), standard_errors(leads[1])) / 2
    if picks[0] != picks[1]:
        errors = np.maximum(errors, np.abs(first - second) / 2)
    means, own_errors = columns.mean(axis=0), standard_errors(columns)
    rows: list[list[float]] = np.column_stack([means, own_errors, behind, errors]).tolist()
    judged = [
        JudgedMove(MOVES[move], value, error, lead, lead_error, len(values))
        for move, (value, error, lead, lead_error) in zip(order, rows, strict=True)
    ]
    return tuple(sorted(judged, key=lambda each: -each.value))


def standard_errors(samples: Values) -> Values:
    """The standard error of the mean of each column; infinite for a single row."""
    count = len(samples)
    if count < 2:
        return np.full(samples.shape[1], math.inf)
    deviation: Values = samples.std(axis=0, ddof=1)
    return deviation / math.sqrt(count)
