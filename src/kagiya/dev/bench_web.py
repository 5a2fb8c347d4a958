"""A benchmark of the web table: visitors who play at many tables of a server in a process of its own.

Run as a program this module is that server: it says what it used, and how long its event loop was held.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import resource
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from kagiya.runtime.child import Child, Parent
from kagiya.web.app import address_of, listen, make_server
from kagiya.web.pages import ReceivedPanels
from kagiya.web.server_state import Limits, ServerState

STAGES = 6  # of the whole measurement, for a progress bar
AGENTS = ("careful", "ris-mcts", "smartbot", "depth-one(smartbot)")  # that play, search and judge here
TABLE = "/?players=3&pause=0"
SEARCHES = "/?players=2&pause=0&seat1=ris-mcts(time%3D30s)&seat2=human"  # the search moves first
IN_PYTHON = "/?players=2&pause=0&seat1=careful-python&seat2=human"
MOVE_INTERVAL = 2.0  # seconds between two moves at a table
TIMEOUT = 120.0  # seconds until an answer must be there
BEAT = 0.005  # seconds between two looks at the clock; what is more was taken by something else
MAX_TABLES = 1_000_000  # the bench leaves more behind than a server keeps
STATISTICS = Path("/proc/self/statm")
BUTTON = re.compile(r'<button[^>]*data-do="move"[^>]*>')
AROUND = re.compile(r"<[^>]* data-with[^>]*>")  # an element whose values are sent with whatever is done inside


@dataclass(frozen=True)
class WebReport:
    """Seconds, unless the name says otherwise."""

    tables: int
    one_table_95: float  # a move's answer, 95th percentile
    all_tables_95: float
    with_searches_95: float  # all tables, while two searches think
    cpu_per_move: float  # one's own and those of the agents
    table_bytes: float
    first_load_bytes: int
    opened: int  # tables that were opened and left
    growth: float  # of the memory by them, as a share
    held_idle_99: float  # the loop, 99th percentile
    held_searching_99: float
    held_python_99: float
    held_compiling_99: float
    stop: float  # until the word to stop is answered

    @property
    def crowd_ratio(self) -> float:
        """All tables against one."""
        return self.all_tables_95 / self.one_table_95 if self.one_table_95 else 0.0

    @property
    def search_ratio(self) -> float:
        """With two searches against without."""
        return self.with_searches_95 / self.all_tables_95 if self.all_tables_95 else 0.0

    def to_json(self) -> dict[str, Any]:
        """Plain data, with the ratios."""
        return {**asdict(self), "crowd_ratio": self.crowd_ratio, "search_ratio": self.search_ratio}


def measure_web(
    tables: int, seconds: float, opened: int, tell: Callable[[str], None] = lambda words: None
) -> WebReport:
    """All of it, in one run."""
    with tempfile.TemporaryDirectory() as folder:
        server = MeasuredServer(folder)
        try:
            return asyncio.run(_measure(server, tables, seconds, opened, tell))
        finally:
            server.close()


async def _measure(
    server: MeasuredServer, tables: int, seconds: float, opened: int, tell: Callable[[str], None]
) -> WebReport:
    address = server.address
    first_load = load_bytes(address)
    await leave(await sit_down(address, 3))
    tell("one table")
    [one] = await sit_down(address, 1)
    one_times = await play([one], seconds)
    await one.leave()
    tell(f"{tables} tables")
    before = server.usage()
    visitors = await sit_down(address, tables)
    seated = server.usage()
    times = await play(visitors, seconds)
    played = server.usage()
    moves = 3 * len(times)
    tell("and two searches")
    searchers = await sit_down(address, 2, SEARCHES)
    with_searches = await play(visitors, seconds)
    searching = server.usage()
    await leave([*searchers, *visitors])
    tell("a Python agent")
    guests = await sit_down(address, 1, IN_PYTHON)
    await play(guests, min(seconds, 10.0))
    in_python = server.usage()
    tell("the compiler")
    with compiler_at_work():
        await play(guests, min(seconds, 10.0))
        compiling = server.usage()
    await leave(guests)
    stop = await stop_a_coach(address)
    tell(f"{opened} tables opened and left")
    await open_and_leave(address, max(opened // 10, 1))
    settled = server.usage()
    await open_and_leave(address, opened)
    left = server.usage()
    return WebReport(
        tables=tables,
        one_table_95=percentile(one_times, 95),
        all_tables_95=percentile(times, 95),
        with_searches_95=percentile(with_searches, 95),
        cpu_per_move=(played.cpu - seated.cpu) / max(moves, 1),
        table_bytes=(seated.memory - before.memory) / tables,
        first_load_bytes=first_load,
        opened=opened,
        growth=left.memory / settled.memory - 1,
        held_idle_99=played.held_99,
        held_searching_99=searching.held_99,
        held_python_99=in_python.held_99,
        held_compiling_99=compiling.held_99,
        stop=stop,
    )


@contextmanager
def compiler_at_work() -> Iterator[None]:
    """While the block runs, a process compiles the table into an empty folder, as the server would have it done."""
    with tempfile.TemporaryDirectory() as folder:
        child = Child("kagiya.web.compile_process", "standard", "2", environment={"KAGIYA_CACHE_DIR": folder})
        try:
            child.receive(TIMEOUT)
            yield
        finally:
            child.kill()


def load_bytes(server: str) -> int:
    """The page and all files that it names, as a browser gets them."""

    def read(path: str) -> bytes:
        asked = urllib.request.Request(server.rstrip("/") + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            found: bytes = answer.read()
            return found

    page = read(TABLE)
    files = set(re.findall(r'(?:href|src)="(/(?:static/[^"]+|suits\.css))"', page.decode()))
    return len(page) + sum(len(read(file)) for file in files)


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


class MeasuredServer:
    """The server that is measured."""

    def __init__(self, folder: str) -> None:
        self._child = Child("kagiya.dev.bench_web", folder)
        self.address: str = self._child.receive(TIMEOUT)["address"]

    def usage(self) -> Usage:
        self._child.send("usage")
        return Usage(**self._child.receive(TIMEOUT))

    def close(self) -> None:
        self._child.kill()


def percentile(values: Sequence[float], share: float) -> float:
    """Of some measured values; 0 if there are none."""
    return float(np.percentile(values, share)) if values else 0.0


async def sit_down(server: str, tables: int, address: str = TABLE) -> list[Visitor]:
    """Visitors, each at a table of its own."""
    visitors = []
    for _ in range(tables):
        visitor = await Visitor.at(server, address)
        await visitor.do("start")
        visitors.append(visitor)
    return visitors


async def play(visitors: Sequence[Visitor], seconds: float) -> list[float]:
    """How long each move took to be answered."""
    end = time.perf_counter() + seconds
    found = await asyncio.gather(*(_play(each, number / len(visitors), end) for number, each in enumerate(visitors)))
    return [took for times in found for took in times]


async def _play(visitor: Visitor, phase: float, end: float) -> list[float]:
    times: list[float] = []
    await asyncio.sleep(phase * MOVE_INTERVAL)
    while time.perf_counter() < end:
        took = await visitor.move()
        if took is not None:
            times.append(took)
            await asyncio.sleep(max(0.0, MOVE_INTERVAL - took))
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


class Visitor:
    """One open page."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._sent = socket, 0
        self._panels = ReceivedPanels()
        self.main = self.title = self.address = ""

    @classmethod
    async def at(cls, server: str, address: str) -> Visitor:
        """A visitor who has opened a page; it is drawn."""
        headers = {"Origin": server.rstrip("/")}
        place = f"{server.replace('http', 'ws')}live?at={quote(address, safe='')}"
        visitor = cls(await connect(place, additional_headers=headers, max_size=None))
        await visitor.receive()
        return visitor

    async def receive(self) -> dict[str, Any]:
        """The next frame."""
        frame: dict[str, Any] = json.loads(await asyncio.wait_for(self._socket.recv(), TIMEOUT))
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


