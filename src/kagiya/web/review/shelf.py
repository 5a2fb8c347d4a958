"""Games given to the server and what was found out about them: files in the user's data folder."""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kagiya.lab.store.opening import user_folder
from kagiya.web.review.story import Story
from kagiya.web.views import NotHereError, RefusedError

KEY = re.compile(r"[0-9a-f]{20}")
MOST_GAMES = 10_000
GAME = "game"


def games_folder() -> Path:
    """Where games are kept unless something else is said."""
    return user_folder() / "reviewed"


@dataclass(frozen=True)
class Entry:
    """A game on the shelf."""

    key: str
    title: str
    about: str


class Shelf:
    """A folder with a folder for each game: the game itself, judgements, branches. Files are complete or not there."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or games_folder()

    def put(self, story: Story) -> str:
        """Keep a game; its key. A game that is there already becomes the most recent one."""
        if not self.has(story.key) and sum(1 for _ in self._keys()) >= MOST_GAMES:
            raise RefusedError(
                f"{MOST_GAMES:,} games are kept in {self.folder} already; move some elsewhere to make room."
            )
        self.write(story.key, GAME, {"title": story.title, **story.to_json()})
        return story.key

    def has(self, key: str) -> bool:
        """Whether a game is there."""
        return self._file(key, GAME).is_file()

    def story(self, key: str) -> Story:
        """A game that was put here."""
        data = self.read(key, GAME)
        if data is None:
            raise NotHereError("This game is not here; give it again on the page Review.")
        try:
            return Story.from_json(data)
        except (ValueError, TypeError, AttributeError, KeyError) as error:
            raise RefusedError(f"The file of this game is damaged: {error}") from None

    def recent(self, most: int = 20) -> list[Entry]:
        """The games that were given last."""
        dated = []
        for key in self._keys():
            try:
                dated.append((self._file(key, GAME).stat().st_mtime, key))
            except OSError:
                continue
        found = ((key, self.read(key, GAME)) for _, key in sorted(dated, reverse=True)[:most])
        return [
            Entry(key, str(data.get("title", key)), str(data.get("about", "")))
            for key, data in found
            if isinstance(data, dict)
        ]

    def read(self, key: str, name: str) -> Any:
        """What was written under a name about a game; None if nothing readable is there."""
        try:
            return json.loads(self._file(key, name).read_bytes())
        except (OSError, ValueError, RecursionError):
            return None

    def write(self, key: str, name: str, data: Any) -> None:
        """Keep plain data about a game under a name."""
        file = self._file(key, name)
        part = file.with_name(f"{file.name}.{uuid.uuid4().hex}.part")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(json.dumps(data, separators=(",", ":")), encoding="utf-8")
            part.replace(file)
        except OSError as error:
            raise RefusedError(f"It could not be kept in {self.folder}: {error.strerror or error}.") from None
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def _keys(self) -> Iterator[str]:
        try:
            with os.scandir(self.folder) as entries:
                yield from (entry.name for entry in entries if KEY.fullmatch(entry.name))
        except OSError:
            return

    def _file(self, key: str, name: str) -> Path:
        if not KEY.fullmatch(key):
            raise NotHereError("This is not the key of a game.")
        return self.folder / key / f"{name}.json"
