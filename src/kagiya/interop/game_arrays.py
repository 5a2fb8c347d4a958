"""Games as numbers, a deck and the Hanabi Learning Environment's actions: as JSON, and as arrays in safetensors files.

The arrays are those of the open human data (AH2AC2). Such a file is the length of a header, the header as JSON, then
plain numbers. Nothing is executed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya import cards
from kagiya.engine.game import Game
from kagiya.engine.record import BROKEN_OFF, SETTLED, GameRecord, RecordError, end_of, is_settled
from kagiya.lab.table.table import PERSON
from kagiya.moves import MoveError
from kagiya.rl.vectors import config, move_to_uid, num_uids, rules_from_config, uid_to_move
from kagiya.rules import Rules, RulesError

MAX_ACTIONS = 1000
SETTINGS = {"players": 2, "colors": 5, "ranks": 5, "hand_size": 0, "max_information_tokens": 8, "max_life_tokens": 3}
# One game of the human data as JSON calls some things otherwise.
SYNONYMS = {
    **{"num_players": "players", "playerCount": "players"},
    **{"decks": "deck", "scores": "score", "game_ids": "game_id"},
}
KEYS = (*SETTINGS, "deck", "actions", "score", "num_actions", "game_id")


@dataclass(frozen=True)
class NumberedGame:
    """Rules, the deck as (color, rank) counted from 0, and one number for each move."""

    rules: Rules
    deck: Sequence[tuple[int, int]]
    actions: Sequence[int]
    score: int | None = None  # as the source lists it
    source: Mapping[str, str] = field(default_factory=dict)


def to_record(game: NumberedGame) -> GameRecord:
    """The record of such a game, played move by move; a listed score must be what the moves lead to."""
    rules = game.rules
    deck = [_card(place, *card, rules) for place, card in enumerate(game.deck, start=1)]
    try:
        played = Game(rules, deck=deck)
    except ValueError as error:
        raise RecordError(f"deck: {error}") from None
    for number, uid in enumerate(game.actions, start=1):
        _make(played, number, uid)
    end = SETTLED if not played.is_over and is_settled(played) else end_of(played)
    record = replace(GameRecord.of(played, [PERSON] * rules.players, end=end), source=dict(game.source))
    return with_score(record, game.score)


def with_score(record: GameRecord, listed: int | None) -> GameRecord:
    """The record, if its score is what its source lists; 0 for moves that stop before the end is a game broken off."""
    if listed is None or listed == record.score:
        return record
    if listed == 0 and record.end not in ("finished", "bombed"):
        return replace(record, end=BROKEN_OFF[1], score=0)
    raise RecordError(f"score: {listed} is listed, but the moves lead to {record.score} ({record.points} points)")


def _card(place: int, color: int, rank: int, rules: Rules) -> cards.Card:
    if not (0 <= color < rules.colors and 0 <= rank < rules.ranks):
        raise RecordError(f"deck: card {place} has color {color} and rank {rank}, counted from 0; that is not a card")
    return cards.make_card(cards.Color(color), cards.Rank(rank))


def _make(game: Game, number: int, uid: int) -> None:
    where = f"move {number}, {cards.SEAT_NAMES[game.seat]}"
    try:
        move = uid_to_move(uid, game.rules)
    except MoveError as error:
        raise RecordError(f"{where}: {error}") from None
    if reason := game.why_illegal(move):
        raise RecordError(f"{where}: {reason}")
    game.make(move)


def from_record(record: GameRecord) -> NumberedGame:
    """The numbers of a record; rules that the Hanabi Learning Environment does not have are refused."""
    try:
        config(record.rules)
    except RulesError as error:
        raise RecordError(str(error)) from None
    deck = [(int(cards.card_color(card)), int(cards.card_rank(card))) for card in cards.parse_cards(record.deck)]
    actions = [move_to_uid(move, record.rules) for move in record.moves]
    return NumberedGame(record.rules, deck, actions, record.score, record.source)


def no_op(rules: Rules) -> int:
    """The number after the last move: what a seat "does" when it is not its turn."""
    return num_uids(rules)


# As JSON: {"players": 2, "deck": [card numbers], "actions": [numbers], ...}


def is_numbered(data: Any) -> bool:
    """Whether this object looks like such a game."""
    return isinstance(data, dict) and "actions" in data and not isinstance(data.get("players", 0), list)


def read_numbered(data: Mapping[str, Any]) -> GameRecord:
    """The record of one game; cards as numbers, pairs or names, actions one for each move or one for each seat."""
    told = {SYNONYMS.get(key, key): value for key, value in data.items()}
    for key in told:
        if key not in KEYS:
            raise RecordError(f"keys: {str(key)[:80]!r} unknown; there are {', '.join(KEYS)}")
    rules = _rules(told)
    deck = [_pair(place, card, rules) for place, card in enumerate(_list(told, "deck"), start=1)]
    actions = [_action(number, row, rules) for number, row in enumerate(_rows(told), start=1)]
    while actions and actions[-1] == no_op(rules):  # what the shorter games of a list are padded with
        actions.pop()
    score = None if told.get("score") is None else _integer(told["score"], "score")
    source = {"format": "hle"}
    if "game_id" in told:
        source["id"] = str(_integer(told["game_id"], "game_id"))
    return to_record(NumberedGame(rules, deck, actions, score, source))


def _rules(told: Mapping[str, Any]) -> Rules:
    try:
        return rules_from_config({name: _integer(told.get(name, usual), name) for name, usual in SETTINGS.items()})
    except RulesError as error:
        raise RecordError(f"rules: {error}") from None


def _list(told: Mapping[str, Any], key: str) -> list[Any]:
    entries = told.get(key)
    if not isinstance(entries, list):
        raise RecordError(f"{key}: expected a list")
    if len(entries) > MAX_ACTIONS:
        raise RecordError(f"{key}: {len(entries)} entries; at most {MAX_ACTIONS} are read")
    return entries


def _rows(told: Mapping[str, Any]) -> list[Any]:
    rows = _list(told, "actions")
    number = _integer(told.get("num_actions", len(rows)), "num_actions")
    if not 0 <= number <= len(rows):
        raise RecordError(f"num_actions: {number}, but there are {len(rows)} actions")
    return rows[:number]


def _integer(value: Any, where: str) -> int:
    if type(value) is not int or abs(value) > 1 << 53:
        raise RecordError(f"{where}: expected an integer, not {str(value)[:80]!r}")
    return value


def _pair(place: int, card: Any, rules: Rules) -> tuple[int, int]:
    where = f"deck: card {place}"
    if isinstance(card, list) and len(card) == 2:
        return _integer(card[0], where), _integer(card[1], where)
    if isinstance(card, str):
        return _named(card, where)
    color, rank = divmod(_integer(card, where), rules.ranks)
    return color, rank


def _named(name: str, where: str) -> tuple[int, int]:
    """A card as R1."""
    try:
        card = cards.parse_card(name)
        return int(cards.card_color(card)), int(cards.card_rank(card))
    except ValueError as error:
        raise RecordError(f"{where}: {error}") from None


def _action(number: int, row: Any, rules: Rules) -> int:
    where = f"move {number}"
    if not isinstance(row, list):
        return _integer(row, where)
    if len(row) != rules.players:
        raise RecordError(f"{where}: {len(row)} actions; expected one for each of {rules.players} players")
    return only_action(number, [_integer(each, where) for each in row], rules)


def only_action(number: int, row: Sequence[int], rules: Rules) -> int:
    """The action of the seat whose turn it is, from a row with one for each seat; the others do nothing."""
    seat = (number - 1) % rules.players
    others = [cards.SEAT_NAMES[k] for k, each in enumerate(row) if k != seat and each != no_op(rules)]
    if others:
        raise RecordError(f"move {number}: {others[0]} acts, but it is {cards.SEAT_NAMES[seat]}'s turn")
    return row[seat]


def write_numbered(record: GameRecord) -> str:
    """One line of JSON: the settings that differ from the full game, the deck, the actions and the score."""
    game = from_record(record)
    usual = Rules(players=record.rules.players)
    settings = {key: value for key, value in config(record.rules).items() if value != config(usual)[key]}
    data = {
        "players": record.rules.players,
        **settings,
        "deck": [color * record.rules.ranks + rank for color, rank in game.deck],
        "actions": list(game.actions),
        "score": record.score,
    }
    if (number := _number(record)) is not None:
        data["game_id"] = number
    return json.dumps(data, separators=(",", ":"))


Tensors = dict[str, npt.NDArray[Any]]
LENGTH_BYTES = 8
MAX_HEADER_BYTES = 1 << 20
MAX_TENSORS = 100
MAX_DIMENSIONS = 8
ALIGNMENT = 8
KINDS = {
    **{"BOOL": "|b1", "U8": "|u1", "I8": "|i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4"},
    **{"U64": "<u8", "I64": "<i8", "F32": "<f4", "F64": "<f8"},
}
NAMES = {np.dtype(text): name for name, text in KINDS.items()}


def is_tensors(content: bytes) -> bool:
    """Whether bytes begin like such a file: a sensible length, then JSON."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    return len(content) > LENGTH_BYTES and 0 < length <= MAX_HEADER_BYTES and content[LENGTH_BYTES] == ord("{")


def read_tensors(content: bytes) -> Tensors:
    """All arrays of a file; a header that does not fit its data exactly is refused."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if length > len(content) - LENGTH_BYTES:
        raise RecordError(f"tensors: it is cut short: a header of {length:,} bytes, and {len(content):,} in all")
    header = _header(content[LENGTH_BYTES : LENGTH_BYTES + length])
    data = memoryview(content)[LENGTH_BYTES + length :]
    extents = {name: _extent(name, entry, len(data)) for name, entry in header.items()}
    _check_whole(extents, len(data))
    return {name: _array(header[name], data[slice(*extents[name])]) for name in header}


def _header(text: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(text.decode("utf-8"), object_pairs_hook=without_twins)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"tensors: its header is not readable JSON: {error}") from None
    header.pop("__metadata__", None)
    if len(header) > MAX_TENSORS:
        raise RecordError(f"tensors: {len(header)} arrays; at most {MAX_TENSORS} are read")
    return header


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; one with a name twice says two things, and is refused."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands in it twice")
    return found


def _extent(name: str, entry: Any, size: int) -> tuple[int, int]:
    """Where an array lies in the data, if its entry makes sense."""
    about = f"tensors: {name[:80]!r}"
    try:
        kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise RecordError(f"{about} is not described by dtype, shape and data_offsets") from None
    if not isinstance(kind, str) or kind not in KINDS:
        raise RecordError(f"{about} has the dtype {str(kind)[:20]!r}; known are {', '.join(KINDS)}")
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS or not all(_is_size(each, size) for each in shape):
        raise RecordError(f"{about} has a shape that cannot be: {str(shape)[:80]}")
    if not _is_size(begin, size) or not _is_size(end, size):
        raise RecordError(f"{about} lies outside the data, of which there are {size:,} bytes")
    if end - begin != math.prod(shape) * np.dtype(KINDS[kind]).itemsize:
        raise RecordError(f"{about} has {end - begin:,} bytes, which do not fit its shape {str(shape)[:80]}")
    return begin, end


def _is_size(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _check_whole(extents: Mapping[str, tuple[int, int]], size: int) -> None:
    """The arrays lie side by side and fill the data: no gap, no overlap, nothing behind."""
    place = 0
    for name, (begin, end) in sorted(extents.items(), key=lambda item: item[1]):
        if begin != place:
            what = "overlaps another" if begin < place else "comes after a gap"
            raise RecordError(f"tensors: {name[:80]!r} {what}: it begins at byte {begin:,}, not at {place:,}")
        place = end
    if place != size:
        raise RecordError(f"tensors: the arrays end at byte {place:,}, and the data have {size:,}")


def _array(entry: Mapping[str, Any], data: memoryview) -> npt.NDArray[Any]:
    return np.frombuffer(data, KINDS[entry["dtype"]]).reshape(entry["shape"])


def write_tensors(tensors: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """The content of a file with these arrays."""
    header, place = {}, 0
    plain = {name: np.asarray(array, order="C") for name, array in tensors.items()}
    for name, array in plain.items():
        kind = NAMES[array.dtype.newbyteorder("<")]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [place, place + array.nbytes]}
        place += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    data = b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in plain.values())
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + data


NEEDED = ("decks", "actions", "num_actions")
OPTIONAL = ("scores", "game_ids", "num_players")


def human_data(content: bytes) -> tuple[int, Callable[[int], GameRecord]]:
    """How many games a file has, and what reads one by its place, counted from 0."""
    tensors = read_tensors(content)
    _check_arrays(tensors)
    rules = Rules(players=int(tensors["actions"].shape[2]))
    return len(tensors["decks"]), lambda place: to_record(_tensor_game(tensors, place, rules))


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
    if not 2 <= players <= cards.MAX_PLAYERS or length > MAX_ACTIONS:
        most = f"2 to {cards.MAX_PLAYERS} can play here, {MAX_ACTIONS} turns at most"
        raise RecordError(f"tensors: games of {players} players and {length} turns; {most}")
    if "num_players" in tensors and int(tensors["num_players"]) != players:
        raise RecordError(f"tensors: num_players is {int(tensors['num_players'])}, and a turn has {players} actions")


def _tensor_game(tensors: Tensors, place: int, rules: Rules) -> NumberedGame:
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


def why_no_tensors(rules: Rules, record: GameRecord) -> str | None:
    """Why a game cannot stand in a file with games by these rules; None if it can."""
    try:
        config(record.rules)
    except RulesError as error:
        return str(error)
    return None if record.rules == rules else f"a file of tensors holds games of {rules.caption()} only"


def write_human_data(records: Sequence[GameRecord]) -> bytes:
    """A file with these games, which must be of one set of rules."""
    games, rules = [from_record(record) for record in records], records[0].rules
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
    number = _number(record)
    return number if number is not None else place if record.seed is None else record.seed


def _number(record: GameRecord) -> int | None:
    told = record.source.get("id", "")
    return int(told) if told.isdecimal() and len(told) < 19 else None
