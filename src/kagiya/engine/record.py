"""Game records: a finished or broken-off game as plain data, and how it ended.

A game ends by the rules, because nothing more could be scored, or because a player broke it off. A record from outside
is never believed: reading one plays all its moves and compares the result.
"""

from __future__ import annotations

import json
import os
import platform
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib import metadata
from os import PathLike
from pathlib import Path
from typing import Any, Final, TypeVar

from kagiya.cards import MAX_RANKS, NO_CARD, SEAT_NAMES, cards_name
from kagiya.engine.game import LANE, Game, check_seed
from kagiya.moves import Move, MoveError, move_name, parse_move
from kagiya.rules import Rules, RulesError

T = TypeVar("T")
FINISHED: Final = "finished"  # every firework complete, or the last round over
BOMBED: Final = "bombed"
SETTLED: Final = "settled"  # nothing more could be scored, so the table stopped; hanab.live does that
UNFINISHED: Final = "unfinished"  # the moves stop, and the reason is unknown
BROKEN_OFF: Final = ("timeout", "terminated", "speedrun", "idle", "vote")
"""Ends that hanab.live counts as 0, whatever had been scored."""

ENDS: Final = (FINISHED, BOMBED, SETTLED, UNFINISHED, *BROKEN_OFF)


def end_of(game: Game) -> str:
    """How the game has ended as far as its own rules say."""
    if game.is_bombed:
        return BOMBED
    return FINISHED if game.is_over else UNFINISHED


def is_settled(game: Game) -> bool:
    """Whether no card can be played any more that would score, by hanab.live's test.

    Of each unfinished color the next card must be in the deck or with a seat that still has a turn. A chain of cards
    that cannot all be played in the turns left is not looked for: their server does not look for it either.
    """
    return not _cards_with_a_turn(game) & {
        color * MAX_RANKS + height for color, height in enumerate(game.fireworks) if height < game.rules.ranks
    }


def _cards_with_a_turn(game: Game) -> set[int]:
    state = game.states[LANE]
    turns = int(state["turns_left"]) if game.deck_left == 0 else game.rules.players
    seats = [(game.seat + k) % game.rules.players for k in range(turns)]
    held = {card for seat in seats for card in game.hands[seat]}
    in_deck = set(state["deck"][: game.rules.deck_size].tolist()) if game.deck_left else set()
    return (held | in_deck) - {NO_CARD}


def why_not_end(game: Game, end: str) -> str | None:
    """Why a game that stands like this cannot have ended so; None if it can."""
    if game.is_over:
        return None if end == end_of(game) else f"its moves lead to a game that is {end_of(game)}"
    if end in (FINISHED, BOMBED):
        return "its moves lead to a game that is not over"
    return "points can still be scored" if end == SETTLED and not is_settled(game) else None


FORMAT = 2
READABLE = (1, FORMAT)  # format 1 does not say how the game ended: by its rules, or it is unfinished
OPTIONAL = ("versions", "suits", "names", "source")
MAX_TEXT_LENGTH = 20_000  # of an agent, a name or a remark
MAX_TEXTS = 100
NOTES = "notes"  # in the source of an imported game: what players wrote on their cards
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
    end: str = UNFINISHED  # how it ended, one of ENDS; a game that was broken off scores 0
    suits: tuple[str, ...] = ()  # what the colors were called where it was played, if not as here
    names: tuple[str, ...] = ()  # of the players, if they are to be told
    source: dict[str, str] = field(default_factory=dict, hash=False)  # of an imported game: format, id, seed and so on

    @classmethod
    def of(cls, game: Game, seats: Sequence[str], seed: int | None = None, end: str = "") -> GameRecord:
        """The record of a game dealt from a deck, played by these agents; `end` if it is not by the rules."""
        if game.deck is None:
            raise RecordError("a game set up from a position has no record: its deal is unknown")
        versions = _versions_here()
        return cls(
            rules=game.rules,
            deck=cards_name(game.deck),
            seats=_checked_seats(list(seats), game.rules),
            seed=_checked_seed(seed),
            moves=game.moves,
            **_results(game, end),
            version=versions["kagiya"],
            versions={name: version for name, version in versions.items() if name != "kagiya"},
            end=end or end_of(game),
        )

    def anonymous(self) -> GameRecord:
        """The same without the players' names and what they wrote."""
        return replace(self, names=(), source={key: text for key, text in self.source.items() if key != NOTES})

    def deal(self) -> Game:
        """The game before its first move."""
        try:
            return Game(self.rules, deck=self.deck)
        except ValueError as error:
            raise RecordError(f"deck: {error}") from None

    def replay(self) -> Iterator[Game]:
        """The game after each move, each a copy of its own; an illegal move or a wrong result is an error."""
        game = self.deal()
        for number, move in enumerate(self.moves, start=1):
            _make(game, number, move)
            yield game.copy()
        self._check_results(game)

    def check(self) -> None:
        """Play the whole game again and compare what came of it."""
        self._check_results(self._last())

    def _last(self) -> Game:
        game = self.deal()
        for number, move in enumerate(self.moves, start=1):
            _make(game, number, move)
        return game

    def _check_results(self, game: Game) -> None:
        for name, value in _results(game, self.end).items():
            if value != getattr(self, name):
                raise RecordError(f"{name}: the record says {getattr(self, name)}, but its moves lead to {value}")
        if reason := why_not_end(game, self.end):
            raise RecordError(f"end: the record says {self.end}, but {reason}")

    def to_json(self) -> dict[str, Any]:
        """Plain data; `GameRecord.from_json` is the inverse."""
        own = {item.name: getattr(self, item.name) for item in fields(self)}
        words = {"seats": list(self.seats), "moves": [move_name(move) for move in self.moves]}
        lists = {"suits": list(self.suits), "names": list(self.names), "source": dict(self.source)}
        told = {key: value for key, value in lists.items() if value}
        plain = {key: value for key, value in own.items() if key not in lists}
        return (
            {"format": FORMAT} | plain | words | {"rules": self.rules.to_json(), "versions": dict(self.versions)} | told
        )

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
            versions=_checked_texts("versions", data.get("versions", {})),
            end=_checked_end(data["end"]) if "end" in data else UNFINISHED,
            suits=_checked_names("suits", data.get("suits", []), rules.colors),
            names=_checked_names("names", data.get("names", []), rules.players),
            source=_checked_texts("source", data.get("source", {})),
        )
        last = record._last()
        if "end" not in data:  # format 1 did not tell it
            record = replace(record, end=end_of(last))
        record._check_results(last)
        return record

    def _repr_html_(self) -> str:
        """For a notebook: the table at the end, and where the points went."""
        # Imported here: compiled code depends on what modules import, and on no drawing.
        from kagiya.view.notebook_pictures import record_html

        return record_html(self)

    def write(self, path: str | PathLike[str]) -> None:
        """Write the record as JSON; the file is complete or not there at all."""
        write_whole(Path(path), (json.dumps(self.to_json(), indent=1) + "\n").encode())

    @classmethod
    def read(cls, path: str | PathLike[str]) -> GameRecord:
        """Read and check what `write` wrote."""
        return _read_file(path, cls.from_json)

    @classmethod
    def read_all(cls, path: str | PathLike[str]) -> list[GameRecord]:
        """Read and check a file with one game or a list of them."""
        return _read_file(path, lambda data: [*map(cls.from_json, data if isinstance(data, list) else [data])])


