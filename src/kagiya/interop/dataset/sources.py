"""Where the games of a data set come from: played now, kept in a store, or read from a file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from kagiya.agents.api import Agent
from kagiya.cards import parse_cards
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.interop.files import read_games
from kagiya.lab.provenance.code_version import code_version
from kagiya.lab.store.store import Store
from kagiya.lab.table.table import Table
from kagiya.rules import Rules


@dataclass(frozen=True)
class Played:
    """One game: its deck, top card first, and its moves."""

    deck: Sequence[int]
    moves: Sequence[int]
    score: int


class Source(Protocol):
    """Games by number, from 0 to `games - 1`, all by the same rules."""

    @property
    def rules(self) -> Rules: ...

    @property
    def games(self) -> int: ...

    def played(self, first: int, after: int) -> Iterator[Played]:
        """The games numbered first, ..., after - 1."""

    def told(self) -> dict[str, Any]:
        """What the data set's card says of them; another set of games says something else."""


@dataclass(frozen=True)
class FreshGames:
    """Games that agents play now, with seeds from `seed` on."""

    rules: Rules
    agents: Sequence[Agent]
    games: int
    seed: int = 1

    def played(self, first: int, after: int) -> Iterator[Played]:
        """Played when they are asked for."""
        table = Table(self.rules, self.agents)
        results, moves = table.play_with_moves(self.seed + first, after - first)
        for game, result in enumerate(results):
            deck = Game(self.rules, self.seed + first + game).deck or ()
            yield Played(deck, moves[game, : result["turns"]].tolist(), int(result["score"]))

    def told(self) -> dict[str, Any]:
        """Who played, and by which code."""
        names = [agent.text for agent in self.agents]
        code = code_version(self.agents)
        return {"origin": "played", "agents": names, "first seed": self.seed, "code": code}


class StoredGames:
    """The games of a seating in a store, by their seeds."""

    def __init__(self, store: Store, seating: int) -> None:
        self.rules, self._seats = store.seated(seating)
        self._store, self._seating = store, seating
        self._seeds = [
            row[0] for row in store.rows("SELECT seed FROM games_all WHERE seating = ? ORDER BY seed", [seating])
        ]
        self.games = len(self._seeds)

    def played(self, first: int, after: int) -> Iterator[Played]:
        """Played again and checked by the store."""
        for seed in self._seeds[first:after]:
            yield _of_record(self._store.record(self._seating, seed))

    def told(self) -> dict[str, Any]:
        """Which seating it is."""
        code = self._store.catalog.seatings[self._seating]["code"]
        seeds = hashlib.sha256(repr(self._seeds).encode()).hexdigest()[:12]
        return {"origin": "stored", "agents": list(self._seats), "seating": self._seating, "code": code, "seeds": seeds}


class FileGames:
    """The games of a file; those by other rules than the first are refused."""

    def __init__(self, path: Path) -> None:
        self._records, self._path = read_games(path), path
        self.rules, self.games = self._records[0].rules, len(self._records)
        for number, record in enumerate(self._records, start=1):
            if record.rules != self.rules:
                raise ValueError(
                    f"{path}: game {number} has other rules than the first; a data set has one vector for all"
                )

    def played(self, first: int, after: int) -> Iterator[Played]:
        """As they were read."""
        return map(_of_record, self._records[first:after])

    def told(self) -> dict[str, Any]:
        """What the file holds."""
        digest = hashlib.sha256(self._path.read_bytes()).hexdigest()[:12]
        return {"origin": "file", "file": self._path.name, "sha256": digest}


def _of_record(record: GameRecord) -> Played:
    return Played(parse_cards(record.deck), [int(move) for move in record.moves], record.score)
