"""hanab.live's game JSON, as its export gives it and its replays take it.

What its older versions and other programs write otherwise is brought to the form of its exports today.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from kagiya.cards import card_color, card_rank
from kagiya.engine.record import MAX_TEXT_LENGTH, NOTES, GameRecord, RecordError
from kagiya.interop import live_game
from kagiya.interop.game_arrays import with_score
from kagiya.interop.live_game import Action, LiveGame
from kagiya.lab.deals import SEED, Variant, live_deck
from kagiya.rules import Rules

DEFAULT_NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
NO_CHARACTER = ("", "n/a", None)
MAX_ACTIONS = 1000
COUNTS = ("numPlayers", "num_players", "playerCount")  # what other programs call the number of players
OLDER_DECK_PLAY = 3
OLDER_KINDS = {1: live_game.PLAY, 2: live_game.DISCARD}
OLDER_ENDS = {4: "timeout", 5: "idle"}
UNKNOWN = -1  # a kind of action that there is not


def present_form(data: Mapping[str, Any]) -> dict[str, Any]:
    """The same game in the present form; what is of no known form stays as it is, for the reader to refuse."""
    told = dict(data)
    if data.get("options") is None or isinstance(data["options"], dict):
        options = _options(data)
        told |= {"options": options} if options or "options" in data else {}
    if not isinstance(data.get("players"), list):
        told["players"] = list(DEFAULT_NAMES[: _players(data)])
    if isinstance(data.get("actions"), list):
        told["actions"] = _present_actions(data["actions"][: MAX_ACTIONS + 1])
    if _is_digits(data.get("id")):
        told["id"] = int(data["id"])
    if isinstance(data.get("characters"), list) and not any(map(_is_character, data["characters"])):
        del told["characters"]
    return told


def _is_digits(value: Any) -> bool:
    return isinstance(value, str) and re.fullmatch("[0-9]{1,18}", value) is not None


def _is_character(told: Any) -> bool:
    return (told.get("name") if isinstance(told, dict) else told) not in NO_CHARACTER


# Options.


def _options(data: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are stated, and those that other programs write beside them."""
    told = {name: value for name, value in (data.get("options") or {}).items() if value is not None}
    options = {name: value for name, value in told.items() if value is not False or live_game.is_option(name)}
    options.pop("variantID", None)
    options.pop("variantName", None)
    for key in COUNTS:
        if told.get(key) is not None and told[key] == _players(data):
            del options[key]
    variant = _variant(data, told)
    options |= {"variant": variant} if variant is not None else {}
    for key in ("first_player", "firstPlayer"):
        if data.get(key):
            options.setdefault("startingPlayer", data[key])
    return options


