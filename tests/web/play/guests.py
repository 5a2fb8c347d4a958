"""Persons at tables of a server without a browser: pages, sockets, moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.testclient import TestClient

from kagiya.web.app import make_app
from kagiya.web.server_state import Limits, ServerState
from tests.web.live_page import LivePage, live

HERE = "http://127.0.0.1:8025"
LIVE = "ws://127.0.0.1:8025/live?at="


@contextmanager
def served(data: Path | None = None, **limits: Any) -> Iterator[tuple[TestClient, ServerState]]:
    """A server, until the block ends."""
    state = ServerState(Limits(**limits), data=data)
    with TestClient(make_app(state), base_url=HERE) as client:
        yield client, state


class Guest:
    """One open page. All that it receives is kept."""

    def __init__(self, socket: LivePage) -> None:
        self._socket = socket
        self.frames: list[dict[str, Any]] = []
        self.main = self.address = self.title = ""
        self._sent = 0
        self.said = ""

    def receive(self) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = self._socket.receive_json()
        self.frames.append(frame)
        self.main, self.address = frame.get("main", self.main), frame.get("address", self.address)
        self.title = frame.get("title", self.title)
        return frame

    def do(self, what: str, **values: object) -> str:
        """Do something and wait until it is carried out; what the server says to it."""
        self._sent += 1
        self._socket.send_json({"do": what, **{name: str(value) for name, value in values.items()}, "id": self._sent})
        said = ""
        while (frame := self.receive()).get("did") != str(self._sent):
            said = frame.get("say", said)
        self.said = str(frame.get("say", said))
        return self.said

    def wait_for(self, *titles: str) -> None:
        """Until the page is called one of these."""
        while not any(self.title.endswith(title) for title in titles):
            self.receive()

    def wait_until_shown(self, text: str) -> None:
        """Until this stands on the page."""
        while text not in self.main:
            self.receive()

    def wait_for_my_turn(self) -> bool:
        """Until it is this guest's turn; False if the game ends first."""
        self.wait_for("Your turn", "points")
        return self.title == "Your turn"

    @property
    def turn(self) -> int:
        """The turn that the page's buttons are for."""
        found = re.search(r'data-turn="(\d+)"', self.main)
        assert found, "no button on this page"
        return int(found[1])

    @property
    def moves(self) -> list[str]:
        """The moves whose buttons can be pressed."""
        buttons = re.findall(r"<button[^>]*data-do=\"move\"[^>]*>", self.main)
        return [re.findall(r'data-move="([^"]+)"', each)[0] for each in buttons if "aria-disabled" not in each]

    def move_anyway(self, move: str, turn: int) -> str:
        """What a page sends again that has not heard of its move."""
        return self.do("move", move=move, turn=turn)

    def move(self, move: str) -> str:
        """Press a button."""
        return self.do("move", move=move, turn=self.turn)


@contextmanager
def guest(client: TestClient, address: str) -> Iterator[Guest]:
    """Somebody who opens a page."""
    with live(client, LIVE + quote(address, safe="")) as socket:
        visitor = Guest(socket)
        visitor.receive()
        yield visitor
