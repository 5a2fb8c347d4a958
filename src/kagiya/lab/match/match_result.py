"""A match played here and now, what it came to, and where its games go if not to the store: kept, or only counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya.cards import SEAT_NAMES
from kagiya.lab.match.chunk import NUMBERS, PlayedChunk, add_to, unpack_results
from kagiya.lab.match.match import Interval, Match, Progress
from kagiya.lab.match.runner import RunOutcome, local_runner
from kagiya.lab.regret import Totals
from kagiya.lab.summary import Summary, summarize_totals
from kagiya.lab.table.table import AgentError, GameResults

WORST_GAMES = 3  # are remembered of each match
CHUNK_SECONDS = 0.05  # short enough for a lively progress bar and a prompt Ctrl-C
GAME_COLUMNS = ("seed", "score", "points", "reachable", "lives", "turns")


class ScoredGame(NamedTuple):
    """A game of a match that somebody may want to see."""

    score: int
    seed: int


def worst_of(first: int, numbers: npt.NDArray[np.uint8]) -> list[ScoredGame]:
    """The games of a chunk with the lowest scores; ties go to the lower seed."""
    scores = numbers[NUMBERS.index("score")]
    lowest = np.argsort(scores, kind="stable")[:WORST_GAMES]
    return [ScoredGame(int(scores[place]), first + int(place)) for place in lowest]


class InMemory:
    """What both sinks have in common: all seeds are to be played, and nothing is there to commit."""

    in_order = True
    wants_moves = False
    chunk_seconds = CHUNK_SECONDS

    def missing(self, matches: Sequence[Match]) -> list[list[Interval]]:
        """All seeds."""
        return [[match.seeds] for match in matches]

    def commit(self) -> None:
        """Nothing is lost but with the process."""


class CountGames(InMemory):
    """Totals of each match and its worst games, in memory that does not grow with the number of games."""

    def __init__(self) -> None:
        self.totals: dict[int, Totals] = {}
        self.worst: dict[int, list[ScoredGame]] = {}

    def add(self, number: int, played: PlayedChunk) -> None:
        """Count some games."""
        add_to(self.totals.setdefault(number, Totals()), played.packed.numbers)
        found = worst_of(played.first, played.packed.numbers)
        self.worst[number] = sorted([*self.worst.get(number, []), *found])[:WORST_GAMES]


class KeptGames:
    """Games of one match, 25 bytes each."""

    def __init__(self) -> None:
        self.chunks: dict[int, npt.NDArray[np.uint8]] = {}  # by their first seed
        self.timed_games, self.cpu_seconds = 0, 0.0

    def add(self, played: PlayedChunk) -> None:
        """Keep some games."""
        self.chunks[played.first] = played.packed.numbers
        if played.cpu_seconds is not None:
            self.timed_games += played.games
            self.cpu_seconds += played.cpu_seconds

    def totals(self) -> Totals:
        """What they add up to."""
        totals = Totals()
        for numbers in self.chunks.values():
            add_to(totals, numbers)
        return totals

    def worst(self) -> tuple[ScoredGame, ...]:
        """Those with the lowest scores."""
        found = [game for first, numbers in self.chunks.items() for game in worst_of(first, numbers)]
        return tuple(sorted(found)[:WORST_GAMES])

    def results(self) -> GameResults:
        """Rows of RESULT in the order of the seeds, 208 bytes each."""
        firsts = sorted(self.chunks)
        none = np.zeros((len(NUMBERS), 0), np.uint8)
        numbers = np.concatenate([none, *(self.chunks[first] for first in firsts)], axis=1)
        seeds = [np.arange(first, first + self.chunks[first].shape[1]) for first in firsts]
        return unpack_results(np.concatenate([np.zeros(0, np.int64), *seeds]), numbers)


class KeepGames(InMemory):
    """Every game of each match."""

    def __init__(self) -> None:
        self.games: dict[int, KeptGames] = {}

    def add(self, number: int, played: PlayedChunk) -> None:
        """Keep some games."""
        self.games.setdefault(number, KeptGames()).add(played)

    def of(self, number: int) -> KeptGames:
        """The games of one match; none if none were played."""
        return self.games.get(number, KeptGames())


@dataclass(frozen=True, repr=False)
class MatchResult:
    """What was played: all games asked for, or those finished before an interruption or an error."""

    match: Match
    totals: Totals
    seconds: float
    interrupted: bool = False
    error: AgentError | None = None
    worst: tuple[ScoredGame, ...] = ()  # the games with the lowest scores, worst first

    def __repr__(self) -> str:
        match = self.match
        agents = [agent.text for agent in match.agents]
        team = agents[0] if len(set(agents)) == 1 else " + ".join(agents)
        error = f"; {self.error}" if self.error is not None else ""
        return f"<{team}, {match.rules.players} players, {match.rules.text()}: {self._standing()}{error}>"

    def _repr_html_(self) -> str:
        return self.summary.to_html(repr(self).strip("<>"))

    def _standing(self) -> str:
        wanted = "" if self.games == self.match.games else f" of {self.match.games:,}"
        if not self.games:
            return f"no{wanted} games"
        found = self.summary
        error = f" ± {found.se:.2f}" if self.games > 1 else ""
        return f"{found.mean:.2f}{error} points, {self.games:,}{wanted} games from seed {self.match.seed}"

    @property
    def games(self) -> int:
        return self.totals.games

    @property
    def summary(self) -> Summary:
        return summarize_totals(self.totals, self.match.rules.perfect_score, self.match.rules.players)

    def to_json(self) -> dict[str, Any]:
        """One object with everything that a machine may want of a match."""
        agents = [agent.text for agent in self.match.agents]
        return {
            "agents": agents,
            "players": self.match.rules.players,
            "rules": self.match.rules.text(),
            "bomb_score": str(self.match.rules.bomb_score),
            "empty_hints": self.match.rules.empty_hints,
            "seed": self.match.seed,
            "deals": self.match.deals,
            **self.summary.to_json(),
            "worst": [game._asdict() for game in self.worst],
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "error": None if self.error is None else str(self.error),
        }


@dataclass(frozen=True, repr=False)
class PlayedMatch(MatchResult):
    """The same with every game."""

    kept: KeptGames = field(default_factory=KeptGames)

    @classmethod
    def of(cls, match: Match, kept: KeptGames, outcome: RunOutcome) -> PlayedMatch:
        """What a run came to that was this match."""
        played = outcome.seconds, outcome.interrupted, outcome.error
        return cls(match, kept.totals(), *played, kept.worst(), kept)

    @cached_property
    def results(self) -> GameResults:
        """Rows of RESULT in the order of the seeds."""
        return self.kept.results()

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each game: seed, score, points, lives, turns, and what each seat lost."""
        try:
            import pandas
        except ImportError:
            raise ImportError("to_pandas needs pandas: pip install pandas") from None
        return pandas.DataFrame(self.columns())

    def columns(self) -> dict[str, Any]:
        """The same as arrays by name."""
        found = {name: self.results[name].copy() for name in GAME_COLUMNS}
        for seat in range(self.match.rules.players):
            lost = self.results["regret"][:, seat].sum(axis=1)
            found |= {
                f"direct_{SEAT_NAMES[seat]}": lost,
                f"indirect_{SEAT_NAMES[seat]}": self.results["indirect"][:, seat].copy(),
            }
        return found


def play_match(match: Match, workers: int | None = None, progress: Progress = lambda games: None) -> PlayedMatch:
    """Play a match on `workers` threads, all processors by default; Ctrl-C keeps the games already played.

    Python seats hold the interpreter's lock, so a match with one of them runs on a single thread.
    """
    sink = KeepGames()
    with local_runner(workers, progress) as runner:
        outcome = runner.play([match], sink)
    return PlayedMatch.of(match, sink.of(0), outcome)
