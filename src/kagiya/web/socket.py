"""The socket of a page: what is done on it comes in, the page as it is now goes out."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from kagiya.drawing.canvas import Markup
from kagiya.web.pages import Address, ElsewhereError, Message, Notifier, RefusedError, ShownPanels, View, notice
from kagiya.web.rate_limits import RateLimit

log = logging.getLogger("kagiya.web")

TOO_MANY = 1013  # "try again later", as the protocol has it
DRAW_TIMEOUT = 2.0  # seconds that a view may take until it is drawn without what it waits for
MAX_MESSAGE_BYTES = 65_536  # of one message; a longer one ends the connection


class PageConnection:
    """One open page. Frames to it are JSON: {"panels": those that differ, "title": text, "address": text},
    {"say": text}, {"did": number of the message that was carried out}."""

    def __init__(self, socket: WebSocket, visitor: str) -> None:
        self._socket, self._visitor = socket, visitor
        self._pages, self._limit = socket.app.state.pages, socket.app.state.connections
        self._view: View | None = None
        self._moved = asyncio.Event()  # the visitor looks at another view
        self._shown = ShownPanels()
        self._named = ("", "")  # title and address, as the page has them
        self._drawn: tuple[View | None, object] = (None, None)  # the view that was drawn last, at which version

    async def run(self, address: str) -> None:
        """Until the page is closed."""
        await self._socket.accept()
        try:
            with self._limit.one_page(self._visitor):
                await self._stay(address)
        except WebSocketDisconnect:
            pass
        except RefusedError as refusal:
            await self._socket.close(TOO_MANY, str(refusal))

    async def _stay(self, address: str) -> None:
        drawing, rate = asyncio.create_task(self._draw_whenever_changed()), RateLimit()
        try:
            await self._receive(json.dumps({"do": "go", "to": address}))
            while True:
                text = await self._socket.receive_text()
                if delay := rate.delay():
                    await self._send({"say": "That was more than a page can do at once; the rest takes a while."})
                await asyncio.sleep(delay)  # other pages have their turn even if much came at once
                await self._receive(text)
        finally:
            drawing.cancel()
            if self._view is not None:
                self._view.leave()

    async def _receive(self, text: str) -> None:
        message: Message = {}
        answer = {}
        try:
            message = read_message(text)
            self._carry_out(message)
            await self._wait_for_view()
        except RefusedError as refusal:
            answer["say"] = str(refusal)
        except Exception as error:
            log.exception("a message could not be carried out")
            answer["say"] = f"Something went wrong inside Kagiya ({type(error).__name__}); nothing was changed."
        if "id" in message:
            answer["did"] = message["id"]
        await self._draw()
        if answer:
            await self._send(answer)

    async def _wait_for_view(self) -> None:
        """Until it can be drawn, for a while; a view may know that it is found elsewhere."""
        try:
            if self._view is not None:
                await self._view.ready(DRAW_TIMEOUT)
        except ElsewhereError as elsewhere:
            self._go(str(elsewhere.address))

    def _carry_out(self, message: Message) -> None:
        if message["do"] == "go":
            self._go(message.get("to", ""))
            return
        if self._view is None:
            raise RefusedError("There is nothing at this address to do something with.")
        if message.get("at", self._view.address.path) != self._view.address.path:
            return  # done on the page before this one, as the second click of a double click is
        address = self._view.receive(message)
        if address is not None:
            self._go(str(address))

    def _go(self, address: str) -> View:
        view: View = self._pages.open(Address.parse(address), self._visitor)
        if self._view is not None:
            self._view.leave()
        self._view = view
        self._moved.set()
        return view

    async def _draw_whenever_changed(self) -> None:
        while True:
            self._moved.clear()
            changes = self._view.changes if self._view is not None else None
            if changes is None:
                await self._moved.wait()
                continue
            with changes.listening() as changed:
                await self._draw_while(changed, changes)

    async def _draw_while(self, changed: asyncio.Event, changes: Notifier) -> None:
        """Draw after each change, until the visitor looks at something else, or the view at other changes."""
        moved = waiting = asyncio.create_task(self._moved.wait())
        try:
            while not self._moved.is_set() and self._view is not None and self._view.changes is changes:
                waiting = asyncio.create_task(changed.wait())
                await asyncio.wait((waiting, moved), return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if self._moved.is_set():  # the other view is drawn where it was opened, when it is ready
                    return
                changed.clear()
                await self._draw()
        finally:
            moved.cancel()
            waiting.cancel()

    async def _draw(self) -> None:
        """Send the view if it is not what the page shows already."""
        if self._view is None:
            return
        now = self._view, self._view.version
        if now == self._drawn and now[1] is not None:
            return
        self._drawn = now
        panels = self._shown.update(self._picture(self._view))
        named = self._view.title, str(self._view.address)
        if panels or named != self._named:
            self._named = named
            await self._send({"panels": panels, "title": named[0], "address": named[1]})

    def _picture(self, view: View) -> Markup:
        """What the view draws, or why it cannot: the page goes on when it can again."""
        try:
            return self._drawn_here_or_elsewhere(view)
        except RefusedError as refusal:
            return notice("This cannot be shown", str(refusal))
        except Exception as error:
            log.exception("a page could not be drawn")
            return notice("This cannot be shown", f"Something went wrong inside Kagiya ({type(error).__name__}).")

    def _drawn_here_or_elsewhere(self, view: View) -> Markup:
        try:
            return view.draw()
        except ElsewhereError as elsewhere:
            return self._go(str(elsewhere.address)).draw()

    async def _send(self, frame: dict[str, Any]) -> None:
        await self._socket.send_text(json.dumps(frame, ensure_ascii=False, separators=(",", ":")))


def read_message(text: str) -> Message:
    """An object of short texts with at least "do"; anything else is refused."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise RefusedError("The page sent something that is not JSON.") from None
    if not isinstance(message, dict) or not isinstance(message.get("do"), str):
        raise RefusedError('A message is an object with a text under "do".')
    return {str(name): value if isinstance(value, str) else json.dumps(value) for name, value in message.items()}
