"""Teams that play the same decks, in rounds: every team in turn, so that an interruption leaves a comparison.

A round adds a quarter to the decks played so far, which is when a sequential test looks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.lab.deals import OWN
from kagiya.lab.match.match import FIRST_SEED, Interval, Match
from kagiya.lab.match.runner import KeepGames, Runner
from kagiya.lab.paired_and_sequential_tests import Difference, Evidence, Scores, compare_teams, weigh_teams
from kagiya.lab.summary import CONFIDENCE, Summary, Totals, normal_quantile, summarize_totals
from kagiya.lab.table.table import AgentError, GameResults
from kagiya.rules import Rules
from kagiya.runtime.interrupts import uninterrupted

FIRST_ROUND = 20
MAX_ROUND = 50_000


Verdict = Difference | Evidence


class ComparisonError(ValueError):
    """Teams that cannot be compared."""


@dataclass
class Comparison:
    """Agents that play with copies of themselves on common decks, as far as they got."""

    rules: Rules
    agents: tuple[Agent, ...]
    games: int  # decks at most
    seed: int = FIRST_SEED
    confidence: float = CONFIDENCE
    deals: str = OWN
    interrupted: bool = False
    error: AgentError | None = None

    def __post_init__(self) -> None:
        texts = [agent.text for agent in self.agents]
        if len(texts) < 2:
            raise ComparisonError("a comparison takes two agents or more")
        if twice := {text for text in texts if texts.count(text) > 1}:
            raise ComparisonError(f"{min(twice)} is there twice; an agent compared with itself is always equal")
        normal_quantile(self.confidence)
        self.matches = [Match.of(self.rules, [agent], self.games, self.seed, deals=self.deals) for agent in self.agents]
        self.teams = {text: CommonDecks() for text in texts}

    @property
    def decks(self) -> int:
        """Decks that every team has played."""
        return next(iter(self.teams.values())).totals.games

    def scores(self) -> dict[str, Scores]:
        """Each team's scores on the common decks, deck by deck."""
        return {text: team.scores() for text, team in self.teams.items()}

    def summaries(self) -> dict[str, Summary]:
        """What each team's games on the common decks come to."""
        perfect, players = self.rules.perfect_score, self.rules.players
        return {text: summarize_totals(team.totals, perfect, players) for text, team in self.teams.items()}

    def differences(self) -> list[Difference]:
        """Every pair, by tests that suppose the number of games was settled beforehand."""
        return compare_teams(self.scores(), self.confidence)

    def evidence(self) -> list[Evidence]:
        """Every pair, by a test that may be looked at any time."""
        return weigh_teams(self.scores(), self.rules.perfect_score, self.confidence)


class CommonDecks:
    """A team's games on the decks that all teams have played: a byte for each score, and totals."""

    def __init__(self) -> None:
        self.parts: list[npt.NDArray[np.uint8]] = []
        self.totals = Totals()

    def add(self, results: GameResults) -> None:
        """Take over games of a round."""
        self.parts.append(results["score"].astype(np.uint8))
        self.totals.add_results(results)

    def scores(self) -> Scores:
        """Deck by deck, in the order in which they were played."""
        return np.concatenate([np.zeros(0, np.uint8), *self.parts]).astype(np.int64)


class ComparisonRound(KeepGames):
    """The sink of one round: the games of some decks."""

    def __init__(self, decks: Interval) -> None:
        super().__init__()
        self.decks = decks

    def missing(self, matches: Sequence[Match]) -> list[list[Interval]]:
        """These decks of every match."""
        return [[self.decks] for _ in matches]

    def common(self, teams: int) -> list[GameResults]:
        """Each team's results on the decks that all have played, in the order of the seeds."""
        together = [self.of(number).results() for number in range(teams)]
        seeds = reduce(np.intersect1d, [results["seed"] for results in together])
        return [results[np.isin(results["seed"], seeds)] for results in together]


def play_comparison(comparison: Comparison, runner: Runner, until_sure: bool = False) -> None:
    """Play until all games are played, or until every pair is told apart if that is wanted; Ctrl-C keeps the games."""
    try:
        _play_rounds(comparison, until_sure, runner)
    except KeyboardInterrupt:  # between two rounds; within one, the runner sees to it
        comparison.interrupted = True


def _play_rounds(comparison: Comparison, until_sure: bool, runner: Runner) -> None:
    done = 0
    while done < comparison.games:
        size = min(_round_size(comparison, done), comparison.games - done)
        first = comparison.seed + done
        if not _play_round(comparison, (first, first + size), runner):
            return
        done += size
        if until_sure and all(pair.is_sure for pair in comparison.evidence()):
            return


def _round_size(comparison: Comparison, done: int) -> int:
    """A multiple of what agents remember, or else games would be played twice for their memories."""
    size = min(max(FIRST_ROUND, done // 4), MAX_ROUND)
    horizon = max(match.horizon for match in comparison.matches)
    return max(size // horizon, 1) * horizon if horizon else size


def _play_round(comparison: Comparison, decks: Interval, runner: Runner) -> bool:
    """Every team plays these decks; returns whether all of them did."""
    sink = ComparisonRound(decks)
    outcome = runner.play(comparison.matches, sink)
    with uninterrupted():
        for team, results in zip(comparison.teams.values(), sink.common(len(comparison.teams)), strict=True):
            team.add(results)
        comparison.interrupted, comparison.error = outcome.interrupted, outcome.error
    return not (comparison.interrupted or comparison.error)
