"""Game files: one reader and one writer for all formats, and hanab.live's compact links.

What a file is, its contents say. A file is complete or not there at all. A link is the address of a replay.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote

from kagiya.engine.record import GameRecord, RecordError, write_whole
from kagiya.interop import game_arrays
from kagiya.interop.live_game import Action, LiveGame, from_record, live_options, to_record, variant_numbered
from kagiya.interop.live_json import is_live_json, read_live_json, write_live_json
from kagiya.rules import Rules
from kagiya.spec import near

T = TypeVar("T")
U = TypeVar("U")
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


DECODER = json.JSONDecoder(object_pairs_hook=game_arrays.without_twins)
SPACE = re.compile(r"\s*")
MAX_FILE_BYTES = 1 << 29
MAX_GAME_CHARACTERS = 1 << 20  # characters of a line, or of a file with a single game
GZIP = b"\x1f\x8b"
MANY = 100
MOVE_PLACE = re.compile(r"move \d+(, \w+)?: ('[^']*' is illegal: )?")
COUNTED = ("card ", "score: ", "deck: card ")  # how reasons begin whose numbers are those of one game


@dataclass
class SkippedGames:
    """Games that are left out because something is wrong with them, counted by reason."""

    skip: bool | None = False  # None: if there are more than MANY
    reasons: Counter[str] = field(default_factory=Counter)

    def each(self, games: Sequence[T], convert: Callable[[T], U]) -> Iterator[U]:
        """Each game converted, or skipped; of several, an error says which one it is about."""
        if self.skip is None:
            self.skip = len(games) > MANY
        for number, game in enumerate(games, start=1):
            try:
                yield convert(game)
            except RecordError as error:
                if not self.skip:
                    where = f"game {number}: " if len(games) > 1 else ""
                    raise RecordError(f"{where}{error}") from None
                self.reasons[_reason(str(error))] += 1

    def fitting(self, records: Sequence[GameRecord], why_not: Callable[[GameRecord], str | None]) -> list[GameRecord]:
        """The records that `why_not` says nothing against."""

        def fits(record: GameRecord) -> GameRecord:
            if reason := why_not(record):
                raise RecordError(reason)
            return record

        return self.left([*self.each(records, fits)])

    def left(self, games: list[T]) -> list[T]:
        """The games, if any are left."""
        if not games and self.reasons:
            ((reason, number),) = self.reasons.most_common(1)
            raise RecordError(f"no game is left; {number:,} were left out for this: {reason}")
        return games


def _reason(text: str) -> str:
    """An error without what differs from game to game."""
    text = MOVE_PLACE.sub("", text)
    return re.sub(r"\d+", "N", text) if text.startswith(COUNTED) else text


def read_games(
    source: str | bytes | PathLike[str], names: bool = False, skipped: SkippedGames | None = None
) -> list[GameRecord]:
    """The games of a file, or of what is in one, as text or bytes, packed by gzip or not; each is played through.

    Players' names are left out unless `names` is true. Whatever is wrong is a `RecordError`: a sentence, with the
    number of the game if there are several, and of the move. `skipped=SkippedGames(skip=True)` leaves games out in
    which something is wrong, and counts them.
    """
    content, name = _content(source)
    skipped = skipped or SkippedGames()
    try:
        games = skipped.left([*_games(_unzipped(content), names, skipped)])
        if not games:
            raise RecordError("there is no game in it")
        return games
    except RecordError as error:
        raise RecordError(f"{name}{error}") from None


def _content(source: str | bytes | PathLike[str]) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        return source, ""
    if isinstance(source, str) and is_contents(source):
        return source.encode("utf-8", "replace"), ""
    path = Path(source)
    with path.open("rb") as file:
        return _whole(file.read(MAX_FILE_BYTES + 1), f"{path}: "), f"{path}: "


def _whole(content: bytes, name: str = "") -> bytes:
    if len(content) > MAX_FILE_BYTES:
        raise RecordError(f"{name}files of up to {MAX_FILE_BYTES:,} bytes are read; split it")
    return content


def _unzipped(content: bytes) -> bytes:
    if not content.startswith(GZIP):
        return content
    try:
        with gzip.open(BytesIO(content)) as file:
            return _whole(file.read(MAX_FILE_BYTES + 1))
    except (EOFError, OSError, zlib.error) as error:
        raise RecordError(f"no readable gzip file: {error}") from None


def is_contents(text: str) -> bool:
    """Whether text is a game itself and not the name of a file."""
    line = text.strip()
    return line.startswith(("{", "[")) or "\n" in line or is_link(line)


def _games(content: bytes, names: bool, skipped: SkippedGames) -> Iterator[GameRecord]:
    if game_arrays.is_tensors(content):
        number, read = game_arrays.human_data(content)
        yield from skipped.each(range(number), read)
        return
    try:
        text = content.decode(json.detect_encoding(content)).strip()
    except UnicodeDecodeError as error:
        raise RecordError(f"neither text nor a file of tensors: {error}") from None
    if not text:
        raise RecordError("there is nothing in it")
    if text.startswith(("//", "/*")):
        raise RecordError("it begins with a comment, which JSON does not have; take the comments out")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not text.startswith(("{", "[")):
        if len(lines[0].split()) > 1:  # which no link has
            raise RecordError("it is not a file of games: expected JSON, or hanab.live's links, one on a line")
        yield from skipped.each(lines, read_link)
    elif len(lines) > 1 and 2 * sum(line.startswith("{") and line.endswith("}") for line in lines) >= len(lines):
        yield from skipped.each(lines, lambda line: _game(_json(line)[0], names))
    else:
        games = (game for data in _json(text) for game in _unwrapped(data))
        told = [game for game in games if not isinstance(game, str) or game.strip()]
        yield from skipped.each(told, lambda game: _game(game, names))


def _unwrapped(data: Any) -> list[Any]:
    """The games of a list, or of an object that has nothing but games in it."""
    if isinstance(data, dict) and len(data) == 1 and isinstance(data.get("games"), list):
        data = data["games"]
    if isinstance(data, dict) and len(data) == 1 and isinstance(data.get("game"), dict):
        data = data["game"]
    return data if isinstance(data, list) else [data]


def _json(text: str) -> list[Any]:
    """The values of a text: one, or several one after the other."""
    if len(text) > MAX_GAME_CHARACTERS and not text.startswith("["):
        raise RecordError(f"a game of {len(text):,} characters; at most {MAX_GAME_CHARACTERS:,} are read")
    values, place = [], 0
    try:
        while place < len(text):
            value, place = DECODER.raw_decode(text, place)
            values.append(value)
            place = SPACE.match(text, place).end()  # type: ignore[union-attr]  # nothing is a match too
    except (ValueError, RecursionError) as error:
        raise RecordError(f"no readable JSON: {error}") from None
    return values


def _game(data: Any, names: bool) -> GameRecord:
    if is_live_json(data):
        return read_live_json(data, names)
    if game_arrays.is_numbered(data):
        return game_arrays.read_numbered(data)
    if isinstance(data, dict) and not {"format", "moves"} & data.keys():
        raise RecordError("there are no moves in it; expected moves (our own games), or a deck and actions")
    record = GameRecord.from_json(data)
    return record if names else record.anonymous()


FORMATS: Final = {
    "kagiya": "our own JSON; several games are a list",
    "lines": "our own JSON, a game on each line",
    "live": "hanab.live's JSON; several games are one on each line",
    "link": "hanab.live's compact links, one on each line",
    "hle": "decks and actions by the numbers of the Hanabi Learning Environment, as JSON, one on each line",
    "safetensors": "the arrays of the open human data (AH2AC2)",
}
ENDINGS: Final = {".json": "kagiya", ".jsonl": "lines", ".txt": "link", ".safetensors": "safetensors"}


def write_games(
    records: Iterable[GameRecord],
    out: str | PathLike[str],
    form: str = "",
    names: bool = False,
    skipped: SkippedGames | None = None,
) -> None:
    """Write games to a file, in one of FORMATS; without a form, by the ending of the file's name.

    Players' names are left out unless `names` is true. A game that the format cannot hold is refused by its number,
    and nothing is written; with `skipped` it may be left out instead. A name that ends in .gz is packed by gzip.
    """
    path = Path(out)
    content = games_content(list(records), form or format_of(path), names, skipped)
    write_whole(path, gzip.compress(content, mtime=0) if path.suffix.lower() == ".gz" else content)


def format_of(path: Path) -> str:
    """The format that belongs to the ending of a file's name."""
    ending = path.with_suffix("").suffix if path.suffix.lower() == ".gz" else path.suffix
    if ending.lower() not in ENDINGS:
        known = ", ".join(f"{ending} ({form})" for ending, form in ENDINGS.items())
        names = ", ".join(FORMATS)
        raise RecordError(f"{path}: no format goes by this ending; there are {known}, or name one of {names}")
    return ENDINGS[ending.lower()]


