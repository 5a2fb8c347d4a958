"""How fast searches think: iterations per second over whole games, beside the program that they come from."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from kagiya.agents.register import find_agent
from kagiya.engine.batch_kernels import make_move
from kagiya.engine.kernels import is_over
from kagiya.engine.layout import GAME
from kagiya.lab.table.table import Table
from kagiya.rules import Rules
from kagiya.search.layout import ROOT_NODE
from kagiya.search.workspace import Workspace

ALGORITHMS = ("mo-ismcts", "ris-mcts")
RULES = ("goodman", "all")
ROLLOUTS = ("vdb", "random")
CONVENTIONS = ("none", "playable-now")
BLUEPRINT = "smartbot"  # of the search on an exact belief
FIRST_MOVES = 5  # games whose first move is timed

# Iterations per CPU second of Goodman's Java program, hopshackle/fireworks at d04b925, run for this comparison on one
# core: 4 players, 100 ms of CPU for each move, averages over whole games after 8-12 CPU seconds of warming up; two
# numbers are two runs. In the unrestricted tree it explores with the square root of 2 unless that was repaired, which
# it was for the van den Bergh rollouts; MO-ISMCTS with rules is its variant without the defect (`defect=no`).
SOURCE = "hopshackle/fireworks d04b925 (Java), 4 players, 100 ms of CPU a move, one core"
ORIGINAL_PLAYERS = 4
ORIGINAL: dict[tuple[str, str, str, str], tuple[float, ...]] = {
    ("mo-ismcts", "all", "random", "none"): (32544,),
    ("mo-ismcts", "all", "vdb", "none"): (6414,),
    ("ris-mcts", "all", "random", "none"): (17961,),
    ("ris-mcts", "all", "vdb", "none"): (5517,),
    ("mo-ismcts", "goodman", "random", "none"): (3458, 2852),
    ("mo-ismcts", "goodman", "vdb", "none"): (2272, 2063),
    ("ris-mcts", "goodman", "random", "none"): (3360, 2983),
    ("ris-mcts", "goodman", "vdb", "none"): (2317, 1811),
    ("ris-mcts", "goodman", "random", "playable-now"): (2419,),
    ("ris-mcts", "goodman", "vdb", "playable-now"): (1577,),
}
# The same at the first move of a game, where an iteration is longest.
ORIGINAL_OPENING: dict[tuple[str, str, str, str], float] = {
    ("mo-ismcts", "all", "random", "none"): 26143,
    ("mo-ismcts", "all", "vdb", "none"): 619,
    ("ris-mcts", "all", "random", "none"): 14809,
    ("ris-mcts", "all", "vdb", "none"): 693,
    ("mo-ismcts", "goodman", "random", "none"): 2206,
    ("ris-mcts", "goodman", "random", "none"): 2188,
    ("ris-mcts", "goodman", "vdb", "none"): 608,
    ("ris-mcts", "goodman", "random", "playable-now"): 1756,
    ("ris-mcts", "goodman", "vdb", "playable-now"): 530,
}


@dataclass(frozen=True)
class SearchSetting:
    """One search to be timed."""

    algorithm: str
    rules: str
    rollout: str
    convention: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.algorithm, self.rules, self.rollout, self.convention

    def text(self, milliseconds: float) -> str:
        """The agent as on the command line, with so much time for each move."""
        set_to = f"rules={self.rules}, rollout={self.rollout}, convention={self.convention}"
        return f"{self.algorithm}({set_to}, time={milliseconds:g}ms)"

    def original(self, players: int) -> tuple[float, ...]:
        """What the original came to over whole games, run by run; nothing where it was not measured."""
        return ORIGINAL.get(self.key, ()) if players == ORIGINAL_PLAYERS else ()

    def original_opening(self, players: int) -> float | None:
        """The same at the first move."""
        return ORIGINAL_OPENING.get(self.key) if players == ORIGINAL_PLAYERS else None


def settings() -> Iterator[SearchSetting]:
    """All that are timed."""
    for algorithm, rules, rollout, convention in product(ALGORITHMS, RULES, ROLLOUTS, CONVENTIONS):
        yield SearchSetting(algorithm, rules, rollout, convention)


@dataclass(frozen=True)
class TimedMove:
    """What one move took: seconds on the wall and of this thread's CPU, and how often the system took that away."""

    turn: int
    iterations: int
    seconds: float
    cpu: float
    disturbances: int


