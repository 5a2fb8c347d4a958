"""Training data: rows from the trees of searched games, in a folder with a Parquet file for each game.

A row is the features of a well visited move of a search's tree, and the move's mean. The game is played as any other,
and after each move the tree is read. A node of the tree is a sequence of moves, which many deals share. Its features
are taken from one such deal, sampled after the search as its iterations sample theirs; so recording changes nothing
about the game. Games that are missing in the folder are played and added; a note there says how they were made.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Self

import duckdb
import numpy as np
import numpy.typing as npt

from kagiya._jit import kernel, popcount, stack_array
from kagiya.agents.api import Agent
from kagiya.agents.playable_now import misleading_hints
from kagiya.agents.rule_list import list_length, rule_move
from kagiya.cards import MAX_PLAYERS, NO_MOVE
from kagiya.engine.batch import NO_KERNEL, PYTHON_TO_MOVE
from kagiya.engine.game_kernels import is_over
from kagiya.engine.layout import GAME
from kagiya.lab.match.chunk import check_code
from kagiya.lab.match.cluster import ClusterWorkers
from kagiya.lab.provenance import code_version
from kagiya.lab.store.game_files import literal
from kagiya.lab.store.journal import unfinished, write_durably
from kagiya.lab.table.table import Table
from kagiya.learn.features import (
    FEATURE_NAMES,
    FEATURE_VERSION,
    FEATURES,
    STATE_FEATURES,
    write_move_features,
    write_state_features,
)
from kagiya.rules import Rules
from kagiya.runtime.interrupts import Stop, uninterrupted
from kagiya.runtime.workers import LocalWorkers, ThreadCache, WorkerPool, WorkItem
from kagiya.search.deals.past_moves import narrow_possible, restore_possible
from kagiya.search.ismcts import THE_LIST, deal_root, forget_cards, make_tree_move, offered_in_tree
from kagiya.search.search_layout import KNOWN, ROOT_NODE, TRIAL, nodes_of, rng_of, rules_of, states_of, work_at
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import SpecError

MAX_DEPTH = 64
TRIES = 20  # deals sampled for a node before it is given up
# Columns of `numbers`, beside the features.
DEPTH, MOVE, VISITS, NODE_VISITS, TARGET, NUMBERS = range(6)

features_of_node = stack_array("float64", FEATURES)
features_of_move = stack_array("float64", FEATURES)
path_of_node = stack_array("int64", MAX_DEPTH + 1)


@kernel
def write_tree_rows(
    place: int, i: Any, memory: Any, least_visits: int, deepest: int, features: Any, numbers: Any
) -> int:
    """A row for every move tried at least so often, at nodes at most so deep that were; returns how many.

    The search at address `place` must just have chosen a move for the game in lane `i`, not made yet.
    """
    work = work_at(place)
    nodes = nodes_of(work)
    path = path_of_node()
    path[0], depth, count = ROOT_NODE, 0, 0
    going_down = nodes[ROOT_NODE]["visits"] >= least_visits
    while depth >= 0:
        node, following = path[depth], 0
        if going_down:
            count = write_node_rows(i, memory, work, path, depth, least_visits, features, numbers, count)
            if depth < min(deepest, MAX_DEPTH):
                following = visited_from(nodes, nodes[node]["child"], least_visits)
        if following:
            depth += 1
        else:
            following = visited_from(nodes, nodes[node]["sibling"], least_visits) if depth > 0 else 0
        going_down = following != 0
        if following:
            path[depth] = following
        else:
            depth -= 1
    return count


@kernel
def visited_from(nodes: Any, node: int, least_visits: int) -> int:
    """This node or the first of its later siblings that was visited so often; 0 if there is none."""
    while node and nodes[node]["visits"] < least_visits:
        node = nodes[node]["sibling"]
    return node


@kernel
def write_node_rows(
    i: Any, memory: Any, work: Any, path: Any, depth: int, least_visits: int, features: Any, numbers: Any, count: int
) -> int:
    """The rows of one node; returns how many there are now."""
    nodes, lanes = nodes_of(work), states_of(work)
    child = visited_from(nodes, nodes[path[depth]]["child"], least_visits)
    if child == 0 or not reach_node(i, memory, work, path, depth):
        return count
    seat, masks, convention = lanes[TRIAL]["seat"], work["convention_masks"][:], work["convention"]
    offered = offered_in_tree(work, path[depth], seat)
    points, perfect = popcount(lanes[TRIAL]["played"]), popcount(lanes[TRIAL]["kinds"])
    before, after = features_of_node(), features_of_move()
    write_state_features(lanes, TRIAL, seat, masks, before)
    while child and count < len(numbers):
        node = nodes[child]
        if offered >> node["move"] & 1:
            for column in range(FEATURES):
                after[column] = before[column]
            write_move_features(lanes, TRIAL, seat, masks, convention, node["move"], after)
            for column in range(FEATURES):
                features[count, column] = after[column]
            numbers[count, DEPTH], numbers[count, MOVE] = depth, node["move"]
            numbers[count, VISITS], numbers[count, NODE_VISITS] = node["visits"], nodes[path[depth]]["visits"]
            numbers[count, TARGET] = (node["total"] / node["visits"] - points) / perfect
            count += 1
        child = visited_from(nodes, node["sibling"], least_visits)
    return count


@kernel
def reach_node(i: Any, memory: Any, work: Any, path: Any, depth: int) -> bool:
    """Sample deals until the node's moves are all offered in one; lane TRIAL is then the game at the node."""
    nodes, lanes = nodes_of(work), states_of(work)
    for _ in range(TRIES):
        deal_root(i, work["seat"], memory, work)
        forget_cards(work)
        reached = 0
        for step in range(depth):
            move = nodes[path[step + 1]]["move"]
            if is_over(lanes, TRIAL) or not offered_in_tree(work, path[step], lanes[TRIAL]["seat"]) >> move & 1:
                break
            make_tree_move(work, step, move)
            reached += 1
        if reached == depth and not is_over(lanes, TRIAL):
            return True
    return False


