"""The whole bench: one table and many, with and without searches, memory, first load, how long the loop is held."""

from __future__ import annotations

import asyncio
import re
import tempfile
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from kagiya.runtime.child import Child
from kagiya.web.bench.traffic import (
    TABLE,
    Server,
    leave,
    open_and_leave,
    percentile,
    play,
    sit_down,
    stop_a_coach,
)
from kagiya.web.bench.visitor import ANSWER_TIMEOUT

SEARCHES = "/?players=2&pause=0&seat1=ris-mcts(time%3D30s)&seat2=human"  # the search moves first
AGENTS = ("careful", "ris-mcts", "smartbot", "depth-one(smartbot)")  # that play, search and judge here
STAGES = 6
IN_PYTHON = "/?players=2&pause=0&seat1=careful-python&seat2=human"


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


def measure(tables: int, seconds: float, opened: int, tell: Callable[[str], None] = lambda words: None) -> WebReport:
    """All of it, in one run."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder)
        try:
            return asyncio.run(_measure(server, tables, seconds, opened, tell))
        finally:
            server.close()


async def _measure(server: Server, tables: int, seconds: float, opened: int, tell: Callable[[str], None]) -> WebReport:
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
        child = Child("kagiya.web.processes.compile_process", "standard", "2", environment={"KAGIYA_CACHE_DIR": folder})
        try:
            child.receive(ANSWER_TIMEOUT)
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
