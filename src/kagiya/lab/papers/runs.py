"""Measures the cells of published tables, match by match; each finished match is kept in the table's result file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.register import find_agent
from kagiya.lab.contests.seatings import one_among
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import OnError, Runner
from kagiya.lab.match.sinks import Kept
from kagiya.lab.papers.claims import paired_test
from kagiya.lab.papers.code_age import code_now
from kagiya.lab.papers.results import Measured, TableResults
from kagiya.lab.papers.tables import Order, PaperTable, Run
from kagiya.lab.provenance.commit import EDITED
from kagiya.lab.statistics.quantities import CPU, Estimate
from kagiya.lab.table.table import Results
from kagiya.rules import parse_rules


@dataclass(frozen=True)
class PlayedRun:
    """The games of a run, and the processor time that one of them took: None if all of them were in a store."""

    results: Results
    cpu_seconds: float | None = None
    code: str | None = None  # hash of the code that played
    signature: Mapping[str, str] = field(default_factory=dict)  # of its agents, as written down then


def play_run(run: Run, games: int, seed: int, runner: Runner) -> PlayedRun | None:
    """Play the matches of a run, one for each place round the table if it is rotated; None if interrupted."""
    code = code_now(run.agents)  # before, since files may be edited while the games are played
    matches, sink = matches_of(run, games, seed), Kept()
    if runner.play(matches, sink, OnError.RAISE).interrupted:
        return None
    kept = [sink.of(number) for number in range(len(matches))]
    results = [turned_back(each.results(), place % run.players, run.players) for place, each in enumerate(kept)]
    timed, seconds = sum(each.timed_games for each in kept), sum(each.cpu_seconds for each in kept)
    return PlayedRun(np.concatenate(results), seconds / timed if timed else None, code)


def matches_of(run: Run, games: int, seed: int) -> list[Match]:
    """Each with a share of the games, and the agents one place further on; a game each, if the partners are drawn."""
    agents, rules = [find_agent(text) for text in run.agents], parse_rules(run.rules, run.players)
    if run.drawn:
        teams = one_among(agents[0], agents[1:], run.players, games, games)
        return [Match.of(rules, drawn.team, drawn.games, seed + drawn.offset) for drawn in teams]
    matches = []
    for place, share in enumerate(shares(games, run.players if run.rotated else 1)):
        seated = agents[-place:] + agents[:-place] if place else agents
        matches.append(Match.of(rules, seated, share, seed))
        seed += share
    return matches


def shares(games: int, parts: int) -> list[int]:
    """So many games in parts that differ by one at most; none is empty."""
    parts = min(games, parts)
    return [games // parts + (part < games % parts) for part in range(parts)]


def turned_back(results: Results, places: int, players: int) -> Results:
    """Results with every seat's entries where its agent sat before the table was turned."""
    order = (np.arange(players) + places) % players
    for name in ("regret", "indirect"):
        results[name][:, :players] = results[name][:, order]
    return results


def measure(run: Run, played: PlayedRun, order: Order, seed: int, made: dict[str, Any]) -> Measured:
    """All quantities of one match; of games that were all in a store, all but the time."""
    results, estimates = played.results, {}
    for quantity in order.quantities:
        if quantity.kind != CPU:
            estimates[quantity.key] = quantity.estimate(results, run.players)
        elif played.cpu_seconds is not None:
            estimates[quantity.key] = Estimate(played.cpu_seconds, 0.0, len(results))
    return Measured(run, len(results), seed, made, estimates, played.code, played.signature)


def say_nothing(run: Run, games: int) -> None:
    """For whoever does not want to know."""


class TableWork:
    """Measures one table: what is pending, then the pairs that its claims compare; writes after each step."""

    def __init__(
        self,
        table: PaperTable,
        results: TableResults,
        seed: int,
        made: dict[str, Any],
        say: Callable[[Run, int], None] = say_nothing,  # called before a match is played again for a claim
    ) -> None:
        self.table, self.results, self.seed, self.made, self.say = table, results, seed, made, say
        self.scores: dict[Run, npt.NDArray[Any]] = {}  # of this session, so that pairs need not be played again

    def run(self, orders: Mapping[Run, Order], runner: Runner) -> bool:
        """Play the matches ordered; returns whether all of it was done."""
        for run, order in orders.items():
            marks = self._marks(run)  # before, since files may be edited while the games are played
            played = play_run(run, order.games, self.seed, runner)
            if played is None:
                return False
            self.scores[run] = played.results["score"]
            played = replace(played, signature=marks)
            self.results.runs[run] = measure(run, played, order, self.seed, self.made)
            self.results.write(self.table)
            self._compare_played()
        return self.compare(set(orders), runner)

    def _marks(self, run: Run) -> dict[str, str]:
        """The signatures of the agents; none if files differ from their commit: nobody may have checked them."""
        commit = self.made.get("commit") or EDITED
        return {} if commit.endswith(EDITED) else self.results.marks(run.agents)

    def _compare_played(self) -> None:
        """Test the claims whose sides were both played in this session, so that an interruption loses none of them."""
        for first, second in claimed_pairs(self.table):
            if {first, second} <= set(self.scores):
                self._keep_pair(first, second, self.scores[first], self.scores[second])

    def _keep_pair(self, first: Run, second: Run, one: npt.NDArray[Any], other: npt.NDArray[Any]) -> None:
        games = min(len(one), len(other))
        self.results.pairs[first, second] = paired_test(one[:games], other[:games], self.seed)
        self.results.write(self.table)

    def compare(self, renewed: set[Run], runner: Runner) -> bool:
        """Test the claims on common decks, those that are new or have a renewed side."""
        for first, second in claimed_pairs(self.table):
            if not {first, second} <= set(self.results.runs):
                continue
            if (first, second) in self.results.pairs and not {first, second} & renewed:
                continue
            games = min(self.results.runs[run].games for run in (first, second))
            both = [self._scores(run, games, runner) for run in (first, second)]
            if both[0] is None or both[1] is None:
                return False
            self._keep_pair(first, second, both[0], both[1])
        return True

    def _scores(self, run: Run, games: int, runner: Runner) -> npt.NDArray[Any] | None:
        if run not in self.scores:
            self.say(run, games)
            played = play_run(run, games, self.seed, runner)
            if played is None:
                return None
            self.scores[run] = played.results["score"]
        return self.scores[run]


def claimed_pairs(table: PaperTable) -> list[tuple[Run, Run]]:
    """The matches that the table's claims compare."""
    runs = {(cell.row.label, cell.column.name): cell.run for cell in table.cells()}
    return [
        (runs[claim.row, column], runs[claim.against, column]) for claim in table.claims for column in claim.expected
    ]
