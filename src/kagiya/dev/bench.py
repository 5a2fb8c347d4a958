"""Benchmarks of the table, every agent and every search on one core, in units that other programs have too."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product, starmap
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from kagiya import Agent, Match, Rules, Table, find_agent, kernel, parse_rules, play_match
from kagiya.cards import MAX_HAND
from kagiya.engine.batch import make_move, write_template
from kagiya.engine.game_kernels import deal, is_over
from kagiya.engine.layout import GAME, TEMPLATE, new_states, new_streams
from kagiya.runtime.workers import cores
from kagiya.search.search_layout import ROOT_NODE
from kagiya.search.workspace import SearchWorkspace
from kagiya.view.view_kernels import DEAL_TABLE, critical_kinds, hand_chances, slot_chance, unseen_planes

COUNTS = (2, 3, 4, 5)
CHUNK, SMALL_CHUNK = 2000, 200  # games between two looks at the clock
THREAD_GAMES = 200_000
FALLBACK = "bouzy"  # where the strict rules leave too few hints


@dataclass(frozen=True, slots=True)
class Rate:
    """How much was done in a second of one core's time."""

    games: float
    moves: float


def measure_rates(seconds: float, advance: Callable[[int], None]) -> list[dict[str, Any]]:
    """The rates of the table, as rows with a number for machines and words for people."""
    rows: list[dict[str, Any]] = []

    def add(what: str, value: float, shown: str) -> None:
        rows.append({"what": what, "value": value, "shown": shown})
        advance(1)

    def best(name: str) -> Rate:
        return max((agent_rate(name, 3, seconds) for _ in range(3)), key=lambda rate: rate.moves)

    random_rate = best("random")
    add("random legal play, moves per second", random_rate.moves, f"{random_rate.moves / 1e6:.1f} million")
    add("random legal play, 3 players, games per second", random_rate.games, f"{random_rate.games:,.0f}")
    for name in ("careful", "careful-python"):
        rate = best(name)
        add(f"`{name}`, 3 players, games per second", rate.games, f"{rate.games:,.0f}")
    for exact, what in ((False, "slot by slot"), (True, "the hand as a whole, exact")):
        view = view_seconds(3, exact)
        words = f"{view * 1e9:,.0f} ns, {view * random_rate.moves:.2f} of a random move"
        add(f"all chances of one's own hand, {what}", view, words)
    gain = thread_gain("careful", THREAD_GAMES)
    add("two threads instead of one, wall time", gain, f"{gain:.2f} times faster")
    imported = import_seconds("import kagiya")
    add("`import kagiya`", imported, f"{imported * 1000:.0f} ms")
    engine = import_seconds("from kagiya import Match, find_agent")
    add("the same with everything a match needs, numba included", engine, f"{engine * 1000:.0f} ms")
    return rows


def agent_rate(name: str, players: int, seconds: float) -> Rate:
    """Self-play of an agent on one core, in CPU time."""
    return table_rate(Table(Rules(players=players), [find_agent(name)]), seconds, CHUNK)


def table_rate(table: Table, seconds: float, chunk: int) -> Rate:
    """Games at this table in CPU time; one in Python looks at the clock more often."""
    if not table.is_compiled:
        chunk //= 100
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


def import_seconds(statement: str) -> float:
    """What an import adds to the start of Python, in wall time."""
    code = f"import time; t = time.perf_counter(); {statement}; print(time.perf_counter() - t)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(3)]
    return min(float(run.stdout) for run in runs)


@kernel
def repeat_view(states, i, seat, times):
    """Everything a seat can know of its hand, slot by slot: three chances each. Returns a sum, to be used."""
    state = states[i]
    total = 0.0
    for _ in range(times):
        low, high = unseen_planes(states, i, seat, seat)
        critical = critical_kinds(states, i)
        for slot in range(state["hand_size"]):
            possible = state["possible"][seat, slot]
            total += slot_chance(low, high, possible, state["playable"])
            total += slot_chance(low, high, possible, state["useless"])
            total += slot_chance(low, high, possible, critical)
        state["turn"] += 1  # so that the compiler cannot do it once for all
        state["possible"][seat, 0] ^= 1
    return total


@kernel
def repeat_exact_view(states, i, seat, table, chances, times):
    """The same with the cards of a hand considered together."""
    total = 0.0
    for _ in range(times):
        hand_chances(states, i, seat, seat, table, chances)
        total += chances[0, 0]
        states[i]["turn"] += 1
    return total


def measure_agents(
    agents: Sequence[Agent], seconds: float, rounds: int, advance: Callable[[int], None]
) -> list[dict[str, Any]]:
    """For each agent the median of the rounds, which are taken in turn, by the number of players."""
    tables = {(agent.text, count): seat(agent, count) for agent in agents for count in COUNTS}
    rates: dict[tuple[str, int], list[float]] = {key: [] for key, table in tables.items() if table is not None}
    for _ in range(rounds):
        for key, found in rates.items():
            table = tables[key]
            assert table is not None
            found.append(table_rate(table, seconds, SMALL_CHUNK).games)
            advance(1)
    return [
        {
            "agent": agent.text,
            "family": agent.info.family,
            "games_per_second": {str(c): median(rates[agent.text, c]) for c in COUNTS if (agent.text, c) in rates},
            "rules": {str(c): table.rules.text() for c in COUNTS if (table := tables[agent.text, c]) is not None},
        }
        for agent in agents
    ]


