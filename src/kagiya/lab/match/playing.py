"""A match played here and now, and what it came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from kagiya.cards import SEAT_NAMES
from kagiya.lab.match.match import Match, Progress
from kagiya.lab.match.runner import RunOutcome, local_runner
from kagiya.lab.match.sinks import Kept, KeptGames, ScoredGame
from kagiya.lab.statistics.summary import Summary, summarize_totals
from kagiya.lab.statistics.totals import Totals
from kagiya.lab.table.table import AgentError, Results

GAME_COLUMNS = ("seed", "score", "points", "reachable", "lives", "turns")


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
    def results(self) -> Results:
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
    sink = Kept()
    with local_runner(workers, progress) as runner:
        outcome = runner.play([match], sink)
    return PlayedMatch.of(match, sink.of(0), outcome)
