"""The server that is measured: it says what it used, and how long its loop was held."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import threading
import time
from pathlib import Path

from kagiya.web.bench.memory import resident
from kagiya.web.processes.questions import Parent
from kagiya.web.server.app import address_of, listen, make_server
from kagiya.web.server.limits import Limits
from kagiya.web.server.state import ServerState

BEAT = 0.005  # seconds between two looks at the clock; what is more was taken by something else
MANY = 1_000_000  # tables: the bench leaves more behind than a server keeps


def main() -> None:
    """Serve until the bench ends; the argument is the folder for the tables."""
    parent = Parent()
    state = ServerState(Limits(think=600.0, tables=MANY), data=Path(sys.argv[1]) / "tables.sqlite")
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


if __name__ == "__main__":
    main()
