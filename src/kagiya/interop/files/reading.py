"""One reader for all game files: what a file is, its contents say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop.files.human_data import read_human_data
from kagiya.interop.files.links import is_link, read_link
from kagiya.interop.files.live_json import is_live_json, read_live_json
from kagiya.interop.files.numbered import is_numbered, read_numbered
from kagiya.interop.files.tensors import is_tensors, without_twins

DECODER = json.JSONDecoder(object_pairs_hook=without_twins)
SPACE = re.compile(r"\s*")
LARGEST_FILE = 1 << 29
LARGEST_GAME = 1 << 20  # characters of a line, or of a file with a single game


def read_games(source: str | bytes | PathLike[str], names: bool = False) -> list[GameRecord]:
    """The games of a file, or of what is in one, as text or bytes; each is played through and checked.

    Players' names are left out unless `names` is true. Whatever is wrong is a `RecordError`: a sentence, with the
    number of the game if there are several, and of the move.
    """
    content, name = _content(source)
    try:
        games = list(_games(content, names))
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
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise RecordError(f"{path}: files of up to {LARGEST_FILE:,} bytes are read; split it")
    return content, f"{path}: "


def is_contents(text: str) -> bool:
    """Whether text is a game itself and not the name of a file."""
    line = text.strip()
    return line.startswith(("{", "[")) or "\n" in line or is_link(line)


def _games(content: bytes, names: bool) -> Iterator[GameRecord]:
    if is_tensors(content):
        yield from read_human_data(content)
        return
    try:
        text = content.decode(json.detect_encoding(content)).strip()
    except UnicodeDecodeError as error:
        raise RecordError(f"neither text nor a file of tensors: {error}") from None
    if not text:
        raise RecordError("there is nothing in it")
    if text.startswith(("//", "/*")):
        raise RecordError("it begins with a comment, which JSON does not have; take the comments out")
    if not text.startswith(("{", "[")):
        if len(text.splitlines()[0].split()) > 1:  # which no link has
            raise RecordError("it is not a file of games: expected JSON, or hanab.live's links, one on a line")
        yield from _numbered(text.splitlines(), read_link)
        return
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and all(line.lstrip().startswith("{") and line.rstrip().endswith("}") for line in lines):
        yield from _numbered(lines, lambda line: _game(_json(line)[0], names))
        return
    yield from _numbered([game for data in _json(text) for game in _unwrapped(data)], lambda game: _game(game, names))


def _unwrapped(data: Any) -> list[Any]:
    """The games of a list, or of an object that has nothing but games in it."""
    if isinstance(data, dict) and len(data) == 1 and isinstance(data.get("games"), list):
        data = data["games"]
    if isinstance(data, dict) and len(data) == 1 and isinstance(data.get("game"), dict):
        data = data["game"]
    return data if isinstance(data, list) else [data]


def _numbered(items: list[Any], read: Any) -> Iterator[GameRecord]:
    chosen = [item for item in items if not isinstance(item, str) or item.strip()]
    for number, item in enumerate(chosen, start=1):
        try:
            yield read(item.strip() if isinstance(item, str) else item)
        except RecordError as error:
            where = f"game {number}: " if len(chosen) > 1 else ""
            raise RecordError(f"{where}{error}") from None


def _json(text: str) -> list[Any]:
    """The values of a text: one, or several one after the other."""
    if len(text) > LARGEST_GAME and not text.startswith("["):
        raise RecordError(f"a game of {len(text):,} characters; at most {LARGEST_GAME:,} are read")
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
    if is_numbered(data):
        return read_numbered(data)
    if isinstance(data, dict) and not {"format", "moves"} & data.keys():
        raise RecordError("there are no moves in it; expected moves (our own games), or a deck and actions")
    record = GameRecord.from_json(data)
    return record if names else record.anonymous()
