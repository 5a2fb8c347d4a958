"""The layout of the open human data (AH2AC2): decks, actions, scores and identifiers as arrays in one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_PLAYERS
from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop.game_arrays import (
    NumberedGame,
    Tensors,
    from_record,
    no_op,
    only_action,
    read_tensors,
    to_record,
    write_tensors,
)
from kagiya.rules import Rules

NEEDED = ("decks", "actions", "num_actions")
OPTIONAL = ("scores", "game_ids", "num_players")
MAX_GAME_MOVES = 1000
Array = npt.NDArray[Any]


def read_human_data(content: bytes) -> Iterator[GameRecord]:
    """The games of a file, one after the other."""
    tensors = read_tensors(content)
    _check_arrays(tensors)
    rules = Rules(players=int(tensors["actions"].shape[2]))
    for place in range(len(tensors["decks"])):
        try:
            yield to_record(_game(tensors, place, rules))
        except RecordError as error:
            raise RecordError(f"game {place + 1}: {error}") from None


def _check_arrays(tensors: Tensors) -> None:
    known = (*NEEDED, *OPTIONAL)
    if missing := [name for name in NEEDED if name not in tensors]:
        raise RecordError(f"tensors: {', '.join(missing)} missing; a file of games has {', '.join(known)}")
    if unknown := [name for name in tensors if name not in known]:
        raise RecordError(f"tensors: {unknown[0][:80]!r} unknown; a file of games has {', '.join(known)}")
    for name, array in tensors.items():
        if array.dtype.kind not in "iu":
            raise RecordError(f"tensors: {name} must hold integers, not {array.dtype}")
    _check_shapes(tensors)


def _check_shapes(tensors: Tensors) -> None:
    decks, actions = tensors["decks"], tensors["actions"]
    for name, array in (("decks", decks), ("actions", actions)):
        if array.ndim != 3:
            raise RecordError(f"tensors: {name} has the shape {list(array.shape)}; expected three dimensions")
    games, (_, length, players) = len(decks), actions.shape
    expected = {"decks": (games, Rules().deck_size, 2), "actions": (games, length, players), "num_players": ()}
    for name, array in tensors.items():
        shape = expected.get(name, (games,))
        if array.shape != shape:
            raise RecordError(f"tensors: {name} has the shape {list(array.shape)}; expected {list(shape)}")
    if not 2 <= players <= MAX_PLAYERS or length > MAX_GAME_MOVES:
        raise RecordError(f"tensors: actions of {players} players and {length} turns cannot be games")
    if "num_players" in tensors and int(tensors["num_players"]) != players:
        raise RecordError(f"tensors: num_players is {int(tensors['num_players'])}, and a turn has {players} actions")


def _game(tensors: Tensors, place: int, rules: Rules) -> NumberedGame:
    turns, rows = int(tensors["num_actions"][place]), tensors["actions"][place]
    if not 0 <= turns <= len(rows):
        raise RecordError(f"num_actions: {turns}, but there are {len(rows)} turns")
    if (rows[turns:] != no_op(rules)).any():
        raise RecordError(f"move {turns + 1}: the game has {turns} by num_actions; the rest must be {no_op(rules)}")
    actions = [only_action(number, row.tolist(), rules) for number, row in enumerate(rows[:turns], start=1)]
    score = int(tensors["scores"][place]) if "scores" in tensors else None
    source = {"format": "safetensors"}
    if "game_ids" in tensors:
        source["id"] = str(int(tensors["game_ids"][place]))
    return NumberedGame(rules, tensors["decks"][place].tolist(), actions, score, source)


def write_human_data(records: Sequence[GameRecord]) -> bytes:
    """A file with these games, which must be of one set of rules: theirs."""
    games = [from_record(record) for record in records]
    rules = Rules(players=records[0].rules.players)
    for number, game in enumerate(games, start=1):
        if game.rules != rules:
            raise RecordError(f"game {number}: a file of tensors holds games of {rules.caption()} only")
    length = max(len(game.actions) for game in games)
    actions = np.full((len(games), length, rules.players), no_op(rules), np.int8)
    for place, game in enumerate(games):
        turns = np.arange(len(game.actions))
        actions[place, turns, turns % rules.players] = game.actions
    return write_tensors(
        {
            "game_ids": np.array([_id(record, place) for place, record in enumerate(records)], np.int64),
            "scores": np.array([record.score for record in records], np.int8),
            "decks": np.array([game.deck for game in games], np.int8),
            "actions": actions,
            "num_actions": np.array([len(game.actions) for game in games], np.int16),
            "num_players": np.array(rules.players, np.int8),
        }
    )


def _id(record: GameRecord, place: int) -> int:
    """The game's own number, else its seed, else its place in the file."""
    told = record.source.get("id", "")
    if told.isdecimal() and len(told) < 19:
        return int(told)
    return place if record.seed is None else record.seed
