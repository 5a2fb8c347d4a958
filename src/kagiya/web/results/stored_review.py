"""The way from a stored game to its review: it is read from the store, kept, and looked at there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kagiya.drawing.markup import Markup
from kagiya.lab.store.cells import StoredGame, find_stored_game
from kagiya.lab.store.store import Store
from kagiya.web.results.reading import Question
from kagiya.web.results.store_page import StorePage
from kagiya.web.review.reviewed_game import ReviewedGame
from kagiya.web.review.upload_page import put_away
from kagiya.web.server.state import ServerState
from kagiya.web.views import Address, ElsewhereError, NotHereError


@dataclass(frozen=True)
class GameQuestion(Question[StoredGame]):
    """Asked for one game."""

    seating: int
    seed: int

    def answer(self, store: Store) -> StoredGame:
        """The game is played again and checked."""
        return find_stored_game(store, self.seating, self.seed)


class StoredReview(StorePage[StoredGame]):
    """`/review/store/SEATING/SEED`: leads to the review of that game."""

    title = "A stored game"

    def __init__(self, state: ServerState, address: Address, visitor: str, seating: str, seed: str) -> None:
        self._folder = state.reviews.folder
        super().__init__(state, address, visitor, GameQuestion(_number(seating), _number(seed)))

    async def ready(self, patience: float) -> None:
        """Goes on to the review as soon as the game is there."""
        await super().ready(patience)
        if self.answer.is_there and self.answer.problem is None:
            raise ElsewhereError(put_away([story_of(self.answer.value)], self._folder))

    def draw_answer(self, answer: StoredGame) -> Markup:
        """Reached only if reading took longer than a page waits."""
        raise ElsewhereError(put_away([story_of(answer)], self._folder))

    def plain(self, answer: StoredGame) -> dict[str, Any]:
        """The record."""
        return {"record": answer.record.to_json()}


def story_of(game: StoredGame) -> ReviewedGame:
    """The game with where it comes from: run and code stand in its source."""
    source = {
        **game.record.source,
        "format": "store",
        "seating": str(game.seating),
        "seed": str(game.seed),
        "code": game.code,
    }
    if game.run is not None:
        source["run"] = str(game.run)
    about = f"deck {game.seed} of seating {game.seating} in the store"
    return ReviewedGame.of_record(replace(game.record, source=source), about)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise NotHereError(f"A stored game is found at /review/store/SEATING/DECK, both numbers, not {text!r:.60}.")
    return int(text)
