"""The result file of a table: what each of its matches came to, measured when, by which command and which code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kagiya.agents.register import find_agent
from kagiya.lab.papers.claims import PairedTest
from kagiya.lab.papers.tables import Cell, Order, PaperTable, Run, wanted
from kagiya.lab.provenance.result_files import only_writer, read_result, write_result
from kagiya.lab.provenance.signature import Signature, read_signature
from kagiya.lab.statistics.quantities import Estimate

FOLDER = Path("results/reproductions")


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
        same = bool(marks) and written is not None and all(written.has_played(*each) for each in marks.items())
        return cls(
            run, games, data["seed"], data["made"], estimates, data.get("code"), marks, data.get("proof", {}), same
        )

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
        written = written_signature(self.path)
        found = [part.info.id for text in agents for agent in [find_agent(text)] for part in (agent, *agent.models)]
        if written is None or not set(found) <= set(written.agents):
            return {}
        return {name: written.of(name) for name in sorted(set(found))}

    def estimate(self, cell: Cell) -> Estimate | None:
        """What a cell was measured to be, if it was."""
        measured = self.runs.get(cell.run)
        return measured.estimates.get(cell.column.quantity.key) if measured else None

    def has(self, run: Run, order: Order) -> bool:
        """Whether a match was played with at least as many games as ordered, and all its quantities measured."""
        return run in self.runs and self.runs[run].has(order)


def written_signature(path: Path) -> Signature | None:
    """What all agents do, as written down in the folder of a table's result file."""
    file = path.parents[1] / "signature.json"
    return read_signature(file) if file.exists() else None


def _read(path: Path) -> tuple[Runs, Pairs]:
    if not path.exists():
        return {}, {}
    data, written = read_result(path), written_signature(path)
    try:
        found = [Measured.from_json(entry, written) for entry in data["runs"]]
        tests = [PairedTest(**entry) for entry in data["pairs"]]
        pairs = {(found[test.first].run, found[test.second].run): test for test in tests}
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"{path} is not the result file of a table: {error!r}") from None
    return {measured.run: measured for measured in found}, pairs
