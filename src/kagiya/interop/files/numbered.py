"""A game as a deck and actions by the Hanabi Learning Environment's numbers, alone or as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from kagiya.cards import (
    MAX_RANKS,
    SEAT_NAMES,
    Card,
    Color,
    Rank,
    card_color,
    card_rank,
    make_card,
    parse_card,
    parse_cards,
)
from kagiya.engine.endings import BROKEN_OFF, SETTLED, end_of, is_settled
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop.hle import config, move_to_uid, num_uids, their_copies, uid_to_move
from kagiya.lab.table.persons import PERSON
from kagiya.moves import MoveError
from kagiya.rules import Rules, RulesError

MOST_ACTIONS = 1000
SETTINGS = ("players", "colors", "ranks", "hand_size", "max_information_tokens", "max_life_tokens")
# One game of the human data as JSON calls some things otherwise.
SYNONYMS = {"num_players": "players", "decks": "deck", "scores": "score", "game_ids": "game_id"}
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


def _card(place: int, color: int, rank: int, rules: Rules) -> Card:
    if not (0 <= color < rules.colors and 0 <= rank < rules.ranks):
        raise RecordError(f"deck: card {place} has color {color} and rank {rank}, counted from 0; that is not a card")
    return make_card(Color(color), Rank(rank))


def _make(game: Game, number: int, uid: int) -> None:
    where = f"move {number}, {SEAT_NAMES[game.seat]}"
    try:
        move = uid_to_move(uid, game.rules)
    except MoveError as error:
        raise RecordError(f"{where}: {error}") from None
    if reason := game.why_illegal(move):
        raise RecordError(f"{where}: {reason}")
    game.make(move)


def from_record(record: GameRecord) -> NumberedGame:
    """The numbers of a record; rules that the Hanabi Learning Environment does not have are refused."""
    check_rules(record.rules)
    deck = [(int(card_color(card)), int(card_rank(card))) for card in parse_cards(record.deck)]
    actions = [move_to_uid(move, record.rules) for move in record.moves]
    return NumberedGame(record.rules, deck, actions, record.score, record.source)


def check_rules(rules: Rules) -> None:
    """Refuse rules that have no numbers."""
    try:
        config(rules)
    except RulesError as error:
        raise RecordError(str(error)) from None


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
        return Rules(
            players=_integer(told.get("players", 2), "players"),
            colors=_integer(told.get("colors", 5), "colors"),
            copies=their_copies(_integer(told.get("ranks", MAX_RANKS), "ranks")),
            hand_size=_integer(told.get("hand_size", 0), "hand_size"),
            hint_tokens=_integer(told.get("max_information_tokens", 8), "max_information_tokens"),
            lives=_integer(told.get("max_life_tokens", 3), "max_life_tokens"),
        )
    except RulesError as error:
        raise RecordError(f"rules: {error}") from None


def _list(told: Mapping[str, Any], key: str) -> list[Any]:
    entries = told.get(key)
    if not isinstance(entries, list):
        raise RecordError(f"{key}: expected a list")
    if len(entries) > MOST_ACTIONS:
        raise RecordError(f"{key}: {len(entries)} entries; at most {MOST_ACTIONS} are read")
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
        card = parse_card(name)
        return int(card_color(card)), int(card_rank(card))
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
    others = [SEAT_NAMES[k] for k, each in enumerate(row) if k != seat and each != no_op(rules)]
    if others:
        raise RecordError(f"move {number}: {others[0]} acts, but it is {SEAT_NAMES[seat]}'s turn")
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
    if record.source.get("id", "").isdecimal():
        data["game_id"] = int(record.source["id"])
    return json.dumps(data, separators=(",", ":"))
