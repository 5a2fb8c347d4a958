"""A small store for tests: self-play and cross-play with two and three players, in two runs."""

from pathlib import Path

from kagiya import Match, Rules, find_agent
from kagiya.lab.experiment import one_of
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.runtime.workers import LocalWorkers

AGENTS = ("random", "careful", "vdb")
CELL_GAMES = 30


def crossplay_matches(players: int, agents: tuple[str, ...] = AGENTS, games: int = CELL_GAMES) -> list[Match]:
    """One of each agent with copies of each, as `kagiya crossplay` seats them."""
    import random

    pool = [find_agent(name) for name in agents]
    seatings = one_of(pool, players, games, random.Random(0))
    return [Match.of(Rules(players=players), list(each.team), each.games, 100 + each.offset) for each in seatings]


def make_store(path: Path) -> Path:
    """Run 1: three players, run 2: two players, run 3: more self-play of `careful` with three."""
    with Store.open(path) as store:
        for command, matches in (
            ("kagiya crossplay random careful vdb", crossplay_matches(3)),
            ("kagiya crossplay random careful vdb --players 2", crossplay_matches(2)),
            ("kagiya match careful -n 60", [Match.of(Rules(players=3), "careful", 60, 100)]),
        ):
            run_matches(matches, store, command, LocalWorkers(1))
    return path
