"""The page where a review begins: paste a game, open a file, or take one that was looked at before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kagiya.drawing.canvas import Markup, element, joined
from kagiya.web.pages import Address, Message, View
from kagiya.web.review.reviewed_game import ReviewedGame, ReviewFolder, read_stories
from kagiya.web.server_state import ServerState


class UploadPage(View):
    """The page /review."""

    title = "Review a game"

    def __init__(self, state: ServerState, address: Address, visitor: str) -> None:
        self.address, self._folder = address, state.reviews.folder

    def draw(self) -> Markup:
        return element("div", element("h1", self.title), _form(), self._recent(), class_="panels entrance")

    def to_json(self) -> dict[str, Any]:
        games = [
            {"address": f"/review/game/{entry.key}", "title": entry.title, "about": entry.about}
            for entry in self._folder.recent()
        ]
        return {"recent": games}

    def receive(self, message: Message) -> Address | None:
        if message["do"] != "read":
            return super().receive(message)
        return put_away(read_stories(message.get("text", "")), self._folder)

    def _recent(self) -> Markup:
        games = self._folder.recent()
        items = [
            element(
                "li",
                element("a", entry.title, href=f"/review/game/{entry.key}", id=f"game-{entry.key}", data_live=True),
            )
            for entry in games
        ]
        listed = element("ol", items) if items else element("p", "No games have been reviewed here yet.", class_="soft")
        return element("section", element("h2", "Recent games"), listed)


def put_away(stories: Sequence[ReviewedGame], folder: ReviewFolder) -> Address:
    """Keep games; where to look at them: a single one opens, several stand among the recent ones."""
    for story in reversed(stories):
        folder.put(story)
    if len(stories) > 1:
        return Address("/review")
    address = Address(f"/review/game/{stories[0].key}")
    turn = stories[0].shown_turn
    return address if turn is None else address.with_query(turn=turn)


def _form() -> Markup:
    paste = element("label", "A record, a position, or a game of hanab.live (JSON or link)", for_="pasted")
    box = element("textarea", id="pasted", name="text", rows=8, spellcheck="false", autocomplete="off", required=True)
    file = element(
        "label", "or a file: ", element("input", type="file", id="file", data_into="pasted", accept=".json,.txt,.pos")
    )
    button = element("button", "Review this game", type="submit", id="read", class_="main")
    return element(
        "section",
        element("form", joined(paste, box, file, button), data_do="read", id="reading", class_="review-reading"),
    )
