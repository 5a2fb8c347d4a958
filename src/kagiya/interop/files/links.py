"""hanab.live's compact links: a whole game in the address of a replay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop.files.live_game import Action, LiveGame, from_record, to_record
from kagiya.interop.files.variants import live_options, variant_numbered

ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
GROUP = 20  # characters between dashes
HOST = "https://hanab.live/replay-json/"
LONGEST = 5000
LINK = re.compile(
    r"(?P<address>(?:https?://)?(?:[\w.:-]+/)?(?:shared-)?replay-json/)?(?P<data>[0-9a-zA-Z,-]+)(?:#(?P<turn>\d{1,4}))?"
)
SITE = re.compile(r"https?://|(?:www\.)?hanab\.live/")


def is_link(text: str) -> bool:
    """Whether a line of text looks like a link, whole or without its host."""
    found = LINK.fullmatch(text[: LONGEST + 1])
    is_data = found is not None and found["data"][0].isdigit() and found["data"].count(",") >= 2
    return is_data or "replay-json/" in text or SITE.match(text) is not None


def read_link(text: str) -> GameRecord:
    """The record of a link; `#12` behind it, the turn to look at, stays in the record's source."""
    if len(text) > LONGEST:
        raise RecordError(f"link: {len(text)} characters; a game has at most {LONGEST}")
    found = LINK.fullmatch(unquote(text, errors="replace"))
    if found is None:
        raise RecordError(_why_no_link(text))
    *fields, rest = [*found["data"].split(",", 3), ""][:4]
    if len(fields) < 3:
        raise RecordError("link: it is cut short; expected players with deck, actions and variant, with commas between")
    deck, actions, number = (field.replace("-", "") for field in fields)
    live = LiveGame(
        players=_digit(deck[:1], "the number of players"),
        variant=variant_numbered(_number(number)),
        deck=_deck(deck[1:]),
        actions=_actions(actions),
    )
    remarks = {"turn": found["turn"], "rest": rest}
    written = {"plays": "bare"} if any(action.value is None for action in live.actions) else {}
    types = {"types": actions[:2]} if actions[:2] != _types(live.actions) else {}
    groups = {} if "-" in found["data"] else {"groups": "none"}
    told = {key: value for key, value in remarks.items() if value}
    return to_record(live, {"format": "link", "address": found["address"] or "", **told, **written, **types, **groups})


def _why_no_link(text: str) -> str:
    if number := re.search(r"/(?:(?:shared-)?replay|export)/(\d+)", text):
        return (
            "link: this one names a game on the site by its number, and nothing is fetched here; "
            f"save https://hanab.live/export/{number[1]} as a file and read that"
        )
    expected = "expected .../replay-json/ and then only digits, letters, commas and dashes"
    return f"link: {expected}" if is_link(text) else f"neither JSON nor a link; of a link {expected}"


def _digit(text: str, what: str) -> int:
    if not (text.isdecimal() and text.isascii()):
        raise RecordError(f"link: expected a digit for {what}, not {text!r}")
    return int(text)


def _number(text: str) -> int:
    if not (text.isdecimal() and text.isascii()) or len(text) > 5:
        raise RecordError(f"link: expected the number of a variant at its end, not {text[:20]!r}")
    return int(text)


def _deck(text: str) -> tuple[tuple[int, int], ...]:
    low, high = _digit(text[:1], "the lowest rank"), _digit(text[1:2], "the highest rank")
    if (low, high) != (1, 5):
        raise RecordError(f"link: ranks from {low} to {high}; the variants that can be played here have 1 to 5")
    return tuple((index // 5, index % 5 + 1) for index in map(_index, text[2:]))


def _actions(text: str) -> tuple[Action, ...]:
    low, high = _digit(text[:1], "the lowest kind of action"), _digit(text[1:2], "the highest kind of action")
    if len(text) % 2 or low > high:
        raise RecordError("link: its actions are cut short; each has two characters")
    width = high - low + 1
    found = []
    for first, second in zip(text[2::2], text[3::2], strict=True):
        value, kind = divmod(_index(first), width)
        found.append(Action(kind + low, _index(second), value - 1 if value else None))
    return tuple(found)


def _index(character: str) -> int:
    place = ALPHABET.find(character)
    if place < 0:
        raise RecordError(f"link: {character!r} cannot stand in it")
    return place


def write_link(record: GameRecord) -> str:
    """The link of a record, with the host it came from or hanab.live's; what a link cannot say is refused."""
    if extra := live_options(record.rules).keys() - {"variant"}:
        raise RecordError(f"a link says nothing of options, and this game has {', '.join(sorted(extra))}")
    live = from_record(record, "link")
    if live.start:
        raise RecordError("a link says nothing of options, and in this game another player than the first began")
    kinds = _kept_types(record, live.actions)
    deck = "".join(ALPHABET[suit * 5 + rank - 1] for suit, rank in live.deck)
    data = f"{live.players}15{deck},{kinds}{_action_text(live.actions, kinds)},{live.variant.number}"
    group = len(data) if record.source.get("groups") == "none" else GROUP
    data = "-".join(data[place : place + group] for place in range(0, len(data), group))
    link = record.source.get("address", HOST) + data + _rest(record)
    return link if LINK.fullmatch(link) else HOST + data + _rest(record)


def _rest(record: GameRecord) -> str:
    """What stands behind the game: a fourth field, as some programs add it, and the turn to look at."""
    more, turn = record.source.get("rest", ""), record.source.get("turn", "")
    told = f",{more}" if re.fullmatch(r"[0-9a-zA-Z,-]{1,100}", more) else ""
    return told + (f"#{turn}" if re.fullmatch(r"[0-9]{1,4}", turn) else "")


def _kept_types(record: GameRecord, actions: Sequence[Action]) -> str:
    """The range of kinds of action; some programs write a wider one than the game has."""
    kept, least = record.source.get("types", ""), _types(actions)
    is_range = re.fullmatch(r"[0-5]{2}", kept) and kept[0] <= least[0] and kept[1] >= least[1]
    return kept if is_range else least


def _types(actions: Sequence[Action]) -> str:
    kinds = [action.kind for action in actions]
    return f"{min(kinds)}{max(kinds)}" if kinds else "00"


def _action_text(actions: Sequence[Action], kinds: str) -> str:
    low, width = int(kinds[0]), int(kinds[1]) - int(kinds[0]) + 1
    text = ""
    for action in actions:
        value = 0 if action.value is None else action.value + 1
        index = value * width + action.kind - low
        if action.target < 0 or index >= len(ALPHABET):
            raise RecordError("a link cannot say that nobody in particular ended the game, as a vote or a timeout does")
        text += ALPHABET[index] + ALPHABET[action.target]
    return text
