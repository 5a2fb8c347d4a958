"""A game in numbers, turn by turn: points lost and by whom, what was still possible, pace and efficiency."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from kagiya.cards import SEAT_NAMES, Seat
from kagiya.engine.game import LANE, Game
from kagiya.engine.regret_kernels import attainable_score, reachable_score
from kagiya.lab.statistics.pace import efficiency, is_bottom_deck_risk, pace, pace_risk, required_efficiency
from kagiya.lab.statistics.regret import MoveCost, move_costs
from kagiya.moves import Move

WORST = 3  # turns that a summary names


@dataclass(frozen=True, slots=True)
class Standing:
    """What was possible at one moment of a game."""

    points: int
    reachable: int  # the most that the discards allow
    attainable: int  # the most for which turns are left too, all cards known
    pace: int | None  # discards that can be afforded if all that is reachable shall be played
    risk: str | None  # of the pace, as hanab.live bands it: low, medium, high, zero
    efficiency: float | None  # cards gotten for each hint so far
    required: float | None  # cards that each hint to come must get
    pace_words: str
    efficiency_words: str

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """One move: who made it, what it cost, and how the game stood after it."""

    turn: int
    seat: Seat
    move: Move
    cost: MoveCost
    bottom_deck_risk: bool  # the last but one copy of a needed card went, and nobody holds the last
    after: Standing

    @property
    def lost(self) -> int:
        """Points that the move made impossible, at once or for lack of turns."""
        return self.cost.total

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "seat": int(self.seat),
            "move": str(self.move),
            "lost": self.lost,
            **self.cost.to_json(),
            "bottom_deck_risk": self.bottom_deck_risk,
            "after": self.after.to_json(),
        }


@dataclass(frozen=True, slots=True)
class SeatLosses:
    """The points that one seat's moves lost."""

    seat: Seat
    sources: dict[str, int]  # of the direct losses: discard, play, bomb
    indirect: int

    @property
    def direct(self) -> int:
        return sum(self.sources.values())

    @property
    def total(self) -> int:
        return self.direct + self.indirect

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {**asdict(self), "direct": self.direct, "total": self.total}


@dataclass(frozen=True)
class Timeline:
    """A whole game: how it stood at the start, and every turn."""

    players: int
    start: Standing
    turns: tuple[TurnFigures, ...]
    score: int

    @property
    def losses(self) -> tuple[SeatLosses, ...]:
        """Who lost what; together, all that was attainable at the start and was not scored, once the game is over."""
        return tuple(self._losses_of(Seat(seat)) for seat in range(self.players))

    def _losses_of(self, seat: Seat) -> SeatLosses:
        costs = [each.cost for each in self.turns if each.seat == seat]
        sources: dict[str, int] = {}
        for cost in costs:
            if cost.source:
                sources[cost.source] = sources.get(cost.source, 0) + cost.direct
        return SeatLosses(seat, sources, sum(cost.indirect for cost in costs))

    @property
    def costly_turns(self) -> tuple[TurnFigures, ...]:
        """The turns that cost points, in the order of the game."""
        return tuple(each for each in self.turns if each.lost > 0)

    def worst(self, count: int = WORST) -> tuple[TurnFigures, ...]:
        """The turns that cost most, the earlier of equals first."""
        return tuple(sorted(self.costly_turns, key=lambda each: -each.lost)[:count])

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "score": self.score,
            "start": self.start.to_json(),
            "turns": [each.to_json() for each in self.turns],
            "losses": [each.to_json() for each in self.losses],
            "costly_turns": [each.turn for each in self.costly_turns],
        }


def timeline(games: Sequence[Game]) -> Timeline:
    """The figures of a game, given the game before the first move and after each."""
    turns = tuple(
        TurnFigures(
            turn=before.turn,
            seat=before.seat,
            move=after.moves[-1],
            cost=cost,
            bottom_deck_risk=is_bottom_deck_risk(before, after),
            after=standing(after),
        )
        for (before, after), cost in zip(pairwise(games), move_costs(games), strict=True)
    )
    return Timeline(games[0].rules.players, standing(games[0]), turns, games[-1].score)


def standing(game: Game) -> Standing:
    """What is possible in a position."""
    now, so_far, needed = pace(game), efficiency(game), required_efficiency(game)
    return Standing(
        points=game.points,
        reachable=int(reachable_score(game.states, LANE)),
        attainable=int(attainable_score(game.states, LANE)),
        pace=now,
        risk=None if now is None else str(pace_risk(now, game.rules.players)),
        efficiency=None if so_far is None else float(so_far),
        required=None if needed is None else float(needed),
        pace_words=pace_words(game, now),
        efficiency_words=efficiency_words(None if needed is None else float(needed)),
    )


def pace_words(game: Game, now: int | None) -> str:
    """The pace in words: ``2 discards to spare``."""
    if game.is_over:
        return "the game is over"
    if now is None:
        left = int(game.states[LANE]["turns_left"])
        return f"the deck is empty: {_count(left, 'turn')} left, {SEAT_NAMES[game.seat]} first"
    if now < 0:
        return f"{_count(-now, 'turn')} too few for all {game.reachable_points} reachable points"
    return f"{_count(now, 'discard') if now else 'no discard'} to spare"


def efficiency_words(needed: float | None) -> str:
    """What each hint to come must achieve, in words; nothing once no more hints count."""
    if needed is None:
        return ""
    if needed <= 0:
        return "all needed cards have been hinted at"
    enough = "enough" if needed <= 1 else "not enough"
    return f"each hint must get {needed:.2f} cards on average; one card per hint is {enough}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"
