"""A finished or broken-off game as plain data, written by the laboratory and played again by everyone else.

A record from outside is never believed: reading one plays all its moves and compares the result.
"""

from __future__ import annotations

import json
import platform
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import metadata
from os import PathLike
from pathlib import Path
from typing import Any

from kagiya.cards import SEAT_NAMES, cards_name, parse_cards
from kagiya.engine.game import Game, check_seed
from kagiya.moves import Move, MoveError, move_name, parse_move
from kagiya.rules import Rules, RulesError

FORMAT = 1
TYPE_NAMES = {str: "text", int: "an integer", list: "a list", dict: "an object"}


class RecordError(ValueError):
    """A record that is damaged, or whose moves cannot have been played; says where."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game: all that is needed to play it again, and what came of it, so far if it is unfinished."""

    rules: Rules
    deck: str  # "R1 G1 ...", top card first
    seats: tuple[str, ...]  # the agents as written, seat 0 first
    seed: int | None
    moves: tuple[Move, ...]
    score: int
    points: int
    lives: int
    turns: int
    version: str  # of Kagiya
    versions: dict[str, str] = field(default_factory=dict, hash=False)  # of what it ran on

    @classmethod
    def of(cls, game: Game, seats: Sequence[str], seed: int | None = None) -> GameRecord:
        """The record of a game dealt from a deck, played by these agents."""
        if game.deck is None:
            raise RecordError("a game set up from a position has no record: its deal is unknown")
        versions = _versions_here()
        return cls(
            rules=game.rules,
            deck=cards_name(game.deck),
            seats=_checked_seats(list(seats), game.rules),
            seed=_checked_seed(seed),
            moves=game.moves,
            **_results(game),
            version=versions["kagiya"],
            versions={name: version for name, version in versions.items() if name != "kagiya"},
        )

    def deal(self) -> Game:
        """The game before its first move."""
        try:
            return Game(self.rules, deck=parse_cards(self.deck))
        except ValueError as error:
            raise RecordError(f"deck: {error}") from None

    def replay(self) -> Iterator[Game]:
        """The game after each move, each a copy of its own; an illegal move or a wrong result is an error."""
        game = self.deal()
        for number, move in enumerate(self.moves, start=1):
            if reason := game.why_illegal(move):
                raise RecordError(f"move {number}, {SEAT_NAMES[game.seat]}: {reason}")
            game.make(move)
            yield game.copy()
        self._check_results(game)

    def check(self) -> None:
        """Play the whole game again and compare what came of it."""
        for _ in self.replay():
            pass

    def _check_results(self, game: Game) -> None:
        for name, value in _results(game).items():
            if value != getattr(self, name):
                raise RecordError(f"{name}: the record says {getattr(self, name)}, but its moves lead to {value}")

    def to_json(self) -> dict[str, Any]:
        """Plain data; `GameRecord.from_json` is the inverse."""
        own = {item.name: getattr(self, item.name) for item in fields(self)}
        words = {"seats": list(self.seats), "moves": [move_name(move) for move in self.moves]}
        return {"format": FORMAT} | own | words | {"rules": self.rules.to_json(), "versions": dict(self.versions)}

    @classmethod
    def from_json(cls, data: Any) -> GameRecord:
        """Build a record from plain data and play it through; whatever is wrong is a `RecordError`."""
        _check_keys(data)
        rules = _checked_rules(data["rules"])
        record = cls(
            rules=rules,
            deck=_typed("deck", data["deck"], str),
            seats=_checked_seats(_typed("seats", data["seats"], list), rules),
            seed=_checked_seed(data["seed"]),
            moves=_checked_moves(_typed("moves", data["moves"], list)),
            **{name: _typed(name, data[name], int) for name in ("score", "points", "lives", "turns")},
            version=_typed("version", data["version"], str),
            versions=_checked_versions(data.get("versions", {})),
        )
        record.check()
        return record

    def write(self, path: str | PathLike[str]) -> None:
        """Write the record as JSON; the file is complete or not there at all."""
        path = Path(path)
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
        try:
            part.write_text(json.dumps(self.to_json(), indent=1) + "\n", encoding="utf-8")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> GameRecord:
        """Read and check what `write` wrote."""
        content = Path(path).read_bytes()
        try:
            return cls.from_json(json.loads(content))
        except RecordError as error:
            raise RecordError(f"{path}: {error}") from None
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{path}: no readable JSON: {error}") from None


def _results(game: Game) -> dict[str, int]:
    return {"score": game.score, "points": game.points, "lives": game.lives, "turns": game.turn}


@cache
def _versions_here() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in ("kagiya", "numba")}}


def _check_keys(data: Any) -> None:
    if not isinstance(data, dict):
        raise RecordError(f"a record is an object, not {type(data).__name__}")
    if data.get("format") != FORMAT or type(data["format"]) is not int:
        raise RecordError(
            f"format: this version reads format {FORMAT}, not {data.get('format', 'a record without one')!r}"
        )
    known = {"format", *(item.name for item in fields(GameRecord))}
    if missing := known - {"versions"} - data.keys():
        raise RecordError(f"keys: {', '.join(sorted(missing))} missing")
    if unknown := data.keys() - known:
        names = ", ".join(sorted(map(str, unknown)))
        raise RecordError(f"keys: {names} unknown; expected {', '.join(sorted(known))}")


def _typed(name: str, value: Any, kind: type[Any]) -> Any:
    if type(value) is not kind:
        raise RecordError(f"{name}: expected {TYPE_NAMES[kind]}, not {value!r}")
    return value


def _checked_rules(data: Any) -> Rules:
    try:
        return Rules.from_json(data)
    except RulesError as error:
        raise RecordError(f"rules: {error}") from None


def _checked_seats(seats: list[Any], rules: Rules) -> tuple[str, ...]:
    if len(seats) != rules.players:
        raise RecordError(f"seats: expected {rules.players} agents, not {len(seats)}")
    return tuple(_typed("seats", seat, str) for seat in seats)


def _checked_seed(seed: Any) -> int | None:
    try:
        if seed is not None:
            check_seed(seed)
        return seed
    except ValueError as error:
        raise RecordError(f"seed: {error}") from None


def _checked_moves(words: list[Any]) -> tuple[Move, ...]:
    moves = []
    for number, text in enumerate(words, start=1):
        try:
            moves.append(parse_move(_typed(f"move {number}", text, str)))
        except MoveError as error:
            raise RecordError(f"move {number}: {error}") from None
    return tuple(moves)


def _checked_versions(versions: Any) -> dict[str, str]:
    _typed("versions", versions, dict)
    return {_typed("versions", name, str): _typed("versions", text, str) for name, text in versions.items()}