def main() -> None:
    """Serve until the bench ends; the argument is the folder for the tables."""
    parent = Parent()
    state = ServerState(Limits(think=600.0, tables=MAX_TABLES), data=Path(sys.argv[1]) / "tables.sqlite")
    state.load()
    listening = listen("127.0.0.1", 0)
    listening.listen(1_000)
    held: list[float] = []
    parent.answer(address=address_of(listening))
    threading.Thread(target=_answer, args=(parent, state, held), daemon=True).start()
    asyncio.run(_serve(state, listening, held))


async def _serve(state: ServerState, listening: object, held: list[float]) -> None:
    server = make_server(state, frozenset())
    beats = asyncio.create_task(_watch(held))
    await server.serve(sockets=[listening])  # type: ignore[list-item]
    beats.cancel()


async def _watch(held: list[float]) -> None:
    while True:
        started = time.perf_counter()
        await asyncio.sleep(BEAT)
        held.append(time.perf_counter() - started - BEAT)


def _answer(parent: Parent, state: ServerState, held: list[float]) -> None:
    for _ in parent.questions():
        gc.collect()
        times, held[:] = list(held), []
        parent.answer(cpu=sum(os.times()[:2]), memory=resident(), tables=len(state.tables), held=times)


def resident() -> int:
    """Bytes in memory now; where the system does not say, the most there ever were."""
    if STATISTICS.exists():
        return int(STATISTICS.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main()
