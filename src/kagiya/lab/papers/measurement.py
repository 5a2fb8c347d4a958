"""The measurement of published tables, match by match; each finished match is kept in the table's result file.

The file says what each match came to, when it was measured, by which command and which code; a match is due if it was
not measured, with too few games, or by code that may play otherwise. Sentences of papers about significance are checked
by Welch's test on means and by a paired one on common decks; scipy.stats, which takes longer to import than most
commands run, is imported when first needed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya.agents.register import find_agent
from kagiya.lab.experiment import one_among
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import KeepGames, OnError, Runner
from kagiya.lab.paired_and_sequential_tests import compare_pair
from kagiya.lab.papers.paper_tables import CPU, DEPTH, Estimate, Order, PaperCell, PaperTable, Run, wanted
from kagiya.lab.provenance import EDITED, code_version, only_writer, read_result, write_result
from kagiya.lab.signature import Signature, signature_beside
from kagiya.lab.table.table import GameResults, Table
from kagiya.runtime.interrupts import at_interrupt

LEVEL = 0.01  # the one the papers use
FOLDER = Path("results/reproductions")


@dataclass(frozen=True)
class PairedTest:
    """Two teams on the same decks: how much more the first scored."""

    games: int
    seed: int
    difference: float
    error: float
    p_value: float
    first: int = -1  # places among the runs of the result file
    second: int = -1

    def to_json(self, first: int, second: int) -> dict[str, Any]:
        """Plain data for the result file."""
        return {**asdict(self), "first": first, "second": second}


class WelchTest(NamedTuple):
    """The same question asked of means and deviations alone."""

    difference: float
    p_value: float


def paired_test(first: npt.NDArray[Any], second: npt.NDArray[Any], seed: int) -> PairedTest:
    """Compare the scores of two matches over the same seeds."""
    found = compare_pair("first", "second", first, second)
    return PairedTest(found.decks, seed, found.mean, found.se, found.p)


def welch_test(first: tuple[float, float, int], second: tuple[float, float, int]) -> WelchTest:
    """Compare two teams by (mean, deviation, games)."""
    from scipy import stats

    p_value = float(stats.ttest_ind_from_stats(*first, *second, equal_var=False).pvalue)
    return WelchTest(first[0] - second[0], p_value)


def finding(difference: float, p_value: float) -> str:
    """What a test says, in the words of a claim."""
    if p_value >= LEVEL:
        return "no difference"
    return "higher" if difference > 0 else "lower"


@dataclass(frozen=True)
class Measured:
    """What one match came to: every quantity that some cell asks for."""

    run: Run
    games: int
    seed: int
    made: Mapping[str, Any]
    estimates: Mapping[str, Estimate]
    code: str | None = None  # hash of the code that played; None in files older than this field
    signature: Mapping[str, str] = field(default_factory=dict)  # of each agent then, by id; empty if not known
    proof: Mapping[str, str] = field(default_factory=dict)  # why `code` is not the code that played: see `restamp`
    plays_the_same: bool = field(default=False, compare=False)  # whether those are the signatures written down now

    def to_json(self) -> dict[str, Any]:
        """Plain data for the result file."""
        shown = {key: {"mean": each.mean, "deviation": each.deviation} for key, each in self.estimates.items()}
        run = {**asdict(self.run), "agents": list(self.run.agents)}
        if not self.run.drawn:
            del run["drawn"]  # which most files do not know
        played: dict[str, Any] = {"games": self.games, "seed": self.seed, "code": self.code}
        if self.signature:
            played["signature"] = dict(self.signature)
        if self.proof:
            played["proof"] = dict(self.proof)
        return {**run, **played, "measured": shown, "made": dict(self.made)}

    @classmethod
    def from_json(cls, data: dict[str, Any], written: Signature | None = None) -> Measured:
        """The inverse of `to_json`; `written` is what all agents do now."""
        seated = tuple(data["agents"]), data["rules"], data["players"], data["rotated"], data.get("drawn", False)
        run, games = Run(*seated), data["games"]
        estimates = {key: Estimate(e["mean"], e["deviation"], games) for key, e in data["measured"].items()}
        marks = data.get("signature", {})
        same = written is not None and written.plays(marks)
        known = data.get("code"), marks, data.get("proof", {}), same
        return cls(run, games, data["seed"], data["made"], estimates, *known)

    def has(self, order: Order) -> bool:
        """Whether it was measured with at least as many games as ordered, and in all quantities."""
        return self.games >= order.games and {quantity.key for quantity in order.quantities} <= set(self.estimates)


Runs = dict[Run, Measured]
Pairs = dict[tuple[Run, Run], PairedTest]


@dataclass
class TableResults:
    """All that was measured for one table."""

    path: Path
    runs: Runs = field(default_factory=dict)
    pairs: Pairs = field(default_factory=dict)
    stored: tuple[Runs, Pairs] = field(default_factory=lambda: ({}, {}))  # the file, when last read or written here

    @classmethod
    def read(cls, folder: Path, name: str) -> TableResults:
        """What was measured so far; empty if nothing was."""
        results = cls(folder / FOLDER / f"{name}.json")
        results._renew()
        return results

    def _renew(self) -> None:
        """Take what the file holds by now, and what is new here since it was last read or written."""
        (runs, pairs), (old_runs, old_pairs) = _read(self.path), self.stored
        self.runs = runs | {run: found for run, found in self.runs.items() if old_runs.get(run) != found}
        self.pairs = pairs | {pair: test for pair, test in self.pairs.items() if old_pairs.get(pair) != test}
        self.stored = dict(self.runs), dict(self.pairs)

    def write(self, table: PaperTable) -> None:
        """Add what is new to the file, which others may have written to in the meantime."""
        with only_writer(self.path.parent):
            self._renew()
            self._write(table)

    def _write(self, table: PaperTable) -> None:
        """Keep what belongs to the table as it now is, in its order."""
        runs = [run for run in wanted(table) if run in self.runs]
        place = {run: number for number, run in enumerate(runs)}
        pairs = [(pair, test) for pair, test in self.pairs.items() if pair[0] in place and pair[1] in place]
        data = {
            "table": table.name,
            "where": table.where,
            "runs": [self.runs[run].to_json() for run in runs],
            "pairs": [test.to_json(place[first], place[second]) for (first, second), test in pairs],
        }
        write_result(self.path, data)

    def marks(self, agents: Sequence[str]) -> dict[str, str]:
        """The signature of each agent as it is written down now, those that they search with included; else empty."""
        written = signature_beside(self.path.parent)
        return {} if written is None else written.marks(find_agent(text) for text in agents)

    def estimate(self, cell: PaperCell) -> Estimate | None:
        """What a cell was measured to be, if it was."""
        measured = self.runs.get(cell.run)
        return measured.estimates.get(cell.column.quantity.key) if measured else None


def _read(path: Path) -> tuple[Runs, Pairs]:
    if not path.exists():
        return {}, {}
    data, written = read_result(path), signature_beside(path.parent)
    try:
        found = [Measured.from_json(entry, written) for entry in data["runs"]]
        tests = [PairedTest(**entry) for entry in data["pairs"]]
        pairs = {(found[test.first].run, found[test.second].run): test for test in tests}
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"{path} is not the result file of a table: {error!r}") from None
    return {measured.run: measured for measured in found}, pairs


@cache
def code_now(agents: tuple[str, ...]) -> str:
    """The hash of the code that would play these agents now."""
    return code_version([find_agent(text) for text in dict.fromkeys(agents)])


@dataclass(frozen=True)
class PlayedRun:
    """The games of a run, and the processor time that one of them took: None if all of them were in a store."""

    results: GameResults
    cpu_seconds: float | None = None
    code: str | None = None  # hash of the code that played
    signature: Mapping[str, str] = field(default_factory=dict)  # of its agents, as written down then
    depth: Estimate | None = None  # of the searches' trees, if they were looked at


def play_run(run: Run, games: int, seed: int, runner: Runner) -> PlayedRun | None:
    """Play the matches of a run, one for each place round the table if it is rotated; None if interrupted."""
    code = code_now(run.agents)  # before, since files may be edited while the games are played
    matches, sink = matches_of(run, games, seed), KeepGames()
    if runner.play(matches, sink, OnError.RAISE).interrupted:
        return None
    kept = [sink.of(number) for number in range(len(matches))]
    results = [unrotate(each.results(), place % run.players, run.players) for place, each in enumerate(kept)]
    timed, seconds = sum(each.timed_games for each in kept), sum(each.cpu_seconds for each in kept)
    return PlayedRun(np.concatenate(results), seconds / timed if timed else None, code)


def play_watched(run: Run, games: int, seed: int, runner: Runner) -> PlayedRun | None:
    """The same games one move at a time, the trees looked at; on one core, and None if interrupted."""
    code, results = code_now(run.agents), []
    depths: list[list[int]] = []
    try:
        for place, match in enumerate(matches_of(run, games, seed)):
            table = Table(match.rules, match.agents)
            played = [watch_game(table, match.seed + game, depths, runner) for game in range(match.games)]
            results.append(unrotate(np.concatenate(played), place % run.players, run.players))
    except KeyboardInterrupt:
        return None
    return PlayedRun(np.concatenate(results), None, code, depth=mean_over_moves(depths))


def watch_game(table: Table, seed: int, depths: list[list[int]], runner: Runner) -> GameResults:
    """Play one game; the depth of every tree that was searched is added, of moves without a choice there is none."""
    with at_interrupt(table.stop):
        table.play_explained(seed)
    if table.stopped:
        raise KeyboardInterrupt
    table.write_result(seed)
    depths.append([each.depth for each in table.explanations if each is not None and each.iterations])
    runner.progress(1)
    return table.result.copy()


def mean_over_moves(games: Sequence[Sequence[int]]) -> Estimate:
    """The mean over all moves of all games, and the deviation of a game: moves of one game are not independent."""
    sums, moves = (np.array([count(game) for game in games], float) for count in (sum, len))
    if not moves.sum():
        raise ValueError("nobody has searched, so that there is no tree whose depth could be measured")
    mean = float(sums.sum() / moves.sum())
    around = (sums - mean * moves) / moves.mean()  # the delta method for a ratio of two means
    return Estimate(mean, float(around.std(ddof=1)) if len(games) > 1 else math.inf, len(games))


def matches_of(run: Run, games: int, seed: int) -> list[Match]:
    """Each with a share of the games, and the agents one place further on; a game each, if the partners are drawn."""
    agents, rules = [find_agent(text) for text in run.agents], run.parsed_rules()
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
    """A number of games in parts that differ by one at most; none is empty."""
    parts = min(games, parts)
    return [games // parts + (part < games % parts) for part in range(parts)]


def unrotate(results: GameResults, places: int, players: int) -> GameResults:
    """Results with every seat's entries where its agent sat before the table was turned."""
    order = (np.arange(players) + places) % players
    for name in ("regret", "indirect"):
        results[name][:, :players] = results[name][:, order]
    return results


