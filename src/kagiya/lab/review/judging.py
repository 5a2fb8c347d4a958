"""Judges of moves: values in points for every legal move of a turn, distances to the best, and mistakes.

A judge tries all moves on the same samples of the hidden cards, and an evaluator plays on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, now
from kagiya.cards import NO_MOVE, SEAT_NAMES, MoveNumber, Seat
from kagiya.engine.game import Game, check_seed
from kagiya.engine.layout import GAME, Lane, Memory, Params, States
from kagiya.lab.review.samples import Reviewed, Sampler, Stopping, as_evaluator, beginning_of, deal_sample
from kagiya.lab.table.determinization import plausible_game
from kagiya.lab.table.table import SeatingError
from kagiya.moves import MOVES, NUM_MOVES, Move, move_name, parse_move
from kagiya.runtime.interrupts import StoppedError
from kagiya.search.flat_search import ask_evaluator, try_line
from kagiya.search.search_layout import work_at
from kagiya.search.search_options import sees_too_much
from kagiya.view.observation import Observation

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
        return {**asdict(self), "move": str(self.move), "mistake": self.is_mistake}

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
        plain = {name: getattr(self, name) for name in ("turn", "seat", "players", "evaluator", "deals", "seed")}
        named = {name: getattr(self, name) for name in ("best", "chosen", "made")}
        plain |= {name: None if move is None else str(move) for name, move in named.items()}
        return plain | {"mistake": self.is_mistake, "moves": [each.to_json() for each in self.moves]}

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


Progress = Callable[[int, int], None]  # samples played so far, and of how many
SLICE = 20_000_000  # nanoseconds between two looks whether to stop
MIN_DEALS = 4  # two for each half
SURELY_BEHIND = 3.0  # errors


@dataclass(frozen=True)
class JudgeBudget:
    """How thoroughly to judge a turn, and who may stop it."""

    deals: int  # samples in which all legal moves are tried
    most_deals: int  # samples at most, to find out whether the move that was made is a mistake
    stop: Stopping | None = None
    progress: Progress | None = None

    @property
    def is_stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()


class Judge(Sampler):
    """An evaluator at a table of its own, where a game is judged turn by turn."""

    def judge(self, deals: int, seed: int, stop: Stopping | None, progress: Progress | None) -> Judgement:
        """Judge the turn at hand."""
        return self.judge_made(JudgeBudget(deals, deals, stop, progress), seed, None)

    def judge_made(self, budget: JudgeBudget, seed: int, made: Move | None) -> Judgement:
        """Judge the turn at hand, in which this move was made, as thoroughly as the budget allows."""
        seat, table = self.seat_to_move, self.table
        self.begin(seat, seed)
        chosen = int(evaluator_choice(table.states, GAME, seat, table.memory, table.params))
        moves = self._compare(seat, budget, chosen, made)
        table.check_memory()
        return Judgement(
            turn=int(table.states[GAME]["turn"]),
            seat=seat,
            players=table.rules.players,
            evaluator=self.agent.text,
            deals=max(each.deals for each in moves),
            seed=seed,
            moves=moves,
            chosen=None if chosen == NO_MOVE else MOVES[chosen],
            made=made,
        )

    def _compare(self, seat: Seat, budget: JudgeBudget, favourite: int, made: Move | None) -> tuple[JudgedMove, ...]:
        """All moves in the first round; then those that may be the best and the one made, twice as often each time."""
        values, played, deals = np.zeros((budget.most_deals, NUM_MOVES)), 0, budget.deals
        tried, left = legal_moves(int(self.workspace(seat).work["root_moves"])), list[JudgedMove]()
        while True:
            played = self._play(seat, values[:deals], played, tried, budget)
            judged = compare_moves(values[:played], tried, favourite)
            is_clear = all(each.is_clear for each in judged if each.move == made)
            if played < deals or deals >= budget.most_deals or is_clear:
                return with_dropped(judged, left, values)
            kept = {int(each.move) for each in judged if may_be_best(each) or each.move == made}
            left += [each for each in judged if each.move not in kept]
            tried, deals = sorted(kept), min(2 * deals, budget.most_deals)

    def _play(self, seat: Seat, values: Values, played: int, moves: Sequence[int], budget: JudgeBudget) -> int:
        """Try moves in more samples until `values` is full; returns the samples played."""
        table, place, mask = self.table, played * NUM_MOVES, sum(1 << move for move in moves)
        while place < values.size and not budget.is_stopped:
            place = int(judge_on(table.states, GAME, seat, table.memory, table.params, mask, values, place, SLICE))
            if budget.progress is not None:
                budget.progress(place // NUM_MOVES, len(values))
        if place // NUM_MOVES < MIN_DEALS:
            raise StoppedError(f"stopped after {place // NUM_MOVES} of {len(values)} deals, too few to compare moves")
        return place // NUM_MOVES


def legal_moves(mask: int) -> list[int]:
    """The numbers of the moves in a mask."""
    return [move for move in range(NUM_MOVES) if mask >> move & 1]


def may_be_best(judged: JudgedMove) -> bool:
    """Whether a move is not surely behind another."""
    return judged.behind <= SURELY_BEHIND * judged.behind_error


def with_dropped(judged: Sequence[JudgedMove], dropped: Sequence[JudgedMove], values: Values) -> tuple[JudgedMove, ...]:
    """All moves, highest value first. What was tried in fewer samples is corrected by the luck that the best move had
    in those."""
    best, whole = int(judged[0].move), judged[0].value
    moved = [replace(each, value=each.value + whole - float(values[: each.deals, best].mean())) for each in dropped]
    return tuple(sorted((*judged, *moved), key=lambda each: -each.value))


def judge(
    game: Game | Observation | str,
    evaluator: object,
    deals: int = 200,
    *,
    seat: int | None = None,
    seed: int = 0,
    stop: Stopping | None = None,
    progress: Progress | None = None,
) -> Judgement:
    """Every legal move of the seat to move, tried on the same samples of the cards that this seat cannot see.

    >>> judge(game, "smartbot", deals=200).moves[0]

    In each sample every move is made and the evaluator, any compiled agent that does not search, plays on in all seats.
    Hands are sampled as `depth-one` does over this evaluator: they fit all hints, what the evaluator's convention makes
    of past moves, and hands under which it would have moved as the others did are more likely. The seat's true hand is
    never read; from an `Observation` it is not even there, and evaluators that see their own hand are refused.
    `seat` is the seat to move, as a check. `stop.is_set()` is asked every 20 ms: what was played until then is judged.
    `progress` is called with the samples played so far and their number.
    """
    check_deals(deals)
    check_seed(seed)
    agent = as_evaluator(evaluator)
    if isinstance(game, Observation):
        if sees_too_much(agent):
            raise SeatingError(f"{agent.text} {agent.info.mark}, which a player cannot; give another evaluator")
        seat, game = game.seat if seat is None else seat, plausible_game(game)
    judged = Game.from_position(game) if isinstance(game, str) else game
    check_turn(judged, seat)
    table = Judge(judged.rules, agent)
    table.watch(judged)
    return table.judge(deals, seed, stop, progress)


def judge_game(
    game: Reviewed,
    evaluator: object,
    deals: int = 50,
    *,
    most_deals: int | None = None,
    seat: int | None = None,
    seed: int = 0,
    stop: Stopping | None = None,
) -> Iterator[Judgement]:
    """Judge a game, recorded or not, turn by turn, all or one seat's; each judgement comes as soon as it is there.

    Each is what `judge` says of the game before that turn, and knows the move that was made. With `most_deals`, the
    turns in which it is not clear whether that move was a mistake get up to that many samples, for this move and
    those that may be the best. Of the mistakes that 50 samples find, other samples find six to eight in ten again; with
    4,000 at most, nine in ten.
    """
    check_deals(deals)
    check_seed(seed)
    table = Judge(game.rules, as_evaluator(evaluator))
    table.watch(beginning_of(game))
    budget = JudgeBudget(deals, max(deals, most_deals or deals), stop)
    for move in game.moves:
        if seat in (None, table.seat_to_move):
            try:
                yield table.judge_made(budget, seed, move)
            except StoppedError:
                return
            if budget.is_stopped:
                return
        table.hear(move)


def check_deals(deals: int) -> None:
    """Refuse too few samples to compare moves."""
    if isinstance(deals, bool) or not isinstance(deals, int | np.integer) or deals < MIN_DEALS:
        raise ValueError(f"deals must be an integer of at least {MIN_DEALS}, not {deals!r}")


def check_turn(game: Game, seat: int | None) -> None:
    """Refuse to judge where the game is over, or another seat than the one expected."""
    if game.is_over:
        raise ValueError("the game is over, so there is no move to judge")
    if seat is not None and seat != game.seat:
        raise ValueError(f"it is {SEAT_NAMES[game.seat]}'s turn, and only the seat to move can be judged")


def mistakes(judgements: Iterable[Judgement]) -> list[Judgement]:
    """The turns whose moves were mistakes, worst first."""
    found = [(each.verdict.behind, each) for each in judgements if each.verdict and each.verdict.is_mistake]
    return [each for _, each in sorted(found, key=lambda pair: -pair[0])]


@kernel
def evaluator_choice(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """What the evaluator itself would do as the seat to move, asked in a sample; NO_MOVE if that is illegal."""
    deal_sample(states, i, seat, memory, params)
    work = work_at(int(params[seat, 0]))
    ask_evaluator(seat, work)
    return work["evaluator_move"]


@kernel
def judge_on(
    states: States,
    i: Lane,
    seat: Seat,
    memory: Memory,
    params: Params,
    moves: int,
    values: npt.NDArray[np.float64],
    place: int,
    nanoseconds: int,
) -> int:
    """Fill `values[sample, move]` for a mask of moves from `place` on, for so long; returns the place reached.

    A place counts the moves of all samples before it. One line of play is made at least, and the last sample dealt is
    taken up where it was left.
    """
    work, started = work_at(int(params[seat, 0])), now()
    while place < len(values) * NUM_MOVES:
        sample, move = place // NUM_MOVES, MoveNumber(place % NUM_MOVES)
        if move == 0:
            deal_sample(states, i, seat, memory, params)
        place += 1
        if moves >> move & 1:
            values[sample, move] = try_line(work, move, NO_MOVE)
            if now() - started >= nanoseconds:
                break
    return place
