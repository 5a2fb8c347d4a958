"""How fast: rates of this program on one core, in units that can be set against its peers'."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np

from kagiya.agents.register import find_agent
from kagiya.engine.kernels import deal
from kagiya.engine.layout import GAME, TEMPLATE, new_states, new_streams
from kagiya.engine.template import write_template
from kagiya.lab.bench.rate_kernels import repeat_exact_view, repeat_view
from kagiya.lab.match.match import Match
from kagiya.lab.match.match_result import play_match
from kagiya.lab.table.table import Table
from kagiya.rules import MAX_HAND, Rules
from kagiya.runtime.workers import cores
from kagiya.view.kernels import DEAL_TABLE

CHUNK = 2000


@dataclass(frozen=True, slots=True)
class Rate:
    """How much was done in a second of one core's time."""

    games: float
    moves: float


def agent_rate(name: str, players: int, seconds: float) -> Rate:
    """Self-play of an agent on one core, in CPU time."""
    table = Table(Rules(players=players), [find_agent(name)])
    chunk = CHUNK if table.is_compiled else 20
    table.play_chunk(0, 2)
    games, moves, started = 0, 0, time.process_time()
    while (spent := time.process_time() - started) < seconds:
        results = table.play_chunk(games, chunk)
        games += chunk
        moves += int(results["turns"].sum())
    return Rate(games / spent, moves / spent)


def view_seconds(players: int, exact: bool) -> float:
    """What it costs to know all about one's own hand at the start of a game."""
    states, rng = new_states(2), new_streams(2)
    write_template(Rules(players=players), states, 0)
    deal(states, TEMPLATE, GAME, rng, 1)
    table, chances = np.zeros(DEAL_TABLE, np.int64), np.zeros((3, MAX_HAND))

    def run(times: int) -> None:
        if exact:
            repeat_exact_view(states, GAME, np.int64(0), table, chances, times)
        else:
            repeat_view(states, GAME, np.int64(0), times)

    return _seconds_each(run, 20_000)


def _seconds_each(run: Callable[[int], None], times: int) -> float:
    run(2)
    spent = []
    for _ in range(5):
        started = time.process_time()
        run(times)
        spent.append((time.process_time() - started) / times)
    return min(spent)


def thread_gain(name: str, games: int) -> float:
    """Wall time on one thread over wall time on two: 2 would be perfect. Not a number with a single core."""
    if cores() < 2:
        return float("nan")
    match = Match.of(Rules(players=3), [find_agent(name)], games)
    gains = []
    for _ in range(3):
        gains.append(play_match(match, workers=1).seconds / play_match(match, workers=2).seconds)
    return median(gains)


def import_seconds() -> float:
    """What ``import kagiya`` adds to the start of Python, in wall time."""
    code = "import time; t = time.perf_counter(); import kagiya; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout) for run in runs)


def engine_import_seconds() -> float:
    """The same with everything that a match needs, numba included."""
    code = "import time; t = time.perf_counter(); from kagiya import Match, find_agent; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout) for run in runs)
