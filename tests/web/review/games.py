"""Games to look at, and a client that looks at them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.table.session import play_from
from kagiya.rules import Rules
from kagiya.web.app import make_app
from kagiya.web.server_state import ServerState
from tests.web.live_page import live

HERE = "http://127.0.0.1:8025"
LIVE = "ws://127.0.0.1:8025/live?at="
SEATS = ("smartbot", "vdb", "careful")
POSITION = "tokens 3; fireworks R2 G1; alice R3 Y4 G1 B5 W2; bob R1 R4 G2 B1 W1; cathy Y1 Y1 G4 B2 B3"


@cache
def recorded(seed: int = 7, seats: tuple[str, ...] = SEATS) -> GameRecord:
    """A whole game of these agents."""
    return GameRecord.of(play_from(Game(Rules(players=len(seats)), seed), seats, seed), seats, seed)


def pasted(record: GameRecord) -> str:
    """What somebody pastes."""
    return json.dumps(record.to_json())


@contextmanager
def looking(folder: Path, **state: Any) -> Iterator[TestClient]:
    """A client of a server that keeps its games in this folder."""
    with TestClient(make_app(ServerState(review_folder=folder, **state)), base_url=HERE) as client:
        yield client


def said(page: Any, message: dict[str, str]) -> dict[str, Any]:
    """All that the page is told after a message, in one object."""
    page.send_json({**message, "id": "last"})
    told: dict[str, Any] = {}
    while told.get("did") != "last":
        told |= page.receive_json()
    return told


def opened(client: TestClient, text: str) -> str:
    """The address of the game in a text that was pasted."""
    with live(client, f"{LIVE}/review") as page:
        page.receive_json()
        told = said(page, {"do": "read", "text": text})
        assert "say" not in told, told
        return str(told["address"])