def _variant(data: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """What the variant is called: by its name or number, wherever it stands, else by the seed; None if nothing says."""
    stated = [options.get("variant"), options.get("variantName"), options.get("variantID")]
    stated += [data.get("variant"), data.get("variantID")]
    found = next((each for each in stated if each is not None), None)
    if found is None and (seed := _seed(data)) and int(seed[3]):
        found = int(seed[3])
    return live_game.variant_numbered(found).name if type(found) is int else found


def _seed(data: Mapping[str, Any]) -> re.Match[str] | None:
    seed = data.get("seed")
    return SEED.fullmatch(seed) if isinstance(seed, str) else None


def _players(data: Mapping[str, Any]) -> int:
    """How many play, where no names are told."""
    if isinstance(data.get("players"), list):
        return len(data["players"])
    options = data["options"] if isinstance(data.get("options"), dict) else {}
    stated = [data.get("players"), *map(options.get, COUNTS), *map(data.get, COUNTS)]
    if seed := _seed(data):
        stated.append(int(seed[2]))
    for number in stated:
        if type(number) is int and 0 <= number <= len(DEFAULT_NAMES):
            return number
    raise RecordError("players: expected a list of names, one for each player")


# Actions.


def _present_actions(actions: list[Any]) -> list[Any]:
    """Those of 2019 had hints first, with a clue of their own; a vote goes without its number too."""
    older = any(isinstance(each, dict) and "clue" in each for each in actions)
    return [_newer_action(n, each) if older else _with_value(each) for n, each in enumerate(actions, start=1)]


def _with_value(action: Any) -> Any:
    is_vote = isinstance(action, dict) and action.get("type") == live_game.VOTE and not action.get("value")
    return action | {"value": live_game.NUMBERS_OF_ENDS["vote"]} if is_vote else action


def _newer_action(number: int, action: Any) -> Any:
    """Kinds were 0 hint, 1 play, 2 discard, 3 a play from the deck, then the ends."""
    kind = action.get("type") if isinstance(action, dict) else None
    if type(kind) is not int:
        return action
    if kind == 0:
        return _newer_hint(number, action)
    if kind == OLDER_DECK_PLAY:
        raise RecordError(f"move {number}: a card played straight from the deck, which cannot be done here")
    if kind in OLDER_ENDS:
        ended = live_game.NUMBERS_OF_ENDS[OLDER_ENDS[kind]]
        return {"type": live_game.END, "target": action.get("target", 0), "value": ended}
    return {"type": OLDER_KINDS.get(kind, UNKNOWN), "target": action.get("target")}


def _newer_hint(number: int, action: Mapping[str, Any]) -> dict[str, Any]:
    """A hint's clue had kind 0 for a rank and 1 for a color."""
    clue = action.get("clue")
    if not isinstance(clue, dict) or clue.get("type") not in (0, 1):
        raise RecordError(f"move {number}: expected a clue with type 0 or 1 and a value")
    kind = live_game.RANK_HINT if clue["type"] == 0 else live_game.COLOR_HINT
    return {"type": kind, "target": action.get("target"), "value": clue.get("value")}


KEYS = ("id", "players", "deck", "actions", "options", "notes", "characters", "seed")
MAX_NAME_LENGTH = 100
MAX_CARDS = 100
ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def is_live_json(data: Any) -> bool:
    """Whether this object looks like one of theirs: names of players, or cards and actions that are objects."""
    if not isinstance(data, dict) or "actions" not in data:
        return False
    lists = [data[key] for key in ("deck", "actions") if isinstance(data.get(key), list)]
    has_objects = any(isinstance(entries[0], dict) for entries in lists if entries)
    return has_objects or isinstance(data.get("players"), list)


def read_live_json(given: Mapping[str, Any], with_names: bool = False) -> GameRecord:
    """The record of their JSON object; names and notes are not kept unless they are wanted.

    Programs that write this format add keys, use an older form of it, or leave the deck to the seed: all are read.
    """
    data = present_form(given)
    options, names = _object(data, "options"), _names(data["players"])
    variant = live_game.variant_named(options.get("variant", "No Variant"))
    live = LiveGame(
        players=len(names),
        variant=variant,
        deck=_deck(data, variant, options),
        actions=tuple(_action(n, each) for n, each in enumerate(_list(data, "actions", MAX_ACTIONS), start=1)),
        options=options,
    )
    if data.get("characters"):
        raise RecordError("characters: players with a handicap cannot be played here")
    listed = data.get("score")
    record = with_score(live_game.to_record(live, _source(data, live)), listed if type(listed) is int else None)
    has_names = with_names and isinstance(given.get("players"), list)
    return replace(record, names=tuple(names), source=record.source | _notes(data)) if has_names else record


def _notes(data: Mapping[str, Any]) -> dict[str, str]:
    """What the players wrote on their cards, as it came; too much of it is left out."""
    notes = data.get(NOTES)
    text = compact(notes) if isinstance(notes, list) else ""
    return {NOTES: text} if 0 < len(text) <= MAX_TEXT_LENGTH else {}


def _deck(data: Mapping[str, Any], variant: Variant, options: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """The deck, top card first; where there is none, the one that the site deals for the seed."""
    seed = data.get("seed")
    if data.get("deck") in (None, []) and isinstance(seed, str) and seed:
        return _dealt(seed, variant, live_game.live_rules(variant, len(data["players"]), options))
    cards = _list(data, "deck", MAX_CARDS)
    return tuple(_card(number, card) for number, card in enumerate(cards, start=1))


def _dealt(seed: str, variant: Variant, rules: Rules) -> tuple[tuple[int, int], ...]:
    found = SEED.fullmatch(seed)
    if found and (int(found[2]), int(found[3])) != (rules.players, variant.number):
        raise RecordError(
            f"seed: {seed[:MAX_NAME_LENGTH]} is for {found[2]} players and variant number {found[3]}, "
            f"and this game has {rules.players} and {variant.number}"
        )
    try:
        dealt = live_deck(seed, rules)
    except ValueError as error:
        raise RecordError(f"seed: {error}") from None
    return tuple((int(card_color(card)), card_rank(card) + 1) for card in dealt)


def _source(data: Mapping[str, Any], live: LiveGame) -> dict[str, str]:
    source = {"format": "live"}
    if unknown := [str(key)[:MAX_NAME_LENGTH] for key in data if key not in KEYS]:
        source["other_keys"] = ", ".join(unknown[:MAX_CARDS])
    for key, kind in (("id", int), ("seed", str)):
        if data.get(key) is not None:
            if type(data[key]) is not kind or len(str(data[key])) > MAX_NAME_LENGTH:
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
    for name in players[:MAX_CARDS]:
        if not isinstance(name, str) or len(name) > MAX_NAME_LENGTH:
            raise RecordError(
                f"players: expected names of at most {MAX_NAME_LENGTH} characters, not {str(name)[:80]!r}"
            )
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
    if type(value) is not int or abs(value) > MAX_ACTIONS:
        raise RecordError(f"{where}: expected a small number, not {str(value)[:80]!r}")
    return value


def write_live_json(record: GameRecord, with_names: bool = False) -> str:
    """One line of their JSON; keys in the order of their exports, and nothing that is not so."""
    live = live_game.from_record(record, "live")
    names = list(record.names if with_names and record.names else DEFAULT_NAMES[: record.rules.players])
    data: dict[str, Any] = {"id": int(record.source["id"])} if _is_digits(record.source.get("id")) else {}
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