def games_content(
    records: Sequence[GameRecord], form: str, names: bool = False, skipped: SkippedGames | None = None
) -> bytes:
    """What a file with these games holds."""
    skipped = skipped or SkippedGames()
    if form not in FORMATS:
        raise RecordError(f"no format named {form!r}; {near(form, FORMATS)}")
    if not records:
        raise RecordError("there is no game to write")
    told = [record if names else record.anonymous() for record in records]
    if form == "kagiya":
        data = [record.to_json() for record in told]
        return (json.dumps(data[0] if len(data) == 1 else data, indent=1) + "\n").encode()
    if form == "safetensors":
        rules = Rules(players=records[0].rules.players)
        why_not = partial(game_arrays.why_no_tensors, rules)
        return game_arrays.write_human_data(skipped.fitting(records, why_not))
    lines = skipped.left([*skipped.each(told, _WRITERS[form](names))])
    return "".join(f"{line}\n" for line in lines).encode()


_WRITERS: Final[dict[str, Callable[[bool], Callable[[GameRecord], str]]]] = {
    "lines": lambda _: lambda record: json.dumps(record.to_json()),
    "live": lambda names: lambda record: write_live_json(record, names),
    "link": lambda _: write_link,
    "hle": lambda _: game_arrays.write_numbered,
}
