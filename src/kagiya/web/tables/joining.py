"""The page of an invitation: sit down at somebody's table."""

from __future__ import annotations

from typing import Any

from kagiya.drawing.markup import Markup, element
from kagiya.web.server.state import ServerState
from kagiya.web.views import Address, Message, View


class JoinView(View):
    """Who is at the table, and the chair that is free."""

    title = "Sit down"

    def __init__(self, state: ServerState, address: Address, visitor: str, table: str, word: str) -> None:
        self.address, self._tables, self._name, self._word = address, state.tables, table, word
        self._visitor = visitor
        with self._tables.visiting(table) as visited:
            self._setup = visited.setup
            self._seat = self._tables.invited(visited, word)

    def draw(self) -> Markup:
        """One button."""
        name = self._setup.names[self._seat]
        others = " and ".join(other for seat, other in enumerate(self._setup.names) if seat != self._seat)
        return element(
            "section",
            element("h1", f"Play Hanabi with {others}"),
            element("p", "Keep the address of the next page: it is your seat, and nobody else's."),
            element("button", f"Sit down as {name}", type="button", id="join", class_="main", data_do="join"),
            class_="notice",
        )

    def to_json(self) -> dict[str, Any]:
        """Who is at the table."""
        return {"names": list(self._setup.names), "seat": int(self._seat)}

    def receive(self, message: Message) -> Address | None:
        """Take the seat."""
        if message["do"] != "join":
            return super().receive(message)
        return self._tables.join(self._name, self._word, self._visitor)
