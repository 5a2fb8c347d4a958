"""Measures the cells of published tables, match by match; each finished match is kept in the table's result file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.agents.register import find_agent
from kagiya.lab.match.match import Match, play_match
from kagiya.lab.papers.claims import PairedTest, paired_test
from kagiya.lab.papers.tables import Cell, PaperTable, Run, why_waiting
from kagiya.lab.provenance.result_files import read_result, write_result
from kagiya.lab.statistics.quantities import Estimate, Quantity
from kagiya.lab.table.table import Results
from kagiya.rules import parse_rules

FOLDER = Path("results/reproductions")


@dataclass
class Order:
    """How many games of a match, and what to measure in them."""

    games: int
    quantities: list[Quantity] = field(default_factory=list)


@dataclass(frozen=True)
class Measured:
    """What one match came to: every quantity that some cell asks for."""

    run: Run
    games: int
    seed: int
    made: Mapping[str, Any]
    estimates: Mapping[str, Estimate]

    def to_json(self) -> dict[str, Any]:
        """Plain data for the result file."""
        shown = {key: {"mean": each.mean, "deviation": each.deviation} for key, each in self.estimates.items()}
        run = {**asdict(self.run), "agents": list(self.run.agents)}
        return {**run, "games": self.games, "seed": self.seed, "measured": shown, "made": dict(self.made)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Measured:
        """The inverse of `to_json`."""
        run, games = Run(tuple(data["agents"]), data["rules"], data["players"], data["rotated"]), data["games"]
        estimates = {key: Estimate(e["mean"], e["deviation"], games) for key, e in data["measured"].items()}
        return cls(run, games, data["seed"], data["made"], estimates)


@dataclass
class TableResults:
    """The result file of one table."""

    path: Path
    runs: dict[Run, Measured] = field(default_factory=dict)
    pairs: dict[tuple[Run, Run], PairedTest] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path, name: str) -> TableResults:
        """What was measured so far; empty if nothing was."""
        results = cls(folder / FOLDER / f"{name}.json")
        if results.path.exists():
            data = read_result(results.path)
            try:
                found = [Measured.from_json(entry) for entry in data["runs"]]
                tests = [PairedTest(**entry) for entry in data["pairs"]]
                runs = [measured.run for measured in found]
                results.pairs = {(runs[test.first], runs[test.second]): test for test in tests}
            except (KeyError, TypeError, IndexError) as error:
                raise ValueError(f"{results.path} is no result of a table: {error!r}") from None
            results.runs = {measured.run: measured for measured in found}
        return results

    def write(self, table: PaperTable) -> None:
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

    def estimate(self, cell: Cell) -> Estimate | None:
        """What a cell was measured to be, if it was."""
        measured = self.runs.get(cell.run)
        return measured.estimates.get(cell.column.quantity.key) if measured else None

    def has(self, run: Run, order: Order) -> bool:
        """Whether a match was played with at least so many games, and all its quantities measured."""
        found = self.runs.get(run)
        keys = {quantity.key for quantity in order.quantities}
        return found is not None and found.games >= order.games and keys <= set(found.estimates)


def wanted(table: PaperTable) -> dict[Run, Order]:
    """The matches behind a table, and what to measure in each."""
    found: dict[Run, Order] = {}
    for cell in table.cells():
        order = found.setdefault(cell.run, Order(cell.row.measure or cell.column.measure or table.measure))
        if cell.column.quantity not in order.quantities:
            order.quantities.append(cell.column.quantity)
    return found


def runnable(table: PaperTable) -> list[Run]:
    """The matches whose agents are all built."""
    return [run for run in wanted(table) if not why_waiting(run, table.planned)]


def borrow(table: PaperTable, results: TableResults, folder: Path) -> None:
    """Take over what was measured for other tables, and keep it: documents print the same figures again."""
    orders = wanted(table)
    missing = [run for run, order in orders.items() if not results.has(run, order)]
    for path in sorted((folder / FOLDER).glob("*.json")) if missing else ():
        other = TableResults.read(folder, path.stem)
        for run in missing:
            found = [each for each in other.runs if are_same_games(each, run) and other.has(each, orders[run])]
            if found and not results.has(run, orders[run]):
                results.runs[run] = replace(other.runs[found[0]], run=run)
    if any(run in results.runs for run in missing):
        results.write(table)


def are_same_games(run: Run, other: Run) -> bool:
    """Whether two runs play the same games, however their rules are written."""
    if (run.agents, run.players, run.rotated) != (other.agents, other.players, other.rotated):
        return False
    return parse_rules(run.rules, run.players) == parse_rules(other.rules, other.players)


def pending(table: PaperTable, results: TableResults, games: int | None, fresh: bool) -> dict[Run, Order]:
    """The matches to play: those that can be played and were not, or not often enough."""
    orders = wanted(table)
    able = {run: Order(games or orders[run].games, orders[run].quantities) for run in runnable(table)}
    return {run: order for run, order in able.items() if fresh or not results.has(run, order)}


def play_run(run: Run, games: int, seed: int, progress: Callable[[int], None]) -> Results | None:
    """Play the matches of a run, one for each place round the table if it is rotated; None if interrupted."""
    agents = [find_agent(text) for text in run.agents]
    parts: list[Results] = []
    for place, share in enumerate(shares(games, run.players if run.rotated else 1)):
        seated = agents[-place:] + agents[:-place] if place else agents
        first = seed + sum(len(part) for part in parts)
        result = play_match(Match.of(parse_rules(run.rules, run.players), seated, share, first), progress=progress)
        if result.error:
            raise result.error
        if result.interrupted:
            return None
        parts.append(turned_back(result.results, place, run.players))
    return np.concatenate(parts)


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


def measure(run: Run, results: Results, order: Order, seed: int, made: dict[str, Any]) -> Measured:
    """All quantities of one match."""
    estimates = {quantity.key: quantity.estimate(results, run.players) for quantity in order.quantities}
    return Measured(run, len(results), seed, made, estimates)


class TableWork:
    """Measures one table: what is pending, then the pairs that its claims compare; writes after each step."""

    def __init__(self, table: PaperTable, results: TableResults, seed: int, made: dict[str, Any]) -> None:
        self.table, self.results, self.seed, self.made = table, results, seed, made
        self.scores: dict[Run, npt.NDArray[Any]] = {}  # of this session, so that pairs need not be played again

    def run(self, orders: Mapping[Run, Order], progress: Callable[[int], None]) -> bool:
        """Play the matches ordered; returns whether all of it was done."""
        for run, order in orders.items():
            played = play_run(run, order.games, self.seed, progress)
            if played is None:
                return False
            self.scores[run] = played["score"]
            self.results.runs[run] = measure(run, played, order, self.seed, self.made)
            self.results.write(self.table)
        return self.compare(set(orders))

    def compare(self, renewed: set[Run]) -> bool:
        """Test the claims on common decks, those that are new or have a renewed side."""
        for first, second in claimed_pairs(self.table):
            if not {first, second} <= set(self.results.runs):
                continue
            if (first, second) in self.results.pairs and not {first, second} & renewed:
                continue
            games = min(self.results.runs[run].games for run in (first, second))
            both = [self._scores(run, games) for run in (first, second)]
            if both[0] is None or both[1] is None:
                return False
            self.results.pairs[first, second] = paired_test(both[0][:games], both[1][:games], self.seed)
            self.results.write(self.table)
        return True

    def _scores(self, run: Run, games: int) -> npt.NDArray[Any] | None:
        if run not in self.scores:
            played = play_run(run, games, self.seed, lambda count: None)
            if played is None:
                return None
            self.scores[run] = played["score"]
        return self.scores[run]


def claimed_pairs(table: PaperTable) -> list[tuple[Run, Run]]:
    """The matches that the table's claims compare."""
    runs = {(cell.row.label, cell.column.name): cell.run for cell in table.cells()}
    return [
        (runs[claim.row, column], runs[claim.against, column]) for claim in table.claims for column in claim.expected
    ]