def timed_game(table: Table, seed: int) -> Iterator[TimedMove]:
    """Play a game in which all seats are compiled, move by move."""
    table.start_game(seed)
    states = table.states
    while not is_over(states, GAME):
        turn, seat = int(states[GAME]["turn"]), int(states[GAME]["seat"])
        kind = table.agents[seat].compiled
        before, disturbed = iterations_of(table), disturbances()
        cpu, started = time.thread_time(), time.perf_counter()
        move = kind.act(states, GAME, seat, table.memory, table.params, table.rng)
        seconds, spent = time.perf_counter() - started, time.thread_time() - cpu
        yield TimedMove(turn, iterations_of(table) - before, seconds, spent, disturbances() - disturbed)
        make_move(states, GAME, table.memory, table.params, table.observes, move)


def disturbances() -> int:
    """How often this thread has had to give its processor to another; 0 on systems that do not count it."""
    try:
        from resource import RUSAGE_THREAD, getrusage
    except ImportError:  # Linux alone counts by thread
        return 0
    return getrusage(RUSAGE_THREAD).ru_nivcsw


def iterations_of(table: Table) -> int:
    """All iterations that the searches at a table have made since it was set."""
    return sum(int(each.work["all_iterations"]) for each in table.workspaces if isinstance(each, Workspace))


@dataclass(frozen=True)
class IterationRate:
    """Iterations per CPU second in self-play, on one thread: over whole games, and at their first moves."""

    games: float
    opening: float


def iteration_rate(setting: SearchSetting, players: int, milliseconds: float, games: int) -> IterationRate:
    """Every move has the same time, as the original's had, so each counts alike."""
    table = Table(Rules(players=players), [find_agent(setting.text(milliseconds))])
    moves = [move for seed in range(1, games + 1) for move in timed_game(table, seed)]
    first = [next(timed_game(table, seed)) for seed in range(1, FIRST_MOVES + 1)]
    return IterationRate(_rate(moves), _rate(first))


@dataclass(frozen=True)
class RolloutRate:
    """Rollouts per CPU second of a search on an exact belief, with all that it takes to keep that belief."""

    agent: str
    partner: str
    rollouts: float


def rollout_rate(milliseconds: float, games: int) -> RolloutRate:
    """One seat of two searches, the other plays its blueprint; only the searching seat's moves count."""
    agent = f"sparta(blueprint={BLUEPRINT}, time={milliseconds:g}ms)"
    table = Table(Rules(players=2), [find_agent(agent), find_agent(BLUEPRINT)])
    workspace = table.workspaces[0]
    assert isinstance(workspace, Workspace)
    rollouts, spent = 0, 0.0
    for seed in range(1, games + 1):
        for move in timed_game(table, seed):
            if move.turn % 2 == 0:
                rollouts += int(workspace.nodes[ROOT_NODE]["visits"])
                spent += move.cpu
    return RolloutRate(agent, BLUEPRINT, rollouts / spent)


def _rate(moves: list[TimedMove]) -> float:
    return sum(move.iterations for move in moves) / sum(move.cpu for move in moves)


@dataclass(frozen=True)
class Overrun:
    """By how many milliseconds moves missed the time they were given; negative if they were early."""

    moves: int
    median: float
    percentile_99: float
    largest: float


def time_overrun(milliseconds: float, moves: int) -> tuple[Overrun, Overrun | None]:
    """Of so many moves of games, and of those among them that kept their processor; lone moves are not counted."""
    table = Table(Rules(players=ORIGINAL_PLAYERS), [find_agent(f"ris-mcts(rules=goodman, time={milliseconds:g}ms)")])
    timed: list[TimedMove] = []
    seed = 1
    while len(timed) < moves:
        timed += [move for move in timed_game(table, seed) if move.iterations]
        seed += 1
    calm = [move for move in timed[:moves] if move.disturbances == 0]
    return overrun(timed[:moves], milliseconds), overrun(calm, milliseconds) if calm else None


def overrun(moves: list[TimedMove], milliseconds: float) -> Overrun:
    """The distribution."""
    late = np.array([1000 * move.seconds - milliseconds for move in moves])
    return Overrun(len(late), float(np.median(late)), float(np.percentile(late, 99)), float(late.max()))
