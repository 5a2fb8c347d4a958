"""The store: one DuckDB file with every game ever played for an experiment, a row each.

Chunks of games come in whole transactions, so that a crash loses only what was not yet stored, and no game
is ever stored twice.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.match.chunk import PlayedChunk
from kagiya.lab.match.match import Match
from kagiya.lab.match.packing import MOVE_COLUMNS, NUMBERS, OUTCOMES, REGRETS, join, unpack_moves, unpack_results
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.provenance.commit import commit_here
from kagiya.lab.provenance.result_files import provenance
from kagiya.lab.store.opening import MEMORY, StoreError, default_store, open_to_read, open_to_write, reason
from kagiya.lab.table.table import Results
from kagiya.rules import Rules

Interval = tuple[int, int]  # of seeds: the first, and the one after the last


@dataclass(frozen=True)
class StoredSeating:
    """A line of the table of seatings, and the code that its agents have now."""

    id: int
    code: str


class Store:
    """An open store. DuckDB lets one process write at a time; the others are told who it is."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path | str) -> None:
        self.connection, self.path = connection, path

    @classmethod
    def open(cls, path: Path | str | None = None, wait: float = 0.0) -> Store:
        """For experiments; made if it is not there."""
        chosen = default_store() if path is None else path
        return cls(open_to_write(chosen, wait), chosen)

    @classmethod
    def read(cls, path: Path | str | None = None, wait: float = 0.0) -> Store:
        """For questions; nothing can be changed."""
        chosen = default_store() if path is None else path
        return cls(open_to_read(chosen, wait), chosen)

    @classmethod
    def in_memory(cls) -> Store:
        """Forgotten when it is closed."""
        return cls.open(MEMORY)

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let others have it. What was stored is safe already."""
        try:
            self.connection.close()
        except duckdb.Error as error:
            raise StoreError(f"{self.path}: {reason(error)}; stored games are safe") from None

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The answer to a query."""
        return self.connection.execute(query, list(values)).fetchall()

    # Runs

    def start_run(self, command: str) -> int:
        """Note that a run begins: when, by which command, on which versions."""
        made = provenance(command)
        versions = [made[name] for name in ("kagiya", "python", "numba", "numpy", "machine")]
        query = """INSERT INTO run SELECT nextval('run_ids'), ?, now()::TIMESTAMP, NULL, 'running', 0,
                   ?, ?, ?, ?, ?, ?, ? RETURNING run"""
        return int(self._write(query, [command, *versions, commit_here(), os.getpid()])[0][0])

    def end_run(self, run: int, outcome: str, computed: int) -> None:
        """Note how a run ended, and how many games it computed itself."""
        query = "UPDATE run SET ended = now()::TIMESTAMP, outcome = ?, computed = ? WHERE run = ?"
        self._write(query, [outcome, computed, run])

    def note_part(self, run: int, seating: int, match: Match) -> None:
        """Note that the games of this match belong to the run."""
        self._write("INSERT INTO part VALUES (?, ?, ?, ?)", [run, seating, match.seed, match.games])

    # Seatings and what is there of them

    def seating(self, match: Match) -> StoredSeating:
        """The seating of a match, noted if it is new."""
        rules = match.rules
        code = code_version(match.agents)
        key = [_rules_key(rules), _team(match), code, _terms(match)]
        where = "SELECT seating FROM seating WHERE rules = ? AND team = ? AND code = ? AND terms = ?"
        found = self.rows(where, key)
        if not found:
            query = "INSERT INTO seating SELECT nextval('seating_ids'), ?, ?, ?, ?, ?, ?, ? RETURNING seating"
            seats = [agent.text for agent in match.agents]
            found = self._write(query, [key[0], rules.text(), rules.players, seats, *key[1:]])
        return StoredSeating(int(found[0][0]), code)

    def missing(self, seating: int, match: Match) -> list[Interval]:
        """The seeds of a match whose games are not stored yet, as intervals."""
        query = (
            "SELECT first, first + games FROM chunk WHERE seating = ? AND first + games > ? AND first < ? ORDER BY 1"
        )
        begin, end = match.seed, match.seed + match.games
        gaps = []
        for first, after in self.rows(query, [seating, begin, end]):
            if first > begin:
                gaps.append((begin, first))
            begin = max(begin, after)
        return [*gaps, (begin, end)] if begin < end else gaps

    # Games

    def add(self, run: int, parts: Sequence[tuple[int, PlayedChunk]]) -> None:
        """Store chunks of seatings, all or none of them."""
        try:
            self.connection.execute("BEGIN")
            self._add_chunks(run, parts)
            self._add_games(parts)
            self._add_late(parts)
            self.connection.execute("COMMIT")
        except duckdb.Error as error:
            self._roll_back()
            raise StoreError(
                f"{self.path} cannot be written: {reason(error)}; what was stored before is safe"
            ) from None
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        # After a full disk DuckDB has given up the transaction, and the connection, itself.
        with suppress(duckdb.Error):
            self.connection.execute("ROLLBACK")

    def _add_chunks(self, run: int, parts: Sequence[tuple[int, PlayedChunk]]) -> None:
        new = {
            "seating": np.array([seating for seating, _ in parts], np.int32),
            "first": np.array([played.first for _, played in parts]),
            "games": np.array([played.games for _, played in parts]),
            "run": np.full(len(parts), run, np.int32),
            "seconds": np.array([played.seconds for _, played in parts]),
        }
        self.connection.register("new", new)
        self.connection.execute("INSERT INTO chunk SELECT * FROM new")
        overlap = """SELECT seating, min(first) FROM (
            SELECT seating, first, first < max(first + games) OVER (
                PARTITION BY seating ORDER BY first ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS again
            FROM chunk WHERE seating IN (SELECT seating FROM new)) WHERE again GROUP BY seating"""
        if found := self.connection.execute(overlap).fetchone():
            raise StoreError(f"games from seed {found[1]} of seating {found[0]} are stored already")

    def _add_late(self, parts: Sequence[tuple[int, PlayedChunk]]) -> None:
        for seating, played in parts:
            for game in np.flatnonzero(played.overtime.any(axis=1)):
                row = [seating, played.first + int(game), *map(int, played.overtime[game])]
                self.connection.execute("INSERT INTO late VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def _add_games(self, parts: Sequence[tuple[int, PlayedChunk]]) -> None:
        packed = join([played.packed for _, played in parts])
        columns: dict[str, npt.NDArray[Any]] = {
            "seating": np.concatenate([np.full(played.games, seating, np.int32) for seating, played in parts]),
            "seed": np.concatenate([np.arange(played.first, played.first + played.games) for _, played in parts]),
        }
        # What is 0 everywhere (seats without a player, moves that no game has) is left to the tables' defaults.
        columns |= dict(zip(OUTCOMES, packed.numbers, strict=False))
        regrets = zip(REGRETS, packed.numbers[len(OUTCOMES) :].view(np.int8), strict=True)
        columns |= {name: row for name, row in regrets if row.any()}
        columns |= {name: row for name, row in zip(MOVE_COLUMNS, packed.moves, strict=True) if row.any()}
        if packed.more_moves:
            columns["more_moves"] = np.array(
                [packed.more_moves.get(game) for game in range(len(columns["seed"]))], object
            )
        self.connection.execute("INSERT INTO game BY NAME SELECT * FROM columns")

    def results(self, seating: int, first: int, games: int) -> Results:
        """The stored games of these seeds as rows of RESULT, in the order of the seeds."""
        query = (
            f"SELECT seed, {', '.join(NUMBERS)} FROM game WHERE seating = ? AND seed >= ? AND seed < ? ORDER BY seed"
        )
        found: dict[str, npt.NDArray[Any]] = self.connection.execute(
            query, [seating, first, first + games]
        ).fetchnumpy()
        numbers = np.stack([np.asarray(found[name]).astype(np.uint8) for name in NUMBERS])
        return unpack_results(np.asarray(found["seed"]), numbers)

    def record(self, seating: int, seed: int) -> GameRecord:
        """A stored game, played again and checked."""
        rules, seats = self._who(seating)
        outcome = self.rows(
            "SELECT score, points, lives, turns FROM game WHERE seating = ? AND seed = ?", [seating, seed]
        )
        if not outcome:
            raise StoreError(f"{self.path}: seating {seating} has no game with seed {seed}")
        game = Game(rules, seed)
        for move in self.moves(seating, seed):
            game.make(move)
        record = GameRecord.of(game, seats, seed)
        if (record.points, record.lives, record.turns) != outcome[0][1:]:
            raise StoreError(
                f"game {seating}/{seed} was played by an earlier version of the table: its moves lead elsewhere now"
            )
        return record

    def moves(self, seating: int, seed: int) -> bytes:
        """The moves of a stored game, a byte each."""
        query = f"SELECT turns, more_moves, {', '.join(MOVE_COLUMNS)} FROM game WHERE seating = ? AND seed = ?"
        turns, more, *words = self.rows(query, [seating, seed])[0]
        return unpack_moves(tuple(words), more, turns)

    def _who(self, seating: int) -> tuple[Rules, list[str]]:
        found = self.rows("SELECT rules, seats FROM seating WHERE seating = ?", [seating])
        if not found:
            raise StoreError(f"{self.path} has no seating {seating}; `kagiya results` lists them")
        return _read_rules(found[0][0]), found[0][1]

    def _write(self, query: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        try:
            return self.rows(query, values)
        except duckdb.Error as error:
            raise StoreError(
                f"{self.path} cannot be written: {reason(error)}; what was stored before is safe"
            ) from None


def _rules_key(rules: Rules) -> str:
    return json.dumps(rules.to_json(), sort_keys=True)


def _read_rules(text: str) -> Rules:
    return Rules.from_json(json.loads(text))


def _team(match: Match) -> str:
    return " + ".join(agent.text for agent in match.agents)


def _terms(match: Match) -> str:
    """What else decides a game: the clock, and for players that remember, where their memory begins."""
    terms = [] if match.clock is None or match.horizon == 0 else [f"clock {match.clock.text()}"]
    if match.horizon:
        terms.append(f"memory of {match.horizon} games from {match.seed % match.horizon}")
    return "; ".join(terms)
