"""Work on a game, waited for."""

from __future__ import annotations

import time
from typing import Any

from starlette.testclient import TestClient

from tests.children import LONGEST
from tests.web.live_page import live
from tests.web.review.games import LIVE, said

BETWEEN_LOOKS = 0.02  # seconds


def settled(client: TestClient, address: str, longest: float = LONGEST) -> dict[str, Any]:
    """The page as JSON once nobody works on it."""
    end = time.monotonic() + longest
    while time.monotonic() < end:
        told: dict[str, Any] = client.get(f"/json{address}").json()
        if not told["working"]:
            return told
        time.sleep(BETWEEN_LOOKS)
    raise AssertionError("the work on the game has not ended")


def done(client: TestClient, address: str, message: dict[str, str], longest: float = LONGEST) -> dict[str, Any]:
    """The page as JSON after something was done on it, and all that follows."""
    with live(client, f"{LIVE}{address.replace('&', '%26')}") as page:
        page.receive_json()
        told = said(page, message)
        assert "say" not in told, told["say"]
    return settled(client, address, longest)
