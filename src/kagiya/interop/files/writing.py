"""One writer for all game files; a file is complete or not there at all."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from pathlib import Path
from typing import Final

from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop.files.human_data import write_human_data
from kagiya.interop.files.links import write_link
from kagiya.interop.files.live_json import write_live_json
from kagiya.interop.files.numbered import write_numbered
from kagiya.spec import near

FORMATS: Final = {
    "kagiya": "our own JSON; several games are a list",
    "lines": "our own JSON, a game on each line",
    "live": "hanab.live's JSON; several games are one on each line",
    "link": "hanab.live's compact links, one on each line",
    "hle": "decks and actions by the numbers of the Hanabi Learning Environment, as JSON, one on each line",
    "safetensors": "the arrays of the open human data (AH2AC2)",
}
ENDINGS: Final = {".json": "kagiya", ".jsonl": "lines", ".txt": "link", ".safetensors": "safetensors"}


def write_games(records: Iterable[GameRecord], out: str | PathLike[str], form: str = "", names: bool = False) -> None:
    """Write games to a file, in one of FORMATS; without a form, by the ending of the file's name.

    Players' names are left out unless `names` is true. A game that the format cannot hold is refused by its number,
    and nothing is written.
    """
    path = Path(out)
    content = games_content(list(records), form or format_of(path), names)
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def format_of(path: Path) -> str:
    """The format that belongs to the ending of a file's name."""
    if path.suffix.lower() not in ENDINGS:
        known = ", ".join(f"{ending} ({form})" for ending, form in ENDINGS.items())
        raise RecordError(
            f"{path}: no format goes by this ending; there are {known}, or name one of {', '.join(FORMATS)}"
        )
    return ENDINGS[path.suffix.lower()]


def games_content(records: Sequence[GameRecord], form: str, names: bool = False) -> bytes:
    """What a file with these games holds."""
    if form not in FORMATS:
        raise RecordError(f"no format named {form!r}; {near(form, FORMATS)}")
    if not records:
        raise RecordError("there is no game to write")
    if form == "safetensors":
        return write_human_data(records)
    told = [record if names else record.anonymous() for record in records]
    if form == "kagiya":
        data = [record.to_json() for record in told]
        return (json.dumps(data[0] if len(data) == 1 else data, indent=1) + "\n").encode()
    return "".join(f"{line}\n" for line in _lines(told, _WRITERS[form](names))).encode()


def _lines(records: Sequence[GameRecord], write: Callable[[GameRecord], str]) -> Iterable[str]:
    for number, record in enumerate(records, start=1):
        try:
            yield write(record)
        except RecordError as error:
            where = f"game {number}: " if len(records) > 1 else ""
            raise RecordError(f"{where}{error}") from None


_WRITERS: Final[dict[str, Callable[[bool], Callable[[GameRecord], str]]]] = {
    "lines": lambda _: lambda record: json.dumps(record.to_json()),
    "live": lambda names: lambda record: write_live_json(record, names),
    "link": lambda _: write_link,
    "hle": lambda _: write_numbered,
}