def measure(run: Run, played: PlayedRun, order: Order, seed: int, made: dict[str, Any]) -> Measured:
    """All quantities of one match; of games that were all in a store, all but the time."""
    results, estimates = played.results, {}
    for quantity in order.quantities:
        if quantity.kind == DEPTH:
            if played.depth is not None:
                estimates[quantity.key] = played.depth
        elif quantity.kind != CPU:
            estimates[quantity.key] = quantity.estimate(results, run.players)
        elif played.cpu_seconds is not None:
            estimates[quantity.key] = Estimate(played.cpu_seconds, 0.0, len(results))
    return Measured(run, len(results), seed, made, estimates, played.code, played.signature)


def say_nothing(run: Run, games: int) -> None:
    """Say nothing."""


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
            play = play_watched if any(each.kind == DEPTH for each in order.quantities) else play_run
            played = play(run, order.games, self.seed, runner)
            if played is None:
                return False
            self.scores[run] = played.results["score"]
            played = replace(played, signature=marks)
            self.results.runs[run] = measure(run, played, order, self.seed, self.made)
            self.results.write(self.table)
            self._compare_played()
        return self.compare(set(orders), runner)

    def _marks(self, run: Run) -> dict[str, str]:
        """The signatures of the agents; none if files differ from their commit, since they may be unchecked."""
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
            # One after the other: an interruption stops the workers, which then play nothing more.
            if (one := self._scores(first, games, runner)) is None:
                return False
            if (other := self._scores(second, games, runner)) is None:
                return False
            self._keep_pair(first, second, one, other)
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
    cells = table.by_place()
    pairs = [(row.row, row.against, column) for row in table.claims for column in row.expected]
    return [(cells[row, column].run, cells[against, column].run) for row, against, column in pairs]