def seat(agent: Agent, players: int) -> Table | None:
    """A table of this agent by the standard rules, or with empty hints if it needs them; None if it plays neither."""
    for rules in (Rules(players=players), parse_rules(FALLBACK, players)):
        if agent.why_not(rules) is None:
            return Table(rules, [agent])
    return None


ALGORITHMS = ("mo-ismcts", "ris-mcts")
RULES = ("goodman", "all")
ROLLOUTS = ("vdb", "random")
CONVENTIONS = ("none", "playable-now")
BLUEPRINT = "smartbot"  # of the search on an exact belief
THREADED = ("ris-mcts(rules=goodman, iterations=200)", 8)  # the search of two threads, and its games
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


class SearchSetting(NamedTuple):
    """One search to be timed."""

    algorithm: str
    rules: str
    rollout: str
    convention: str

    def text(self, milliseconds: float) -> str:
        """The agent as on the command line, with so much time for each move."""
        set_to = f"rules={self.rules}, rollout={self.rollout}, convention={self.convention}"
        return f"{self.algorithm}({set_to}, time={milliseconds:g}ms)"

    def original(self, players: int) -> tuple[float, ...]:
        """What the original came to over whole games, run by run; nothing where it was not measured."""
        return ORIGINAL.get(self, ()) if players == ORIGINAL_PLAYERS else ()

    def original_opening(self, players: int) -> float | None:
        """The same at the first move."""
        return ORIGINAL_OPENING.get(self) if players == ORIGINAL_PLAYERS else None


def settings() -> Iterator[SearchSetting]:
    """All that are timed."""
    return starmap(SearchSetting, product(ALGORITHMS, RULES, ROLLOUTS, CONVENTIONS))


def measure_searches(
    chosen: Sequence[SearchSetting],
    players: int,
    milliseconds: float,
    games: int,
    moves: int,
    advance: Callable[[int], None],
) -> dict[str, Any]:
    """Iterations of these searches, rollouts, two threads and punctuality, as plain data."""
    rows = []
    for setting in chosen:
        rate, first = iteration_rates(setting, players, milliseconds, games)
        original, opening = setting.original(players), setting.original_opening(players)
        rows.append(
            {
                **setting._asdict(),
                "iterations_per_second": rate,
                "original": list(original),
                "ratio": rate / max(original) if original else None,
                "opening": first,
                "original_opening": opening,
                "opening_ratio": first / opening if opening else None,
            }
        )
        advance(1)
    exact = rollout_rate(milliseconds, games)
    advance(1)
    gain = thread_gain(*THREADED)
    advance(1)
    overruns = time_overrun(milliseconds, moves)
    return {"rows": rows, "source": SOURCE, "exact": exact, "two_threads": gain, **overruns}


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
    return sum(int(each.work["all_iterations"]) for each in table.workspaces if isinstance(each, SearchWorkspace))


def iteration_rates(setting: SearchSetting, players: int, milliseconds: float, games: int) -> tuple[float, float]:
    """Iterations per CPU second in self-play, on one thread: over whole games, and at their first moves.

    Every move has the same time, as the original's had, so each counts alike.
    """
    table = Table(Rules(players=players), [find_agent(setting.text(milliseconds))])
    moves = [move for seed in range(1, games + 1) for move in timed_game(table, seed)]
    first = [next(timed_game(table, seed)) for seed in range(1, FIRST_MOVES + 1)]
    return _rate(moves), _rate(first)


def rollout_rate(milliseconds: float, games: int) -> dict[str, Any]:
    """Rollouts per CPU second of a search on an exact belief, with all that it takes to keep that belief.

    One seat of two searches, the other plays its blueprint; only the searching seat's moves count.
    """
    agent = f"sparta(blueprint={BLUEPRINT}, time={milliseconds:g}ms)"
    table = Table(Rules(players=2), [find_agent(agent), find_agent(BLUEPRINT)])
    workspace = table.workspaces[0]
    assert isinstance(workspace, SearchWorkspace)
    rollouts, spent = 0, 0.0
    for seed in range(1, games + 1):
        for move in timed_game(table, seed):
            if move.turn % 2 == 0:
                rollouts += int(workspace.nodes[ROOT_NODE]["visits"])
                spent += move.cpu
    return {"agent": agent, "partner": BLUEPRINT, "rollouts": rollouts / spent}


def _rate(moves: list[TimedMove]) -> float:
    return sum(move.iterations for move in moves) / sum(move.cpu for move in moves)


def time_overrun(milliseconds: float, moves: int) -> dict[str, dict[str, float] | None]:
    """How late moves of games were, and those among them that kept their processor; lone moves are not counted."""
    table = Table(Rules(players=ORIGINAL_PLAYERS), [find_agent(f"ris-mcts(rules=goodman, time={milliseconds:g}ms)")])
    timed: list[TimedMove] = []
    seed = 1
    while len(timed) < moves:
        timed += [move for move in timed_game(table, seed) if move.iterations]
        seed += 1
    calm = [move for move in timed[:moves] if move.disturbances == 0]
    quiet = overrun_of(calm, milliseconds) if calm else None
    return {"overrun": overrun_of(timed[:moves], milliseconds), "undisturbed_overrun": quiet}


def overrun_of(moves: list[TimedMove], milliseconds: float) -> dict[str, float]:
    """By how many milliseconds moves missed the time they were given; negative if they were early."""
    late = np.array([1000 * move.seconds - milliseconds for move in moves])
    middle, almost_all, largest = np.percentile(late, [50, 99, 100]).tolist()
    return {"moves": len(late), "median": middle, "percentile_99": almost_all, "largest": largest}
