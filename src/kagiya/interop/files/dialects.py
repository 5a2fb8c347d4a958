"""What older versions of hanab.live and other programs write otherwise, brought to the form of its exports today."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kagiya.engine.record import RecordError
from kagiya.interop.files.live_game import COLOR_HINT, DISCARD, END, NUMBERS_OF_ENDS, PLAY, RANK_HINT, VOTE
from kagiya.interop.files.variants import is_option, variant_numbered
from kagiya.lab.deals.live_deals import SEED

DEFAULT_NAMES = ("Alice", "Bob", "Cathy", "Donald", "Emily", "Frank")
NO_CHARACTER = ("", "n/a", None)
MOST_ACTIONS = 1000
OLDER_DECK_PLAY = 3
OLDER_KINDS = {1: PLAY, 2: DISCARD}
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
        told["actions"] = _present_actions(data["actions"][: MOST_ACTIONS + 1])
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
    options = {name: value for name, value in told.items() if value is not False or is_option(name)}
    options.pop("variantID", None)
    options.pop("variantName", None)
    if told.get("numPlayers") is not None and told["numPlayers"] == _players(data):
        del options["numPlayers"]
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
    return variant_numbered(found).name if type(found) is int else found


def _seed(data: Mapping[str, Any]) -> re.Match[str] | None:
    seed = data.get("seed")
    return SEED.fullmatch(seed) if isinstance(seed, str) else None


def _players(data: Mapping[str, Any]) -> int:
    """How many play, where no names are told."""
    options = data.get("options")
    stated = [data.get("players"), options.get("numPlayers") if isinstance(options, dict) else None]
    stated += [data.get("numPlayers"), data.get("num_players")]
    if isinstance(data.get("players"), list):
        return len(data["players"])
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
    is_vote = isinstance(action, dict) and action.get("type") == VOTE and not action.get("value")
    return action | {"value": NUMBERS_OF_ENDS["vote"]} if is_vote else action


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
        return {"type": END, "target": action.get("target", 0), "value": NUMBERS_OF_ENDS[OLDER_ENDS[kind]]}
    return {"type": OLDER_KINDS.get(kind, UNKNOWN), "target": action.get("target")}


def _newer_hint(number: int, action: Mapping[str, Any]) -> dict[str, Any]:
    """A hint's clue had kind 0 for a rank and 1 for a color."""
    clue = action.get("clue")
    if not isinstance(clue, dict) or clue.get("type") not in (0, 1):
        raise RecordError(f"move {number}: expected a clue with type 0 or 1 and a value")
    kind = RANK_HINT if clue["type"] == 0 else COLOR_HINT
    return {"type": kind, "target": action.get("target"), "value": clue.get("value")}