@kernel
def write_root_row(place: int, move: int, features: Any) -> int:
    """The features of the position that a search has just thought about; returns which rules propose its move."""
    work = work_at(place)
    lanes, seat, masks, convention = states_of(work), work["seat"], work["convention_masks"][:], work["convention"]
    for order in range(len(masks)):
        masks[order] = work["root_convention_masks"][order]
    before = features_of_node()
    write_state_features(lanes, KNOWN, seat, masks, before)
    for column in range(STATE_FEATURES):
        features[column] = before[column]
    forbidden = misleading_hints(lanes, KNOWN, seat, convention) if convention else 0
    rules, rng, proposing = rules_of(work), rng_of(work), 0
    if convention:
        narrow_possible(lanes, KNOWN, seat, work)
    for rule in range(list_length(rules, THE_LIST)):
        if rule_move(lanes, KNOWN, seat, rules, THE_LIST, rule, rng, masks, convention, forbidden) == move:
            proposing |= 1 << rule
    if convention:
        restore_possible(lanes, KNOWN, seat, work)
    return proposing


TREES = ("ris-mcts", "mo-ismcts", "predictor")
MAX_ROWS = 20_000  # of one move


@dataclass(frozen=True)
class HarvestTerms:
    """Which moves of a tree become rows."""

    least_visits: int = 50
    deepest: int = 12  # moves below the root; 0 for the root alone

    def __post_init__(self) -> None:
        if self.least_visits < 1 or self.deepest < 0:
            raise ValueError("the least number of visits must be at least 1, and the greatest depth at least 0")


@dataclass(frozen=True)
class GameRows:
    """The rows of one game: of the trees' moves, and of the positions that were played."""

    seed: int
    score: int
    turns: npt.NDArray[np.int16]  # [row]
    features: npt.NDArray[np.float32]  # [row, feature]
    numbers: npt.NDArray[np.float32]  # [row, column of tree_row_kernels]
    positions: npt.NDArray[np.float32]  # [turn, state feature]
    rules: npt.NDArray[np.int32]  # [turn]: the rules that propose the move made, as a mask