def _read_file(path: str | PathLike[str], build: Callable[[Any], T]) -> T:
    content = Path(path).read_bytes()
    try:
        return build(json.loads(content))
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}: no readable JSON: {error}") from None


def _results(game: Game, end: str = "") -> dict[str, Any]:
    score = 0 if end in BROKEN_OFF else game.score
    return {"score": score, "points": game.points, "lives": game.lives, "turns": game.turn}


def _make(game: Game, number: int, move: Move) -> None:
    if reason := game.why_illegal(move):
        raise RecordError(f"move {number}, {SEAT_NAMES[game.seat]}: {reason}")
    game.make(move)


@cache
def _versions_here() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in ("kagiya", "numba")}}


def _check_keys(data: Any) -> None:
    if not isinstance(data, dict):
        raise RecordError(f"a record is an object, not {type(data).__name__}")
    if type(data.get("format")) is not int or data["format"] not in READABLE:
        formats = " and ".join(map(str, READABLE))
        raise RecordError(
            f"format: this version reads formats {formats}, not {data.get('format', 'a record without one')!r}"
        )
    known = {"format", *(item.name for item in fields(GameRecord))}
    if data["format"] == 1:
        known -= {"end", "suits", "names", "source"}
    if missing := known - set(OPTIONAL) - data.keys():
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
    return tuple(_short("seats", seat) for seat in seats)


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


def _checked_texts(name: str, texts: Any) -> dict[str, str]:
    _typed(name, texts, dict)
    _check_number(name, len(texts))
    return {_short(name, key): _short(name, text) for key, text in texts.items()}


def _checked_names(name: str, names: Any, number: int) -> tuple[str, ...]:
    _typed(name, names, list)
    if names and len(names) != number:
        raise RecordError(f"{name}: expected {number}, not {len(names)}")
    return tuple(_short(name, each) for each in names)


def _checked_end(end: Any) -> str:
    if end not in ENDS:
        raise RecordError(f"end: expected one of {', '.join(ENDS)}, not {end!r}")
    return str(end)


def _short(name: str, text: Any) -> str:
    if len(_typed(name, text, str)) > MAX_TEXT_LENGTH:
        raise RecordError(f"{name}: a text of {len(text)} characters; at most {MAX_TEXT_LENGTH} are read")
    return str(text)


def _check_number(name: str, number: int) -> None:
    if number > MAX_TEXTS:
        raise RecordError(f"{name}: {number} entries; at most {MAX_TEXTS} are read")


DEVICES = {"/dev", "/dev/fd", "/proc/self/fd"}  # a file among them stands for one that is open


def is_device(path: Path) -> bool:
    """Whether this is there and is written to, not put in place: a device, a pipe, standard output."""
    return str(path.parent) in DEVICES or (path.exists() and not path.is_file())


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is complete or not there at all, where a link leads; or write to a device."""
    if is_device(path):
        with naming(path), path.open("ab") as device:  # standard output may be a file that others have written to
            device.write(content)
        return
    place = Path(os.path.realpath(path))
    part = place.with_name(f"{place.name}.{uuid.uuid4().hex}.part")
    try:
        with naming(path):
            part.write_bytes(content)
            part.replace(place)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let the system's errors in the block name this file: those of writing to a full disk name none."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:  # else Python would leave out what the error says
            error.filename = str(path)
        raise
