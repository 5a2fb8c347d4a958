"""A visitor as the server sees one: a page's socket, buttons found on it and pressed, answers timed."""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import Any
from urllib.parse import quote

from websockets.asyncio.client import ClientConnection, connect

from kagiya.web.panels import ReceivedPanels

BUTTON = re.compile(r'<button[^>]*data-do="move"[^>]*>')
AROUND = re.compile(r"<[^>]* data-with[^>]*>")  # an element whose values are sent with whatever is done inside
PATIENCE = 120.0  # seconds until an answer must be there


class Visitor:
    """One open page."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._sent = socket, 0
        self._panels = ReceivedPanels()
        self.main = self.title = self.address = ""
        self.turns = 0  # seen so far, one's own and those of agents

    @classmethod
    async def at(cls, server: str, address: str) -> Visitor:
        """Somebody who opens a page and waits until it is drawn."""
        headers = {"Origin": server.rstrip("/")}
        place = f"{server.replace('http', 'ws')}live?at={quote(address, safe='')}"
        visitor = cls(await connect(place, additional_headers=headers, max_size=None))
        await visitor.receive()
        return visitor

    async def receive(self) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(self._socket.recv(), PATIENCE))
        self.title, self.address = frame.get("title", self.title), frame.get("address", self.address)
        if "panels" in frame:
            self._panels.update(frame["panels"])
            self.main = self._panels.text()
        return frame

    async def do(self, what: str, **values: str) -> float:
        """Do something; the seconds until the server says that it is done, the page drawn before that."""
        self._sent += 1
        started = time.perf_counter()
        await self._socket.send(json.dumps({"do": what, **values, "id": str(self._sent)}))
        frame: dict[str, Any] = {}
        while frame.get("did") != str(self._sent):
            frame = await self.receive()
            if "say" in frame:
                raise RuntimeError(f"the server refused to {what}: {frame['say']}")
        return time.perf_counter() - started

    async def move(self) -> float | None:
        """Press one of the buttons; None if the game is over, and another is begun."""
        while not (self.title == "Your turn" or self.title.endswith("points") or self.title.endswith("point")):
            await self.receive()
        if self.title != "Your turn":
            await self.do("again")
            return None
        buttons = [each for each in BUTTON.findall(self.main) if "aria-disabled" not in each]
        [move] = re.findall(r'data-move="([^"]*)"', buttons[self._sent % len(buttons)])
        around = next(each for each in AROUND.findall(self.main) if "data-turn" in each)
        where = dict(re.findall(r'data-(turn|branch)="(\d+)"', around))
        return await self.do("move", move=move, **where)

    async def leave(self) -> None:
        """Close the page."""
        await self._socket.close()
