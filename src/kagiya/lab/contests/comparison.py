"""Teams that play the same decks, in rounds: every team in turn, so that an interruption leaves a comparison.

A round adds a quarter to the decks played so far, which is when a sequential test looks.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce

import numpy as np

from kagiya.agents._base import Agent
from kagiya.engine.batch_kernels import RESULT
from kagiya.lab.match.match import KEPT_CHUNK, Match, Progress, play_match
from kagiya.lab.statistics.differences import Difference, Scores, compare_teams
from kagiya.lab.statistics.sequential import Evidence, weigh_teams
from kagiya.lab.statistics.summary import CONFIDENCE, Summary, normal_quantile, summarize
from kagiya.lab.table.table import AgentError, Results
from kagiya.rules import Rules

FIRST_ROUND = 20
LARGEST_ROUND = 50_000
# What is kept of each game: a sixth of a RESULT, so that a million games of several teams fit in memory.
SMALL = np.dtype(
    [
        ("seed", np.int64),
        *((name, np.int16) for name in ("score", "points", "lives", "turns")),
        ("regret", np.int8, RESULT["regret"].shape),
        ("indirect", np.int8, RESULT["indirect"].shape),
    ]
)
NOTHING: Results = np.zeros(0, SMALL)


Verdict = Difference | Evidence


class ComparisonError(ValueError):
    """Teams that cannot be compared."""


@dataclass
class Comparison:
    """Agents that play with copies of themselves on common decks, as far as they got."""

    rules: Rules
    agents: tuple[Agent, ...]
    games: int  # decks at most
    seed: int = 0
    confidence: float = CONFIDENCE
    played: dict[str, list[Results]] = field(default_factory=dict)
    interrupted: bool = False
    error: AgentError | None = None

    def __post_init__(self) -> None:
        texts = [agent.text for agent in self.agents]
        if len(texts) < 2:
            raise ComparisonError("a comparison takes two agents or more")
        if twice := {text for text in texts if texts.count(text) > 1}:
            raise ComparisonError(f"{min(twice)} is there twice; an agent compared with itself is always equal")
        normal_quantile(self.confidence)
        for agent in self.agents:
            Match.of(self.rules, [agent], self.games, self.seed)
        self.played = {text: [] for text in texts}

    @property
    def decks(self) -> int:
        """Decks that every team has played."""
        return len(self.common()[0])

    def common(self) -> list[Results]:
        """Each team's results on the decks that all have played, in the order of the seeds."""
        together = [np.concatenate(parts) if parts else NOTHING for parts in self.played.values()]
        seeds = reduce(np.intersect1d, [results["seed"] for results in together])
        return [results[np.isin(results["seed"], seeds)] for results in together]

    def scores(self) -> dict[str, Scores]:
        """Each team's scores, deck by deck."""
        return {text: results["score"] for text, results in zip(self.played, self.common(), strict=True)}

    def summaries(self) -> dict[str, Summary]:
        """What each team's games on the common decks come to."""
        perfect, players = self.rules.perfect_score, self.rules.players
        pairs = zip(self.played, self.common(), strict=True)
        return {text: summarize(results, perfect, players) for text, results in pairs}

    def differences(self) -> list[Difference]:
        """Every pair, by tests that suppose the number of games was settled beforehand."""
        return compare_teams(self.scores(), self.confidence)

    def evidence(self) -> list[Evidence]:
        """Every pair, by a test that may be looked at any time."""
        return weigh_teams(self.scores(), self.rules.perfect_score, self.confidence)


def play_comparison(
    comparison: Comparison,
    until_sure: bool = False,
    workers: int | None = None,
    progress: Progress = lambda games: None,
) -> None:
    """Play until all games are played, or until every pair is told apart if that is wanted; Ctrl-C keeps the games."""
    try:
        _play_rounds(comparison, until_sure, workers, progress)
    except KeyboardInterrupt:  # between two matches; within one, the match itself sees to it
        comparison.interrupted = True


def _play_rounds(comparison: Comparison, until_sure: bool, workers: int | None, progress: Progress) -> None:
    done = 0
    while done < comparison.games:
        size = min(_round_size(comparison, done), comparison.games - done)
        if not _play_round(comparison, comparison.seed + done, size, workers, progress):
            return
        done += size
        if until_sure and all(pair.is_sure for pair in comparison.evidence()):
            return


def _round_size(comparison: Comparison, done: int) -> int:
    size = min(max(FIRST_ROUND, done // 4), LARGEST_ROUND)
    if any(agent.info.kept_words for agent in comparison.agents):  # they play in chunks of a fixed size
        return max(size // KEPT_CHUNK, 1) * KEPT_CHUNK
    return size


def _play_round(comparison: Comparison, seed: int, size: int, workers: int | None, progress: Progress) -> bool:
    """Every team plays these decks; returns whether all of them did."""
    for agent in comparison.agents:
        result = play_match(Match.of(comparison.rules, [agent], size, seed), workers, progress)
        if len(result.results):
            comparison.played[agent.text].append(result.results[list(SMALL.names or ())].astype(SMALL))
        comparison.interrupted, comparison.error = result.interrupted, result.error
        if comparison.interrupted or comparison.error:
            return False
    return True