class Harvester:
    """A table of searches whose trees are read after each move."""

    def __init__(self, rules: Rules, agent: Agent, terms: HarvestTerms) -> None:
        if agent.info.id not in TREES:
            raise SpecError(f"{agent.text} has no tree to learn from; give {', '.join(TREES)}")
        self.table, self.terms = Table(rules, [agent]), terms
        self._acts = np.full(MAX_PLAYERS, NO_KERNEL, np.int64)
        self._features = np.zeros((MAX_ROWS, FEATURES))
        self._numbers = np.zeros((MAX_ROWS, NUMBERS))

    def play(self, seed: int) -> GameRows:
        """Play one game and return its rows; the game is the one that a match plays with this seed."""
        table = self.table
        table.acts = self._acts
        rows: list[tuple[Any, Any]] = []
        positions: list[Any] = []
        proposing: list[int] = []
        stopped = table.advance(table.start_game(seed), NO_MOVE, seed)
        while stopped == PYTHON_TO_MOVE and not table.stopped:
            move = self._think()
            features, numbers, position, rules = self._read_tree(move)
            rows.append((features, numbers))
            positions.append(position)
            proposing.append(rules)
            stopped = table.advance(table.log, move, seed)
        table.write_result(seed)
        lengths = [len(features) for features, _ in rows]
        return GameRows(
            seed,
            int(table.result[0]["score"]),
            np.repeat(np.arange(len(rows), dtype=np.int16), lengths),
            np.concatenate([features for features, _ in rows]),
            np.concatenate([numbers for _, numbers in rows]),
            np.array(positions, np.float32),
            np.array(proposing, np.int32),
        )

    def _think(self) -> int:
        table = self.table
        seat = int(table.states[GAME]["seat"])
        return int(table.agents[seat].compiled.act(table.states, GAME, seat, table.memory, table.params, table.rng))

    def _read_tree(self, move: int) -> tuple[Any, Any, Any, int]:
        table, terms = self.table, self.terms
        workspace = table.workspaces[int(table.states[GAME]["seat"])]
        assert isinstance(workspace, SearchWorkspace)
        place, position = workspace.address, np.zeros(STATE_FEATURES)
        rules = int(write_root_row(place, move, position))
        count = 0
        if workspace.work["iterations_done"]:
            count = int(
                write_tree_rows(
                    place, GAME, table.memory, terms.least_visits, terms.deepest, self._features, self._numbers
                )
            )
        features, numbers = self._features[:count].astype(np.float32), self._numbers[:count].astype(np.float32)
        return features, numbers, position, rules


NOTE = "about.json"
MOVES, POSITIONS = "moves", "positions"
COLUMNS = {"depth": DEPTH, "move": MOVE, "visits": VISITS, "node_visits": NODE_VISITS, "target": TARGET}
FORMAT = "FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 1"


class DataError(ValueError):
    """Training data that is missing, or does not fit what is asked of it."""


