"""hanab.live's game JSON, as its export gives it and its replays take it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kagiya.cards import card_color, card_rank
from kagiya.engine.record import LONGEST_TEXT, NOTES, GameRecord, RecordError
from kagiya.interop.files.dialects import DEFAULT_NAMES, MOST_ACTIONS, present_form
from kagiya.interop.files.live_game import Action, LiveGame, from_record, to_record
from kagiya.interop.files.numbered import with_score
from kagiya.interop.files.variants import live_rules, variant_named
from kagiya.lab.deals.live_deals import SEED, live_deck
from kagiya.lab.deals.variants import Variant
from kagiya.rules import Rules

KEYS = ("id", "players", "deck", "actions", "options", "notes", "characters", "seed")
LONGEST_NAME = 100
MOST_CARDS = 100
ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def is_live_json(data: Any) -> bool:
    """Whether this object looks like one of theirs: names of players, or cards and actions that are objects."""
    if not isinstance(data, dict) or "actions" not in data:
        return False
    has_objects = any(isinstance(data.get(key), list) and _is_object(data[key][:1]) for key in ("deck", "actions"))
    return has_objects or isinstance(data.get("players"), list)


def _is_object(first: list[Any]) -> bool:
    return bool(first) and isinstance(first[0], dict)


def read_live_json(given: Mapping[str, Any], with_names: bool = False) -> GameRecord:
    """The record of their JSON object; names and notes are not kept unless they are wanted.

    Programs that write this format add keys, use an older form of it, or leave the deck to the seed: all are read.
    """
    data = present_form(given)
    options, names = _object(data, "options"), _names(data["players"])
    variant = variant_named(options.get("variant", "No Variant"))
    live = LiveGame(
        players=len(names),
        variant=variant,
        deck=_deck(data, variant, options),
        actions=tuple(_action(n, each) for n, each in enumerate(_list(data, "actions", MOST_ACTIONS), start=1)),
        options=options,
    )
    if data.get("characters"):
        raise RecordError("characters: players with a handicap cannot be played here")
    listed = data.get("score")
    record = with_score(to_record(live, _source(data, live)), listed if type(listed) is int else None)
    has_names = with_names and isinstance(given.get("players"), list)
    return replace(record, names=tuple(names), source=record.source | _notes(data)) if has_names else record


def _notes(data: Mapping[str, Any]) -> dict[str, str]:
    """What the players wrote on their cards, as it came; too much of it is left out."""
    notes = data.get(NOTES)
    text = compact(notes) if isinstance(notes, list) else ""
    return {NOTES: text} if 0 < len(text) <= LONGEST_TEXT else {}


def _deck(data: Mapping[str, Any], variant: Variant, options: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """The deck, top card first; where there is none, the one that the site deals for the seed."""
    seed = data.get("seed")
    if data.get("deck") in (None, []) and isinstance(seed, str) and seed:
        return _dealt(seed, variant, live_rules(variant, len(data["players"]), options))
    cards = _list(data, "deck", MOST_CARDS)
    return tuple(_card(number, card) for number, card in enumerate(cards, start=1))


def _dealt(seed: str, variant: Variant, rules: Rules) -> tuple[tuple[int, int], ...]:
    found = SEED.fullmatch(seed)
    if found and (int(found[2]), int(found[3])) != (rules.players, variant.number):
        raise RecordError(
            f"seed: {seed[:LONGEST_NAME]} is for {found[2]} players and variant number {found[3]}, "
            f"and this game has {rules.players} and {variant.number}"
        )
    try:
        dealt = live_deck(seed, rules)
    except ValueError as error:
        raise RecordError(f"seed: {error}") from None
    return tuple((int(card_color(card)), card_rank(card) + 1) for card in dealt)


def _source(data: Mapping[str, Any], live: LiveGame) -> dict[str, str]:
    source = {"format": "live"}
    if unknown := [str(key)[:LONGEST_NAME] for key in data if key not in KEYS]:
        source["other_keys"] = ", ".join(unknown[:MOST_CARDS])
    for key, kind in (("id", int), ("seed", str)):
        if data.get(key) is not None:
            if type(data[key]) is not kind or len(str(data[key])) > LONGEST_NAME:
                raise RecordError(f"{key}: expected {'a number' if kind is int else 'a text'} of reasonable length")
            source[key] = str(data[key])
    if data.get("options") is not None:
        source["options"] = compact(data["options"])
    if any(action.value is None for action in live.actions):
        source["plays"] = "bare"
    return source


def _object(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    value = {} if data.get(key) is None else data[key]
    if not isinstance(value, dict):
        raise RecordError(f"{key}: expected an object, not {type(value).__name__}")
    return value


def _list(data: Mapping[str, Any], key: str, most: int) -> list[Any]:
    if key not in data:
        raise RecordError(f"keys: {key} missing")
    entries = data[key]
    if not isinstance(entries, list):
        raise RecordError(f"{key}: expected a list, not {type(entries).__name__}")
    if len(entries) > most:
        raise RecordError(f"{key}: {len(entries)} entries; at most {most} are read")
    return entries


def _names(players: list[Any]) -> list[str]:
    for name in players[:MOST_CARDS]:
        if not isinstance(name, str) or len(name) > LONGEST_NAME:
            raise RecordError(f"players: expected names of at most {LONGEST_NAME} characters, not {str(name)[:80]!r}")
    return players


def _card(number: int, card: Any) -> tuple[int, int]:
    where = f"deck: card {number}"
    suit = next((card[key] for key in ("suitIndex", "suit") if key in card), None) if isinstance(card, dict) else None
    if suit is None or "rank" not in card:
        raise RecordError(f"{where} must be an object with suitIndex and rank")
    return _integer(suit, where), _integer(card["rank"], where)


def _action(number: int, action: Any) -> Action:
    where = f"move {number}"
    if not isinstance(action, dict) or not {"type", "target"} <= set(action):
        raise RecordError(f"{where}: expected an object with type, target and value")
    kind, target = _integer(action["type"], where), _integer(action["target"], where)
    value = action.get("value")
    return Action(kind, target, None if value is None else _integer(value, where))


def _integer(value: Any, where: str) -> int:
    if type(value) is not int or abs(value) > MOST_ACTIONS:
        raise RecordError(f"{where}: expected a small number, not {str(value)[:80]!r}")
    return value


def write_live_json(record: GameRecord, with_names: bool = False) -> str:
    """One line of their JSON; keys in the order of their exports, and nothing that is not so."""
    live = from_record(record, "live")
    names = list(record.names if with_names and record.names else DEFAULT_NAMES[: record.rules.players])
    data: dict[str, Any] = {"id": int(record.source["id"])} if record.source.get("id", "").isdecimal() else {}
    data |= {
        "players": names,
        "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in live.deck],
        "actions": [_action_json(action) for action in live.actions],
    }
    if live.options or "options" in record.source:
        data["options"] = dict(live.options)
    if with_names and (notes := _kept_notes(record)) is not None:
        data[NOTES] = notes
    if "seed" in record.source:
        data["seed"] = record.source["seed"]
    return compact(data)


def _kept_notes(record: GameRecord) -> Any:
    """The notes that an imported game came with; None if there are none."""
    try:
        return json.loads(record.source.get(NOTES, "null"))
    except (ValueError, RecursionError):
        return None


def _action_json(action: Action) -> dict[str, int]:
    told = {"type": action.kind, "target": action.target}
    return told if action.value is None else told | {"value": action.value}


def compact(data: Any) -> str:
    """JSON as the site writes it: no space, and what could be taken for HTML is escaped.

    Half a character, which cannot be written so, is escaped too.
    """
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = json.dumps(data, separators=(",", ":"))
    return text.translate(ESCAPED)
