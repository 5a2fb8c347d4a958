"""Games from what somebody pasted or gave as a file: our records, positions, and what `kagiya.interop` can read."""

from __future__ import annotations

import re
from pathlib import Path

from kagiya.engine.position import PositionError
from kagiya.engine.record import RecordError
from kagiya.interop.files import read_games
from kagiya.interop.files.reading import is_contents
from kagiya.web.review.story import Story
from kagiya.web.views import RefusedError

LONGEST = 4_000_000  # characters; what comes over a socket is far shorter
MOST_GAMES = 200  # of one text
EXPECTED = (
    "Expected a record (JSON, as kagiya show --save writes it), a game of hanab.live (JSON or a replay-json link), "
    "or a position such as 'alice R1 ...; bob ...'."
)
NUMBERED = re.compile(r"(https?://)?hanab\.live/(shared-)?replay/(\d+)\S*")


def read_stories(text: str, about: str = "pasted") -> list[Story]:
    """The games in a text; what is wrong with it is said, with the number of the move."""
    line = text.strip()
    if not line:
        raise RefusedError(f"There is nothing to read. {EXPECTED}")
    if len(line) > LONGEST:
        raise RefusedError(f"{len(line):,} characters are too many; {LONGEST:,} are read.")
    if found := NUMBERED.fullmatch(line):
        raise RefusedError(
            f"This server asks no other for games: open https://hanab.live/export/{found[3]} and paste what it shows."
        )
    try:
        if line.startswith(("{", "[")) or ("\n" not in line and is_contents(line)):
            return _records(line, about)
        return [Story.of_position(text, about)]
    except PositionError as error:
        raise RefusedError(f"This is not a game: {error}. {EXPECTED}") from None
    except RecordError as error:
        raise RefusedError(f"The game cannot be read: {error}.") from None


def _records(text: str, about: str) -> list[Story]:
    records = read_games(text, names=True)
    if len(records) > MOST_GAMES:
        raise RefusedError(f"{len(records):,} games at once; {MOST_GAMES} are taken. Give fewer.")
    return [Story.of_record(record, about) for record in records]


def read_file(path: Path) -> list[Story]:
    """The games of a file."""
    try:
        content = path.read_bytes()
        return read_stories(content.decode("utf-8-sig"), path.name)
    except UnicodeDecodeError:
        raise RefusedError(f"{path} is not a text file. {EXPECTED}") from None
    except RefusedError as refusal:
        raise RefusedError(f"{path}: {refusal}") from None
