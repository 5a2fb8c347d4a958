"""Visitors at many tables, each making a move every so often, and what the server used for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya.runtime.child import Child
from kagiya.web.bench.visitor import ANSWER_TIMEOUT, Visitor

TABLE = "/?players=3&pause=0"
EVERY = 2.0  # seconds between two moves at a table


@dataclass(frozen=True)
class Usage:
    """What the server used until now, and how long its loop was held since it was last asked."""

    cpu: float  # seconds
    memory: int  # bytes
    tables: int  # open ones
    held: list[float]  # seconds

    @property
    def held_99(self) -> float:
        """The 99th percentile."""
        return percentile(self.held, 99)


class Server:
    """The server that is measured."""

    def __init__(self, folder: str) -> None:
        self._child = Child("kagiya.web.bench.server_process", folder)
        self.address: str = self._child.receive(ANSWER_TIMEOUT)["address"]

    def usage(self) -> Usage:
        self._child.send("usage")
        return Usage(**self._child.receive(ANSWER_TIMEOUT))

    def close(self) -> None:
        self._child.kill()


def percentile(values: Sequence[float], share: float) -> float:
    """Of some measured values; 0 if there are none."""
    return float(np.percentile(values, share)) if values else 0.0


async def sit_down(server: str, tables: int, address: str = TABLE) -> list[Visitor]:
    """So many visitors, each at a table of its own."""
    visitors = []
    for _ in range(tables):
        visitor = await Visitor.at(server, address)
        await visitor.do("start")
        visitors.append(visitor)
    return visitors


async def play(visitors: Sequence[Visitor], seconds: float) -> list[float]:
    """How long each move took to be answered, in so many seconds of play."""
    end = time.perf_counter() + seconds
    found = await asyncio.gather(*(_play(each, number / len(visitors), end) for number, each in enumerate(visitors)))
    return [took for times in found for took in times]


async def _play(visitor: Visitor, phase: float, end: float) -> list[float]:
    times: list[float] = []
    await asyncio.sleep(phase * EVERY)
    while time.perf_counter() < end:
        took = await visitor.move()
        if took is not None:
            times.append(took)
            await asyncio.sleep(max(0.0, EVERY - took))
    return times


async def leave(visitors: Sequence[Visitor]) -> None:
    """Close all these pages."""
    await asyncio.gather(*(visitor.leave() for visitor in visitors))


async def open_and_leave(server: str, tables: int) -> None:
    """One table after the other is set up, looked at and left."""
    for _ in range(tables):
        await leave(await sit_down(server, 1))


async def stop_a_coach(server: str) -> float:
    """The seconds until the word to stop is answered while a coach thinks."""
    [visitor] = await sit_down(server, 1)
    turn: dict[str, Any] = {"turn": "0", "branch": "0"}
    await visitor.do("coach", judge="smartbot", **turn)
    took = await visitor.do("stop-coach", **turn)
    await visitor.leave()
    return took
