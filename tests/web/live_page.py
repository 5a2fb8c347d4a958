"""The socket of a page, with the panels that it is sent put together to what the page shows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from starlette.testclient import TestClient, WebSocketTestSession

from kagiya.web.pages import ReceivedPanels


class LivePage:
    """One open page; its frames have the whole page as "main" beside the panels."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self._socket, self._panels = socket, ReceivedPanels()
        self.send_json, self.send_text = socket.send_json, socket.send_text

    def receive_json(self) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = self._socket.receive_json()
        if "panels" in frame:
            self._panels.update(frame["panels"])
            frame["main"] = self._panels.text()
        return frame


@contextmanager
def live(client: TestClient, address: str, **options: Any) -> Iterator[LivePage]:
    """Open a page."""
    with client.websocket_connect(address, **options) as socket:
        yield LivePage(socket)