class DataFolder:
    """Where rows are written game by game, and read all together."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claim(self, about: Mapping[str, Any], is_complete: bool = False) -> None:
        """Begin the folder, or go on with it if it was made with the same settings; whole, by whatever code."""
        self.path.mkdir(parents=True, exist_ok=True)
        note = self.path / NOTE
        if not note.exists():
            if any(self.path.iterdir()):
                raise DataError(f"{self.path} is not empty and holds no training data; choose another folder")
            try:
                write_durably(note, json.dumps(dict(about), indent=1, sort_keys=True) + "\n")
            except OSError as error:
                raise DataError(f"{note} cannot be written: {error.strerror}") from None
        told = self.about()
        for key, value in about.items():
            if told.get(key) != value and not (is_complete and key == "code"):
                raise DataError(
                    f"{self.path} was made with {key} {told.get(key)!r}, not {value!r}; choose another folder"
                )

    def about(self) -> dict[str, Any]:
        """How the data was made."""
        try:
            found = json.loads((self.path / NOTE).read_text(encoding="utf-8"))
            version = found.get("feature_version")
        except OSError:
            raise DataError(f"{self.path} holds no training data; `kagiya train data` makes some") from None
        except (ValueError, AttributeError, RecursionError):
            raise DataError(f"{self.path / NOTE} is damaged: it is not a JSON object") from None
        if version != FEATURE_VERSION:
            raise DataError(
                f"{self.path} has version {version} of the features, this Kagiya has version {FEATURE_VERSION}; "
                "make the data again"
            )
        return dict(found)

    def seeds(self) -> set[int]:
        """The games that are there."""
        names = (file.stem.partition("-") for file in self.path.glob(f"{MOVES}-*.parquet"))
        return {int(seed) for _, _, seed in names if seed.isdigit()}

    def write(self, game: GameRows) -> None:
        """Keep one game; its moves come last, so that a game with moves is whole."""
        columns: dict[str, npt.NDArray[Any]] = {
            "turn": np.arange(len(game.rules), dtype=np.int16),
            "rules": game.rules,
            "score": np.full(len(game.rules), game.score, np.int16),
        }
        columns |= {name: game.positions[:, place] for place, name in enumerate(FEATURE_NAMES[:STATE_FEATURES])}
        self._write_file(POSITIONS, game.seed, columns)
        columns = {"turn": game.turns}
        columns |= {name: game.numbers[:, place] for name, place in COLUMNS.items()}
        columns |= {name: game.features[:, place] for place, name in enumerate(FEATURE_NAMES)}
        self._write_file(MOVES, game.seed, columns)

    def _write_file(self, table: str, seed: int, columns: dict[str, npt.NDArray[Any]]) -> None:
        path = self.path / f"{table}-{seed}.parquet"
        order = ", ".join(columns)
        with duckdb.connect() as connection:
            connection.register("game", {name: np.ascontiguousarray(column) for name, column in columns.items()})
            query = f"SELECT {seed}::BIGINT AS seed, {order} FROM game"
            try:
                with unfinished(path) as part:
                    connection.execute(f"COPY ({query}) TO {literal(part)} ({FORMAT})")
            except duckdb.Error as error:
                raise DataError(f"{path} cannot be written: {error}") from None
            except OSError as error:
                raise DataError(f"{path} cannot be written: {error.strerror}") from None

    def read(self, table: str, columns: tuple[str, ...], where: str = "true") -> dict[str, npt.NDArray[Any]]:
        """Columns of all games, in the order of seeds and turns."""
        self.about()
        if not self.seeds():
            raise DataError(f"{self.path} holds no games; `kagiya train data` adds some")
        files = sorted(map(str, self.path.glob(f"{table}-*.parquet")))
        source = "read_parquet(?, hive_partitioning = false, file_row_number = true)"
        query = f"SELECT {', '.join(columns)} FROM {source} WHERE {where} ORDER BY seed, turn, file_row_number"
        try:
            with uninterrupted(), duckdb.connect() as connection:
                return {
                    name: np.asarray(column) for name, column in connection.execute(query, [files]).fetchnumpy().items()
                }
        except duckdb.Error as error:
            raise DataError(f"{self.path} holds a damaged file: {error}") from None


FIRST_SEED = 50_000_001  # far from those of reported games, which begin at 1


@dataclass(frozen=True)
class DataOrder:
    """Which games a folder shall hold."""

    rules: Rules
    agent: Agent
    games: int
    seed: int = FIRST_SEED
    terms: HarvestTerms = field(default_factory=HarvestTerms)

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError(f"the number of games must be an integer of at least 1, not {self.games}")

    def about(self) -> dict[str, Any]:
        """What must stay the same while a folder grows."""
        return {
            "rules": self.rules.text(),
            "players": self.rules.players,
            "agent": self.agent.text,
            "code": code_version([self.agent]),
            "feature_version": FEATURE_VERSION,
            **asdict(self.terms),
        }


@dataclass(frozen=True)
class DataReport:
    """What a run of `make_data` did."""

    played: int
    there_before: int
    rows: int
    score: float  # mean of the games played now


def make_data(
    order: DataOrder,
    folder: Path,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda games: None,
    cluster: ClusterWorkers | None = None,
) -> DataReport:
    """Play the games that the folder lacks, here or on a cluster. Interrupted, it keeps those that are finished."""
    data = DataFolder(folder)
    there = data.seeds()
    missing = [seed for seed in range(order.seed, order.seed + order.games) if seed not in there]
    data.claim(order.about(), is_complete=not missing)
    rows = scores = 0

    def keep(game: GameRows) -> None:
        nonlocal rows, scores
        with uninterrupted():  # else Ctrl-C reaches DuckDB, which calls it an error
            data.write(game)
        rows, scores = rows + len(game.turns), scores + game.score
        advance(1)

    if missing:
        with LocalWorkers(workers) if cluster is None else nullcontext(cluster) as pool:
            play_all((DataGame(order, seed) for seed in missing), pool, keep)
    played = len(missing)
    return DataReport(played, order.games - played, rows, scores / played if played else float("nan"))


def play_all(games: Iterable[DataGame], pool: WorkerPool, keep: Callable[[GameRows], None]) -> None:
    """Have games played, and hand them over as they are finished."""
    waiting: set[Future[GameRows]] = set()
    left = iter(games)
    while True:
        waiting |= {pool.submit(game) for game in islice(left, max(2 * pool.capacity - len(waiting), 0))}
        if not waiting:
            return
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            keep(future.result())


HARVESTERS: ThreadCache[Harvester] = ThreadCache()
_SEATING = threading.Lock()  # two threads must not compile the same agent


@dataclass(frozen=True)
class DataGame(WorkItem[GameRows]):
    """One game of an order."""

    order: DataOrder
    seed: int
    code: str = ""  # of the agent where the data is made; other code must not play it

    def stamped(self) -> Self:
        return self if self.code else replace(self, code=code_version([self.order.agent]))

    def run(self, stop: Stop) -> GameRows:
        check_code([self.order.agent], self.code)
        harvester = HARVESTERS.get(self.order, self._seat, lambda kept: not kept.table.stopped)
        with stop.heard_by(harvester.table):
            return harvester.play(self.seed)

    def _seat(self) -> Harvester:
        with _SEATING:
            return Harvester(self.order.rules, self.order.agent, self.order.terms)
